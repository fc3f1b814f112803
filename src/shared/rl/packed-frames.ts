import { z } from 'zod';
import { type Frame, frame, perShape } from './frame.ts';

/**
 * Frames of an episode in two arrays, however many they are: each array costs a message more than its bytes, and a message has
 * not more than ten thousand.
 */
export const packedFrames = z.object({
  moments: z
    .array(frame.omit({ numbers: true, codes: true }).extend({ numShapes: z.int().nonnegative() }))
    .describe('one each'),
  numbers: z.instanceof(Float32Array).describe('[n,6] of all shapes, frame by frame'),
  codes: z.instanceof(Int16Array).describe('[n,6] of all shapes, frame by frame'),
});
export type PackedFrames = z.infer<typeof packedFrames>;

/** Cost: copies the numbers once. */
export function packFrames(frames: readonly Frame[]): PackedFrames {
  const moments = frames.map(({ numbers, codes: _codes, ...moment }) => ({
    ...moment,
    numShapes: numbers.length / perShape,
  }));
  const length = perShape * moments.reduce((sum, { numShapes }) => sum + numShapes, 0);
  const packed = { moments, numbers: new Float32Array(length), codes: new Int16Array(length) };
  let at = 0;
  for (const { numbers, codes } of frames) {
    packed.numbers.set(numbers, at);
    packed.codes.set(codes, at);
    at += numbers.length;
  }
  return packed;
}

/** The frames as they were; their arrays are views of the packed ones. */
export function unpackFrames({ moments, numbers, codes }: PackedFrames): Frame[] {
  let at = 0;
  return moments.map(({ numShapes, ...moment }) => {
    const from = at;
    at += numShapes * perShape;
    return { ...moment, numbers: numbers.subarray(from, at), codes: codes.subarray(from, at) };
  });
}
