import type { ManifestMetric, ScenarioManifest } from './manifest.ts';
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
