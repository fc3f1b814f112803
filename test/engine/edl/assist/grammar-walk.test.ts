import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { AssistText } from '../../../../src/engine/edl/assist/assist-text.ts';
import { knowsNamesOf } from '../../../../src/engine/edl/assist/completion/names-for.ts';
import { grammarGraph } from '../../../../src/engine/edl/assist/grammar-graph.ts';
import { keywordMeanings } from '../../../../src/engine/edl/assist/keyword-meanings.ts';

const folder = new URL('../../../../resources/environments/', import.meta.url);
const samples = readdirSync(folder).map(
  (name) => [name, readFileSync(new URL(name, folder), 'utf8')] as const,
);

describe('GrammarWalk', () => {
  test.each(samples)('finds a role for every token of %s', (_, text) => {
    const view = new AssistText(text);
    const steps = [...view.header, ...view.pieces.flatMap((piece) => piece.steps)];
    expect(steps.filter((step) => step.role === null).map((step) => step.token.text)).toEqual([]);
    expect(steps.length).toBeGreaterThan(5);
  });

  test('goes no deeper than any text that is read, and finds its way out again', () => {
    const open = 'environment e extends s { rule a { when '.concat('('.repeat(5000));
    const [{ steps }] = new AssistText(open).pieces as [AssistText['pieces'][number]];
    const deepest = Math.max(...steps.map(({ frame }) => frame.depth));
    expect(steps.filter(({ token }) => token.text === '(')).toHaveLength(5000);
    expect(deepest).toBeGreaterThan(400);
    expect(deepest).toBeLessThanOrEqual(600);
    const { declarations } = new AssistText(`${open}\nrule b { when true then x.y = 1 }`);
    expect(declarations.map(({ name }) => name)).toEqual(['a', 'b']);
  });

  test.each(['(', '= ', '1 = ', 'sum(x in agent where ', 'not ', '}', '"'])(
    'reads thousands of %s in seconds, not minutes',
    (piece) => {
      const text = `environment e extends s { rule a { when ${'('.repeat(100)}${piece.repeat(60_000 / piece.length)}`;
      const startedAt = performance.now();
      const { pieces } = new AssistText(text);
      expect(pieces.flatMap(({ declarations }) => declarations)[0]?.name).toBe('a');
      expect(performance.now() - startedAt).toBeLessThan(15_000);
    },
  );
});

describe('the grammar', () => {
  /** Names of the author's own: nothing is known of them before they are written. */
  const own =
    /^(Loop|Aggregate|Quantifier)\.variable$|^[A-Z][a-z]+\.name$|^PolicyName\.name$|^MetricUnit\.unit$|^Environment\./;

  test('completion knows what every name in it may be', () => {
    const properties = new Set<string>();
    for (const rule of grammarGraph().rules.values()) {
      const seen = new Set([rule.start]);
      for (const place of seen) {
        for (const { type, role, to } of place.tokens) {
          if (type === 'ID') properties.add(`${role.rule}.${role.feature}`);
          seen.add(to);
        }
        for (const { to } of place.rules) seen.add(to);
        for (const next of place.empty) seen.add(next);
      }
    }
    const unknown = [...properties].filter((property) => !knowsNamesOf(property) && !own.test(property));
    expect(unknown).toEqual([]);
    expect(properties.size).toBeGreaterThan(25);
  });

  test('every word of it has a meaning for hover', () => {
    const quiet =
      /^(m|s|deg|steps?|by|half|of|nominal|evaluations?|after|order|turn|random|episode|with|step)$/;
    const unexplained = [...grammarGraph().keywords].filter(
      (word) => !keywordMeanings.has(word) && !quiet.test(word),
    );
    expect(unexplained).toEqual([]);
  });
});
