import { describe, expect, test } from 'vitest';
import { EpisodeTable } from '../../../src/engine/policy/episode-table.ts';
import { createCueEnv } from '../../support/cue-env.ts';

const none = Number.NaN;

/** A table over two episodes of two agents with the given accuracies, [episode][agent]. */
function tableOf(accuracies: readonly (readonly number[])[], isPerAgent = true) {
  const env = createCueEnv({ numEnvs: 2, groups: { pair: { agents: 2, cues: 2 } } });
  const [metric] = env.metrics;
  const metrics = metric === undefined ? [] : [{ ...metric, perAgent: isPerAgent }];
  const told = Object.assign(Object.create(env), { metrics }) as typeof env;
  const table = new EpisodeTable(told, 2);
  env.terminated.set([1, 1]);
  env.endedEpisode.set([0, 1]);
  env.episodeMetrics.set(accuracies.flat());
  table.record();
  expect(table.isComplete).toBe(true);
  return table.summarise();
}

describe('EpisodeTable', () => {
  test('agents without a value do not enter an episode, episodes without one do not enter the mean', () => {
    const { metrics, groups } = tableOf([
      [2, none],
      [none, none],
    ]);
    expect(metrics.accuracy?.mean).toBe(2);
    expect(Array.from(metrics.accuracy?.values ?? [])).toEqual([2, none]);
    expect(groups.pair?.metrics.accuracy?.mean).toBe(2);
  });

  test('begins at any episode of the stream; those before it are not its own', () => {
    const env = createCueEnv({ numEnvs: 2, groups: { pair: { agents: 2, cues: 2 } } });
    const table = new EpisodeTable(env, 1, 7);
    env.terminated.set([1, 1]);
    env.endedEpisode.set([6, 7]);
    env.episodeReturn.set([1, 1, 5, 9]);
    table.record();
    expect(table.isComplete).toBe(true);
    expect([...(table.summarise().groups.pair?.episodeReturn.values ?? [])]).toEqual([7]);
  });

  test('a metric without any value is left out everywhere', () => {
    const { metrics, groups, agents, agentMetrics } = tableOf([
      [none, none],
      [none, none],
    ]);
    expect([metrics, groups.pair?.metrics, agents.pair_0?.metrics]).toEqual([{}, {}, {}]);
    expect(agentMetrics).toEqual({ accuracy: {} });
  });

  test('what is measured per agent is told per agent, for those that have a value', () => {
    const values = [
      [2, none],
      [4, none],
    ];
    expect(tableOf(values).agentMetrics).toEqual({ accuracy: { pair_0: 3 } });
    expect(tableOf(values, false).agentMetrics).toEqual({});
  });

  test('what is not per agent is told from the side of the first group that learns, else of the first', () => {
    const env = createCueEnv({
      numEnvs: 1,
      groups: { red: { agents: 1, cues: 2 }, blue: { agents: 2, cues: 2 } },
    });
    const success = (scripted: Readonly<Record<string, string>>, isPerAgent = false) => {
      const metrics = env.metrics.map((metric) => ({ ...metric, perAgent: isPerAgent }));
      const told = Object.assign(Object.create(env), { metrics, spec: { ...env.spec, scripted } });
      const table = new EpisodeTable(told as typeof env, 1);
      env.terminated.set([1]);
      env.endedEpisode.set([0]);
      env.episodeMetrics.set([1, 0, 0]);
      table.record();
      return table.summarise().metrics.accuracy?.mean;
    };
    expect(success({})).toBe(1);
    expect(success({ blue: 'noop' })).toBe(1);
    expect(success({ red: 'noop' })).toBe(0);
    expect(success({ red: 'noop', blue: 'noop' })).toBe(1);
    expect(success({}, true)).toBeCloseTo(1 / 3);
  });
});
