import type { ManifestGroup, ScenarioManifest } from '../../shared/rl/manifest.ts';

/** Why policies trained in one environment could not play the objective's, or null. */
export function shapeDifference(training: ScenarioManifest, objective: ScenarioManifest): string | null {
  if (training.name !== objective.name) {
    return `scenario ${training.name} here, but ${objective.name} in the objective's environment`;
  }
  const describe = (group: ManifestGroup) =>
    `${group.name}: ${group.agents.length} agents, ${group.obsDim} observations, ${group.numActions} actions`;
  const a = training.groups.map(describe).join('; ');
  const b = objective.groups.map(describe).join('; ');
  return a === b ? null : `different shapes (${a}) than in the objective's environment (${b})`;
}
