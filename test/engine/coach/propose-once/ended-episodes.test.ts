import { expect, test } from 'vitest';
import { EndedEpisodes } from '../../../../src/engine/coach/propose-once/ended-episodes.ts';
import { createCueEnv } from '../../../support/cue-env.ts';

const none = Number.NaN;

test('episodes count when they end, whichever copy ends them', () => {
  const env = createCueEnv({ numEnvs: 2, groups: { pair: { agents: 2, cues: 2 } } });
  const ended = new EndedEpisodes(env);
  env.terminated.set([1, 0]);
  env.episodeReturn.set([4, 8, 99, 99]);
  env.episodeComponents.set([1, 3, 99, 99]);
  env.episodeMetrics.set([2, none, 99, 99]);
  ended.observe();
  env.terminated.set([0, 0]);
  env.truncated.set([0, 1]);
  env.episodeReturn.set([99, 99, 6, 10]);
  env.episodeComponents.set([99, 99, 3, 5]);
  env.episodeMetrics.set([99, 99, none, none]);
  ended.observe();
  expect(ended.take()).toEqual({
    returns: { pair_0: 5, pair_1: 9 },
    components: { hit: { pair_0: 2, pair_1: 4 } },
    metrics: { accuracy: { pair_0: 2 } },
  });
  expect(ended.take()).toEqual({ returns: {}, components: {}, metrics: {} });
});
