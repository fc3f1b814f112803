import { describe, expect, test } from 'vitest';
import { EpisodeStats } from '../../../../src/engine/learn/data/episode-stats.ts';
import { createCueEnv } from '../../../support/cue-env.ts';

describe('EpisodeStats', () => {
  test('averages ended episodes over agents of the group, and skips running copies', () => {
    const env = createCueEnv({
      numEnvs: 3,
      groups: { solo: { agents: 1, cues: 2 }, pair: { agents: 2, cues: 2 } },
    });
    const stats = new EpisodeStats(env, [
      { name: 'pair', view: { firstAgent: 1, numAgents: 2, obsDim: 2, numActions: 2 } },
    ]);
    // Copy 0 terminated, copy 2 ran out of time, copy 1 goes on.
    env.terminated.set([1, 0, 0]);
    env.truncated.set([0, 0, 1]);
    env.episodeLength.set([4, 99, 6]);
    env.episodeReturn.set([9, 1, 3, 99, 99, 99, 9, 5, 7]);
    env.episodeComponents.set([0, 2, 2, 99, 99, 99, 0, 4, 4]);
    env.episodeMetrics.set([0, 0, 3, 99, 99, 99, 0, 3, 3]);
    stats.record();
    expect(stats.summary()).toEqual([
      { key: 'charts/episodic_length', value: 5 },
      { key: 'charts/episodic_return/pair', value: 4 },
      { key: 'charts/component/hit/pair', value: 3 },
      { key: 'charts/metric/accuracy', value: 1.5 },
    ]);
  });

  test('a metric is the mean over agents and episodes that have a value of it, and is left out where none has', () => {
    const env = createCueEnv({ numEnvs: 2, groups: { pair: { agents: 2, cues: 2 } } });
    const stats = new EpisodeStats(env, []);
    env.terminated.set([1, 1]);
    env.episodeMetrics.set([4, Number.NaN, 2, Number.NaN]);
    stats.record();
    env.terminated.set([1, 0]);
    env.episodeMetrics.set([Number.NaN, 9]);
    stats.record();
    expect(stats.summary().at(-1)).toEqual({ key: 'charts/metric/accuracy', value: 6 });

    const none = new EpisodeStats(env, []);
    env.episodeMetrics.fill(Number.NaN);
    none.record();
    expect(none.summary().map(({ key }) => key)).toEqual(['charts/episodic_length']);
  });

  test('a metric that is not per agent is that of the first group that learns', () => {
    const env = createCueEnv({
      numEnvs: 1,
      groups: { red: { agents: 1, cues: 2 }, blue: { agents: 2, cues: 2 } },
    });
    const metrics = env.metrics.map((metric) => ({ ...metric, perAgent: false }));
    const shared = Object.assign(Object.create(env), { metrics }) as typeof env;
    const stats = new EpisodeStats(shared, [
      { name: 'blue', view: { firstAgent: 1, numAgents: 2, obsDim: 2, numActions: 2 } },
    ]);
    env.terminated.set([1]);
    env.episodeMetrics.set([1, 0.25, 0.25]);
    stats.record();
    expect(stats.summary().at(-1)).toEqual({ key: 'charts/metric/accuracy', value: 0.25 });
  });

  test('has nothing to say when nothing ended', () => {
    const env = createCueEnv({ numEnvs: 2 });
    expect(new EpisodeStats(env, []).summary()).toEqual([]);
  });
});
