import { afterEach, describe, expect, test } from 'vitest';
import { createLearner, ppoDefaults } from '../../../../src/engine/learn/index.ts';
import type { Learner } from '../../../../src/shared/rl/learner.ts';
import { type CueEnvOptions, createCueEnv } from '../../../support/cue-env.ts';

const config = {
  ...ppoDefaults,
  hidden: 16,
  numEnvs: 32,
  numSteps: 10,
  minibatchSize: 64,
  learningRate: 5e-3,
};

const learners: Learner[] = [];
afterEach(async () => {
  for (const learner of learners.splice(0)) await learner.dispose();
});

async function create(cues: Omit<CueEnvOptions, 'numEnvs'> = {}): Promise<Learner> {
  const learner = await createLearner({ env: createCueEnv({ numEnvs: 32, ...cues }), config, seed: 1 });
  learners.push(learner);
  return learner;
}

describe('createLearner with ppo', () => {
  test('learns to answer cues (seed 1)', async () => {
    const learner = await create();
    let accuracy = 0;
    for (let i = 0; i < 40; i++) {
      const { metrics } = await learner.iterate();
      accuracy = metrics.find(({ key }) => key === 'charts/metric/accuracy')?.value ?? 0;
    }
    expect(accuracy).toBeGreaterThan(0.9);
  });

  test('learns several groups of one agent each beside each other, and refuses a team', async () => {
    const pair = { speaker: { agents: 1, cues: 2 }, listener: { agents: 1, cues: 3 } };
    const learner = await create({ groups: pair });
    await learner.iterate();
    expect(learner.policies().map(({ group }) => group)).toEqual(['speaker', 'listener']);
    await expect(create({ groups: { team: { agents: 2, cues: 2 } } })).rejects.toThrow(
      /"ppo" is for single agents; group "team" has 2/,
    );
  });
});
