import { indexManifest } from '../../../src/engine/edl/manifest-index.ts';
import type {
  ManifestAttribute,
  ManifestBehaviour,
  ManifestEvent,
  ManifestParameter,
  ManifestRelation,
  ManifestSignal,
  ScenarioManifest,
} from '../../../src/shared/rl/manifest.ts';
import { bearersOf } from '../edl-reference/state-reader.ts';

/** A name that stands for one entity: itself, a loop variable, or the member of a dynamic set. */
export interface Subject {
  readonly name: string;
  readonly kind: 'agent' | 'landmark';
  /** World indices it may denote. */
  readonly candidates: readonly number[];
  /** Known when the loops are unrolled. */
  readonly isFixed: boolean;
}

export interface Named {
  readonly name: string;
  readonly kind: 'agent' | 'landmark';
  readonly entities: readonly number[];
  /** Agent sets whose members another agent may be nearest to. */
  readonly isDynamic: boolean;
}

export interface Attribute extends ManifestAttribute {
  readonly bearers: ReadonlySet<number>;
}

/** Everything of a manifest that a program may name. */
export interface Vocabulary {
  readonly manifest: ScenarioManifest;
  readonly sets: readonly Named[];
  /** Sets of which no member is there at first: the nearest of them is nobody then. */
  readonly fleeting: readonly Named[];
  readonly subjects: readonly Subject[];
  readonly attributes: readonly Attribute[];
  readonly signals: readonly ManifestSignal[];
  readonly relations: readonly ManifestRelation[];
  readonly events: readonly ManifestEvent[];
  readonly behaviours: readonly ManifestBehaviour[];
  /** Parameters that a regime may set. */
  readonly live: readonly ManifestParameter[];
  /** Parameters that an environment may set without changing shapes. */
  readonly settable: readonly ManifestParameter[];
}

export function vocabularyOf(manifest: ScenarioManifest): Vocabulary {
  const { entities } = indexManifest(manifest);
  const sets = manifest.sets
    .filter((set) => set.entities.length > 0)
    .map(({ name, kind, entities, dynamic }): Named => ({ name, kind, entities, isDynamic: dynamic }));
  const named = [...entities.values()].map(
    ({ name, kind, index }): Subject => ({ name, kind, candidates: [index], isFixed: true }),
  );
  const members = sets
    .filter((set) => set.isDynamic)
    .map(({ name, kind, entities: candidates }): Subject => ({ name, kind, candidates, isFixed: false }));
  const capacities = new Set(manifest.capacities.flatMap(({ count, capacity }) => [count, capacity]));
  const isSettable = ({ name, structural, unit }: ManifestParameter): boolean =>
    !structural && !capacities.has(name) && name !== 'episode.length' && unit !== 's';
  return {
    manifest,
    sets,
    fleeting: sets.filter(({ name }) => isEmptyAtFirst(manifest, name)),
    subjects: [...named, ...members],
    attributes: manifest.attributes.map((attribute) => ({
      ...attribute,
      bearers: new Set(bearersOf(manifest, attribute)),
    })),
    signals: manifest.signals,
    relations: manifest.relations,
    events: manifest.events,
    behaviours: manifest.behaviours,
    live: manifest.parameters.filter(({ live }) => live !== null),
    settable: manifest.parameters.filter(isSettable),
  };
}

/** Room without anyone in it, until an event or a regime brings someone. */
function isEmptyAtFirst({ capacities, parameters }: ScenarioManifest, name: string): boolean {
  const capacity = capacities.find(({ set }) => set === name);
  return parameters.some((parameter) => parameter.name === capacity?.count && parameter.default === 0);
}

/** The set that a loop variable ranges over makes it a subject of its own. */
export function subjectOf(name: string, set: Named): Subject {
  return { name, kind: set.kind, candidates: set.entities, isFixed: !set.isDynamic };
}

export function hasAttribute(attribute: Attribute, { kind, candidates }: Omit<Subject, 'name'>): boolean {
  return attribute.kind === kind && candidates.every((entity) => attribute.bearers.has(entity));
}
