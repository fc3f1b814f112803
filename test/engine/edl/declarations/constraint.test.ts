import { describe, expect, test } from 'vitest';
import { compile, explain } from '../../../../src/engine/edl/index.ts';
import { opcodes } from '../../../../src/shared/generated/opcodes.ts';
import { testHost } from '../../../support/edl-manifests.ts';
import { environmentOf } from '../../../support/edl-text.ts';
import { expectRefusal } from '../../../support/expect-refusal.ts';

function compiled(declarations: string, scenario = 'spread') {
  const { environment, diagnostics } = compile(environmentOf(declarations, scenario), testHost());
  if (environment === null) throw new Error(JSON.stringify(diagnostics));
  return { environment, diagnostics };
}

describe('constraintKind', () => {
  test('`never` is broken where its condition holds, `always` where it does not', () => {
    const never = compiled('constraint c { for a in agent never a.speed > 1 m/s }').environment.ir
      .constraints[0];
    const always = compiled('constraint c { for a in agent always a.speed <= 1 m/s }').environment.ir
      .constraints[0];
    expect(never?.violated.op).toBe('lt');
    expect(always?.violated).toMatchObject({ op: 'not', value: { op: 'le' } });
  });

  test('a penalty is a component that takes, limited as it says', () => {
    const { environment } = compiled(
      'constraint c { for a in agent never a.speed > 1 m/s penalty 0.5 to a limit 10% of nominal }',
    );
    expect(environment.spec.program?.components).toEqual([
      { name: 'c', halfLifeSteps: 0, episodeLimit: 2.5, isPotential: false },
    ]);
    expect([...(environment.spec.program?.constants ?? [])]).toContain(-0.5);
  });

  test('without a penalty it is counted and costs nothing', () => {
    const { environment } = compiled('constraint c { for a in agent never a.speed > 1 m/s }');
    expect(environment.spec.program?.components).toEqual([]);
    expect(environment.spec.program?.sections.rewards).toBe(0);
  });

  test('violations are metrics per agent, and one of all of them', () => {
    const { environment } = compiled(
      'constraint b { never time > 3 steps } constraint a "never fast" { for a in agent never a.speed > 1 m/s }',
    );
    const metrics = environment.spec.program?.metrics ?? [];
    expect(metrics.map((metric) => metric.name)).toEqual(['a', 'constraint_violations', 'b']);
    for (const metric of metrics) {
      expect(metric).toMatchObject({ isPerAgent: true, fold: 'sum', unit: 'none', better: 'lower' });
    }
    expect(environment.metrics.map((metric) => [metric.name, metric.doc])).toContainEqual([
      'a',
      'never fast',
    ]);
  });

  test('without `to` a violation is that of the first agent looped over, else of everybody', () => {
    const [looped] = compiled(
      'constraint c { for l in landmark for a in agent for b in ally(a) never distance(a, b) < distance(a, l) }',
    ).environment.ir.constraints;
    expect(looped?.target).toEqual({ op: 'variable', index: 1 });
    const { environment } = compiled('constraint c { never time > 3 steps penalty 1 }', 'pursuit');
    expect(environment.ir.constraints[0]?.target).toBeNull();
    const { code } = environment.spec.program ?? { code: new Int32Array() };
    const given = Array.from({ length: code.length / 5 }, (_, i) => code.slice(5 * i, 5 * i + 5));
    const gives = given.filter(([op]) => op === opcodes.GIVE.code);
    expect(gives.map((words) => words[2])).toEqual([0, 1, 2]);
  });

  test('explain says what it costs and where it is counted', () => {
    const edl = 'constraint c "Slow" { for a in agent never a.speed > 1 m/s penalty 0.5 to a }';
    const result = explain(environmentOf(edl), testHost());
    expect('text' in result ? result.text : '').toContain(
      [
        'constraint c: Slow',
        '  for a in agent, at every step:',
        '  never a.speed > 1 m/s',
        "  in each step of a violation: penalty 0.5 to a; no limit; counted in the metrics 'c' and 'constraint_violations'",
      ].join('\n'),
    );
  });

  test.each([
    ['constraint c { for a in agent never a }', 'EDL301', 'a', "what follows 'never' must be a condition"],
    ['constraint c { never time > 3 steps penalty -1 }', 'EDL505', '-1', 'a penalty is not negative'],
    ['constraint c { never time > 3 steps penalty 1 to landmark }', 'EDL308', 'landmark', 'no agent'],
    [
      'constraint c { never time > 3 steps limit 0% of nominal }',
      'EDL505',
      'limit 0% of nominal',
      'above 0%',
    ],
    ['constraint collision { never time > 3 steps }', 'EDL212', 'collision', 'base reward component'],
    ['constraint coverage { never time > 3 steps }', 'EDL214', 'coverage', 'a metric of the scenario'],
    [
      'constraint constraint_violations { never time > 3 steps }',
      'EDL214',
      'constraint_violations',
      'sums all',
    ],
    [
      'reward c { give 1 to agent } constraint c { never time > 3 steps }',
      'EDL209',
      'c',
      '(as reward and constraint)',
    ],
  ])('refuses %s with %s', (edl, code, at, says) => {
    expectRefusal(edl, code, at, says);
  });

  test.each([
    ['constraint c { never time > 30 steps }', 'never violated'],
    ['constraint c { always time > 30 steps }', 'always violated'],
    ['constraint c { never time > 3 steps penalty 0 }', 'changes nothing'],
  ])('warns of %s', (edl, says) => {
    expect(
      compiled(edl)
        .diagnostics.map((d) => d.message)
        .join(),
    ).toContain(says);
  });
});
