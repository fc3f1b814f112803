import { describe, expect, test } from 'vitest';
import type { CheckpointRecord, RoundOutcome, Store } from '../../../src/engine/store/index.ts';
import { storeWithRun } from '../../support/store-records.ts';

const checkpoint = (changes: Partial<CheckpointRecord>): CheckpointRecord => ({
  runId: 'r1',
  file: 'a.ckpt',
  ownSteps: 100,
  chargedSteps: 120,
  round: 0,
  isRoundEnd: true,
  sequence: 2,
  parameterHash: 'h1',
  createdAt: 1,
  ...changes,
});

const outcome = (ownSteps: number): RoundOutcome => ({
  ownSteps,
  chargedSteps: ownSteps + 20,
  objective: -10,
  parameterHash: 'h1',
  checkpointFile: 'a.ckpt',
  recordFile: 'a.rec',
  report: { round: 0 },
  finishedAt: 5,
});

function trainTwoRounds(store: Store): void {
  const environmentHash = store.texts.put('environment e {}');
  const round = { runId: 'r1', environmentHash, environmentIdentity: 'e', startedAt: 1 };
  store.rounds.begin({ ...round, round: 0 });
  store.series.append('r1', 0, [
    { key: 'k', step: 60, value: 1 },
    { key: 'k', step: 120, value: 2 },
  ]);
  store.checkpoints.insert(checkpoint({}));
  store.rounds.finish('r1', 0, outcome(100));
  store.rounds.begin({ ...round, round: 1 });
  store.series.append('r1', 2, [
    { key: 'k', step: 180, value: 3 },
    { key: 'other', step: 180, value: 4 },
  ]);
  store.runs.update('r1', { ownSteps: 160, chargedSteps: 180, round: 1, parameterHash: 'h2' });
}

describe('cutBack', () => {
  test('takes series, rounds and counters back to the latest checkpoint', () => {
    const store = storeWithRun();
    trainTwoRounds(store);
    expect(store.cutBack('r1')).toMatchObject({ file: 'a.ckpt', sequence: 2 });
    expect([...store.series.points('r1', 'k')].map((point) => point.step)).toEqual([60, 120]);
    expect(store.series.keys(['r1'])).toEqual(['k']);
    expect(store.rounds.listByRun('r1').map((round) => [round.round, round.outcome?.ownSteps])).toEqual([
      [0, 100],
    ]);
    expect(store.runs.get('r1')).toMatchObject({
      ownSteps: 100,
      chargedSteps: 120,
      round: 0,
      parameterHash: 'h1',
    });
  });

  test('reopens a round that ended after the checkpoint inside it', () => {
    const store = storeWithRun();
    const environmentHash = store.texts.put('environment e {}');
    store.rounds.begin({ runId: 'r1', round: 0, environmentHash, environmentIdentity: 'e', startedAt: 1 });
    store.checkpoints.insert(checkpoint({ file: 'mid.ckpt', ownSteps: 40, sequence: 0, isRoundEnd: false }));
    store.rounds.finish('r1', 0, outcome(100));
    store.cutBack('r1');
    expect(store.rounds.find('r1', 0)).toMatchObject({ environmentHash, outcome: null });
  });

  test('without a checkpoint takes the run back to its beginning', () => {
    const store = storeWithRun();
    store.series.append('r1', 0, [{ key: 'k', step: 5, value: 1 }]);
    store.runs.update('r1', { ownSteps: 5, chargedSteps: 5 });
    expect(store.cutBack('r1')).toBeNull();
    expect(store.series.nextSequence('r1')).toBe(0);
    expect(store.runs.get('r1')).toMatchObject({
      ownSteps: 0,
      chargedSteps: 0,
      round: 0,
      parameterHash: null,
    });
  });
});
