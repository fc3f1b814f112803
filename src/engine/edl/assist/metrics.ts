import type { ManifestMetric } from '../../../shared/rl/manifest.ts';
import { unitFromText } from '../dimension.ts';
import { violationsMetric } from '../lower/measures.ts';
import type { DeclarationView } from './assist-text.ts';
import type { Scene } from './scene.ts';

/**
 * Metrics of the scenario, then those that the text or a file it extends declares, as far as they are written, then the
 * violations of its constraints.
 */
export function knownMetrics(scene: Scene): ManifestMetric[] {
  const declared = (keyword: string) =>
    scene.declarations.map(({ view }) => view).filter((view) => view.keyword === keyword && view.name !== '');
  const constraints = declared('constraint').map(({ name, doc }) => violations(name, doc, true));
  return [
    ...(scene.index?.metrics.values() ?? []),
    ...declared('metric').map(declaredMetric),
    ...constraints,
    ...(constraints.length === 0
      ? []
      : [violations(violationsMetric, 'violations of all constraints', false)]),
  ];
}

function violations(name: string, doc: string, perAgent: boolean): ManifestMetric {
  return { name, unit: 'none', perAgent, better: 'lower', min: 0, max: Number.MAX_VALUE, doc };
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
