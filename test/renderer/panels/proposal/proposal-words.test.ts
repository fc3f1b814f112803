import { describe, expect, test } from 'vitest';
import {
  hasLost,
  proposalTitle,
  providerName,
  providerShortName,
  stateWords,
} from '../../../../src/renderer/panels/proposal/proposal-words.ts';
import { concludedTrial, makeProposal, makeRun } from '../../support/fixtures.ts';

describe('providerName', () => {
  test.each(['rules', 'random', 'learned', 'memory'])(
    'says that the %s coach is no language model',
    (provider) => {
      const name = providerName({ provider, model: 'ranker-0f1e.json', isComposed: true });
      expect(name).toContain('no language model');
      expect(name).not.toContain('Language model');
      expect(providerShortName({ provider, model: 'ranker-0f1e.json' })).not.toContain('.json');
    },
  );

  test('says of a model behind an address that it is there', () => {
    const model = { provider: 'http', model: 'large', isComposed: false };
    expect(providerName(model)).toBe('Language model large behind an endpoint');
  });

  test('names the model, and that the prose of a ranked edit is composed', () => {
    const name = providerName({ provider: 'llama', model: 'SmolLM2-135M', isComposed: true });
    expect(name).toContain('SmolLM2-135M');
    expect(name).toContain('composed');
    expect(providerName({ provider: 'llama', model: 'SmolLM2-135M', isComposed: false })).not.toContain(
      'composed',
    );
  });
});

describe('proposalTitle', () => {
  test('says what would change', () => {
    expect(proposalTitle(makeProposal())).toBe('Remove reward crowding');
  });

  test('says when there is nothing to read yet, or at all', () => {
    expect(proposalTitle(makeProposal({ body: null, state: 'asked' }))).toBe('Being written');
    expect(proposalTitle(makeProposal({ body: null, state: 'unparsed' }))).toBe('No usable answer');
    const failure = { code: 'model.truncated', message: 'the answer was cut off' };
    expect(proposalTitle(makeProposal({ body: null, state: 'failed', failure }))).toBe(
      'the answer was cut off',
    );
  });
});

describe('hasLost', () => {
  test('only what was tried can have lost', () => {
    expect(hasLost({ trial: concludedTrial })).toBe(false);
    expect(hasLost({ trial: null })).toBe(false);
    expect(hasLost({ trial: { ...concludedTrial, verdict: 'notBetter' } })).toBe(true);
  });
});

describe('stateWords', () => {
  test('a coach that knows nothing to propose has not failed', () => {
    const failure = { code: 'coach.noProposal', message: 'no rule applies to this snapshot' };
    const proposal = makeProposal({ body: null, state: 'failed', failure });
    expect(stateWords(proposal, makeRun())).toEqual({ label: 'no proposal', tone: 'neutral' });
    expect(proposalTitle(proposal)).toBe('No proposal');
    const gone = { code: 'input.notFound', message: 'there is no ranker r.json' };
    const without = makeProposal({ body: null, state: 'failed', failure: gone });
    expect(stateWords(without, makeRun())).toEqual({ label: 'failed', tone: 'bad' });
    expect(proposalTitle(without)).toBe('there is no ranker r.json');
    const lost = makeProposal({
      body: null,
      state: 'failed',
      failure: { code: 'modelHost.died', message: '' },
    });
    expect(stateWords(lost, makeRun()).tone).toBe('bad');
  });

  test('what was decided and no longer applies is told apart from a coach that failed', () => {
    const decision = { verdict: 'accepted', author: 'person', note: '', decidedAt: 1 } as const;
    const failure = { code: 'edl.invalid', message: 'there is no reward crowding' };
    const late = makeProposal({ state: 'failed', decision, failure });
    expect(stateWords(late, makeRun())).toEqual({ label: 'could not be applied', tone: 'bad' });
  });

  test.each([
    ['finished', makeRun({ state: 'finished', nextBoundary: null }), 'too late'],
    ['in its last round', makeRun({ round: 3, numRounds: 4, nextBoundary: null }), 'too late'],
    ['in an earlier round', makeRun({ round: 2, numRounds: 4 }), 'waits for you'],
    ['at its last boundary', makeRun({ round: 3, numRounds: 4, nextBoundary: 2 }), 'waits for you'],
    ['stopped, which can be resumed', makeRun({ state: 'stopped', round: 1 }), 'waits for you'],
    ['not known', undefined, 'waits for you'],
  ])('a waiting proposal whose run is %s', (_words, run, label) => {
    expect(stateWords(makeProposal(), run).label).toBe(label);
  });
});
