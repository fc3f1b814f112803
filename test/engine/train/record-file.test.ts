import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readRecord, spreadSteps, stretchesOf, writeRecord } from '../../../src/engine/train/record-file.ts';
import { temporaryFolder } from '../../support/temp-folder.ts';

const header = {
  scenario: 'toy',
  environmentIdentity: 'abc',
  round: 2,
  numAgents: 2,
  numCopies: 1,
  begins: [2],
};
const steps = [
  { snapshot: Uint8Array.of(1, 2, 3), actions: Int32Array.of(0, 4) },
  { snapshot: Uint8Array.of(), actions: Int32Array.of(-1, 2) },
  { snapshot: Uint8Array.of(9), actions: Int32Array.of(3, 3) },
];

describe('record files', () => {
  test('give back header, snapshots of any length and actions', () => {
    const folder = temporaryFolder();
    const file = writeRecord(folder, header, steps);
    expect(readRecord(join(folder, file))).toEqual({ ...header, numSteps: 3, steps });
  });

  test('a record of nothing is a record', () => {
    const folder = temporaryFolder();
    expect(readRecord(join(folder, writeRecord(folder, header, []))).steps).toEqual([]);
  });

  test('damage is input.invalid and absence input.notFound', () => {
    const folder = temporaryFolder();
    const path = join(folder, writeRecord(folder, header, steps));
    const bytes = readFileSync(path);
    writeFileSync(path, bytes.subarray(0, bytes.length - 1));
    expect(() => readRecord(path)).toThrow(expect.objectContaining({ code: 'input.invalid' }));
    writeFileSync(path, 'not a record');
    expect(() => readRecord(path)).toThrow(/not a record of this version/);
    expect(() => readRecord(join(folder, 'gone.gwr'))).toThrow(
      expect.objectContaining({ code: 'input.notFound' }),
    );
  });
});

describe('stretchesOf', () => {
  const step = (index: number) => ({ snapshot: Uint8Array.of(index), actions: new Int32Array(0) });
  const six = Array.from({ length: 6 }, (_, index) => step(index));
  const shown = (numCopies: number | null, begins: readonly number[]) =>
    stretchesOf({ steps: six, numCopies, begins }).map(({ copy, time, steps: own }) => [
      copy,
      time,
      own.map(({ snapshot }) => snapshot[0]),
    ]);

  test('follows each copy in time, and parts where an episode begins', () => {
    expect(shown(2, [3])).toEqual([
      [0, 0, [0, 2, 4]],
      [1, 0, [1]],
      [1, 1, [3, 5]],
    ]);
  });

  test('where it is not known what follows what, every step stands alone', () => {
    expect(shown(null, []).map(([, , own]) => own)).toEqual([[0], [1], [2], [3], [4], [5]]);
  });

  test('a record of before copies were told apart is read as such', () => {
    const folder = temporaryFolder();
    const { numCopies: _, begins: __, ...older } = header;
    const file = writeRecord(folder, older as typeof header, steps);
    expect(readRecord(join(folder, file))).toMatchObject({ numCopies: null, begins: [] });
  });
});

describe('spreadSteps', () => {
  test('takes evenly spaced steps, or all when there are few', () => {
    const many = Array.from({ length: 10 }, (_, index) => ({
      snapshot: Uint8Array.of(index),
      actions: new Int32Array(0),
    }));
    expect(spreadSteps(many, 4).map(({ snapshot }) => snapshot[0])).toEqual([0, 2, 5, 7]);
    expect(spreadSteps(many, 10)).toEqual(many);
  });
});
