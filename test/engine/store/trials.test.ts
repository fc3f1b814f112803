import { describe, expect, test } from 'vitest';
import { insertProposal, storeWithRun } from '../../support/store-records.ts';

const pair = {
  seed: '18446744073709551615',
  candidate: -8,
  control: -9,
  chargedSteps: 100,
  evaluationSteps: 50,
};

describe('trials', () => {
  test('a pair that is repeated after an interruption replaces itself', () => {
    const store = storeWithRun();
    insertProposal(store);
    store.trials.addPair('p1', pair);
    store.trials.addPair('p1', { ...pair, candidate: -7 });
    expect(store.trials.find('p1')).toEqual({
      proposalId: 'p1',
      pairs: [{ ...pair, candidate: -7 }],
      summary: null,
    });
  });

  test('charged steps add up over the proposals of a run', () => {
    const store = storeWithRun();
    insertProposal(store);
    insertProposal(store, { proposalId: 'p2', candidate: 1 });
    store.trials.addPair('p1', pair);
    store.trials.addPair('p2', { ...pair, chargedSteps: 30 });
    expect(store.trials.chargedSteps('r1')).toBe(130);
    expect(store.trials.chargedSteps('r2')).toBe(0);
  });
});
