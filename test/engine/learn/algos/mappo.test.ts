import { afterEach, describe, expect, test } from 'vitest';
import { createOnPolicyLearner } from '../../../../src/engine/learn/algos/on-policy/learner.ts';
import { LossMeans } from '../../../../src/engine/learn/algos/on-policy/loss-means.ts';
import type { OnPolicyRun } from '../../../../src/engine/learn/algos/on-policy/run.ts';
import { createLearner, ippoDefaults, mappoDefaults } from '../../../../src/engine/learn/index.ts';
import { evaluatePolicies, openPolicy } from '../../../../src/engine/policy/index.ts';
import type { Learner, OnPolicyConfig } from '../../../../src/shared/rl/learner.ts';
import { createCueEnv } from '../../../support/cue-env.ts';
import { annuityGame, luckGame } from '../../../support/on-policy-games.ts';
import { TinyEnv, type TinyGame } from '../../../support/tiny-game.ts';
import { memoryGame, mortalGame } from '../../../support/tiny-games.ts';

const sizes = { hidden: 16, numEnvs: 32, numSteps: 12, minibatchSize: 128, learningRate: 5e-3 } as const;
const ippo: OnPolicyConfig = { ...ippoDefaults, ...sizes };
const mappo: OnPolicyConfig = { ...mappoDefaults, ...sizes };
const memory = { recurrent: true, chunkLength: 3 } as const;

const learners: Learner[] = [];
afterEach(async () => {
  for (const learner of learners.splice(0)) await learner.dispose();
});

