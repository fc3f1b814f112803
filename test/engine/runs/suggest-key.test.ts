import { describe, expect, test } from 'vitest';
import { experimentWith } from '../../support/experiment-host.ts';

const problemsOf = (file: object): string[] =>
  experimentWith({
    environment: 'simple_spread',
    objective: { metric: 'episode_return', group: 'agent' },
    ...file,
  }).problems;

describe('unknown keys of a learner block', () => {
  test.each([
    ['lr', {}, 'learningRate'],
    ['n_envs', {}, 'numEnvs'],
    ['epochs', {}, 'updateEpochs'],
    ['batch_size', {}, 'minibatchSize'],
    ['batch_size', { algorithm: 'qmix' }, 'batchEpisodes'],
    ['batch_size', { preset: 'qmix-mpe' }, 'batchEpisodes'],
    ['eps', {}, 'clipCoef'],
    ['eps', { algorithm: 'vdn' }, 'startE'],
  ])('%s with %j is told to be %s', (key, block, setting) => {
    expect(problemsOf({ learner: { ...block, [key]: 1 } })).toEqual([
      `learner.${key}: unknown key "${key}" in "learner"; did you mean "${setting}"?`,
    ]);
  });

  test('a stranger gets the settings of the algorithm alone, of an arm those of its own', () => {
    const [common] = problemsOf({ learner: { zzzzzzzzzzzz: 1 } });
    expect(common).toContain('minibatchSize');
    expect(common).not.toContain('batchEpisodes');
    const arms = [{ name: 'a', learner: { algorithm: 'vdn', zzzzzzzzzzzz: 1 } }];
    const [own] = problemsOf({ arms });
    expect(own).toContain('batchEpisodes');
    expect(own).not.toContain('minibatchSize');
  });

  test('do not hide a preset that is not there', () => {
    expect(problemsOf({ learner: { preset: 'mappo-mpee', lr: 0.1 } })).toEqual([
      expect.stringContaining('did you mean "learningRate"?'),
      expect.stringContaining('there is no preset "mappo-mpee"; did you mean "mappo-mpe"?'),
    ]);
  });
});
