import {
  type ManifestAttribute,
  type ManifestBehaviour,
  type ManifestCapacity,
  type ManifestEvent,
  type ManifestMetric,
  type ManifestParameter,
  type ManifestRelation,
  type ManifestSet,
  type ManifestSignal,
  type ScenarioManifest,
  scenarioManifest,
} from '../../shared/rl/manifest.ts';

export type EntityKind = ManifestSet['kind'];

export interface EntityInfo {
  readonly name: string;
  /** World index. */
  readonly index: number;
  readonly kind: EntityKind;
}

/** A manifest by name, with the entities spelled out. */
export interface ManifestIndex {
  readonly manifest: ScenarioManifest;
  readonly parameters: ReadonlyMap<string, ManifestParameter>;
  readonly sets: ReadonlyMap<string, ManifestSet>;
  readonly setNumbers: ReadonlyMap<string, number>;
  readonly signals: ReadonlyMap<string, ManifestSignal>;
  readonly metrics: ReadonlyMap<string, ManifestMetric>;
  readonly attributes: Readonly<Record<EntityKind, ReadonlyMap<string, ManifestAttribute>>>;
  readonly relations: ReadonlyMap<string, ManifestRelation>;
  /** By verb and name: "spawn supply". */
  readonly events: ReadonlyMap<string, ManifestEvent>;
  readonly behaviours: ReadonlyMap<string, ManifestBehaviour>;
  /** By set. */
  readonly capacities: ReadonlyMap<string, ManifestCapacity>;
  readonly entities: ReadonlyMap<string, EntityInfo>;
  readonly entitiesByIndex: ReadonlyMap<number, EntityInfo>;
  /** Agents of the same group, by world index; includes the agent itself. */
  readonly groupOf: ReadonlyMap<number, readonly number[]>;
}

/** Fields that a manifest lacks: one made by a program of another version. */
export function missingFromManifest(manifest: ScenarioManifest): string[] {
  const fields: Readonly<Record<string, unknown>> = manifest;
  return Object.keys(scenarioManifest.shape).filter((name) => fields[name] === undefined);
}

const indexes = new WeakMap<ScenarioManifest, ManifestIndex>();

/** The index of a manifest, built once per manifest object. */
export function indexManifest(manifest: ScenarioManifest): ManifestIndex {
  let index = indexes.get(manifest);
  if (index === undefined) {
    index = buildIndex(manifest);
    indexes.set(manifest, index);
  }
  return index;
}

function byName<T extends { readonly name: string }>(items: readonly T[]): ReadonlyMap<string, T> {
  return new Map(items.map((item) => [item.name, item]));
}

function buildIndex(manifest: ScenarioManifest): ManifestIndex {
  const entities = listEntities(manifest);
  const groupOf = new Map<number, readonly number[]>();
  for (const group of manifest.groups) {
    const members = group.agents.map((_, i) => group.firstAgent + i);
    for (const member of members) groupOf.set(member, members);
  }
  const attributes = (kind: EntityKind) =>
    byName(manifest.attributes.filter((attribute) => attribute.kind === kind));
  return {
    manifest,
    parameters: byName(manifest.parameters),
    sets: byName(manifest.sets),
    setNumbers: new Map(manifest.sets.map((set, i) => [set.name, i])),
    signals: byName(manifest.signals),
    metrics: byName(manifest.metrics),
    attributes: { agent: attributes('agent'), landmark: attributes('landmark') },
    relations: byName(manifest.relations),
    events: new Map(manifest.events.map((event) => [`${event.verb} ${event.name}`, event])),
    behaviours: byName(manifest.behaviours),
    capacities: new Map(manifest.capacities.map((capacity) => [capacity.set, capacity])),
    entities: byName(entities),
    entitiesByIndex: new Map(entities.map((entity) => [entity.index, entity])),
    groupOf,
  };
}

/** Whether an entity has an attribute: it is of the kind, and in one of the sets the attribute is limited to. */
export function appliesTo(index: ManifestIndex, attribute: ManifestAttribute, entity: number): boolean {
  if (index.entitiesByIndex.get(entity)?.kind !== attribute.kind) return false;
  return (
    attribute.of.length === 0 ||
    attribute.of.some((set) => index.sets.get(set)?.entities.includes(entity) === true)
  );
}

/** Agents by the names of their groups; other entities as "<set>_<i>" of the first fixed set that holds them. */
function listEntities(manifest: ScenarioManifest): EntityInfo[] {
  const entities = new Map<number, EntityInfo>();
  for (const group of manifest.groups) {
    group.agents.forEach((name, i) => {
      const index = group.firstAgent + i;
      entities.set(index, { name, index, kind: 'agent' });
    });
  }
  for (const set of manifest.sets.filter((candidate) => !candidate.dynamic)) {
    set.entities.forEach((index, i) => {
      if (!entities.has(index)) entities.set(index, { name: `${set.name}_${i}`, index, kind: set.kind });
    });
  }
  return [...entities.values()].sort((a, b) => a.index - b.index);
}

const heldIndexes = new WeakMap<ManifestIndex, ManifestIndex>();

/** The same scenario without the bounds that nothing holds: what is true within the rest is true in every state. */
export function heldIndex(index: ManifestIndex): ManifestIndex {
  const known = heldIndexes.get(index);
  if (known !== undefined) return known;
  const held = (kind: EntityKind): ManifestIndex['attributes'][EntityKind] =>
    new Map([...index.attributes[kind]].filter(([, attribute]) => !attribute.nominal));
  const result = { ...index, attributes: { agent: held('agent'), landmark: held('landmark') } };
  heldIndexes.set(index, result);
  return result;
}