async function create(game: TinyGame, config: OnPolicyConfig, seed = 1): Promise<Learner> {
  const learner = await createLearner({ env: new TinyEnv(game, config.numEnvs), config, seed });
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

describe('createLearner with mappo', () => {
  test.each(['state', 'state+agent'] as const)(
    'learns to answer cues with a critic of the %s',
    async (critic) => {
      const config = { ...mappo, critic };
      const env = createCueEnv({ numEnvs: 32, groups: { pair: { agents: 2, cues: 3 } } });
      const learner = await createLearner({ env, config, seed: 1 });
      learners.push(learner);
      const metrics = await iterate(learner, 40);
      expect(metrics.get('charts/metric/accuracy')).toBeGreaterThan(0.9);
    },
  );

  test('its critic knows what only the state shows; that of IPPO cannot', async () => {
    const [central, local] = await Promise.all([create(luckGame, mappo), create(luckGame, ippo)]);
    const [known, unknown] = [await iterate(central, 30), await iterate(local, 30)];
    expect(known.get('losses/explained_variance')).toBeGreaterThan(0.9);
    expect(unknown.get('losses/explained_variance')).toBeLessThan(0.3);
    expect(known.get('charts/episodic_return/agent')).toBeGreaterThan(2.7);
  });

  test('tells agents apart where the critic is of the state per agent', async () => {
    // The agents' cues are in the state; which of them decides an agent's pay depends on the agent.
    const variances: number[] = [];
    for (const critic of ['state', 'state+agent'] as const) {
      const learner = await create(unevenGame, { ...mappo, critic });
      variances.push((await iterate(learner, 40)).get('losses/explained_variance') as number);
    }
    // One value for both explains their mean, which is half of it.
    expect(variances[0]).toBeLessThan(0.6);
    expect(variances[1]).toBeGreaterThan(0.9);
  });

  test('leaves agents that cannot act out of the policy, never takes what is illegal, and learns on', async () => {
    // The game throws when the dead guard takes anything but action 0; everybody goes on being paid.
    const metrics = await iterate(await create(mortalGame, mappo), 40);
    // Two living agents of a step pay 2; the dying one can add 1 in the first.
    expect(metrics.get('charts/episodic_return/scout')).toBeGreaterThan(8.5);
    expect(metrics.get('losses/entropy/guard')).toBeGreaterThan(0);
  });
});

describe('a clipped value loss', () => {
  test('begins at what the critic said, although the norm of returns has moved since', async () => {
    const whole = { ...ippo, updateEpochs: 1, minibatchSize: 100_000 };
    const losses: number[] = [];
    for (const clipVloss of [false, true]) {
      const learner = await create(annuityGame, { ...whole, clipVloss });
      losses.push((await iterate(learner, 1)).get('losses/value_loss') as number);
    }
    // One gradient step: nothing has moved yet, so there is nothing to clip.
    expect(losses[1]).toBeCloseTo(losses[0] as number, 4);
  });
});

/** Nothing can be done; agent a is paid what the state has in its place. */
const unevenGame: TinyGame = {
  ...luckGame,
  name: 'uneven',
  act: ([luck = 0, ...pays]) => ({
    next: [luck, ...pays],
    rewards: pays.map((pay) => 3 * pay),
    terminated: true,
  }),
};

describe('recurrent learners', () => {
  test.each([
    ['ippo', { ...ippo, ...memory }],
    ['mappo', { ...mappo, ...memory }],
    [
      'mappo with layer norm and one value for all',
      { ...mappo, ...memory, layerNorm: true, critic: 'state' as const },
    ],
  ])('%s answers what it saw two steps before', async (_, config) => {
    const early = await iterate(await create(memoryGame, config), 20);
    expect(early.get('charts/episodic_return/agent')).toBeGreaterThan(0.95);
    // Once nothing is left to learn, advantages are the critic's error alone: brought to deviation 1 they lead anywhere.
    const late = await iterate(await create(memoryGame, { ...config, normAdv: false }), 60);
    expect(late.get('charts/episodic_return/agent')).toBeGreaterThan(0.95);
  });

  test('without memory nobody does', async () => {
    for (const config of [ippo, mappo]) {
      const metrics = await iterate(await create(memoryGame, { ...config, normAdv: false }), 60);
      expect(metrics.get('charts/episodic_return/agent')).toBeLessThan(0.65);
    }
  });

  test('export policies that remember, and forget between episodes', async () => {
    const learner = await create(memoryGame, { ...ippo, ...memory });
    await iterate(learner, 60);
    const [exported] = learner.policies();
    const agent = await openPolicy((exported as { onnx: Uint8Array }).onnx);
    expect(agent.metadata).toMatchObject({ hiddenDim: 16, layers: ['linear 16 tanh', 'gru 16'] });
    const evaluate = async (numEnvs: number) => {
      const { groups } = await evaluatePolicies({
        createEnv: (count) => new TinyEnv(memoryGame, count),
        policies: { agent },
        episodes: 60,
        seed: 5n,
        numEnvs,
      });
      return groups.agent?.episodeReturn;
    };
    const many = await evaluate(60);
    expect(many?.mean).toBe(1);
    expect(await evaluate(7)).toEqual(many);
    await agent.dispose();
  });

  test.each([
    ['ippo', { ...ippo, ...memory }],
    ['mappo', { ...mappo, ...memory }],
  ])('%s values a time-out with the memory the critic had then', async (_, config) => {
    // γ = 0.5: a cue that pays is worth 2 at every step, the other 0; a critic that had forgotten would say 1 at the end.
    const settings = { ...config, gamma: 0.5, gaeLambda: 0, valueNorm: false, vfCoef: 1, numSteps: 9 };
    let seen: OnPolicyRun | null = null;
    const env = new TinyEnv(annuityGame, settings.numEnvs);
    const learner = await createOnPolicyLearner({ env, config: settings, seed: 1 }, async (run) => {
      seen = run;
      return runIteration(run);
    });
    learners.push(learner);
    await iterate(learner, 150);
    const { buffer } = (seen as unknown as OnPolicyRun).groups[0] as OnPolicyRun['groups'][number];
    for (let i = 0; i < buffer.rewards.length; i++) {
      expect(buffer.returns[i], `row ${i}`).toBeCloseTo(2 * (buffer.rewards[i] as number), 0.5);
    }
  });
});

/** The loop of mappo.ts, without cancelling. */
async function runIteration(run: OnPolicyRun) {
  const { groups, config } = run;
  const episodes = run.beginRollout();
  for (let t = 0; t < config.numSteps; t++) {
    for (const group of groups) await group.act(run.env, t, run.actions);
    run.env.step(run.actions);
    for (const group of groups) group.record(run.env, t);
    run.noteEnds(t, episodes);
  }
  const losses = new LossMeans(groups);
  for (const group of groups) {
    await group.bootstrap(run.env);
    group.estimateAdvantages(run.ends);
    for (let epoch = 0; epoch < config.updateEpochs; epoch++) {
      group.deal();
      for (let m = 0; m < group.numMinibatches; m++) losses.add(group, await group.update(m, 5e-3));
    }
  }
  return run.finish(5e-3, episodes, losses);
}

describe('on-policy learners of every kind', () => {
  // Rollouts of 10 steps end inside the episodes of 4.
  const kinds: [string, OnPolicyConfig][] = [
    ['mappo', { ...mappo, numSteps: 10 }],
    ['mappo, one value for all, relu', { ...mappo, numSteps: 10, critic: 'state', activation: 'relu' }],
    ['ippo with memory', { ...ippo, numSteps: 10, recurrent: true, chunkLength: 2 }],
    [
      'mappo with memory',
      { ...mappo, numSteps: 10, recurrent: true, chunkLength: 2, clipVloss: true, huberDelta: 1 },
    ],
    ['ippo with memory, through no step but one', { ...ippo, numSteps: 10, recurrent: true, chunkLength: 1 }],
    [
      'mappo with memory, one value for all',
      { ...mappo, numSteps: 10, recurrent: true, chunkLength: 2, critic: 'state' },
    ],
  ];

  test.each(kinds)('%s: the same seed gives the same numbers, another one others', async (_, config) => {
    const hashes: string[] = [];
    for (const seed of [7, 7, 8]) {
      const learner = await create(mortalGame, config, seed);
      await iterate(learner, 2);
      hashes.push(learner.parameterHash());
    }
    expect(hashes[0]).toBe(hashes[1]);
    expect(hashes[0]).not.toBe(hashes[2]);
  });

  test.each(kinds)(
    '%s: goes on bit for bit from a checkpoint in the middle of episodes',
    async (_, config) => {
      const whole = await create(mortalGame, config);
      await iterate(whole, 2);
      const bytes = whole.serialize();
      const expected = [await whole.iterate(), await whole.iterate()];
      const resumed = await create(mortalGame, config, 99);
      await iterate(resumed, 1);
      resumed.restore(bytes);
      expect([await resumed.iterate(), await resumed.iterate()]).toEqual(expected);
      expect(resumed.serialize()).toEqual(whole.serialize());
    },
  );

  test('checkpoints of other networks are refused', async () => {
    const source = await create(luckGame, mappo);
    const other = await create(luckGame, { ...mappo, critic: 'state' });
    expect(() => other.restore(source.serialize())).toThrow(
      expect.objectContaining({ code: 'learner.badCheckpoint' }),
    );
  });
});
