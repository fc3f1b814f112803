import { kindOf } from '../declarations/registry.ts';
import type { Declaration } from '../generated/ast.ts';
import { violationsMetric } from '../lower/measures.ts';
import type { ManifestIndex } from '../manifest-index.ts';
import type { Place, Reporter } from '../reporter.ts';
import type { DeclarationKindName } from '../types.ts';

/** Fire counts, traps, components and metrics are reported by name: what has any of them shares one space of names. */
const programKinds: ReadonlySet<DeclarationKindName> = new Set([
  'rule',
  'reward',
  'event',
  'npc',
  'constraint',
  'metric',
]);

/** Reports names that are declared twice, or that the scenario reports something under itself. */
export function refuseNames(
  declarations: readonly Declaration[],
  index: ManifestIndex,
  reporter: Reporter,
): void {
  const seen = new Map<string, DeclarationKindName>();
  for (const node of declarations) {
    const { keyword } = kindOf(node);
    if (keyword === 'set' || keyword === 'without') continue;
    const name = kindOf(node).nameOf(node);
    const place = name === '' || keyword === 'capacity' ? { node } : { node, property: 'name' };
    const space = programKinds.has(keyword) ? 'program' : keyword;
    const earlier = seen.get(`${space} ${name}`);
    if (earlier === undefined) seen.set(`${space} ${name}`, keyword);
    else {
      const kinds = earlier === keyword ? '' : ` (as ${earlier} and ${keyword})`;
      reporter.report('EDL209', place, `'${name === '' ? keyword : name}' is declared twice${kinds}`);
    }
    if (space === 'program') refuseTaken(name, index, reporter, place);
  }
}

function refuseTaken(name: string, index: ManifestIndex, reporter: Reporter, place: Place): void {
  if (index.manifest.components.some((component) => component.name === name)) {
    const message = `'${name}' is a base reward component of the scenario, which nothing replaces or is confused with`;
    reporter.report('EDL212', place, message);
  } else if (name === violationsMetric) {
    reporter.report('EDL214', place, `'${name}' is the metric that sums all violations`);
  } else if (index.metrics.has(name)) {
    reporter.report('EDL214', place, `'${name}' is a metric of the scenario`);
  }
}
