import { afterEach, describe, expect, test } from 'vitest';
import { createLearner } from '../../../../src/engine/learn/create-learner.ts';
import { qmixDefaults } from '../../../../src/engine/learn/presets/value-presets.ts';
import { evaluatePolicies, openPolicy, type Policy } from '../../../../src/engine/policy/index.ts';
import type { Learner, ValueConfig } from '../../../../src/shared/rl/learner.ts';
import { createCueEnv } from '../../../support/cue-env.ts';
import { recordEnv } from '../../../support/recorded-env.ts';
import { TinyEnv, type TinyGame } from '../../../support/tiny-game.ts';
import { memoryGame, mortalGame, twoStepGame } from '../../../support/tiny-games.ts';

const config: ValueConfig = {
  ...qmixDefaults,
  hidden: 16,
  numEnvs: 16,
  numSteps: 4,
  learningRate: 5e-3,
  gamma: 0.9,
  batchEpisodes: 32,
  bufferEpisodes: 500,
  learningStarts: 32,
  explorationSteps: 1,
  startE: 1,
  endE: 1,
  targetNetworkFrequency: 50,
  targetUnit: 'updates',
  mixingEmbed: 8,
  hypernetEmbed: 8,
  stateNorm: false,
};

const learners: Learner[] = [];
afterEach(async () => {
  for (const learner of learners.splice(0)) await learner.dispose();
});

interface Settings extends Partial<ValueConfig> {
  readonly seed?: number;
}

async function create(
  game: TinyGame,
  { seed = 1, ...settings }: Settings = {},
  weight = 1,
): Promise<Learner> {
  const merged = { ...config, ...settings };
  const env = new TinyEnv(game, merged.numEnvs, { weight });
  const learner = await createLearner({
    env,
    config: merged,
    seed,
  });
  learners.push(learner);
  return learner;
}

async function iterate(learner: Learner, count: number): Promise<Map<string, number>> {
  let last = new Map<string, number>();
  for (let i = 0; i < count; i++) {
    const { metrics } = await learner.iterate();
    last = new Map(metrics.map(({ key, value }) => [key, value]));
  }
  return last;
}

/** Mean return of the exported policies. */
async function greedyReturn(learner: Learner, game: TinyGame): Promise<number> {
  const policies: Record<string, Policy> = {};
  for (const { group, onnx } of learner.policies()) policies[group] = await openPolicy(onnx);
  const { groups } = await evaluatePolicies({
    createEnv: (numEnvs) => new TinyEnv(game, numEnvs),
    policies,
    episodes: 16,
    seed: 1n,
  });
  for (const policy of Object.values(policies)) await policy.dispose();
  return groups[game.groups[0]?.name ?? '']?.episodeReturn.mean as number;
}

