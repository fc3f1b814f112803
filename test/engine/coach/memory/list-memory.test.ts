import { describe, expect, test } from 'vitest';
import { freezeExperience } from '../../../../src/engine/coach/memory/frozen-experience.ts';
import { listMemory } from '../../../../src/engine/coach/memory/list-memory.ts';
import { memoryEntry } from '../../../../src/shared/contract/coach-memory.ts';
import { thrownBy } from '../../../support/error-code.ts';
import { snapshotOf } from '../../../support/experience.ts';
import {
  insertHelpfulProposal,
  openTestStore,
  runRecord,
  studyRecord,
} from '../../../support/store-records.ts';

/** A store in which one proposal helped in two pairs of two. */
function storeWithTrial() {
  const store = openTestStore();
  store.studies.insert(studyRecord(store, { configuration: { scenarios: { simple_spread: 1 } } }));
  store.runs.insert(runRecord());
  insertHelpfulProposal(store, 1, JSON.stringify(snapshotOf()));
  return store;
}

describe('listMemory', () => {
  test('tells the change, the situation it was proposed in, what came of it, and whence it is', () => {
    const [entry, ...others] = listMemory(storeWithTrial());
    expect(others).toEqual([]);
    expect(memoryEntry.safeParse(entry).success).toBe(true);
    expect(entry).toMatchObject({
      studyId: 's1',
      situation: { arm: 'coached', seed: 1, round: 1, issues: ['uncovered'] },
      changes: [{ op: 'remove', target: 'reward crowding' }],
      measured: { meanDifference: 3, low: 2, high: 4, numPairs: 2 },
      hasHelped: true,
      isForgotten: false,
    });
  });

  test('what a study froze stays as it was, whatever is forgotten since', () => {
    const store = storeWithTrial();
    const frozen = freezeExperience(store, new Map([['simple_spread', 1]]));
    store.memory.forget('p1', 3);
    const empty = freezeExperience(store, new Map([['simple_spread', 1]]));
    expect(listMemory(store, frozen).map(({ proposalId }) => proposalId)).toEqual(['p1']);
    expect(listMemory(store, empty)).toEqual([]);
    expect(listMemory(store).map(({ isForgotten }) => isForgotten)).toEqual([true]);
  });

  test('what was screened out was not decided on by fresh pairs', () => {
    const store = storeWithTrial();
    const plan = { proposalIds: ['p1'], stepsPerBranch: 5, screeningPairs: 1, decidingPairs: 1 };
    expect(listMemory(store)[0]?.wasDecided).toBe(true);
    store.trials.plan('r1', 1, plan);
    expect(listMemory(store)[0]?.wasDecided).toBe(true);
    const screened = storeWithTrial();
    screened.trials.plan('r1', 1, { ...plan, screeningPairs: 2 });
    const frozen = freezeExperience(screened, new Map([['simple_spread', 1]]));
    expect(listMemory(screened)[0]?.wasDecided).toBe(false);
    expect(listMemory(screened, frozen)[0]?.wasDecided).toBe(false);
  });

  test('a hash of nothing, or of something else, is refused', () => {
    const store = storeWithTrial();
    expect(thrownBy(() => listMemory(store, 'no hash')).code).toBe('store.notFound');
    expect(thrownBy(() => listMemory(store, store.texts.put('no JSON'))).code).toBe('store.corrupt');
    expect(thrownBy(() => listMemory(store, store.texts.put('{}'))).code).toBe('store.corrupt');
  });
});
