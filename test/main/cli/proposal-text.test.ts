import { describe, expect, test } from 'vitest';
import {
  describeDecided,
  formatAnswer,
  formatInbox,
  formatProposal,
  formatProposals,
} from '../../../src/main/cli/proposal-text.ts';
import type { RunState } from '../../../src/shared/contract/runs.ts';
import { makeProposal, makeRun, makeStudy } from '../../support/views.ts';

const change = {
  op: 'remove' as const,
  target: 'reward crowding',
  edl: '',
  description: 'Pays for staying away',
  implementation_hint: '',
  expected_impact: { metric: 'coverage', direction: 'up' as const, size: 'large' as const, why: '' },
};
const body = { analysis: 'Agents stay away from landmarks.', changes: [change], wishes: [] };
const trial = {
  state: 'concluded' as const,
  candidate: 'c',
  pairs: [{ seed: '1', candidate: 2, control: 1 }],
  meanDifference: 1,
  low: 0.5,
  high: 1.5,
  wasDecided: true,
  numPairs: 2,
  probabilityOfImprovement: 1,
  chargedSteps: 100,
  verdict: 'better' as const,
};

describe('formatProposal', () => {
  test('gives change, evidence and the resulting text', () => {
    const text = formatProposal(
      makeProposal({
        state: 'awaiting',
        body,
        trial,
        before: 'old',
        after: 'new',
        validation: { isValid: true, reasons: [] },
      }),
    );
    expect(text).toContain('remove reward crowding: Pays for staying away');
    expect(text).toContain('what-if: +1.000 [+0.500, +1.500] (range of 2 pairs)');
    expect(text).toContain('the environment with it:\nnew');
  });

  test('says why a proposal was left to a person untried', () => {
    const left = makeProposal({ state: 'awaiting', body, trial: null, untried: 'nothing pays for it' });
    expect(formatProposal(left)).toContain('not tried: nothing pays for it');
  });

  test('says what a trial cost that broke down, or was not finished', () => {
    const { candidate, pairs, chargedSteps } = trial;
    const tried = { candidate, pairs, chargedSteps };
    const failure = 'training in it broke down: a loss is NaN';
    const broken = makeProposal({
      state: 'rejected',
      body,
      trial: { ...tried, state: 'brokeDown', failure },
    });
    expect(formatProposal(broken)).toContain(`what-if: ${failure} (1 pair scored, 100 steps charged)`);
    expect(formatProposals([broken])).toContain('broke down');
    const open = makeProposal({ state: 'trying', body, trial: { ...tried, state: 'unfinished' } });
    expect(formatProposal(open)).toContain('what-if: not finished (1 pair scored, 100 steps charged)');
  });

  test('calls pairs that screened a candidate out what they are', () => {
    const screened = makeProposal({ state: 'rejected', body, trial: { ...trial, wasDecided: false } });
    expect(formatProposal(screened)).toContain('(range of 2 pairs that screened it out)');
  });

  test('says why it was refused', () => {
    const reasons = [
      {
        code: 'neverFires',
        message: 'rule x fired in 0 of 400 steps',
        evidence: { steps: 400 },
        severity: 'error' as const,
        examples: [],
      },
    ];
    const text = formatProposal(
      makeProposal({ state: 'invalid', body, validation: { isValid: false, reasons } }),
    );
    expect(text).toContain('rule x fired in 0 of 400 steps');
  });

  test('says why there is none', () => {
    const failure = { code: 'model.truncated', message: 'the answer was cut off after 512 tokens' };
    expect(formatProposal(makeProposal({ state: 'failed', failure }))).toContain(
      'the answer was cut off after 512 tokens',
    );
  });
});

describe('formatProposals', () => {
  test('what was accepted and no longer applies is not told as no proposal', () => {
    const decision = { verdict: 'accepted', author: 'person', note: '', decidedAt: 1 } as const;
    const failure = { code: 'edl.invalid', message: 'there is no reward crowding' };
    const late = makeProposal({ body, state: 'failed', decision, failure });
    expect(formatProposals([late])).toMatch(
      /remove reward crowding +could not be applied .*accepted by person/,
    );
    const text = formatProposal(late);
    expect(text).toContain('could not be applied: there is no reward crowding (edl.invalid)');
    expect(text).not.toContain('no proposal');
  });

  test('lists change, state, difference and decision, oldest first', () => {
    const decision = {
      verdict: 'rejected' as const,
      author: 'automatic' as const,
      note: 'the run ended',
      decidedAt: 1,
    };
    const failure = { code: 'coach.noProposal', message: 'no rule applies' };
    const later = makeProposal({ proposalId: 'p2', state: 'failed', failure, createdAt: 2000 });
    const first = makeProposal({ proposalId: 'p1', body, trial, decision, state: 'rejected' });
    const rows = formatProposals([later, first]).split('\n').slice(2);
    expect(rows[0]).toMatch(
      /^p1 .*remove reward crowding +rejected +\+1\.000 \[.*rejected by automatic, "the run ended"$/,
    );
    expect(rows[1]).toMatch(/^p2 .*nothing to propose/);
  });
});

describe('formatInbox', () => {
  test('says so when nothing waits', () => expect(formatInbox([])).toBe('Nothing waits for a decision.'));
  test('marks what was not tried', () => {
    expect(formatInbox([makeProposal({ state: 'awaiting', body })])).toContain('not tried');
  });
});

describe('formatAnswer', () => {
  const answer = {
    index: 0,
    body,
    isComposed: true,
    after: 'new',
    validation: { isValid: true, reasons: [] },
    failure: null,
  };

  test('shows no empty text for a removal', () => {
    expect(formatAnswer(answer)).toBe('1. valid: remove reward crowding\n   Pays for staying away');
  });

  test('who has nothing to propose has not failed to answer', () => {
    const failure = { code: 'coach.noProposal', message: 'no rule applies' };
    expect(formatAnswer({ ...answer, body: null, validation: null, failure })).toBe(
      '1. nothing to propose: no rule applies',
    );
  });

  test('an answer that could not be read is not shown as one', () => {
    expect(formatAnswer({ ...answer, body: null, validation: null })).toContain('could not be read');
  });
});

describe('describeDecided', () => {
  const accepted = makeProposal({ state: 'accepted' });
  const told = (run: RunState, study: RunState) =>
    describeDecided(accepted, makeStudy({ state: study, runs: [makeRun({ state: run })] }));

  test('a decision takes effect when its own run comes to a boundary, whatever its study does', () => {
    expect(told('running', 'running')).toBe(
      'proposal-1: accepted; it takes effect at the next round boundary',
    );
    expect(told('failed', 'running')).toBe(
      'proposal-1: accepted; its run is failed: it takes effect when the study has ended and is resumed (--resume study-1)',
    );
    expect(told('stopped', 'stopped')).toContain(
      'its run is stopped: it takes effect when the study is resumed',
    );
  });

  test('a rejection has nothing to take effect', () => {
    const study = makeStudy({ state: 'stopped' });
    expect(describeDecided(makeProposal({ state: 'rejected' }), study)).toBe('proposal-1: rejected');
  });
});
