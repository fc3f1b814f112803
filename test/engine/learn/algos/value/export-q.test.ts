import { afterEach, describe, expect, test } from 'vitest';
import { createLearner } from '../../../../../src/engine/learn/create-learner.ts';
import { qmixDefaults } from '../../../../../src/engine/learn/presets/value-presets.ts';
import { evaluatePolicies, openPolicy } from '../../../../../src/engine/policy/index.ts';
import type { Learner, ValueConfig } from '../../../../../src/shared/rl/learner.ts';
import { TinyEnv, type TinyGame } from '../../../../support/tiny-game.ts';
import { memoryGame, mortalGame } from '../../../../support/tiny-games.ts';

const config: ValueConfig = {
  ...qmixDefaults,
  algorithm: 'vdn',
  stateNorm: false,
  hidden: 16,
  numEnvs: 64,
  numSteps: 3,
  learningRate: 5e-3,
  gamma: 0.9,
  bufferEpisodes: 500,
  updatesPerEpisode: 0.05,
  explorationSteps: 1,
  endE: 1,
  targetNetworkFrequency: 50,
  targetUnit: 'updates',
};

const learners: Learner[] = [];
afterEach(async () => {
  for (const learner of learners.splice(0)) await learner.dispose();
});

async function train(
  game: TinyGame,
  iterations: number,
  settings: Partial<ValueConfig> = {},
): Promise<Learner> {
  const merged = { ...config, ...settings };
  const learner = await createLearner({ env: new TinyEnv(game, merged.numEnvs), config: merged, seed: 1 });
  learners.push(learner);
  for (let i = 0; i < iterations; i++) await learner.iterate();
  return learner;
}

async function openAll(learner: Learner): Promise<Record<string, Awaited<ReturnType<typeof openPolicy>>>> {
  const opened = learner.policies().map(async ({ group, onnx }) => [group, await openPolicy(onnx)] as const);
  return Object.fromEntries(await Promise.all(opened));
}

describe('exported Q networks', () => {
  test('play with memory what the learner would: the cue of two steps ago', async () => {
    const policies = await openAll(await train(memoryGame, 80));
    const { agents } = await evaluatePolicies({
      createEnv: (numEnvs) => new TinyEnv(memoryGame, numEnvs),
      policies,
      episodes: 50,
      seed: 9n,
    });
    expect(agents.agent_0?.episodeReturn).toBe(1);
  });

  test('say what they are: inputs, memory, extras, Q values', async () => {
    const policies = await openAll(await train(mortalGame, 0, { recurrent: false, obsAgentId: false }));
    expect(policies.guard?.metadata).toMatchObject({
      algorithm: 'vdn',
      group: 'guard',
      extras: ['lastAction'],
      hiddenDim: 0,
      scoreKind: 'qValues',
      layers: ['linear 16 relu', 'linear 16 relu'],
    });
    const withMemory = await openAll(await train(mortalGame, 0));
    expect(withMemory.guard?.metadata).toMatchObject({ hiddenDim: 16, extras: ['lastAction', 'agentId'] });
    expect(withMemory.guard?.metadata.parameterHash).not.toBe(withMemory.scout?.metadata.parameterHash);
  });
});
