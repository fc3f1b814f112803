import { findEndpoint } from '../coach/providers/http/endpoint-url.ts';
import type { ArmSpec } from './experiment-types.ts';

/**
 * Before anything trains: every arm that asks an endpoint has its address and key here. The key is looked at and kept nowhere.
 *
 * Throws: input.invalid.
 */
export function requireKeys(arms: readonly Pick<ArmSpec, 'coach'>[]): void {
  for (const { coach } of arms) {
    if (coach.provider === 'http' && coach.http !== undefined) findEndpoint(coach.http);
  }
}
