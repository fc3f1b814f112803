import { describe, expect, test } from 'vitest';
import { createVecEnv } from '../../../../src/engine/sim/index.ts';
import { figure, playEpisodes, specWith } from '../../../support/edl-episodes.ts';

const numSteps = 12;
const phi = '-distance(a, nearest(landmark)) / 1 m + 0.25 * a.x / 1 m';

const potential = (options = ''): string =>
  `reward pull { for a in agent give ${phi} to a ${options} potential }
   metric phi { for a in agent ${phi} over episode last }`;

/** Episodes of another length under the same bytecode: a limit is a share of what a whole episode is worth. */
function specOver(length: number, options = '') {
  const spec = specWith(potential(options));
  return { ...spec, parameters: { ...spec.parameters, 'episode.length': length } };
}

/** Φ of every agent in the first state. */
function phiAtStart(): readonly number[] {
  const env = createVecEnv(specOver(numSteps), { numEnvs: 1, seed: 5n, firstEpisode: 0 });
  const values = Array.from(env.probe());
  env.dispose();
  return values;
}

/** Sums of F over the first 1, 2, … steps to 64 bits, per agent, and Φ after each. Episodes of each length are cut of one. */
function runOf(gamma: number, options = '', trainingSteps: (step: number) => number = () => 0) {
  return Array.from({ length: numSteps }, (_, t) => {
    const [record] = playEpisodes(specOver(t + 1, options), { gamma, trainingSteps });
    if (record === undefined) throw new Error('no episode');
    return { sum: figure(record.components, 'pull'), phi: figure(record.metrics, 'phi') };
  });
}

/** F of each step, per agent. */
function differences(run: ReturnType<typeof runOf>, agent: number): number[] {
  return run.map(({ sum }, t) => (sum[agent] ?? 0) - (run[t - 1]?.sum[agent] ?? 0));
}

const agents = [0, 1, 2];

describe('potential-based rewards', () => {
  test.each([1, 0.99, 0.9])(
    'telescope with a discount of %f; the last potential of a truncated episode stays',
    (gamma) => {
      const start = phiAtStart();
      const run = runOf(gamma);
      for (const agent of agents) {
        const discounted = differences(run, agent).reduce((sum, f, t) => sum + gamma ** t * f, 0);
        const expected = gamma ** numSteps * (run.at(-1)?.phi[agent] ?? 0) - (start[agent] ?? 0);
        expect(Math.abs(discounted - expected)).toBeLessThan(1e-9);
      }
    },
  );

  test('telescope to minus the first potential where the episode terminates', () => {
    const gamma = 0.9;
    const declarations = `set agent.count = 1 set episode.end_on_success = true
      reward pull { for a in agent give ${phi} to a potential }
      metric phi { for a in agent ${phi} over episode last }`;
    const spec = { ...specWith(declarations), scripted: { agent: 'greedy' } };
    const env = createVecEnv(spec, { numEnvs: 1, seed: 5n, firstEpisode: 0, gamma });
    const [start = Number.NaN] = env.probe();
    let discounted = 0;
    let weight = 1;
    let isOver = false;
    for (let t = 0; t < 200 && !isOver; t++) {
      env.step(new Int32Array(1));
      discounted += weight * (env.components.at(-1) ?? 0);
      weight *= gamma;
      isOver = env.terminated[0] === 1;
    }
    expect(isOver).toBe(true);
    // Steps are known to 32 bits here: the episode's length is not given beforehand.
    expect(discounted).toBeCloseTo(-start, 5);
    env.dispose();
  });

  test('a limit scales the potential, so that every F is scaled alike and none is clipped', () => {
    const whole = runOf(0.99);
    const limited = runOf(0.99, 'limit 1% of nominal');
    const scale = (limited[0]?.sum[0] ?? 0) / (whole[0]?.sum[0] ?? 1);
    expect(scale).toBeGreaterThan(0);
    expect(scale).toBeLessThan(1);
    for (const agent of agents) {
      const scaled = differences(whole, agent).map((f) => scale * f);
      for (const [t, f] of differences(limited, agent).entries()) expect(f).toBeCloseTo(scaled[t] ?? 0, 12);
    }
  });

  test('with decay the weight is that of the moment at each end', () => {
    const gamma = 0.95;
    const weightAt = (step: number): number => 2 ** -step;
    const run = runOf(gamma, 'decay half every 1k steps', (step) => 1000 * step);
    const start = phiAtStart();
    for (const agent of agents) {
      differences(run, agent).forEach((f, t) => {
        const before = t === 0 ? start[agent] : run[t - 1]?.phi[agent];
        const expected = gamma * weightAt(t + 1) * (run[t]?.phi[agent] ?? 0) - weightAt(t) * (before ?? 0);
        expect(f).toBeCloseTo(expected, 12);
      });
    }
  });
});
