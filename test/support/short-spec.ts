import { scenarioManifest } from '../../src/engine/sim/index.ts';
import type { EnvironmentSpec } from '../../src/shared/rl/vec-env.ts';

/** A scenario with episodes of eight steps where it lets one choose, in which everybody learns. */
export function shortSpec(scenario: string): EnvironmentSpec {
  const length = scenarioManifest(scenario, {}).parameters.find(({ name }) => name === 'episode.length');
  const parameters = length === undefined ? {} : { 'episode.length': Math.max(length.min, 8) };
  return { scenario, parameters, program: null, scripted: {} };
}
