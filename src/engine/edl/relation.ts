import type { ManifestRelation } from '../../shared/rl/manifest.ts';
import type { ManifestIndex } from './manifest-index.ts';

/** Sets that are written with an agent: ally(a). */
export const relations = ['ally', 'other', 'opponent'] as const;
export type Relation = (typeof relations)[number];

export function isRelationName(name: string): name is Relation {
  return relations.some((relation) => relation === name);
}

/** World indices of the agents that stand in a relation to one: its group without itself, all others, other groups. */
export function relatedAgents(index: ManifestIndex, relation: Relation, agent: number): number[] {
  const group = index.groupOf.get(agent) ?? [agent];
  const isRelated = (candidate: number): boolean => {
    if (candidate === agent) return false;
    if (relation === 'other') return true;
    return group.includes(candidate) === (relation === 'ally');
  };
  return [...index.groupOf.keys()].filter(isRelated).sort((a, b) => a - b);
}

/** Whether a relation of the scenario can hold between one of the first and one of the second, by what its manifest says. World indices. */
export function canHold(
  index: ManifestIndex,
  { towards }: ManifestRelation,
  from: readonly number[],
  to: readonly number[],
): boolean {
  if (towards.length === 0) return true;
  const named = towards.flatMap((name) => index.sets.get(name)?.entities ?? []);
  const holdsOf = (entity: number): ReadonlySet<number> =>
    new Set([
      ...named,
      ...towards.filter(isRelationName).flatMap((name) => relatedAgents(index, name, entity)),
    ]);
  return from.map(holdsOf).some((held) => to.some((entity) => held.has(entity)));
}
