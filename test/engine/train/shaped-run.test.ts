import { describe, expect, test } from 'vitest';
import { createLearner, learnerCatalogue } from '../../../src/engine/learn/index.ts';
import { evaluatePolicies, openPolicy } from '../../../src/engine/policy/index.ts';
import { createVecEnv } from '../../../src/engine/sim/index.ts';
import type { RoundReport, TrialResult } from '../../../src/engine/train/index.ts';
import type { LearnerConfig } from '../../../src/shared/rl/learner.ts';
import type { ShapingInForce } from '../../../src/shared/rl/shaping.ts';
import type { EnvironmentSpec } from '../../../src/shared/rl/vec-env.ts';
import { specWith } from '../../support/edl-episodes.ts';
import { temporaryFolder } from '../../support/temp-folder.ts';
import { SessionProbe, toyInit } from '../../support/toy/toy-session.ts';

const shaped = specWith(`
  reward closer { for a in agent give -5 * distance(a, nearest(landmark)) to a potential }
  reward near { for a in agent when distance(a, nearest(landmark)) < 0.5 m give 0.5 to a }
`);
const deps = { createVecEnv, createLearner, openPolicy, evaluate: evaluatePolicies };
const small = { hidden: 8, numEnvs: 4, numSteps: 10 };
const learners: readonly [string, LearnerConfig][] = [
  ['ippo', { ...learnerCatalogue.defaults.ippo, ...small, minibatchSize: 40 } as LearnerConfig],
  [
    'qmix',
    {
      ...learnerCatalogue.defaults.qmix,
      ...{
        ...small,
        batchEpisodes: 2,
        learningStarts: 2,
        bufferEpisodes: 8,
        mixingEmbed: 4,
        hypernetEmbed: 4,
      },
      ...{ explorationSteps: 60, updatesPerEpisode: 0.5, learningRate: 0.05 },
    } as LearnerConfig,
  ],
];

function underWay(
  weights: readonly number[],
  course: Partial<ShapingInForce['course']> = {},
): EnvironmentSpec {
  const start = Float64Array.from(weights);
  return {
    ...shaped,
    shaping: {
      weights: start,
      joint: { components: [1], limit: 3 },
      course: {
        target: start.map(() => 1),
        span: start.map((weight) => Math.abs(1 - weight)),
        ...{ smoothing: 0.2, freezeSteps: 0, changedAt: null, ...course },
      },
    },
  };
}

async function open(learner: LearnerConfig, directory: string, checkpoint: string | null = null) {
  const probe = new SessionProbe(deps);
  const environment = specWith('');
  const objective = { metric: 'episode_return', group: 'agent', environment, episodes: 4 };
  await probe.init(toyInit(directory, { learner, objective, checkpoint, checkpointEveryMs: -1 }));
  const train = (round: number, environment: EnvironmentSpec, untilOwnSteps: number) =>
    probe.send({
      type: 'train',
      ...{ round, environment, environmentIdentity: 'shaped', untilOwnSteps, chargedOffset: 0 },
    }) as Promise<RoundReport>;
  return { probe, train };
}

const weightsOf = (probe: SessionProbe, name: string) =>
  probe.points().flatMap(({ key, value }) => (key === `charts/weight/${name}` ? [value] : []));

describe.each(learners)('a run of %s while weights move', (_, learner) => {
  test('has them on record, and goes on bit for bit from a checkpoint in the middle', async () => {
    const directory = temporaryFolder();
    const spec = underWay([0, 2]);
    const whole = await open(learner, directory);
    const expected = await whole.train(0, spec, 400);
    const near = weightsOf(whole.probe, 'near');
    expect(near).toHaveLength(10);
    expect(near[0]).toBeCloseTo(1.8, 12);
    expect(near[9]).toBeCloseTo(1 + 0.8 ** 10, 12);
    expect(expected.shaping).toEqual({
      weights: [weightsOf(whole.probe, 'closer').at(-1), near[9]],
      changedAt: 360,
    });
    const checkpoints = whole.probe.checkpoints();
    for (const checkpoint of [checkpoints[2], checkpoints[6]]) {
      if (checkpoint === undefined) throw new Error('no checkpoint');
      const resumed = await open(learner, directory, checkpoint.file);
      const report = await resumed.train(0, spec, 400);
      const added = resumed.probe.events.flatMap((event) => (event.type === 'metrics' ? event.points : []));
      expect(added).toEqual(whole.probe.points().slice(checkpoint.sequence));
      expect({ ...report, checkpoint: null }).toEqual({ ...expected, checkpoint: null });
    }
  }, 30_000);

  test('a branch begins at the weights it is given and follows their course', async () => {
    const { probe, train } = await open(learner, temporaryFolder());
    await train(0, underWay([1, 1]), 80);
    const still = underWay([30, -30], { smoothing: 0.2, freezeSteps: 1e9, changedAt: 0 });
    const command = { seed: 3, steps: 160, episodes: 8 };
    const { branches } = (await probe.send({
      type: 'trial',
      ...command,
      environments: [underWay([1, 1]), underWay([-30, 30]), still, underWay([1, 1]), shaped],
    })) as TrialResult;
    const [control, moving, halved, again] = branches.map(({ score }) => score);
    expect(again).toBe(control);
    expect(new Set([control, moving, halved]).size).toBe(3);
  }, 30_000);
});
