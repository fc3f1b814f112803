import { expect, test } from 'vitest';
import { compile } from '../../../../src/engine/edl/index.ts';
import { scenarioManifest, scenarioNames } from '../../../../src/engine/sim/index.ts';
import { type EpisodeRecord, playEpisodes } from '../../../support/edl-episodes.ts';
import { ProgramWriter } from '../../../support/edl-generator/program-writer.ts';
import { simHost } from '../../../support/sim-host.ts';

const host = simHost();
const numEpisodes = 5;

/** Plain data, so that NaN and -0 are compared as they are. */
const plain = ({ episode, length, components, metrics, given, regimes }: EpisodeRecord) => ({
  episode,
  length,
  components: [...components],
  metrics: [...metrics],
  given: given.map((row) => [...row]),
  regimes,
});

test.each(scenarioNames())(
  'an episode of %s comes to the same whatever the number of copies beside it, under 25 programs',
  (scenario) => {
    const manifest = scenarioManifest(scenario, {});
    let compared = 0;
    for (let seed = 1; seed <= 25; seed++) {
      const text = new ProgramWriter(seed, manifest).environment();
      const { environment } = compile(text, host);
      if (environment === null) continue;
      const spec = {
        ...environment.spec,
        parameters: { ...environment.spec.parameters, 'episode.length': 10 },
      };
      const options = { seed: BigInt(seed) };
      const together = playEpisodes(spec, { ...options, numEnvs: numEpisodes, firstEpisode: 3 });
      const apart = Array.from({ length: numEpisodes }, (_, i) => {
        return playEpisodes(spec, { ...options, numEnvs: 1, firstEpisode: 3 + i });
      }).flat();
      expect(together.map(plain), text).toEqual(apart.map(plain));
      compared++;
    }
    expect(compared).toBeGreaterThan(18);
  },
);
