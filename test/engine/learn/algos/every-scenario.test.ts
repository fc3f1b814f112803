import { describe, expect, test } from 'vitest';
import { learnedGroups } from '../../../../src/engine/learn/algos/learned-groups.ts';
import { checkLearner, createLearner, learnerCatalogue } from '../../../../src/engine/learn/index.ts';
import { createVecEnv, scenarioNames } from '../../../../src/engine/sim/index.ts';
import type { LearnerConfig } from '../../../../src/shared/rl/learner.ts';

const { ppo, ippo, mappo } = learnerCatalogue.defaults;
const small = { hidden: 8, numEnvs: 4, numSteps: 10, minibatchSize: 64, updateEpochs: 1 } as const;
const learners: Readonly<Record<string, LearnerConfig>> = {
  ppo: { ...ppo, ...small } as LearnerConfig,
  ippo: { ...ippo, ...small } as LearnerConfig,
  mappo: { ...mappo, ...small } as LearnerConfig,
  'mappo with memory': { ...mappo, ...small, recurrent: true, chunkLength: 5 } as LearnerConfig,
};

/** Hash of the parameters after two iterations; null where the learner is not for the scenario's groups. */
async function train(scenario: string, config: LearnerConfig, seed: number): Promise<string | null> {
  const spec = { scenario, parameters: {}, program: null, scripted: {} };
  const env = createVecEnv(spec, { numEnvs: config.numEnvs, seed: BigInt(seed), firstEpisode: 0 });
  try {
    const task = { groups: learnedGroups(env), episodeLength: env.manifest.episodeLength };
    if (checkLearner(config, task).length > 0) return null;
    const learner = await createLearner({ env, config, seed });
    for (let i = 0; i < 2; i++) await learner.iterate();
    const hash = learner.parameterHash();
    await learner.dispose();
    return hash;
  } finally {
    env.dispose();
  }
}

describe.each(Object.entries(learners))('%s', (name, config) => {
  test.each([...scenarioNames()])(
    'gives the same parameters twice on %s, and others under another seed',
    async (scenario) => {
      const hash = await train(scenario, config, 1);
      if (name !== 'ppo') expect(hash).not.toBeNull();
      expect(await train(scenario, config, 1)).toBe(hash);
      if (hash !== null) expect(await train(scenario, config, 2)).not.toBe(hash);
    },
  );
});
