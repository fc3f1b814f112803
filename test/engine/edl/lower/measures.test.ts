import { describe, expect, test } from 'vitest';
import { compile } from '../../../../src/engine/edl/compile.ts';
import { createVecEnv } from '../../../../src/engine/sim/index.ts';
import { environmentOf } from '../../../support/edl-text.ts';
import { simHost } from '../../../support/sim-host.ts';

const host = simHost();
const numSteps = 10;

/** Metrics and components per agent of one episode of ten steps, in which time reads 1 to 10. */
function playEpisode(declarations: string, scenario = 'simple_spread') {
  const text = environmentOf(`set episode.length = ${numSteps} steps\n${declarations}`, scenario);
  const { environment, diagnostics } = compile(text, host);
  if (environment === null) throw new Error(JSON.stringify(diagnostics));
  const env = createVecEnv(environment.spec, { numEnvs: 1, seed: 3n, firstEpisode: 0 });
  env.reset(3n, 0);
  for (let t = 0; t < numSteps; t++) env.step(new Int32Array(env.numAgents));
  expect(env.takeTraps()).toEqual([]);
  const column = (names: readonly string[], values: Float64Array) => (name: string) =>
    Array.from({ length: env.numAgents }, (_, agent) => values[agent * names.length + names.indexOf(name)]);
  const names = env.metrics.map((metric) => metric.name);
  const metric = column(names, env.episodeMetrics.slice());
  const component = column(env.componentNames, env.episodeComponents.slice());
  const fired = [...env.takeFireCounts()];
  env.dispose();
  return { metric, component, fired };
}

describe('lowerMetric', () => {
  test('folds the samples of an episode as it says', () => {
    const folds = ['mean', 'sum', 'min', 'max', 'last'];
    const text = folds.map((fold) => `metric ${fold}_time { time unit steps over episode ${fold} }`);
    const { metric } = playEpisode(text.join('\n'));
    expect(folds.map((fold) => metric(`${fold}_time`))).toEqual([
      [5.5, 5.5, 5.5],
      [55, 55, 55],
      [1, 1, 1],
      [10, 10, 10],
      [10, 10, 10],
    ]);
  });

  test('a condition counts 1 in the steps in which it holds', () => {
    const { metric } = playEpisode(
      'metric late { time > 7 steps unit % } metric n { time > 7 steps over episode sum }',
    );
    expect([metric('late')[0], metric('n')[0]]).toEqual([0.3, 3]);
  });

  test('converts to the unit it is reported in', () => {
    const { metric } = playEpisode('metric end { time unit s over episode last }');
    expect(metric('end')[0]).toBeCloseTo(1, 12);
  });

  test('has a value for the agents of its loop and none for the others', () => {
    const { metric } = playEpisode(
      'metric m { for a in good time unit steps over episode max }',
      'simple_adversary',
    );
    expect(metric('m')).toEqual([Number.NaN, 10, 10]);
  });

  test('leaves out the steps in which it is undefined, and an episode of such steps has no value', () => {
    const { metric } = playEpisode(`
      metric some { sqrt(time / 1 steps - 7) over episode sum }
      metric none { sqrt(time / 1 steps - 70) }`);
    expect(metric('some')[0]).toBeCloseTo(0 + 1 + Math.sqrt(2) + Math.sqrt(3), 12);
    expect(metric('none')[0]).toBeNaN();
  });
});

describe('lowerViolations', () => {
  test('counts steps and instances for whom they concern, and all constraints together', () => {
    const { metric, fired } = playEpisode(`
      constraint late { never time > 7 steps }
      constraint pairs { for a in agent for b in other(a) always time < 10 steps }
      constraint guarded { for a in agent when time > 4 steps never time < 7 steps }`);
    expect(metric('late')).toEqual([3, 3, 3]);
    expect(metric('pairs')).toEqual([2, 2, 2]);
    expect(metric('guarded')).toEqual([2, 2, 2]);
    expect(metric('constraint_violations')).toEqual([7, 7, 7]);
    expect(fired.sort((a, b) => a - b)).toEqual([3, 6, 6]);
  });

  test('an agent that keeps it has 0, one that it does not concern has no value', () => {
    const broken = playEpisode('constraint c { for a in good never time > 9 steps }', 'simple_adversary');
    expect(broken.metric('c')).toEqual([Number.NaN, 1, 1]);
    const kept = playEpisode('constraint c { for a in agent never distance(a, centroid(agent)) > 50 m }');
    expect(kept.metric('c')).toEqual([0, 0, 0]);
  });
});

describe('lowerPenalty', () => {
  test('takes the penalty in every step of a violation, within the limit', () => {
    const { component } = playEpisode(`
      constraint free { for a in agent never time > 7 steps penalty 0.5 to a }
      constraint held { never time > 1 steps penalty 1 limit 10% of nominal }
      constraint given { never time > 7 steps penalty 0.25 to agent_1 }`);
    expect(component('free')).toEqual([-1.5, -1.5, -1.5]);
    expect(component('given')).toEqual([0, -0.75, 0]);
    const nominal = host.manifest('simple_spread', { 'episode.length': numSteps })?.nominalReturn ?? 0;
    for (const value of component('held')) expect(value).toBeCloseTo(-0.1 * nominal, 12);
  });

  test('may depend on the state', () => {
    const { component } = playEpisode('constraint c { never time > 7 steps penalty time / 10 steps }');
    expect(component('c')[0]).toBeCloseTo(-(0.8 + 0.9 + 1), 6);
  });
});
