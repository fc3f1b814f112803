import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { scenarioNames } from '../../../src/engine/sim/catalogue.ts';
import { createVecEnv } from '../../../src/engine/sim/create-vec-env.ts';
import { traceCase } from '../../../src/engine/sim/trace-case.ts';
import { thrownBy } from '../../support/error-code.ts';

interface GoldenStep {
  pos: number[][];
  vel: number[][];
  reward: number[];
  obs: Record<string, number[]>;
}
interface GoldenCase {
  agents: string[];
  init: { A: number[][]; L: number[][]; goal?: number; acts: number[][] };
  steps: GoldenStep[];
}
interface NamedCase extends GoldenCase {
  name: string;
  scenario: string;
}
const fixtures = join(import.meta.dirname, '../../fixtures');
const golden: Record<string, GoldenCase> = JSON.parse(
  readFileSync(join(fixtures, 'mpe-golden.json'), 'utf8'),
).scenarios;
/** Written by tools/fixtures/mpe_golden.py: all nine scenarios, other numbers of agents, both orders of a step. */
const { cases }: { cases: NamedCase[] } = JSON.parse(readFileSync(join(fixtures, 'mpe-cases.json'), 'utf8'));
const tolerance = 1e-9;

function numbersOf(step: GoldenStep): number[] {
  return [...step.pos.flat(), ...step.vel.flat(), ...step.reward, ...Object.values(step.obs).flat()];
}

function goldenCase(name: string): GoldenCase {
  const found = golden[name];
  if (found === undefined) throw new Error(`no golden case ${name}`);
  return found;
}

function expectReference(scenario: string, reference: GoldenCase): void {
  const { steps } = traceCase(scenario, reference);
  expect(steps).toHaveLength(reference.steps.length);
  for (const [t, expected] of reference.steps.entries()) {
    const step = steps[t] as GoldenStep;
    expect(Object.keys(step.obs)).toEqual(Object.keys(expected.obs));
    const wanted = numbersOf(expected);
    const got = numbersOf(step);
    expect(got).toHaveLength(wanted.length);
    const worst = Math.max(...got.map((value, i) => Math.abs(value - (wanted[i] ?? Number.NaN))));
    expect(worst, `step ${t}`).toBeLessThan(tolerance);
  }
}

describe('traceCase', () => {
  test.each(Object.entries(golden))('%s equals the reference trajectory', (name, reference) => {
    expectReference(name, reference);
  });

  test.each(cases)('$scenario equals the reference trajectory: $name', (reference) => {
    expectReference(reference.scenario, reference);
  });

  test('the reference trajectories are of all particle scenarios and both orders of a step', () => {
    const played = new Set([...Object.keys(golden), ...cases.map((each) => each.scenario)]);
    expect([...played].sort()).toEqual(scenarioNames().filter((name) => name.startsWith('simple')));
    expect(cases.filter((each) => each.name.endsWith('v2')).length).toBeGreaterThan(3);
  });

  test.each(scenarioNames())('the case on the page of %s can be played as it stands', (name) => {
    const page = readFileSync(join(import.meta.dirname, `../../../docs/scenarios/${name}.md`), 'utf8');
    const [, example = ''] = /## A case for `sim trace`.*?```json\n(.*?)```/s.exec(page) ?? [];
    const written = JSON.parse(example);
    const { steps } = traceCase(name, written);
    expect(steps).toHaveLength(written.init.acts.length);
    expect(steps[0]?.pos).toHaveLength(written.init.A.length);
  });

  test('a missing field is named, with an example that can be played', () => {
    const fields = [
      ['init', {}],
      ['init.L', { init: { A: [[0, 0]], acts: [] } }],
      ['init.acts', { init: { A: [[0, 0]], L: [] } }],
    ] as const;
    for (const [field, value] of fields) {
      const { message } = thrownBy(() => traceCase('simple', value));
      expect(message).toContain(`trace case: ${field}: is missing; a case looks like {`);
      const [, example = ''] = /looks like (.*)$/.exec(message) ?? [];
      expect(traceCase('simple', JSON.parse(example)).steps).toHaveLength(2);
    }
  });

  test('numbers carry at most 12 digits', () => {
    const { steps } = traceCase('simple_spread', goldenCase('simple_spread'));
    for (const value of steps.flatMap(numbersOf)) expect(value).toBe(Number(value.toPrecision(12)));
  });

  test.each([
    ['not an object', 7, 'the case'],
    ['no layout', {}, 'init'],
    ['a position of three numbers', { init: { A: [[0, 0, 0]], L: [], acts: [] } }, 'init.A.0'],
    ['an action that is no number', { init: { A: [[0, 0]], L: [[0, 0]], acts: [['x']] } }, 'init.acts.0.0'],
    ['too few landmarks', { init: { A: [[0, 0]], L: [], acts: [] } }, 'L has 0 positions'],
    ['too many agents', { init: { A: Array(30).fill([0, 0]), L: [], acts: [] } }, 'init.A'],
    ['an action out of range', { init: { A: [[0, 0]], L: [[0, 0]], acts: [[5]] } }, 'acts[0][0]'],
    [
      'a number that is not finite',
      { init: { A: [[0, Number.POSITIVE_INFINITY]], L: [[0, 0]], acts: [] } },
      'init.A.0.1',
    ],
    [
      'more names than there may be agents',
      { agents: Array.from({ length: 11 }, (_, i) => `agent_${i}`), init: { A: [[0, 0]], L: [], acts: [] } },
      'agents: parameter agent.count',
    ],
    ['foreign agent names', { agents: ['bob'], init: { A: [[0, 0]], L: [[0, 0]], acts: [] } }, 'agents'],
  ])('%s is input.invalid naming the field', (_, value, field) => {
    expect(() => traceCase('simple_spread', value)).toThrow(
      expect.objectContaining({ code: 'input.invalid', message: expect.stringContaining(field) }),
    );
  });

  test('as many agents play as the case names, or has positions for', () => {
    const spots = (count: number) => Array.from({ length: count }, (_, i) => [i, 0]);
    const init = { A: spots(5), L: spots(4), goal: 3, acts: [[0, 1, 2, 3, 4]] };
    const agents = ['adversary_0', 'agent_0', 'agent_1', 'agent_2', 'agent_3'];
    const named = traceCase('simple_adversary', { agents, init });
    expect(Object.keys(named.steps[0]?.obs ?? {})).toEqual(agents);
    expect(traceCase('simple_adversary', { init })).toEqual(named);
  });

  test('a missing goal is named', () => {
    const { init } = goldenCase('simple_adversary');
    const { goal: _, ...withoutGoal } = init;
    expect(() => traceCase('simple_adversary', { init: withoutGoal })).toThrow(/goal is missing/);
  });

  test('an unknown scenario is scenario.unknown', () => {
    expect(() => traceCase('simple_nothing', goldenCase('simple_spread'))).toThrow(
      expect.objectContaining({ code: 'scenario.unknown' }),
    );
  });
});

