import type { ManifestSet, ScenarioManifest } from '../../../src/shared/rl/manifest.ts';

/** Stands for an entity that does not exist: nearest of none. */
export const nobody = -1;

export function groupOf(manifest: ScenarioManifest, agent: number): number {
  return manifest.groups.findIndex(
    (group) => agent >= group.firstAgent && agent < group.firstAgent + group.agents.length,
  );
}

/** Agents related to one: its group without itself, all others, other groups. */
export function relatives(manifest: ScenarioManifest, relation: string, agent: number): number[] {
  const others = Array.from({ length: manifest.numAgents }, (_, i) => i).filter((i) => i !== agent);
  if (relation === 'other') return others;
  const isAlly = (i: number): boolean => groupOf(manifest, i) === groupOf(manifest, agent);
  return others.filter((i) => isAlly(i) === (relation === 'ally'));
}

export function findSet(manifest: ScenarioManifest, name: string): ManifestSet | undefined {
  return manifest.sets.find((set) => set.name === name);
}

/** World index of a single entity by its own name. */
export function namedEntity(manifest: ScenarioManifest, name: string): number | undefined {
  for (const group of manifest.groups) {
    const i = group.agents.indexOf(name);
    if (i >= 0) return group.firstAgent + i;
  }
  return landmarkNames(manifest).get(name);
}

/** The own name of an entity. */
export function entityName(manifest: ScenarioManifest, entity: number): string {
  const group = manifest.groups[groupOf(manifest, entity)];
  if (group !== undefined) return group.agents[entity - group.firstAgent] ?? '';
  return [...landmarkNames(manifest)].find(([, index]) => index === entity)?.[0] ?? '';
}

const namesOf = new WeakMap<ScenarioManifest, Map<string, number>>();

/** Landmarks are called after the first set that holds them, with their number in it. */
function landmarkNames(manifest: ScenarioManifest): Map<string, number> {
  const known = namesOf.get(manifest);
  if (known !== undefined) return known;
  const names = new Map<string, number>();
  namesOf.set(manifest, names);
  const named = new Set<number>();
  for (const set of manifest.sets) {
    if (set.kind !== 'landmark' || set.dynamic) continue;
    for (const [i, entity] of set.entities.entries()) {
      if (named.has(entity)) continue;
      named.add(entity);
      names.set(`${set.name}_${i}`, entity);
    }
  }
  return names;
}
