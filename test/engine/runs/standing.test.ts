import { describe, expect, test } from 'vitest';
import { type RoundPlan, readLoopState } from '../../../src/engine/runs/loop-state.ts';
import { readReport, roundStoodAt, seriesUntil } from '../../../src/engine/runs/standing.ts';
import type { Store } from '../../../src/engine/store/index.ts';
import { thrownBy } from '../../support/error-code.ts';
import { storeWithRun } from '../../support/store-records.ts';

const runId = 'r1';

/** Rounds of 1,000 steps, 100 of them trials before each but the first; of some it is on record that they fell. */
function rounds(count: number, fallen: readonly number[]): Store {
  const store = storeWithRun();
  const hash = store.texts.put('text');
  const plans: RoundPlan[] = [];
  for (let round = 0; round < count; round++) {
    const rolledBackRound = fallen.includes(round - 1) ? round - 1 : null;
    const none = { incumbent: null, question: null, stage: null, move: null, shaping: null };
    plans.push({ textHash: hash, identity: '', trialSteps: 100 * round, rolledBackRound, ...none });
    const ended = { ownSteps: 900 * round + 1000, chargedSteps: 1000 * (round + 1), objective: -round };
    store.rounds.begin({ runId, round, environmentHash: hash, environmentIdentity: '', startedAt: 1 });
    store.rounds.finish(runId, round, {
      ...ended,
      ...{ parameterHash: '', checkpointFile: '', recordFile: '', report: ended, finishedAt: 2 },
    });
  }
  for (const round of fallen)
    store.rollbacks.record({
      ...{ runId, round, fromHash: hash, toHash: hash, measured: -9, incumbent: 0, margin: 1 },
      ...{ proposalIds: [], note: '', decidedAt: 3 },
    });
  store.runs.update(runId, { loop: { ...readLoopState(null), plans } });
  return store;
}

describe('where a run stands', () => {
  test('at the end of its last round, or of the one whose policy came back', () => {
    const store = rounds(5, [1, 2, 4]);
    expect([0, 1, 2, 3, 4].map((round) => roundStoodAt(store, runId, round))).toEqual([0, 0, 0, 3, 3]);
  });

  test('rounds that fell are no part of its history: neither their points nor what only they had', () => {
    const store = rounds(3, [1]);
    const points = [500, 1000, 1100, 1101, 1999, 2000, 2100, 2500, 3000].map((step) => ({
      key: 'eval/objective',
      step,
      value: step,
    }));
    store.series.append(runId, 0, [...points, { key: 'charts/weight/gone', step: 1500, value: 1 }]);
    // The round that fell began at 1,000 + 100 steps of trials.
    const own = [500, 1000, 1100, 2100, 2500, 3000];
    expect(seriesUntil(store, runId, 2).history('eval/objective')).toEqual({ steps: own, values: own });
    expect(seriesUntil(store, runId, 1).history('eval/objective').steps).toEqual([500, 1000, 1100]);
    expect(seriesUntil(store, runId, 2).keys()).toEqual(['eval/objective']);
    expect(seriesUntil(rounds(3, []), runId, 2).keys()).toEqual([]);
  });

  test('a round that has not ended has no report', () => {
    expect(thrownBy(() => readReport(rounds(1, []), runId, 1)).code).toBe('store.corrupt');
  });
});