describe('f32 outputs of a batch', () => {
  test.each(['simple_spread', 'simple_adversary'])('%s equals its own f64 trace within 1e-6', (name) => {
    const spec = { scenario: name, parameters: {}, program: null, scripted: {} };
    const env = createVecEnv(spec, { numEnvs: 1, seed: 3n, firstEpisode: 0 });
    const start = layoutFromObs(name, env.obs, env.obsDim);
    const acts = [
      [1, 2, 3],
      [2, 4, 1],
      [0, 0, 4],
    ];
    const { steps } = traceCase(name, { init: { ...start, acts } });
    for (const [t, actions] of acts.entries()) {
      env.step(Int32Array.from(actions));
      const rows = Object.values(steps[t]?.obs ?? {});
      for (const [a, row] of rows.entries()) {
        for (const [i, value] of row.entries()) {
          expect(Math.abs((env.obs[a * env.obsDim + i] ?? Number.NaN) - value)).toBeLessThan(1e-6);
        }
        expect(Math.abs((env.rewards[a] ?? Number.NaN) - (steps[t]?.reward[a] ?? Number.NaN))).toBeLessThan(
          1e-6,
        );
      }
    }
  });
});

/** A layout that shows the given first observations: relative ones suffice, the origin does not matter. */
function layoutFromObs(
  name: string,
  obs: Float32Array,
  obsDim: number,
): { A: number[][]; L: number[][]; goal?: number } {
  const pair = (agent: number, offset: number): [number, number] => [
    obs[agent * obsDim + offset] ?? 0,
    obs[agent * obsDim + offset + 1] ?? 0,
  ];
  const add = (p: readonly number[], q: readonly number[]) => [
    (p[0] ?? 0) + (q[0] ?? 0),
    (p[1] ?? 0) + (q[1] ?? 0),
  ];
  if (name === 'simple_spread') {
    const A = [0, 1, 2].map((a) => pair(a, 2));
    return { A, L: [4, 6, 8].map((offset) => add(A[0] ?? [], pair(0, offset))) };
  }
  const A = [[0, 0], pair(0, 4), pair(0, 6)];
  const L = [pair(0, 0), pair(0, 2)];
  const goal = add(A[1] ?? [], pair(1, 0));
  const isFirst = Math.hypot((L[0]?.[0] ?? 0) - (goal[0] ?? 0), (L[0]?.[1] ?? 0) - (goal[1] ?? 0)) < 1e-5;
  return { A, L, goal: isFirst ? 0 : 1 };
}
