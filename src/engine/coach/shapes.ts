import type { CompiledEnvironment } from '../edl/types.ts';

/**
 * What is fixed for a run, as a text that is equal where nothing of it differs: the scenario, who there is, what is seen
 * and done, and who plays which group in place of a learner.
 */
export function shapesOf({ scenario, manifest, spec }: CompiledEnvironment): string {
  const { numAgents, obsDim, stateDim, numActions, groups } = manifest;
  return JSON.stringify([
    scenario,
    numAgents,
    obsDim,
    stateDim,
    numActions,
    groups.map(({ name, agents }) => [name, agents.length]),
    Object.entries(spec.scripted).sort(([a], [b]) => (a < b ? -1 : 1)),
  ]);
}
