import type { ManifestCapacity } from '../../shared/rl/manifest.ts';
import type { EntityIr, EnvironmentIr, PlaceIr, SetIr } from './ir.ts';
import { sameEntity } from './ir-make.ts';
import { appliesTo, type EntityKind, type ManifestIndex } from './manifest-index.ts';
import { relatedAgents } from './relation.ts';

/** World indices that each loop variable may stand for, outermost first. One that is not listed may be anybody. */
type Variables = readonly (readonly number[])[];

/** World indices of all that a place may be the position of: of a centroid, the members of its set. */
export function placeCandidates(index: ManifestIndex, place: PlaceIr, variables: Variables): number[] {
  switch (place.op) {
    case 'variable':
      return [...(variables[place.index] ?? index.entitiesByIndex.keys())];
    case 'entity': {
      const entity = index.entities.get(place.name);
      return entity === undefined ? [] : [entity.index];
    }
    case 'member':
      return [...(index.sets.get(place.set)?.entities ?? [])];
    case 'nearest':
    case 'farthest':
    case 'centroid':
      return membersOf(index, place.set, variables);
  }
}

/** The kinds among entities; of none, both. */
export function kindsOf(index: ManifestIndex, entities: readonly number[]): EntityKind[] {
  const kinds = new Set(entities.map((entity) => index.entitiesByIndex.get(entity)?.kind ?? 'agent'));
  return kinds.size === 0 ? ['agent', 'landmark'] : [...kinds];
}

/** World indices of all that may be members of a set. */
export function membersOf(index: ManifestIndex, set: SetIr, variables: Variables): number[] {
  if (set.op === 'set') {
    const entity = index.entities.get(set.name);
    return [...(index.sets.get(set.name)?.entities ?? (entity === undefined ? [] : [entity.index]))];
  }
  return [...new Set(ownersOf(index, set.of, variables).flatMap((of) => relatedAgents(index, set.op, of)))];
}

/** World indices of the members that each loop ranges over, outermost first. */
export function candidatesOfLoops(index: ManifestIndex, loops: readonly SetIr[]): number[][] {
  const variables: number[][] = [];
  for (const set of loops) variables.push(membersOf(index, set, variables));
  return variables;
}

/** The same scenario with no more members than a text can bring about, whatever room a run has fixed beyond that. */
export function populatedIndex(index: ManifestIndex, ir: EnvironmentIr): ManifestIndex {
  const beyond = new Set(
    [...index.capacities.values()].flatMap((capacity) => beyondText(index, ir, capacity)),
  );
  if (beyond.size === 0) return index;
  const within = (entities: readonly number[]): number[] => entities.filter((entity) => !beyond.has(entity));
  return {
    ...index,
    sets: new Map([...index.sets].map(([name, set]) => [name, { ...set, entities: within(set.entities) }])),
    groupOf: new Map(
      [...index.groupOf]
        .filter(([agent]) => !beyond.has(agent))
        .map(([agent, group]) => [agent, within(group)]),
    ),
  };
}

/** Members of a set that neither its count, nor a regime, nor a capacity of the text's own makes room for. */
function beyondText(
  index: ManifestIndex,
  ir: EnvironmentIr,
  { set, count, capacity }: ManifestCapacity,
): readonly number[] {
  const value = (name: string): number => ir.parameters[name] ?? index.parameters.get(name)?.default ?? 0;
  const counts = ir.regimes.flatMap(({ settings }) =>
    settings.flatMap((setting) => (setting.parameter === count ? [setting.value] : [])),
  );
  const room = value(capacity) || Math.max(value(count), ...counts);
  return index.sets.get(set)?.entities.slice(room) ?? [];
}

/** Most members a set has. */
export function largestSize(index: ManifestIndex, set: SetIr, variables: Variables = []): number {
  if (set.op === 'set') {
    const found = index.sets.get(set.name);
    return found === undefined || found.dynamic ? 1 : found.entities.length;
  }
  const sizes = ownersOf(index, set.of, variables).map((of) => relatedAgents(index, set.op, of).length);
  return Math.max(0, ...sizes);
}

/** Fewest members that take part: those that no state leaves out. */
export function smallestSize(index: ManifestIndex, set: SetIr, variables: Variables = []): number {
  if (set.op === 'set' && index.sets.get(set.name)?.dynamic === true)
    return isDynamicSure(index, set.name) ? 1 : 0;
  const sizes = sureMembers(index, set, variables).map(({ members }) => members.length);
  return sizes.length === 0 ? 0 : Math.min(...sizes);
}

/** Whether a place may be nobody's: none takes part but who it is nearest to, or that is nobody. */
export function mayBeNobody(index: ManifestIndex, place: PlaceIr, variables: Variables = []): boolean {
  if (place.op === 'centroid') return smallestSize(index, place.set, variables) === 0;
  if (place.op !== 'nearest' && place.op !== 'farthest') return false;
  return mayBeNobody(index, place.to, variables) || mayLackOthers(index, place, variables);
}

/** Whether a set may have no member that takes part and is looked at beside the one that others are compared with. */
export function mayLackOthers(
  index: ManifestIndex,
  { set, to, where }: Extract<EntityIr, { op: 'nearest' | 'farthest' }>,
  variables: Variables = [],
): boolean {
  if (where !== undefined) return true;
  const anchors = placeCandidates(index, to, variables);
  if (set.op === 'set' && index.sets.get(set.name)?.dynamic === true) {
    const candidates = membersOf(index, set, variables);
    const mayBeIt = anchors.some((anchor) => candidates.includes(anchor));
    return mayBeIt || !isDynamicSure(index, set.name);
  }
  const isOwn = set.op !== 'set' && sameEntity(set.of, to);
  const sure = sureMembers(index, set, variables);
  if (sure.length === 0) return true;
  return sure.some(({ members }) => {
    if (members.length !== 1 || isOwn) return members.length === 0;
    return anchors.some((anchor) => anchor === members[0]);
  });
}

/** Members that always take part, for each agent that the set may be of. */
function sureMembers(
  index: ManifestIndex,
  set: SetIr,
  variables: Variables,
): { readonly members: number[] }[] {
  const sure = (entities: readonly number[]) => ({
    members: entities.filter((entity) => isAlwaysPresent(index, entity)),
  });
  if (set.op === 'set') return [sure(membersOf(index, set, variables))];
  return ownersOf(index, set.of, variables).map((of) => sure(relatedAgents(index, set.op, of)));
}

function isDynamicSure(index: ManifestIndex, name: string): boolean {
  return index.sets.get(name)?.entities.every((entity) => isAlwaysPresent(index, entity)) === true;
}

/** The agents that a set of relatives may be of. */
function ownersOf(index: ManifestIndex, of: EntityIr, variables: Variables): number[] {
  return placeCandidates(index, of, variables).filter((entity) => index.groupOf.has(entity));
}

function isAlwaysPresent(index: ManifestIndex, entity: number): boolean {
  const kind = index.entitiesByIndex.get(entity)?.kind ?? 'agent';
  const attribute = index.attributes[kind].get(index.manifest.presence[kind] ?? '');
  return attribute === undefined || !appliesTo(index, attribute, entity);
}
