import { afterEach, describe, expect, test } from 'vitest';
import { createLearner, ippoDefaults, mappoDefaults } from '../../../../src/engine/learn/index.ts';
import { evaluatePolicies, openPolicy, type Policy } from '../../../../src/engine/policy/index.ts';
import { createVecEnv } from '../../../../src/engine/sim/index.ts';
import type { Learner, OnPolicyConfig } from '../../../../src/shared/rl/learner.ts';
import type { EnvironmentSpec, VecEnv } from '../../../../src/shared/rl/vec-env.ts';

/** The learner over the real simulator: groups of unlike widths, terminal flags, snapshots. */
const adversary: EnvironmentSpec = {
  scenario: 'simple_adversary',
  parameters: {},
  program: null,
  scripted: {},
};
const sizes = { numEnvs: 16, numSteps: 15, minibatchSize: 256, hidden: 32 };
const config: OnPolicyConfig = { ...ippoDefaults, ...sizes };
const central: OnPolicyConfig = { ...mappoDefaults, ...sizes };
// Rollouts of 15 steps end inside episodes of 25.
const kinds: [string, OnPolicyConfig][] = [
  ['ippo', config],
  ['mappo', central],
  ['mappo with memory', { ...central, recurrent: true, chunkLength: 5 }],
];

const open: { learner: Learner; env: VecEnv }[] = [];
afterEach(async () => {
  for (const { learner, env } of open.splice(0)) {
    await learner.dispose();
    env.dispose();
  }
});

async function create(seed: number, spec = adversary, settings: OnPolicyConfig = config): Promise<Learner> {
  const env = createVecEnv(spec, { numEnvs: 16, seed: BigInt(seed), firstEpisode: 0 });
  const learner = await createLearner({ env, config: settings, seed });
  open.push({ learner, env });
  return learner;
}

describe('createLearner on simple_adversary', () => {
  test.each(kinds)(
    '%s continues bit for bit from a checkpoint taken inside episodes',
    async (_, settings) => {
      const whole = await create(1, adversary, settings);
      for (let i = 0; i < 2; i++) await whole.iterate();
      const bytes = whole.serialize();
      const expected = [await whole.iterate(), await whole.iterate()];
      const resumed = await create(2, adversary, settings);
      resumed.restore(bytes);
      expect([await resumed.iterate(), await resumed.iterate()]).toEqual(expected);
      expect(resumed.parameterHash()).toBe(whole.parameterHash());
      expect(resumed.serialize()).toEqual(whole.serialize());
    },
  );

  test('exports a policy per group that evaluates the same for any number of copies', async () => {
    const learner = await create(3);
    for (let i = 0; i < 4; i++) await learner.iterate();
    const policies: Record<string, Policy> = {};
    for (const { group, onnx } of learner.policies()) policies[group] = await openPolicy(onnx);
    expect(Object.keys(policies)).toEqual(['adversary', 'good']);
    const evaluate = async (numEnvs: number) => {
      const { groups } = await evaluatePolicies({
        createEnv: (count) => createVecEnv(adversary, { numEnvs: count, seed: 7n, firstEpisode: 0 }),
        policies,
        episodes: 40,
        seed: 7n,
        numEnvs,
      });
      return groups;
    };
    expect(await evaluate(3)).toEqual(await evaluate(40));
    for (const policy of Object.values(policies)) await policy.dispose();
  });

  test('learns one side against a scripted other', async () => {
    const learner = await create(4, { ...adversary, scripted: { adversary: 'to_midpoint' } });
    const { metrics } = await learner.iterate();
    expect(learner.policies().map(({ group }) => group)).toEqual(['good']);
    expect(metrics.map(({ key }) => key)).toContain('losses/policy_loss');
  });
});
