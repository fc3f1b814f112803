import { describe, expect, test } from 'vitest';
import { createVecEnv, scenarioManifest } from '../../../../src/engine/sim/index.ts';
import type { VecEnv } from '../../../../src/shared/rl/vec-env.ts';
import { figure, type PlayOptions, playEpisodes, specWith } from '../../../support/edl-episodes.ts';

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
function runOf(
  gamma: number,
  options = '',
  more: Pick<PlayOptions, 'trainingSteps' | 'truncationEnds'> = {},
) {
  return Array.from({ length: numSteps }, (_, t) => {
    const [record] = playEpisodes(specOver(t + 1, options), { gamma, ...more });
    if (record === undefined) throw new Error('no episode');
    return { sum: figure(record.components, 'pull'), phi: figure(record.metrics, 'phi') };
  });
}

/** F of each step, per agent. */
function differences(run: ReturnType<typeof runOf>, agent: number): number[] {
  return run.map(({ sum }, t) => (sum[agent] ?? 0) - (run[t - 1]?.sum[agent] ?? 0));
}

/** Everybody runs to the right for an episode: agent 0's discounted sum of F after each step, and how far it came. */
function flight(declarations: string, gamma: number) {
  const spec = specWith(`${declarations} metric far { for a in agent a.x unit m over episode last }`);
  const env = createVecEnv(spec, { numEnvs: 1, seed: 5n, firstEpisode: 0, gamma });
  const sums: number[] = [];
  const right = new Int32Array(3).fill(2);
  let farthest = 0;
  let sum = 0;
  for (let t = 0; t < env.manifest.episodeLength - 1; t++) {
    env.step(right);
    sum += gamma ** t * (env.components[env.numComponents - 1] ?? 0);
    sums.push(sum);
    farthest = Math.max(farthest, env.probe()[0] ?? 0);
  }
  const limit = 0.1 * env.manifest.nominalReturn;
  env.dispose();
  return { limit, sums, farthest };
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

  test('telescope to minus the first potential where a truncated episode counts as ended', () => {
    const start = phiAtStart();
    for (const gamma of [1, 0.9]) {
      const cut = runOf(gamma, '', { truncationEnds: true });
      const whole = runOf(gamma);
      // Each is cut where it stands; up to its last step it is what the longer ones are.
      for (const agent of agents) {
        const fs = differences(whole, agent);
        for (const [t, { sum }] of cut.entries()) {
          const last = (sum[agent] ?? 0) - fs.slice(0, t).reduce((total, f) => total + f, 0);
          const discounted = fs
            .slice(0, t)
            .reduce((total, f, s) => total + gamma ** s * f, gamma ** t * last);
          expect(Math.abs(discounted + (start[agent] ?? 0))).toBeLessThan(1e-9);
        }
      }
    }
  });

  test('a potential that is undefined at the end traps there only where the episode goes on for the learner', () => {
    const declarations = `set episode.length = 3
      reward pull { for a in agent give -1 / (3 steps - time) * 1 s to a potential }`;
    const spec = specWith(declarations);
    const trapsOf = (truncationEnds: boolean): number => {
      const env = createVecEnv(spec, { numEnvs: 1, seed: 5n, firstEpisode: 0, truncationEnds });
      for (let t = 0; t < 3; t++) env.step(new Int32Array(3));
      const traps = env.takeTraps().length;
      env.dispose();
      return traps;
    };
    expect(trapsOf(false)).toBeGreaterThan(0);
    expect(trapsOf(true)).toBe(0);
  });

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

  test('a limit scales the potential by L / (2 max|Φ|), so that every F is scaled alike and none is clipped', () => {
    const whole = runOf(0.99);
    const limited = runOf(0.99, 'limit 1% of nominal');
    // Everything is within squares around the middle: from a corner of one to the opposite corner of the other.
    const manifest = scenarioManifest('simple_spread', {});
    const halfWidth = (kind: string): number =>
      manifest.attributes.find((one) => one.name === 'x' && one.kind === kind)?.max ?? Number.NaN;
    const span = halfWidth('agent') + halfWidth('landmark');
    const bound = Math.hypot(span, span) + 0.25 * halfWidth('agent');
    const limit = 0.01 * manifest.nominalReturn;
    const scale = limit / (2 * bound);
    for (const agent of agents) {
      const scaled = differences(whole, agent).map((f) => scale * f);
      for (const [t, f] of differences(limited, agent).entries()) expect(f).toBeCloseTo(scaled[t] ?? 0, 12);
    }
  });

  test.each([1, 0.99])(
    'the discounted sum stays within the limit far outside the nominal bounds, γ %f',
    (gamma) => {
      const settings = `set episode.length = 1000 set agent.accel = 10 set agent.max_speed = 20 set world.damping = 0.05`;
      const gives = 'for a in agent give a.x / 1 m to a limit 10% of nominal potential';
      const { limit, sums, farthest } = flight(`${settings} reward pull { ${gives} }`, gamma);
      expect(farthest).toBeGreaterThan(1000);
      expect(Math.max(...sums.map(Math.abs))).toBeLessThanOrEqual(limit);
      // It is used: Φ ends at its bound, half the limit away from 0.
      if (gamma === 1) expect(sums.at(-1)).toBeGreaterThan(0.45 * limit);
    },
  );

  test('the first potential of an episode sees nothing of the regime in which the one before it ended', () => {
    const declarations = `set episode.length = 3 set agent.size = 0.15
      regime calm default
      regime swollen { set agent.size = 0.4 }
      schedule { at step 0 enter swollen }
      reward near { for a in agent give count(b in other(a) where a.touches(b)) to a potential }`;
    const spec = specWith(declarations);
    const numEpisodes = 30;
    const firstStep = (env: VecEnv): number[] => {
      env.step(new Int32Array(3));
      return agents.map((agent) => env.components[(agent + 1) * env.numComponents - 1] ?? Number.NaN);
    };
    const chain = createVecEnv(spec, { numEnvs: 1, seed: 5n, firstEpisode: 0, gamma: 0.5 });
    let seen = 0;
    for (let episode = 0; episode < numEpisodes; episode++) {
      const fresh = createVecEnv(spec, { numEnvs: 1, seed: 5n, firstEpisode: episode, gamma: 0.5 });
      const expected = firstStep(fresh);
      fresh.dispose();
      expect(firstStep(chain)).toEqual(expected);
      seen += expected.filter((f) => f !== 0).length;
      for (let t = 1; t < 3; t++) chain.step(new Int32Array(3));
    }
    expect(seen).toBeGreaterThan(0);
    chain.dispose();
  });

  test('with decay the weight is that of the moment at each end', () => {
    const gamma = 0.95;
    const weightAt = (step: number): number => 2 ** -step;
    const run = runOf(gamma, 'decay half every 1k steps', { trainingSteps: (step) => 1000 * step });
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
