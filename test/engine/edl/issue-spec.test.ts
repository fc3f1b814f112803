import { describe, expect, test } from 'vitest';
import { compile } from '../../../src/engine/edl/compile.ts';
import type { IssueSpec } from '../../../src/engine/edl/types.ts';
import { testHost } from '../../support/edl-manifests.ts';
import { environmentOf } from '../../support/edl-text.ts';

function issue(condition: string): IssueSpec {
  const { environment, diagnostics } = compile(
    environmentOf(`issue i "doc" { when ${condition} for 3 evaluations }`),
    testHost(),
  );
  const [spec] = environment?.issues ?? [];
  if (spec === undefined) throw new Error(JSON.stringify(diagnostics));
  return spec;
}

const metrics = (values: Record<string, number>) => (name: string) => values[name];

describe('makeIssueSpec', () => {
  test('names itself, its condition as written and the metrics it reads', () => {
    const spec = issue('coverage < 50% and collisions > 2');
    expect(spec).toMatchObject({
      name: 'i',
      doc: 'doc',
      condition: 'coverage < 50% and collisions > 2',
      forEvaluations: 3,
      metrics: ['collisions', 'coverage'],
    });
  });

  test.each([
    ['coverage < 50%', { coverage: 0.49 }, true],
    ['coverage < 50%', { coverage: 0.5 }, false],
    ['coverage < 50% and collisions > 2', { coverage: 0.1, collisions: 2 }, false],
    ['coverage < 50% or collisions > 2', { coverage: 0.9, collisions: 3 }, true],
    ['not (coverage >= 50%)', { coverage: 0.1 }, true],
    ['spacing * 2 - 1 m < 0.5 m', { spacing: 0.7 }, true],
    ['max(collisions, 3) / 2 == 1.5', { collisions: 1 }, true],
    ['collisions > agent.count', { collisions: 4 }, true],
  ])('%s with %j is %j', (condition, values, expected) => {
    expect(issue(condition).evaluate(metrics(values))).toBe(expected);
  });

  test.each([
    ['a missing metric', 'coverage < 50%', {}],
    ['a metric that is no number', 'coverage < 50%', { coverage: Number.NaN }],
    ['a negation of what is missing', 'not (coverage >= 50%)', {}],
    ['a division by zero', '1 / collisions > 0', { collisions: 0 }],
  ])('%s does not hold', (_, condition, values) => {
    expect(issue(condition).evaluate(metrics(values))).toBe(false);
  });

  test('what is missing does not matter where the other side decides', () => {
    expect(issue('coverage < 50% or collisions > 2').evaluate(metrics({ collisions: 3 }))).toBe(true);
  });
});
