import { describe, expect, test } from 'vitest';
import {
  decodeCheckpoint,
  encodeCheckpoint,
  readArray,
} from '../../../../src/engine/learn/data/checkpoint.ts';
import { AppError } from '../../../../src/shared/std/app-error.ts';

const sample = encodeCheckpoint({
  header: { kind: 'test', steps: [1, 2] },
  blobs: new Map([
    ['odd', Uint8Array.of(1, 2, 3)],
    ['floats', new Uint8Array(Float32Array.of(0.5, -1).buffer)],
  ]),
});

const codeOf = (act: () => unknown): string => {
  try {
    act();
  } catch (thrown) {
    if (thrown instanceof AppError) return thrown.code;
    throw thrown;
  }
  return 'nothing thrown';
};

describe('decodeCheckpoint', () => {
  test('gives back header and blobs, wherever the bytes lie in memory', () => {
    const shifted = new Uint8Array(sample.byteLength + 1);
    shifted.set(sample, 1);
    const checkpoint = decodeCheckpoint(shifted.subarray(1));
    expect(checkpoint.header).toEqual({ kind: 'test', steps: [1, 2] });
    expect(checkpoint.blobs.get('odd')).toEqual(Uint8Array.of(1, 2, 3));
    expect(readArray(checkpoint, 'floats', new Float32Array(2))).toEqual(Float32Array.of(0.5, -1));
  });

  test.each([
    ['nothing', new Uint8Array()],
    ['a text', new TextEncoder().encode('this is not a checkpoint at all')],
    ['a cut header', sample.subarray(0, 40)],
    ['a cut blob', sample.subarray(0, sample.byteLength - 8)],
    ['another version', flip(sample, '"version":2', '"version":9')],
    ['another magic', flip(sample, 'gymwright-learner', 'gymwright-teacher')],
  ])('refuses %s', (_, bytes) => {
    expect(codeOf(() => decodeCheckpoint(bytes))).toBe('learner.badCheckpoint');
  });

  test('refuses a part of another length', () => {
    const checkpoint = decodeCheckpoint(sample);
    expect(codeOf(() => readArray(checkpoint, 'floats', new Float32Array(3)))).toBe('learner.badCheckpoint');
    expect(codeOf(() => readArray(checkpoint, 'absent', new Float32Array(3)))).toBe('learner.badCheckpoint');
  });
});

function flip(bytes: Uint8Array, from: string, to: string): Uint8Array {
  return Uint8Array.from(Buffer.from(Buffer.from(bytes).toString('latin1').replace(from, to), 'latin1'));
}
