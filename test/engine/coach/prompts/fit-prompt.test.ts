import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { estimateTokens } from '../../../../src/engine/coach/prompts/estimate-tokens.ts';
import { fitPrompt, shortenings } from '../../../../src/engine/coach/prompts/fit-prompt.ts';
import { parsePrompt } from '../../../../src/engine/coach/prompts/render-prompt.ts';
import type { TemplateValues } from '../../../../src/engine/coach/prompts/template.ts';

const names = ['past', 'agents', 'issues'] as const;
const prompt = parsePrompt(
  'p.md',
  `{{question}}{{options}}${names.map((name) => `{{${name}}}\n`).join('')}{{#cut}}Left out: {{cut}}{{/cut}}`,
  'rank',
);
const list = (name: string, count: number): string =>
  Array.from({ length: count }, (_, i) => `- ${name} ${i}`).join('\n');
const valuesOf = (counts: Readonly<Record<string, number>>): TemplateValues => ({
  ...{ question: '', options: '', cut: '' },
  ...Object.fromEntries(names.map((name) => [name, list(name, counts[name] ?? 0)])),
});
const rendered = (values: TemplateValues): string => prompt.render(values);

describe('fitPrompt', () => {
  test('leaves alone what fits', () => {
    const values = valuesOf({ past: 9, agents: 9 });
    expect(fitPrompt(prompt, values, { target: 1000, limit: 1000 })).toEqual({ values, cuts: [] });
  });

  test('takes the oldest of what is past first, and tells the model so', () => {
    const values = valuesOf({ past: 9, agents: 3, issues: 1 });
    const target = estimateTokens(rendered(values)) - 1;
    const fitted = fitPrompt(prompt, values, { target, limit: 1000 });
    expect(fitted.cuts).toEqual([expect.stringMatching(/^past: \d of 9 lines$/)]);
    expect(fitted.values.past).toMatch(/- past 8$/);
    expect(fitted.values.past).not.toContain('- past 0\n');
    expect(rendered(fitted.values)).toContain(`Left out: ${fitted.cuts[0]}`);
  });

  test('for the target every section keeps its least; for the limit none has to', () => {
    const values = valuesOf({ past: 9, agents: 9, issues: 9 });
    const soft = fitPrompt(prompt, values, { target: 0, limit: 1000 });
    const linesOf = (name: string): number => String(soft.values[name]).split('\n').length;
    for (const { name, atLeast } of shortenings.filter(({ name }) =>
      (names as readonly string[]).includes(name),
    ))
      expect(linesOf(name)).toBe(atLeast);
    const hard = fitPrompt(prompt, values, { target: 0, limit: 0 });
    for (const name of names) expect(hard.values[name]).toBe('');
  });

  test('ends of long lines go before whole sections do', () => {
    const values = { ...valuesOf({ past: 1 }), issues: `- ${'word '.repeat(400)}` };
    const fitted = fitPrompt(prompt, values, { target: 200, limit: 200 });
    expect(fitted.cuts).toEqual(['the ends of 1 long lines']);
    expect(fitted.values.past).toBe('- past 0');
  });

  test('sections that the file does not use stay whole', () => {
    const values = { ...valuesOf({ past: 2 }), metrics: list('metric', 20) };
    expect(fitPrompt(prompt, values, { target: 0, limit: 0 }).values.metrics).toBe(values.metrics);
  });

  test('whatever the sections hold, what is kept fits the limit, or nothing of it is left', () => {
    const count = fc.nat({ max: 30 });
    fc.assert(
      fc.property(count, count, count, fc.nat({ max: 400 }), (past, agents, issues, limit) => {
        const { values, cuts } = fitPrompt(prompt, valuesOf({ past, agents, issues }), {
          target: limit,
          limit,
        });
        const isEmpty = names.every((name) => values[name] === '');
        expect(isEmpty || estimateTokens(rendered(values)) <= limit).toBe(true);
        expect(String(values.cut)).toBe(cuts.join(', '));
      }),
    );
  });
});
