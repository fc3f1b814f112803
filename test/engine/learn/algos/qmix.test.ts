import { afterEach, describe, expect, test } from 'vitest';
import { createLearner } from '../../../../src/engine/learn/create-learner.ts';
import { qmixDefaults } from '../../../../src/engine/learn/presets/value-presets.ts';
import type { Learner, ValueConfig } from '../../../../src/shared/rl/learner.ts';
import { type CueEnvOptions, createCueEnv } from '../../../support/cue-env.ts';
import { recordEnv } from '../../../support/recorded-env.ts';

const config: ValueConfig = {
  ...qmixDefaults,
  hidden: 16,
  numEnvs: 16,
  numSteps: 10,
  learningRate: 5e-3,
  gamma: 0.5,
  batchEpisodes: 16,
  bufferEpisodes: 500,
  learningStarts: 16,
  explorationSteps: 5000,
  targetNetworkFrequency: 20,
  mixingEmbed: 8,
  hypernetEmbed: 8,
};

const learners: Learner[] = [];
afterEach(async () => {
  for (const learner of learners.splice(0)) await learner.dispose();
});

async function create(
  cues: Omit<CueEnvOptions, 'numEnvs'> = {},
  settings: Partial<ValueConfig> = {},
  seed = 1,
): Promise<Learner> {
  const merged = { ...config, ...settings };
  const { env, createPlayback } = recordEnv(createCueEnv({ numEnvs: merged.numEnvs, ...cues }));
  const learner = await createLearner({ env, config: merged, seed, createPlayback });
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

describe.each(['qmix', 'vdn'] as const)('%s', (algorithm) => {
  test('learns to answer cues (seed 1)', async () => {
    const metrics = await iterate(
      await create({ groups: { agent: { agents: 2, cues: 3 } } }, { algorithm }),
      60,
    );
    console.log(Object.fromEntries(metrics));
    expect(metrics.get('charts/episodic_return/agent')).toBeGreaterThan(4);
  });
});