describe('QMIX and VDN', () => {
  test.each([
    ['qmix', 8],
    ['vdn', 7],
  ] as const)('in the two-step game %s earns %i, as in the paper (seed 1)', async (algorithm, earned) => {
    const learner = await create(twoStepGame, { algorithm });
    const metrics = await iterate(learner, 100);
    expect(await greedyReturn(learner, twoStepGame)).toBe(earned);
    // What a sum cannot hold stays as an error.
    const error = metrics.get('losses/td_loss') as number;
    if (algorithm === 'qmix') expect(error).toBeLessThan(0.01);
    else expect(error).toBeGreaterThan(0.2);
  });

  test.each([
    [true, 0.99, 1],
    [false, 0.2, 0.8],
  ])(
    'with memory %s, a cue of two steps ago is answered between %f and %f of the time',
    async (recurrent, low, high) => {
      const settings = {
        algorithm: 'vdn',
        recurrent,
        numEnvs: 64,
        numSteps: 3,
        updatesPerEpisode: 0.05,
      } as const;
      const learner = await create(memoryGame, settings);
      await iterate(learner, 80);
      const earned = await greedyReturn(learner, memoryGame);
      expect(earned).toBeGreaterThanOrEqual(low);
      expect(earned).toBeLessThanOrEqual(high);
    },
  );

  test.each(['qmix', 'vdn'] as const)(
    '%s plays a team of two groups, takes legal actions only and survives a death (seed 1)',
    async (algorithm) => {
      const settings = { algorithm, updatesPerEpisode: 0.25, dropInactive: algorithm === 'qmix' };
      const learner = await create(mortalGame, settings);
      // The environment throws when a masked action is taken. Best: 3 in the first step, 2 in the three others.
      await iterate(learner, 50);
      expect(await greedyReturn(learner, mortalGame)).toBe(9);
      expect(learner.policies().map(({ group }) => group)).toEqual(['scout', 'guard']);
    },
  );

  test('does not learn when rewards are shuffled between copies (seed 1)', async () => {
    const accuracies: number[] = [];
    for (const shuffleRewards of [false, true]) {
      const settings = {
        ...config,
        algorithm: 'vdn',
        gamma: 0.5,
        startE: 1,
        endE: 0,
        explorationSteps: 3000,
      } as const;
      const env = recordEnv(
        createCueEnv({ numEnvs: 16, groups: { agent: { agents: 1, cues: 8 } }, shuffleRewards }),
      );
      const learner = await createLearner({
        env,
        config: { ...settings, numSteps: 10 },
        seed: 1,
      });
      learners.push(learner);
      accuracies.push((await iterate(learner, 30)).get('charts/metric/accuracy') as number);
    }
    // Chance is 0.125; a greedy policy that knows nothing may still hit one or two of eight.
    expect(accuracies[0]).toBeGreaterThan(0.9);
    expect(accuracies[1]).toBeLessThan(0.5);
  });

  test('lowers ε with env-steps and says so', async () => {
    const learner = await create(twoStepGame, {
      startE: 1,
      endE: 0.5,
      explorationSteps: 256,
      learningStarts: 1e6,
      bufferEpisodes: 1e6,
    });
    const seen: number[] = [];
    for (let i = 0; i < 6; i++) seen.push((await iterate(learner, 1)).get('charts/epsilon') as number);
    expect(seen).toEqual([0.875, 0.75, 0.625, 0.5, 0.5, 0.5]);
  });

  test('takes updatesPerEpisode gradient steps per episode, fractions carried over', async () => {
    // 16 copies × 4 steps of two-step episodes: 32 episodes an iteration.
    const learner = await create(twoStepGame, { updatesPerEpisode: 0.04, numEnvs: 16, learningStarts: 32 });
    const steps: number[] = [];
    for (let i = 0; i < 6; i++) {
      await learner.iterate();
      steps.push(stepsTaken(learner));
    }
    // 1.28, 2.56, 3.84, 5.12, 6.4, 7.68
    expect(steps).toEqual([1, 2, 3, 5, 6, 7]);
  });

  test('a reward that is paid otherwise from now on is learned from old episodes too', async () => {
    const settings = { algorithm: 'vdn', gamma: 0, learningRate: 0.02 } as const;
    const before = await create(mortalGame, settings, 1);
    const after = await create(mortalGame, settings, -2);
    const values: number[] = [];
    for (const learner of [before, after])
      values.push((await iterate(learner, 20)).get('losses/q_target') as number);
    expect((values[1] as number) / (values[0] as number)).toBeCloseTo(-2, 1);
  });

  test('gives the same numbers twice, and others under another seed', async () => {
    const hashes: string[] = [];
    for (const seed of [7, 7, 8]) {
      const learner = await create(mortalGame, { seed, stateNorm: true, standardiseRewards: true });
      await iterate(learner, 4);
      hashes.push(learner.parameterHash());
    }
    expect(hashes[0]).toBe(hashes[1]);
    expect(hashes[0]).not.toBe(hashes[2]);
  });

  test.each([
    [{ startE: 1.5 }, 'startE'],
    [{ batchEpisodes: 0 }, 'batchEpisodes'],
    [{ tau: Number.NaN }, 'tau'],
    [{ bufferEpisodes: 16 }, 'bufferEpisodes'],
    [{ annealLr: true }, 'totalSteps'],
  ])('refuses %o by name', async (settings, name) => {
    await expect(create(twoStepGame, settings)).rejects.toThrow(name);
  });

  test('refuses copies whose states cannot be read out', async () => {
    const env = createCueEnv({ numEnvs: 16 });
    await expect(createLearner({ env, config, seed: 1 })).rejects.toThrow(/keep the simulator's state/);
  });

  test('stops with iteration, metric and last finite values when numbers run away', async () => {
    const learner = await create(twoStepGame, {}, Number.POSITIVE_INFINITY);
    await expect(iterate(learner, 3)).rejects.toMatchObject({
      code: 'learner.nonfinite',
      data: { iteration: 0, metric: 'td_loss', group: 'agent', last: null },
    });
  });

  test('stops between steps when aborted', async () => {
    const learner = await create(twoStepGame);
    await expect(learner.iterate({ aborted: true })).rejects.toMatchObject({ code: 'run.cancelled' });
  });
});

/** Gradient steps a learner has taken, from its checkpoint. */
function stepsTaken(learner: Learner): number {
  const bytes = learner.serialize();
  const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
  return JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + length))).header.step;
}
