import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parseTermTable } from '../../../../src/engine/coach/translate/term-table.ts';
import { translateJudgement } from '../../../../src/engine/coach/translate/translate-judgement.ts';
import { thrownBy } from '../../../support/error-code.ts';

const shipped = parseTermTable(
  readFileSync(new URL('../../../../resources/judgements/terms.yaml', import.meta.url), 'utf8'),
  'terms.yaml',
);
const small = parseTermTable(
  `range: [-1, 1]
terms: {good: 0.5, very good: 0.9, bad: -0.5, out of place: -0.4}
modifiers: {slightly: 0.5, very: 2}
negations: [not]
neutral: [the, was]
`,
  'small.yaml',
);
const worthOf = (text: string) => translateJudgement(text, small).value;

describe('translateJudgement', () => {
  test('is the mean of what its terms are worth, the longest expression first', () => {
    expect(worthOf('Good.')).toBe(0.5);
    expect(worthOf('very good')).toBe(0.9);
    expect(worthOf('good, bad, bad, bad')).toBe(-0.25);
    expect(worthOf('The guard was out of place')).toBe(-0.4);
    expect(worthOf('out of. place')).toBeNull();
  });

  test('modifiers and negations act on the next term of their clause', () => {
    expect(translateJudgement('not slightly bad', small).terms).toEqual([
      { term: 'bad', at: 13, value: 0.25, by: ['not', 'slightly'] },
    ]);
    expect(worthOf('not, bad')).toBe(-0.5);
    expect(worthOf('not good bad')).toBe(-0.5);
    expect(worthOf('very bad. very bad')).toBe(-1);
  });

  test('stays within the range', () => {
    expect(worthOf('very very bad')).toBe(-1);
  });

  test('reports what it does not know, and guesses nothing', () => {
    const { value, unknown } = translateJudgement('The flank was splendid, splendid and good', small);
    expect(unknown).toEqual(['flank', 'splendid', 'and']);
    expect(value).toBe(0.5);
    expect(translateJudgement('Splendid!', small)).toEqual({ value: null, terms: [], unknown: ['splendid'] });
    expect(translateJudgement('', small)).toEqual({ value: null, terms: [], unknown: [] });
  });

  test('knows plain judgements with the shipped table', () => {
    const { value, unknown } = translateJudgement(
      'The agents were well coordinated, but there were collisions.',
      shipped,
    );
    expect(unknown).toEqual([]);
    expect(value).toBeCloseTo((0.6 + 0.6 - 0.5) / 3, 12);
    expect(translateJudgement("It wasn't very good", shipped).value).toBeCloseTo(-0.8, 12);
  });
});

describe('parseTermTable', () => {
  test.each([
    ['range: [1, -1]\nterms: {}\n', 'the lower end first'],
    ['range: [-1, 1]\nterms: {good: fine}\n', 'terms.yaml:2:9'],
    ['range: [-1, 1]\nterms: {good: 1}\nnegation: [no]\n', 'did you mean "negations"?'],
    ['range: [-1, 1]\nterms: {good: 1}\nneutral: [Good]\n', '3:11 "Good" stands under terms too'],
    ['range: [-1, 1]\nterms: {"!": 1}\n', '"!" holds no word'],
    ['range: [', 'not readable as YAML'],
  ])('refuses %j and says where', (text, expected) => {
    const { code, message } = thrownBy(() => parseTermTable(text, 'terms.yaml'));
    expect(code).toBe('input.invalid');
    expect(message).toContain(expected);
  });
});
