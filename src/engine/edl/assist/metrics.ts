import type { ManifestMetric } from '../../../shared/rl/manifest.ts';
import { unitFromText } from '../dimension.ts';
import type { DeclarationView } from './assist-text.ts';
import type { Scene } from './scene.ts';

/** Metrics of the scenario, then those that the text or a file it extends declares, as far as they are written. */
export function knownMetrics(scene: Scene): ManifestMetric[] {
  const own = scene.declarations.filter(({ view }) => view.keyword === 'metric' && view.name !== '');
  return [...(scene.index?.metrics.values() ?? []), ...own.map(({ view }) => declaredMetric(view))];
}

function declaredMetric({ name, doc, steps, frame }: DeclarationView): ManifestMetric {
  const find = (rule: string, feature: string) =>
    steps.find((step) => step.role?.rule === rule && step.role.feature === feature)?.token.text ?? '';
  const direction = find('Better', 'direction');
  return {
    name,
    unit: unitFromText(find('MetricUnit', 'unit')) ?? 'none',
    perAgent: steps.some((step) => step.frame.rule.name === 'Loop' && step.frame.parent === frame),
    better: direction === 'higher' || direction === 'lower' ? direction : 'neither',
    min: -Number.MAX_VALUE,
    max: Number.MAX_VALUE,
    doc,
  };
}
