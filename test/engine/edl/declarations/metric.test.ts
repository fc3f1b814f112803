import { describe, expect, test } from 'vitest';
import { compile, explain } from '../../../../src/engine/edl/index.ts';
import { opcodes } from '../../../../src/shared/generated/opcodes.ts';
import { testHost } from '../../../support/edl-manifests.ts';
import { environmentOf } from '../../../support/edl-text.ts';
import { expectRefusal } from '../../../support/expect-refusal.ts';

function metricOf(declaration: string, scenario = 'spread') {
  const { environment, diagnostics } = compile(environmentOf(declaration, scenario), testHost());
  const [metric] = environment?.ir.metrics ?? [];
  if (environment === null || metric === undefined) throw new Error(JSON.stringify(diagnostics));
  return { metric, environment };
}

describe('metricKind', () => {
  test('measures a number in its unit, a mean over the episode where nothing else is said', () => {
    const { metric, environment } = metricOf('metric gap "how far" { distance(agent_0, agent_1) unit m }');
    expect(metric).toMatchObject({ unit: 'm', fold: 'mean', better: 'neither', loops: [] });
    expect(environment.metrics).toMatchObject([{ name: 'gap', unit: 'm', perAgent: false, doc: 'how far' }]);
  });

  test('is per agent with a loop, folded and judged as it says', () => {
    const { metric, environment } = metricOf(
      'metric gap { for a in agent distance(a, nearest(landmark)) over episode min better lower unit m }',
    );
    expect(metric).toMatchObject({ fold: 'min', better: 'lower' });
    expect(environment.spec.program?.metrics[0]).toMatchObject({ isPerAgent: true, fold: 'min' });
    const { code, sections } = environment.spec.program ?? {
      code: new Int32Array(),
      sections: { metrics: 0 },
    };
    const measures = Array.from({ length: sections.metrics }, (_, i) => code.slice(5 * i, 5 * i + 5)).filter(
      ([op]) => op === opcodes.MEASURE.code,
    );
    expect(measures.map((words) => words[2])).toEqual([0, 1, 2]);
  });

  test('converts what is measured to the unit it is reported in', () => {
    const { metric } = metricOf('metric late { time unit s over episode last }');
    expect(metric.value).toMatchObject({ op: 'mul', right: { op: 'number', value: 0.1 } });
  });

  test('a plain number needs no unit, and % is one too', () => {
    expect(metricOf('metric n { count(a in agent where a.speed > 1 m/s) }').metric.unit).toBe('none');
    expect(metricOf('metric n { progress unit % }').metric.unit).toBe('percent');
  });

  test('a condition is measured as the share of steps in which it holds', () => {
    const { metric } = metricOf(
      'metric close { for a in agent distance(a, nearest(landmark)) < 0.2 m unit % }',
    );
    expect(metric.value.op).toBe('lt');
    expect(metric.unit).toBe('percent');
    expect(metricOf('metric n { time > 3 steps unit steps over episode sum }').metric.unit).toBe('steps');
  });

  test('its name, value and fold are part of the identity, its description is not', () => {
    const identity = (edl: string) => metricOf(edl).environment.identity;
    const base = identity('metric m { time unit s }');
    expect(identity('metric m "words" { time unit s }')).toBe(base);
    for (const other of [
      'metric n { time unit s }',
      'metric m { time unit steps }',
      'metric m { time unit s over episode max }',
    ])
      expect(identity(other)).not.toBe(base);
  });

  test('explain says what is measured and how it is folded', () => {
    const edl =
      'metric gap "How far" { for a in agent distance(a, goal) unit m over episode max better lower }';
    const result = explain(environmentOf(edl, 'pursuit'), testHost());
    expect('text' in result ? result.text : '').toContain(
      'metric gap: How far\n  for a in agent, each by itself: distance(a, goal)\n  largest value in an episode, in m; lower is better',
    );
  });

  test.each([
    ['metric m { distance(agent_0, agent_1) }', 'EDL303', 'distance(agent_0, agent_1)', "write 'unit m'"],
    ['metric m { time unit m }', 'EDL302', 'time', 'is a length (m), not a time'],
    ['metric m { time > 3 steps unit m }', 'EDL302', 'unit m', 'a condition is a share'],
    ['metric m { time > 3 steps unit steps }', 'EDL302', 'unit steps', "with 'over episode sum'"],
    ['metric m { agent_0 }', 'EDL301', 'agent_0', 'not an entity'],
    ['metric m { centroid(agent) }', 'EDL301', 'centroid(agent)', 'not a point'],
    ['metric m { time unit furlong }', 'EDL207', 'furlong', 'is not a unit'],
    ['metric m { time unit s over episode median }', 'EDL230', 'median', "after 'over episode'"],
    ['metric m { time unit s better smaller }', 'EDL230', 'smaller', 'higher, lower, neither'],
    ['metric m { time unit s unit steps }', 'EDL503', 'unit steps', "'unit' is given twice"],
    ['metric m { for l in landmark l.x unit m }', 'EDL308', 'landmark', 'these are landmarks'],
    [
      'metric m { for a in agent for b in agent distance(a, b) unit m }',
      'EDL503',
      'for b in agent',
      'one loop',
    ],
    ['metric coverage { time unit s }', 'EDL214', 'coverage', 'a metric of the scenario'],
    ['metric m { coverage }', 'EDL202', 'coverage', "'coverage' is a metric of an episode"],
  ])('refuses %s with %s', (edl, code, at, says) => {
    expectRefusal(edl, code, at, says);
  });
});
