import { describe, expect, test } from 'vitest';
import { readProposalView } from '../../../src/engine/store/index.ts';
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
      failure: null,
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

  test('a failure is on record with its steps, which are charged', () => {
    const store = storeWithRun();
    insertProposal(store);
    store.trials.addPair('p1', pair);
    const failure = { seed: '7', message: 'loss is NaN', chargedSteps: 40, evaluationSteps: 0 };
    store.trials.fail('p1', failure);
    expect(store.trials.find('p1')).toMatchObject({ pairs: [pair], summary: null, failure });
    expect(store.trials.chargedSteps('r1')).toBe(140);
  });

  test('the plan of a boundary stands', () => {
    const store = storeWithRun();
    const plan = { proposalIds: ['p1'], stepsPerBranch: 100, screeningPairs: 0, decidingPairs: 2 };
    expect(store.trials.findPlan('r1', 0)).toBeNull();
    store.trials.plan('r1', 0, plan);
    expect(store.trials.findPlan('r1', 0)).toEqual(plan);
    expect(store.trials.findPlan('r1', 1)).toBeNull();
    expect(() => store.trials.plan('r1', 0, { ...plan, stepsPerBranch: 1 })).toThrow();
    expect(store.trials.findPlan('r1', 0)).toEqual(plan);
  });

  test('a candidate was decided on by the pairs beyond those that screened it, at whichever boundary that was', () => {
    const store = storeWithRun();
    for (const [candidate, proposalId] of ['p1', 'p2'].entries())
      insertProposal(store, { proposalId, candidate });
    const plan = { proposalIds: ['p1', 'p2'], stepsPerBranch: 100, screeningPairs: 1, decidingPairs: 2 };
    store.trials.plan('r1', 1, plan);
    const summary = { meanDifference: 1, low: 1, high: 1, numPairs: 1, probabilityOfImprovement: 1 };
    for (const proposalId of plan.proposalIds) store.trials.addPair(proposalId, pair);
    store.trials.addPair('p1', { ...pair, seed: '2' });
    expect(store.trials.wasDecided('p1')).toBe(false);
    for (const proposalId of plan.proposalIds)
      store.trials.conclude(proposalId, { ...summary, verdict: 'notBetter' });
    expect(plan.proposalIds.map((proposalId) => store.trials.wasDecided(proposalId))).toEqual([true, false]);
    expect(readProposalView(store, 'p2').trial).toMatchObject({ state: 'concluded', wasDecided: false });
  });
});
