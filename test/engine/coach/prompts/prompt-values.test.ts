import { describe, expect, test } from 'vitest';
import { estimateTokens } from '../../../../src/engine/coach/prompts/estimate-tokens.ts';
import { openPrompts } from '../../../../src/engine/coach/prompts/prompt-files.ts';
import {
  generatingValues,
  rankingTokens,
  rankingValues,
} from '../../../../src/engine/coach/prompts/prompt-values.ts';
import { parsePrompt } from '../../../../src/engine/coach/prompts/render-prompt.ts';
import { describeSnapshot } from '../../../../src/engine/coach/snapshot/describe-snapshot.ts';
import type { Snapshot } from '../../../../src/engine/coach/snapshot/snapshot-schema.ts';
import { snapshotOf } from '../../../support/experience.ts';

const prompts = openPrompts('.');
const shipped = (mode: 'rank' | 'generate') => {
  const { path, text } = prompts.read(null, mode);
  return parsePrompt(path, text, mode);
};

/** A run that has a long past. */
const base = snapshotOf();
const longPast: Snapshot = {
  ...base,
  past: Array.from({ length: 40 }, (_, round) => ({
    ...{
      round,
      candidate: 0,
      provider: 'llama',
      outcome: 'rejected' as const,
      reasons: ['because'],
      measured: null,
    },
    ...{ isInForce: false, changes: [{ op: 'add' as const, target: `reward number_${round}` }] },
  })),
};
const options = Array.from({ length: 8 }, () => '- make a reward stronger or weaker').join('\n');

describe('rankingValues', () => {
  test('a long past leaves the prompt short, and the newest of it in', () => {
    const prompt = shipped('rank');
    const facts = { text: describeSnapshot(longPast), examples: '' };
    const { values, cuts } = rankingValues(prompt, facts, 2048);
    const rendered = prompt.render({ ...values, question: 'Which kind of edit helps most?', options });
    expect(estimateTokens(rendered)).toBeLessThanOrEqual(rankingTokens);
    expect(rendered).toContain('number_39');
    expect(cuts.join()).toMatch(/undecided: \d+ of 40 lines/);
    expect(rendered).toContain(`Left out for length: ${cuts.join(', ')}`);
  });
});

describe('generatingValues', () => {
  const render = (contextLength: number) => {
    const prompt = shipped('generate');
    const facts = { text: describeSnapshot(longPast), examples: '', environment: 'environment e' };
    const { values, cuts } = generatingValues(prompt, facts, { contextLength, answerTokens: 500 });
    return { rendered: prompt.render(values), cuts };
  };

  test('a large context cuts nothing', () => {
    expect(render(16_000).cuts).toEqual([]);
  });

  test('a small one leaves room for the answer, and keeps problems and environment', () => {
    const { rendered, cuts } = render(3000);
    expect(estimateTokens(rendered)).toBeLessThanOrEqual(2500);
    expect(cuts.length).toBeGreaterThan(0);
    expect(rendered).toContain('Landmarks stay uncovered');
    expect(rendered).toContain('environment e');
  });

  test('whether something was tried is known from what became of it', () => {
    expect(render(16_000).rendered).not.toContain('Nothing yet');
    const facts = { text: describeSnapshot(base), examples: '', environment: 'environment e' };
    const { values } = generatingValues(shipped('generate'), facts, {
      contextLength: 16_000,
      answerTokens: 500,
    });
    expect(shipped('generate').render(values)).toContain('Nothing yet');
  });
});
