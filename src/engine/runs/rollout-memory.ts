import type { LearnerConfig } from '../../shared/rl/learner.ts';
import type { ManifestGroup } from '../../shared/rl/manifest.ts';

/** The same on every machine, so that a file that is sound here is sound there. */
export const maxRolloutBytes = 4 * 1024 ** 3;

/**
 * What one iteration keeps of every row (copy × step × agent): observation with its bias, legal actions and seven numbers
 * as collected, and once more as dealt out into minibatches.
 */
export function rolloutBytes(
  { numEnvs, numSteps }: Pick<LearnerConfig, 'numEnvs' | 'numSteps'>,
  groups: readonly Pick<ManifestGroup, 'agents' | 'obsDim' | 'numActions'>[],
): number {
  return groups.reduce((sum, { agents, obsDim, numActions }) => {
    const collected = 4 * (obsDim + 1) + numActions + 7 * 4;
    const dealt = 4 * (obsDim + 1) + 4 * numActions + 5 * 4;
    return sum + numEnvs * numSteps * agents.length * (collected + dealt);
  }, 0);
}

/** "5.2 GiB" */
export function inGibibytes(bytes: number): string {
  return `${(bytes / 1024 ** 3).toPrecision(3)} GiB`;
}
