import { describe, expect, test } from 'vitest';
import { storeWithRun } from '../../support/store-records.ts';

describe('checkpoints', () => {
  const at = (file: string, ownSteps: number) => ({
    runId: 'r1',
    file,
    ownSteps,
    chargedSteps: ownSteps,
    round: 0,
    isRoundEnd: false,
    sequence: 0,
    parameterHash: 'h',
    createdAt: 1,
  });

  test('the latest is the one with the most own steps, and the same file again changes nothing', () => {
    const store = storeWithRun();
    for (const [file, steps] of [
      ['a', 10],
      ['c', 30],
      ['b', 20],
      ['c', 99],
    ] as const)
      store.checkpoints.insert(at(file, steps));
    expect(store.checkpoints.findLatest('r1')).toMatchObject({ file: 'c', ownSteps: 30 });
    expect(store.checkpoints.listByRun('r1').map(({ file }) => file)).toEqual(['a', 'b', 'c']);
  });

  test('prune keeps the latest and those a finished round refers to, and names the files that can go', () => {
    const store = storeWithRun();
    for (const [file, steps] of [
      ['a', 10],
      ['b', 20],
      ['c', 30],
    ] as const)
      store.checkpoints.insert(at(file, steps));
    const environmentHash = store.texts.put('e');
    store.rounds.begin({ runId: 'r1', round: 0, environmentHash, environmentIdentity: 'e', startedAt: 1 });
    const outcome = {
      ownSteps: 10,
      chargedSteps: 10,
      objective: 0,
      parameterHash: 'h',
      recordFile: 'x',
      report: null,
      finishedAt: 2,
    };
    store.rounds.finish('r1', 0, { ...outcome, checkpointFile: 'a' });
    expect(store.checkpoints.prune('r1', 1)).toEqual(['b']);
    expect(store.checkpoints.listByRun('r1').map(({ file }) => file)).toEqual(['a', 'c']);
  });
});
