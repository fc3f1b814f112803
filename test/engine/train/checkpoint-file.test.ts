import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { sha256 } from '../../../src/engine/files/index.ts';
import {
  readCheckpoint,
  type TrainerState,
  writeCheckpoint,
} from '../../../src/engine/train/checkpoint-file.ts';
import { contentName } from '../../../src/engine/train/files.ts';
import { temporaryFolder } from '../../support/temp-folder.ts';

const state: TrainerState = {
  runId: 'run',
  seed: 3,
  round: 1,
  isRoundEnd: false,
  ownSteps: 100,
  chargedOffset: 20,
  sequence: 42,
  nextEvaluation: 150,
  environment: {
    scenario: 'toy',
    parameters: { bias: 0.1 },
    program: {
      code: Int32Array.of(1, 2, 3, 4, 5),
      sections: { control: 0, npc: 0, rules: 0, rewards: 1, potentials: 0, metrics: 0 },
      numRegisters: 1,
      constants: Float64Array.of(Number.NEGATIVE_INFINITY, -0),
      declarations: [{ kind: 'reward', name: 'crowding', key: 7, instances: 3 }],
      components: [
        { name: 'crowding', halfLifeSteps: 0, episodeLimit: Number.POSITIVE_INFINITY, isPotential: false },
      ],
      metrics: [],
      memory: new Float64Array(0),
      memoryKeys: new Uint32Array(0),
      regimes: [],
      eventKeys: new Uint32Array(0),
      regimeWord: -1,
    },
    scripted: {},
  },
  environmentIdentity: 'abc',
  lastRecord: null,
  observed: {
    envSteps: 60,
    fireCounts: Float64Array.of(7),
    traps: [],
    numTraps: 0,
    evaluationSteps: 5,
    window: { values: Float64Array.of(Number.NaN, 1), count: 1, next: 1 },
  },
};
const learner = Uint8Array.of(9, 8, 7);

describe('checkpoint files', () => {
  test('give back every bit, NaN, infinities and negative zero included', () => {
    const folder = temporaryFolder();
    const file = writeCheckpoint(folder, state, learner);
    const read = readCheckpoint(folder, file, { runId: 'run', seed: 3 });
    expect(read).toEqual({ state, learner });
    expect(Object.is(read.state.environment.program?.constants[1], -0)).toBe(true);
  });

  test('one damaged byte anywhere is learner.badCheckpoint', () => {
    const folder = temporaryFolder();
    const file = writeCheckpoint(folder, state, learner);
    const whole = readFileSync(join(folder, file));
    for (let at = 0; at < whole.length; at += 37) {
      const damaged = Buffer.from(whole);
      damaged[at] = (damaged[at] ?? 0) ^ 0x40;
      writeFileSync(join(folder, file), damaged);
      expect(() => readCheckpoint(folder, file, state)).toThrow(
        expect.objectContaining({ code: 'learner.badCheckpoint' }),
      );
    }
  });

  test('a truncated, empty, foreign or missing file is learner.badCheckpoint', () => {
    const folder = temporaryFolder();
    const file = writeCheckpoint(folder, state, learner);
    const whole = readFileSync(join(folder, file));
    for (const content of [whole.subarray(0, 40), Buffer.alloc(0), Buffer.from('%PDF-1.4')]) {
      writeFileSync(join(folder, file), content);
      expect(() => readCheckpoint(folder, file, state)).toThrow(
        expect.objectContaining({ code: 'learner.badCheckpoint' }),
      );
    }
    expect(() => readCheckpoint(folder, 'gone.gwc', state)).toThrow(/the file is gone/);
  });

  test('a file whose lengths lie is refused although its hash fits', () => {
    const folder = temporaryFolder();
    const lying = Buffer.from(readFileSync(join(folder, writeCheckpoint(folder, state, learner))));
    lying.writeUInt32LE(0xffff_ffff, 8);
    const file = contentName('checkpoint', 'gwc', sha256(lying));
    writeFileSync(join(folder, file), lying);
    expect(() => readCheckpoint(folder, file, state)).toThrow(/its length is wrong/);
  });

  test("another run's checkpoint is refused by name", () => {
    const folder = temporaryFolder();
    const file = writeCheckpoint(folder, state, learner);
    expect(() => readCheckpoint(folder, file, { runId: 'other', seed: 3 })).toThrow(
      /belongs to run run with seed 3/,
    );
    expect(() => readCheckpoint(folder, file, { runId: 'run', seed: 4 })).toThrow(/seed 4/);
  });

  test('a file under another name is refused', () => {
    const folder = temporaryFolder();
    renameSync(join(folder, writeCheckpoint(folder, state, learner)), join(folder, 'checkpoint.gwc'));
    expect(() => readCheckpoint(folder, 'checkpoint.gwc', state)).toThrow(
      /the hash in its name does not fit/,
    );
  });
});
