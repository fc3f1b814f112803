import { describe, expect, test } from 'vitest';
import { listFailures, maxFailuresPerKind } from '../../../../src/engine/coach/snapshot/list-failures.ts';
import { describeFailure } from '../../../../src/engine/coach/whatif/trial-failure.ts';
import type { ProposalRecord } from '../../../../src/engine/store/index.ts';
import { insertProposal, proposalBody, storeWithRun } from '../../../support/store-records.ts';

const answer = { answerHash: null, isComposed: false, body: proposalBody, afterHash: null, details: {} };
const refused = (...codes: string[]) =>
  codes.map((code) => ({
    ...{ code, severity: 'error' as const, message: `because of ${code}`, evidence: {}, examples: [] },
  }));

/** A store whose run has what `put` adds to it, and its failures before round 9. */
function failuresOf(put: (history: History) => void, better: 'higher' | 'lower' = 'higher') {
  const store = storeWithRun();
  let count = 0;
  const propose = (change: Partial<ProposalRecord>): string => {
    const proposalId = `p${++count}`;
    insertProposal(store, { proposalId, candidate: count, ...change });
    return proposalId;
  };
  put({
    invalid(codes, change = {}) {
      const id = propose(change);
      store.validations.record(id, { isValid: false, reasons: refused(...codes) }, 1);
      store.proposals.answer(id, { ...answer, state: 'invalid' });
    },
    failed(code, change = {}) {
      const failure = { code, message: `${code} came`, data: {} };
      store.proposals.answer(propose(change), {
        ...answer,
        body: null,
        details: { failure },
        state: 'unparsed',
      });
    },
    tried(low, high, change = {}) {
      const id = propose(change);
      const figures = { meanDifference: (low + high) / 2, low, high, numPairs: 3 };
      store.trials.conclude(id, { ...figures, probabilityOfImprovement: 0, verdict: 'notBetter' });
      store.proposals.answer(id, { ...answer, state: 'rejected' });
    },
    brokeDown(change = {}, message = 'the loss is NaN') {
      const id = propose(change);
      store.trials.fail(id, { seed: '1', message, chargedSteps: 1, evaluationSteps: 0 });
      store.proposals.answer(id, { ...answer, state: 'rejected' });
    },
    rejected: (change = {}) => store.proposals.answer(propose(change), { ...answer, state: 'rejected' }),
  });
  return listFailures(store, 'r1', 9, better);
}

interface History {
  invalid(codes: readonly string[], change?: Partial<ProposalRecord>): void;
  failed(code: string, change?: Partial<ProposalRecord>): void;
  tried(low: number, high: number, change?: Partial<ProposalRecord>): void;
  brokeDown(change?: Partial<ProposalRecord>, message?: string): void;
  rejected(change?: Partial<ProposalRecord>): void;
}

describe('listFailures', () => {
  test('keeps what did not compile, was refused, did nothing and broke down apart', () => {
    const found = failuresOf((history) => {
      history.failed('coach.badOutput');
      history.invalid(['EDL201']);
      history.invalid(['contradicts']);
      history.invalid(['neverFires']);
      history.brokeDown();
    });
    expect(found.map(({ kind, why }) => [kind, why])).toEqual([
      ['training', 'the loss is NaN'],
      ['dull', 'because of neverFires'],
      ['validation', 'because of contradicts'],
      ['compile', 'because of EDL201'],
      ['compile', 'coach.badOutput came'],
    ]);
    expect(found[1]).toMatchObject({
      candidate: 4,
      changes: [{ op: 'remove', target: 'reward crowding' }],
    });
  });

  test('something that is refused on several grounds is dull only if all of them are', () => {
    const found = failuresOf((history) => history.invalid(['neverFires', 'traps']));
    expect(found.map(({ kind }) => kind)).toEqual(['validation']);
  });

  test('tells a loss in a trial from no gain, by the direction of the objective', () => {
    const put = (history: History) => {
      history.tried(-3, -1);
      history.tried(-1, 1);
    };
    expect(failuresOf(put).map(({ why }) => why)).toEqual(['no better in its trial', 'worse in its trial']);
    expect(failuresOf(put, 'lower').map(({ why }) => why)).toEqual([
      'no better in its trial',
      'no better in its trial',
    ]);
  });

  test('a trial whose control broke down says nothing of the proposal', () => {
    const broke = (message: string) => failuresOf((history) => history.brokeDown({}, message)).length;
    const branch = { score: 1, standardError: 0, error: null, trainedSteps: 1, evaluationSteps: 1 };
    const broken = { ...branch, score: null, error: { code: 'learner.nonfinite' as const, message: 'NaN' } };
    expect(broke(describeFailure(branch, broken))).toBe(0);
    expect(broke(describeFailure(broken, branch))).toBe(1);
  });

  test('a model that could not be asked, and what a person turned down, are no failures of a proposal', () => {
    expect(
      failuresOf((history) => {
        history.failed('modelHost.died');
        history.rejected();
      }),
    ).toEqual([]);
  });

  test('of each kind the last ones are kept, and nothing of the round that is asked about', () => {
    const found = failuresOf((history) => {
      for (let round = 0; round < 12; round++) history.invalid(['traps'], { round });
      history.brokeDown({ round: 1 });
    });
    const rounds = found.filter(({ kind }) => kind === 'validation').map(({ round }) => round);
    expect(rounds).toEqual([8, 7, 6]);
    expect(rounds).toHaveLength(maxFailuresPerKind);
    expect(found.at(-1)?.kind).toBe('training');
  });
});
