import { describe, expect, test } from 'vitest';
import { compile, explain } from '../../../../src/engine/edl/index.ts';
import { testHost, testManifest } from '../../../support/edl-manifests.ts';
import { environmentOf } from '../../../support/edl-text.ts';
import { expectRefusal } from '../../../support/expect-refusal.ts';
import { simHost } from '../../../support/sim-host.ts';

function compiled(declarations: string) {
  const { environment, diagnostics } = compile(environmentOf(declarations), testHost());
  if (environment === null) throw new Error(JSON.stringify(diagnostics));
  return environment;
}

const near = 'reward near { for a in agent give 0.1 * agent.accel / 1 m/s^2 to a }';
const curriculum = `${near}
set local_ratio = 20%
stage easy "To begin with" { set agent.accel = 2 until coverage > 50% for 3 evaluations }
stage hard { set agent.accel = 8 set episode.length = 50 }`;

describe('stageKind', () => {
  test('each stage is the environment under its settings, with an identity of its own', () => {
    const environment = compiled(curriculum);
    expect(environment.stages.map((stage) => [stage.name, stage.doc, stage.spec.parameters])).toEqual([
      ['easy', 'To begin with', { 'agent.accel': 2, local_ratio: 0.2 }],
      ['hard', '', { 'agent.accel': 8, 'episode.length': 50, local_ratio: 0.2 }],
    ]);
    const identities = [environment, ...environment.stages].map((one) => one.identity);
    expect(new Set(identities).size).toBe(3);
  });

  test('a stage has the identity of the same environment written without stages', () => {
    const [, hard] = compiled(curriculum).stages;
    const same = compiled(`${near} set local_ratio = 20% set agent.accel = 8 set episode.length = 50`);
    expect(hard?.identity).toBe(same.identity);
    expect(hard?.spec).toEqual(same.spec);
  });

  test.each([
    ['a parameter nobody reads', 'agent.accel', '2', ''],
    [
      'a parameter that is read',
      'agent.accel',
      '2',
      'rule r { for a in agent when agent.accel > 3 m/s^2 then a.accel *= 2 }',
    ],
    ['limits', 'episode.length', '50', 'reward g { for a in agent give 0.1 to a limit 10% of nominal }'],
    [
      'a potential with a limit',
      'episode.length',
      '50',
      'reward g { for a in agent give time / 1 s to a limit 10% of nominal potential }',
    ],
  ])(
    '%s: the program of a stage is that of the environment under its settings',
    (_name, parameter, value, other) => {
      const [stage] = compiled(`${near} ${other} stage one { set ${parameter} = ${value} }`).stages;
      const { spec, identity } = compiled(`${near} ${other} set ${parameter} = ${value}`);
      expect(stage?.spec).toEqual(spec);
      expect(stage?.identity).toBe(identity);
    },
  );

  test('parameters that an expression reads are those of the stage', () => {
    const constants = compiled(curriculum).stages.map((stage) => [...(stage.spec.program?.constants ?? [])]);
    expect(constants.map((values) => values.at(-1))).toEqual([2 * 0.1, 8 * 0.1]);
  });

  test('`until` is a condition over metrics, those of the text included', () => {
    const [first] = compiled(
      `metric late { time unit s } ${curriculum.replace('coverage > 50%', 'late < 1 s and coverage > 50%')}`,
    ).stages;
    expect(first?.until?.metrics).toEqual(['coverage', 'late']);
    expect(first?.forEvaluations).toBe(3);
    const holds = (late: number, coverage: number) =>
      first?.until?.holds((name) => (name === 'late' ? late : coverage));
    expect([holds(0.5, 0.6), holds(2, 0.6), holds(0.5, 0.4), holds(Number.NaN, 0.6)]).toEqual([
      true,
      false,
      false,
      false,
    ]);
  });

  test('the order of stages counts, that of other declarations does not', () => {
    const [near, set, easy, hard] = curriculum.split('\n');
    const last = `${hard?.replace(' }', ' until coverage > 60% }')}`;
    const identity = (parts: (string | undefined)[]) => compiled(parts.join('\n')).identity;
    expect(identity([set, easy, near, hard])).toBe(identity([near, set, easy, hard]));
    expect(identity([near, set, easy, last])).not.toBe(identity([near, set, last, easy]));
  });

  test('explain numbers the stages and says what ends them', () => {
    const result = explain(environmentOf(curriculum), testHost());
    expect('text' in result ? result.text : '').toContain(
      [
        'stage easy: To begin with (1 of 2)',
        '  set agent.accel = 2',
        '  until coverage > 50%, for 3 evaluations in a row',
        '',
        'stage hard (2 of 2)',
      ].join('\n'),
    );
  });

  test.each([
    [
      'stage a { set agent.count = 5 }',
      'EDL405',
      'a',
      'changes the number of agents (3 to 5): a learner is made for fixed shapes',
    ],
    ['stage a { set agent.acel = 5 }', 'EDL203', 'agent.acel', "did you mean 'agent.accel'?"],
    ['stage a { set agent.accel = 500 }', 'EDL401', '500', 'ranges from'],
    ['stage a { set agent.accel = 5 set agent.accel = 6 }', 'EDL210', 'set agent.accel = 6', 'set twice'],
    ['stage a { until time > 3 steps }', 'EDL208', 'time', "unknown metric 'time'"],
    ['stage a { until coverage }', 'EDL301', 'coverage', 'must be a condition'],
    ['stage a { until coverage > 50% for 0 evaluations }', 'EDL505', '0', 'a whole number of evaluations'],
    ['stage a { set agent.accel = 2 } stage b { }', 'EDL509', 'a', "has no 'until'"],
    ['stage a { until coverage > 50% } stage a { }', 'EDL209', 'a', 'declared twice'],
  ])('refuses %s with %s', (edl, code, at, says) => {
    expectRefusal(edl, code, at, says);
  });

  test('a stage whose settings do not go together is in error, with what is wrong', () => {
    const strict = {
      manifest: (_: string, parameters: Record<string, number>) => {
        if (parameters['agent.accel'] === 1) throw new Error('too slow to collide');
        return testManifest('spread', 3);
      },
    };
    const text = environmentOf('stage a { set agent.accel = 1 }');
    const { diagnostics } = compile(text, strict);
    expect(diagnostics.map((d) => [d.code, d.message])).toEqual([
      ['EDL404', "under stage 'a': too slow to collide"],
    ]);
  });

  test('warns where `until` is decided beforehand', () => {
    const { diagnostics } = compile(environmentOf('stage a { until coverage > 200% }'), testHost());
    expect(diagnostics.map((d) => [d.code, d.severity])).toEqual([['EDL502', 'warning']]);
  });

  test('what is so in some stages only is not warned of', () => {
    const body = (stages: string): string[] => {
      const text = environmentOf(
        `rule quick { when agent.accel > 5 m/s^2 then agent.max_speed *= 0.5 }
        rule late { when time > 40 steps then agent.max_speed *= 0.5 }
        rule later { when time > 400 steps then agent.max_speed *= 0.5 }
        event gust { at step 60 disturb push agent_0 }
        event storm { at step 600 disturb push agent_0 }
        ${stages}`,
        'simple_spread',
      );
      return compile(text, simHost()).diagnostics.map(({ code, range }) => `${code} ${range.start.line}`);
    };
    expect(body('')).toEqual(['EDL502 1', 'EDL502 2', 'EDL502 3', 'EDL514 4', 'EDL514 5']);
    const two =
      'stage easy { until coverage > 50% } stage hard { set agent.accel = 8 set episode.length = 100 steps }';
    expect(body(two)).toEqual(['EDL502 3', 'EDL514 5']);
  });

  test.each([
    ['set episode.length = 100 steps until clock > 50 steps', []],
    ['set episode.length = 10 steps until clock > 15 steps', []],
    ['set episode.length = 100 steps until clock > 150 steps', ['EDL502']],
  ])('`until` is within the bounds of the stage or of the environment: %s', (stage, codes) => {
    const body = `metric clock { time over episode last unit steps } stage a { ${stage} }`;
    const { diagnostics } = compile(environmentOf(body, 'simple_spread'), simHost());
    expect(diagnostics.map(({ code }) => code)).toEqual(codes);
  });
});
