import { describe, expect, test } from 'vitest';
import { encodeMessage } from '../../../src/shared/contract/codec.ts';
import { packedFrames, packFrames, unpackFrames } from '../../../src/shared/rl/packed-frames.ts';
import { frameWith, shape } from '../../support/frames.ts';

const frames = [
  frameWith([shape({ entity: 0, x: 1 }), shape({ kind: 'label', text: 'here' })], { step: 3, status: 'a' }),
  frameWith([], { step: 4 }),
  frameWith([shape({ entity: 1, y: -2, heading: 0.5 })], { step: 5, regime: 'ambush' }),
];

describe('packFrames and unpackFrames', () => {
  test('give back the frames, those without shapes too', () => {
    expect(unpackFrames(packFrames(frames))).toEqual(frames);
    expect(unpackFrames(packFrames([]))).toEqual([]);
  });

  test('take two arrays, however many frames there are', () => {
    const many = Array.from({ length: 10_000 }, (_, step) => frameWith([shape()], { step }));
    const packed = packFrames(many);
    expect(packedFrames.parse(packed)).toEqual(packed);
    expect(encodeMessage(packed).frames).toHaveLength(2);
  });
});
