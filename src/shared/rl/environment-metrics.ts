import type { ManifestMetric, ScenarioManifest } from './manifest.ts';
import type { EnvironmentSpec } from './vec-env.ts';
import type { VmProgram } from './vm-program.ts';

/**
 * The episode metrics of an environment in output order: the scenario's, then those its text declares. The latter have
 * no known bounds: theirs are those of a finite number.
 */
export function environmentMetrics(
  manifest: ScenarioManifest,
  program: VmProgram | null,
): readonly ManifestMetric[] {
  const declared = (program?.metrics ?? []).map(({ name, unit, isPerAgent, better, doc }) => ({
    name,
    unit,
    perAgent: isPerAgent,
    better,
    min: -Number.MAX_VALUE,
    max: Number.MAX_VALUE,
    doc,
  }));
  return [...manifest.metrics, ...declared];
}

/**
 * The group from whose side a metric that is not per agent is told where nobody names one: such a metric has one value
 * in each group, that of its team. The first that learns; where none does, the first.
 */
export function leadingGroup(
  { groups }: ScenarioManifest,
  { scripted }: Pick<EnvironmentSpec, 'scripted'>,
): ScenarioManifest['groups'][number] | undefined {
  return groups.find(({ name }) => scripted[name] === undefined) ?? groups[0];
}
