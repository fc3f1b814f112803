import { readRanker } from '../coach/learned/ranker-file.ts';
import { findEndpoint } from '../coach/providers/http/endpoint-url.ts';
import { withFullPaths } from './experiment-coach.ts';
import type { ArmSpec } from './experiment-types.ts';

/**
 * Before anything trains: every arm that asks an endpoint has its address and key here, and every ranker is one that this version
 * reads; later such an arm would go on uncoached. The key is looked at and kept nowhere.
 *
 * Throws: input.invalid, input.notFound.
 */
export function requireCoaches(arms: readonly Pick<ArmSpec, 'coach'>[], root: string): void {
  for (const { coach } of arms) {
    const { provider, http, model } = withFullPaths(coach, root);
    if (provider === 'http' && http !== undefined) findEndpoint(http);
    if (provider === 'learned' && model !== null) readRanker(model);
  }
}
