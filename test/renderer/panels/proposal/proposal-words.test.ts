import { describe, expect, test } from 'vitest';
import { proposalTitle, providerName } from '../../../../src/renderer/panels/proposal/proposal-words.ts';
import { makeProposal } from '../../support/fixtures.ts';

describe('providerName', () => {
  test.each(['rules', 'random'])('says that the %s coach is no language model', (provider) => {
    expect(providerName({ provider, model: null, isComposed: true })).toContain('no language model');
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
