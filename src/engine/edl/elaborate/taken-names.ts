import { unitFromText } from '../dimension.ts';
import { functionNames } from '../function-names.ts';
import { violationsMetric } from '../lower/measures.ts';
import type { ManifestIndex } from '../manifest-index.ts';
import type { DeclarationKindName } from '../types.ts';

/** Fire counts, traps, components and metrics are reported by name: what has any of them shares one space of names. */
export const programKinds: ReadonlySet<DeclarationKindName> = new Set([
  'rule',
  'reward',
  'event',
  'npc',
  'constraint',
  'metric',
]);

/** Kinds that expressions name, where a loop variable would hide them. */
export const namedInExpressions: ReadonlySet<DeclarationKindName> = new Set([
  'event',
  'metric',
  'constraint',
]);

/** What the scenario reports under a name already, so that nothing of a program may have it; null: nothing. */
export function reportedAs(
  index: ManifestIndex,
  name: string,
): { readonly code: 'EDL212' | 'EDL214'; readonly what: string } | null {
  if (index.manifest.components.some((component) => component.name === name)) {
    const what = 'a base reward component of the scenario, which nothing replaces or is confused with';
    return { code: 'EDL212', what };
  }
  if (name === violationsMetric) return { code: 'EDL214', what: 'the metric that sums all violations' };
  return index.metrics.has(name) ? { code: 'EDL214', what: 'a metric of the scenario' } : null;
}

/** What names mean where a loop variable is declared. */
export interface NamesInScope {
  readonly index: ManifestIndex;
  readonly variables: readonly { readonly name: string }[];
  readonly events: { has(name: string): boolean };
  /** Metrics of the text, where conditions may read them. */
  readonly metrics: { has(name: string): boolean } | null;
}

/** What a name means already, so that no loop variable may have it; null: nothing. */
export function meaningOf({ index, variables, events, metrics }: NamesInScope, name: string): string | null {
  if (variables.some((variable) => variable.name === name)) return 'a loop variable';
  if (unitFromText(name) !== undefined) return 'a unit';
  if (index.sets.has(name)) return 'a set of the scenario';
  if (index.entities.has(name)) return 'an entity of the scenario';
  if (index.signals.has(name)) return 'a signal of the scenario';
  if (functionNames.has(name)) return 'a function of the language';
  if (events.has(name)) return 'an event of this text';
  if (index.metrics.has(name)) return 'a metric of the scenario';
  if (metrics?.has(name) === true) return 'a metric of this text';
  return name === 'self' ? 'the agent that an npc plays' : null;
}
