import { describe, expect, test } from 'vitest';
import { learnedGroups } from '../../../../src/engine/learn/algos/learned-groups.ts';
import { checkLearner, createLearner, learnerCatalogue } from '../../../../src/engine/learn/index.ts';
import { createVecEnv, scenarioNames } from '../../../../src/engine/sim/index.ts';
import type { LearnerConfig } from '../../../../src/shared/rl/learner.ts';
import { shortSpec } from '../../../support/short-spec.ts';

const { ppo, ippo, mappo, vdn, qmix } = learnerCatalogue.defaults;
const sizes = { hidden: 8, numEnvs: 4, numSteps: 10 } as const;
const rollout = { ...sizes, minibatchSize: 64, updateEpochs: 1 } as const;
const replay = {
  ...sizes,
  batchEpisodes: 2,
  learningStarts: 2,
  bufferEpisodes: 6,
  updatesPerEpisode: 0.5,
  explorationSteps: 60,
  mixingEmbed: 4,
  hypernetEmbed: 4,
} as const;
const learners: Readonly<Record<string, LearnerConfig>> = {
  ppo: { ...ppo, ...rollout } as LearnerConfig,
  ippo: { ...ippo, ...rollout } as LearnerConfig,
  mappo: { ...mappo, ...rollout } as LearnerConfig,
  'mappo with memory': { ...mappo, ...rollout, recurrent: true, chunkLength: 5 } as LearnerConfig,
  vdn: { ...vdn, ...replay } as LearnerConfig,
  qmix: { ...qmix, ...replay } as LearnerConfig,
};

/** Hash of the parameters before and after every copy has ended an episode; null where the learner is not for such groups. */
async function train(
  scenario: string,
  config: LearnerConfig,
  seed: number,
): Promise<[string, string] | null> {
  const spec = shortSpec(scenario);
  const env = createVecEnv(spec, { numEnvs: config.numEnvs, seed: BigInt(seed), firstEpisode: 0 });
  try {
    const { episodeLength } = env.manifest;
    if (checkLearner(config, { groups: learnedGroups(env), episodeLength }).length > 0) return null;
    const learner = await createLearner({ env, config, seed });
    const before = learner.parameterHash();
    for (let steps = 0; steps <= episodeLength; steps += config.numSteps) await learner.iterate();
    const after = learner.parameterHash();
    await learner.dispose();
    return [before, after];
  } finally {
    env.dispose();
  }
}

describe.each(Object.entries(learners))('%s', (name, config) => {
  test.each([...scenarioNames()])('learns on %s, twice the same under one seed', async (scenario) => {
    const hashes = await train(scenario, config, 1);
    // PPO is for groups of one agent.
    if (name !== 'ppo') expect(hashes).not.toBeNull();
    expect(await train(scenario, config, 1)).toEqual(hashes);
    if (hashes === null) return;
    expect(hashes[1]).not.toBe(hashes[0]);
    expect((await train(scenario, config, 2))?.[1]).not.toBe(hashes[1]);
  });
});
