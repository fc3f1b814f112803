import { describe, expect, test } from 'vitest';
import { learnerCatalogue } from '../../../src/engine/learn/index.ts';
import { experimentWith } from '../../support/experiment-host.ts';

const { presets, defaults } = learnerCatalogue;

function learnersOf(file: object) {
  const { experiment, problems } = experimentWith(
    { environment: 'simple_spread', objective: { metric: 'episode_return', group: 'agent' }, ...file },
    {},
  );
  return { learners: experiment?.arms.map(({ learner }) => learner), problems };
}

const arms = (...learners: object[]) => learners.map((learner, i) => ({ name: `arm${i}`, learner }));

describe('the learner of an arm', () => {
  test('is IPPO with its defaults when nothing is said', () => {
    expect(learnersOf({}).learners).toEqual([defaults.ippo]);
  });

  test.each(['ippo', 'mappo', 'vdn', 'qmix'] as const)('has the defaults of %s', (algorithm) => {
    expect(learnersOf({ learner: { algorithm } })).toEqual({ learners: [defaults[algorithm]], problems: [] });
  });

  test('starts from a preset; settings stand over it wherever they are written', () => {
    const { learners, problems } = learnersOf({
      learner: { numEnvs: 32 },
      arms: arms({ preset: 'mappo-mpe-paper' }, { preset: 'ippo-mpe', learningRate: 0.002 }),
    });
    expect(problems).toEqual([]);
    expect(learners).toEqual([
      { ...presets['mappo-mpe-paper']?.config, numEnvs: 32 },
      { ...presets['ippo-mpe']?.config, numEnvs: 32, learningRate: 0.002 },
    ]);
  });

  test('of another algorithm leaves out common settings that it does not have', () => {
    const { learners, problems } = learnersOf({
      learner: { hidden: 32, minibatchSize: 512 },
      arms: arms({}, { algorithm: 'qmix' }),
    });
    expect(problems).toEqual([]);
    expect(learners).toEqual([
      { ...defaults.ippo, hidden: 32, minibatchSize: 512 },
      { ...defaults.qmix, hidden: 32 },
    ]);
  });

  test('gives up an inherited preset where the arm names an algorithm', () => {
    const { learners } = learnersOf({
      learner: { preset: 'mappo-mpe' },
      arms: arms({ algorithm: 'ippo' }, {}),
    });
    expect(learners).toEqual([defaults.ippo, presets['mappo-mpe']?.config]);
  });

  test.each<[string, object, string]>([
    [
      'an unknown preset',
      { learner: { preset: 'mapo-mpe' } },
      'learner.preset: there is no preset "mapo-mpe"; did you mean "mappo-mpe"?',
    ],
    [
      'a preset of another algorithm',
      { learner: { preset: 'mappo-mpe', algorithm: 'ippo' } },
      'learner.preset: preset "mappo-mpe" is for mappo, the algorithm is ippo; leave one of them out',
    ],
    [
      "an arm's setting that its algorithm does not have",
      { arms: arms({ algorithm: 'qmix', clipCoef: 0.1 }) },
      'arms.0.learner.clipCoef: qmix has no setting "clipCoef"; ppo, ippo, mappo have it',
    ],
    [
      'a common setting that no arm has',
      { learner: { tau: 0.1 } },
      'learner.tau: ippo has no setting "tau"; vdn, qmix have it',
    ],
    [
      'PPO for a team',
      { learner: { algorithm: 'ppo' } },
      'learner.algorithm: algorithm of arm "fixed": "ppo" is for single agents; group "agent" has 3: use ippo or mappo',
    ],
    [
      'chunks longer than an episode',
      { learner: { recurrent: true, chunkLength: 50, numSteps: 50 } },
      'learner.chunkLength: chunkLength of arm "fixed": 50 is more than an episode has (25 steps)',
    ],
    [
      'chunks that do not divide the rollout',
      { learner: { recurrent: true, chunkLength: 10 } },
      'learner.chunkLength: chunkLength of arm "fixed": 10 does not divide numSteps (25)',
    ],
    [
      'a local critic for MAPPO',
      { learner: { algorithm: 'mappo', critic: 'observation' } },
      'learner.critic: critic of arm "fixed": "observation" makes it IPPO: say algorithm ippo, or give the critic the state',
    ],
    [
      'a central critic for IPPO',
      { learner: { critic: 'state' } },
      'learner.critic: critic of arm "fixed": "state" belongs to mappo; ippo has a critic over observations',
    ],
    [
      'minibatches that no team fits into',
      { learner: { algorithm: 'mappo', minibatchSize: 2 } },
      'learner.minibatchSize: minibatchSize of arm "fixed": 2 is less than a step of a team of 3 has rows (3), which stay together',
    ],
    [
      'minibatches that no chunk fits into',
      { learner: { recurrent: true, minibatchSize: 14 } },
      '14 is less than a chunk of 5 steps of a team of 3 has rows (15)',
    ],
    [
      'a replay beyond memory',
      { learner: { algorithm: 'qmix', bufferEpisodes: 1_000_000 } },
      'for the replay (bufferEpisodes × steps of an episode), at most 4.00 GiB are given; lower bufferEpisodes',
    ],
    [
      'batches of episodes beyond memory',
      { learner: { algorithm: 'vdn', hidden: 128, batchEpisodes: 4096 } },
      'for a gradient step (batchEpisodes × steps of an episode × agents × hidden), at most 4.00 GiB are given; lower batchEpisodes',
    ],
    [
      'minibatches beyond memory',
      { learner: { hidden: 1024, recurrent: true, minibatchSize: 19_200 } },
      'for a gradient step (minibatchSize × hidden), at most 4.00 GiB are given; lower minibatchSize or hidden',
    ],
    [
      'layers whose starting weights alone take an hour',
      { learner: { hidden: 4096 } },
      'must be at most 1024',
    ],
  ])('refuses %s', (_, file, expected) => {
    const { problems } = learnersOf(file);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(expected);
  });
});
