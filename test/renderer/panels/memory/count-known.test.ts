import { expect, test } from 'vitest';
import { countKnown } from '../../../../src/renderer/panels/memory/count-known.ts';
import { concludedTrial, makeProposal } from '../../support/fixtures.ts';

test('grows with whatever changes the memory: a trial that ended, a decision, a rollback', () => {
  const { candidate, pairs, chargedSteps } = concludedTrial;
  const trying = makeProposal({ trial: { state: 'unfinished', candidate, pairs, chargedSteps } });
  const tried = makeProposal();
  const decided = {
    ...tried,
    decision: { verdict: 'accepted', author: 'automatic', note: '', decidedAt: 1 },
  } as const;
  const undone = {
    ...decided,
    rollback: {
      author: 'rollback',
      round: 2,
      measured: -20,
      incumbent: -15,
      margin: 1,
      note: '',
      decidedAt: 2,
    },
  } as const;
  expect([trying, tried, decided, undone].map((proposal) => countKnown([proposal]))).toEqual([0, 1, 2, 3]);
});
