import type { ManifestAttribute, Unit } from '../../../shared/rl/manifest.ts';
import { unitFromText } from '../dimension.ts';
import { functionNames } from '../function-names.ts';
import type { EntityKind, ManifestIndex } from '../manifest-index.ts';
import { type Relation, relatedAgents } from '../relation.ts';

/** What may be added and compared: a grammar has a rule of its own for each, so that units always fit. */
export type Quality = 'plain' | 'length' | 'time' | 'speed' | 'acceleration' | 'angle';

const qualities: Readonly<Record<Unit, Quality>> = {
  none: 'plain',
  percent: 'plain',
  m: 'length',
  s: 'time',
  steps: 'time',
  'm/s': 'speed',
  'm/s^2': 'acceleration',
  deg: 'angle',
};

export const qualityOf = (unit: Unit): Quality => qualities[unit];

/** The unit in which numbers of a quality are written where no attribute gives one. */
export const unitOf: Readonly<Record<Quality, Unit>> = {
  plain: 'none',
  length: 'm',
  time: 'steps',
  speed: 'm/s',
  acceleration: 'm/s^2',
  angle: 'deg',
};

/** A set as it is written, with the entities that can be in it. */
export interface SetWord {
  readonly spelling: string;
  readonly kind: EntityKind;
  readonly candidates: readonly number[];
  /** Fewest and most members, whatever the state. */
  readonly minSize: number;
  readonly maxSize: number;
  /** The loop variable that `ally(a)` and the like are relatives of. */
  readonly relativeOf: string | null;
}

/** A loop variable, or the agent that an npc controls. */
export interface VariableWord {
  readonly name: string;
  readonly set: SetWord;
  /** Its attributes are written bare: `health`, not `self.health`. */
  readonly isBare?: boolean;
}

/** Loop variables in scope, outermost first, with a name for the rules made for it. */
export interface Scope {
  readonly key: string;
  readonly variables: readonly VariableWord[];
}

export const emptyScope: Scope = { key: '', variables: [] };

const letters = [
  'a',
  'b',
  'c',
  'd',
  'e',
  'f',
  'g',
  'h',
  'i',
  'j',
  'k',
  'n',
  'p',
  'q',
  'r',
  't',
  'u',
  'v',
  'w',
];
const relations: readonly Relation[] = ['ally', 'other', 'opponent'];

/** The words of a manifest as the grammar needs them. */
export class Vocabulary {
  readonly index: ManifestIndex;
  /** Fixed sets with members, by name. */
  readonly sets: readonly SetWord[];
  /** Names that a loop variable may have. */
  readonly variableNames: readonly string[];
  readonly #signatures = new Map<string, string>();
  readonly #named: ReadonlySet<string>;

  /** `named`: declarations of the text that expressions may name, which a loop variable would hide. */
  constructor(index: ManifestIndex, named: Iterable<string>) {
    this.index = index;
    this.#named = new Set(named);
    this.sets = index.manifest.sets
      .filter((set) => !set.dynamic && set.entities.length > 0)
      .map(({ name, kind, entities }) => ({
        spelling: name,
        kind,
        candidates: entities,
        minSize: entities.length,
        maxSize: entities.length,
        relativeOf: null,
      }));
    this.variableNames = letters.filter((letter) => !this.isTaken(letter));
  }

  /** A variable whose scope holds no other, told apart from those of all loops around it. */
  get innermostName(): string {
    return this.variableNames.at(-1) ?? 'candidate';
  }

  get agentSets(): readonly SetWord[] {
    return this.sets.filter((set) => set.kind === 'agent');
  }

  /** Sets that hold whole learner groups of those given: what an npc declaration can play. */
  wholeGroups(open: readonly string[] | undefined): readonly SetWord[] {
    const { groups } = this.index.manifest;
    return this.agentSets.filter(({ candidates }) =>
      groups.every(({ name, firstAgent, agents }) => {
        const inside = agents.filter((_, i) => candidates.includes(firstAgent + i)).length;
        return inside === 0 || (inside === agents.length && open?.includes(name) !== false);
      }),
    );
  }

  /** Whether the members of a set are just the agents of these names. */
  isJust({ candidates }: SetWord, agents: readonly string[]): boolean {
    const names = candidates.map((one) => this.index.entitiesByIndex.get(one)?.name ?? '');
    return names.length === agents.length && names.every((name) => agents.includes(name));
  }

  /** Whether a word means something in the text, so that no variable may have it. */
  isTaken(word: string): boolean {
    const { sets, entities, signals, metrics } = this.index;
    return (
      [sets, entities, signals, metrics, this.#named].some((names) => names.has(word)) ||
      isWordOfLanguage(word)
    );
  }

  /** The scope with one more loop over a set. */
  bind(scope: Scope, set: SetWord): Scope {
    const name = this.variableNames[scope.variables.length] ?? `entity_${scope.variables.length + 1}`;
    const key = `${scope.key} ${name} ${set.spelling}`.trim();
    return { key, variables: [...scope.variables, { name, set }] };
  }

  /** `ally(a)`, `other(a)`, `opponent(a)` of a variable over agents, where they can have members. */
  relatives({ name, set }: VariableWord): SetWord[] {
    if (set.kind !== 'agent') return [];
    return relations
      .map((relation): SetWord => {
        const members = set.candidates.map((agent) => relatedAgents(this.index, relation, agent));
        const sizes = members.map((list) => list.length);
        return {
          spelling: `${relation}(${name})`,
          kind: 'agent',
          candidates: [...new Set(members.flat())].sort((a, b) => a - b),
          minSize: Math.min(...sizes),
          maxSize: Math.max(...sizes),
          relativeOf: name,
        };
      })
      .filter((relatives) => relatives.maxSize > 0);
  }

  /** Sets a member of which can be nearest to a variable, whatever the state. */
  searchable(variable: VariableWord): SetWord[] {
    const mayHold = (set: SetWord): boolean =>
      set.relativeOf !== variable.name && set.candidates.some((one) => variable.set.candidates.includes(one));
    return [...this.sets, ...this.relatives(variable)].filter(
      (set) => set.minSize - (mayHold(set) ? 1 : 0) > 0,
    );
  }

  /** Attributes that every one of some entities has; the one that says who takes part is left to the language. */
  attributesOf({ kind, candidates }: Pick<SetWord, 'kind' | 'candidates'>): ManifestAttribute[] {
    const presence = this.index.manifest.presence[kind];
    return [...this.index.attributes[kind].values()].filter(({ name, of }) => {
      const covered = new Set(of.flatMap((set) => this.index.sets.get(set)?.entities ?? []));
      return name !== presence && (of.length === 0 || candidates.every((one) => covered.has(one)));
    });
  }

  /** A short key that is the same for sets whose members have the same attributes. */
  signatureOf(attributes: readonly ManifestAttribute[]): string {
    const names = attributes.map(({ name }) => name).join(' ');
    const known = this.#signatures.get(names) ?? String(this.#signatures.size + 1);
    this.#signatures.set(names, known);
    return known;
  }

  /** Whether a set has a member to be found whatever the state: none of its members can be absent. */
  isAlwaysFound({ kind, relativeOf }: SetWord): boolean {
    return relativeOf === null && this.index.manifest.presence[kind] === null;
  }

  /** Entities by name that have an attribute, such as the zones that have a radius. */
  entitiesWith(attribute: string): readonly string[] {
    return [...this.index.entities.values()]
      .filter(({ kind, index }) =>
        this.attributesOf({ kind, candidates: [index] }).some(({ name }) => name === attribute),
      )
      .map(({ name }) => name);
  }

  /** How far apart things usually are at most, in metres: the diagonal of where they are held; else of where they lie. */
  get reach(): number {
    const coordinates = this.index.manifest.attributes.filter(({ unit }) => unit === 'm');
    const span = (axis: 'x' | 'y'): number => {
      const all = coordinates.filter(({ name }) => name === axis);
      const held = all.filter(({ nominal }) => !nominal);
      const ranges = held.length > 0 ? held : all;
      if (ranges.length === 0) return 0;
      return Math.max(...ranges.map(({ max }) => max)) - Math.min(...ranges.map(({ min }) => min));
    };
    return Math.max(1, Math.hypot(span('x'), span('y')));
  }

  /** Single entities of a kind that are no agents: places to go to. */
  get places(): readonly string[] {
    return [...this.index.entities.values()]
      .filter(({ kind }) => kind === 'landmark')
      .map(({ name }) => name);
  }

  /** Sets whose one member depends on the state. */
  get dynamicSets(): readonly {
    readonly name: string;
    readonly kind: EntityKind;
    readonly entities: readonly number[];
  }[] {
    return this.index.manifest.sets.filter((set) => set.dynamic);
  }
}

function isWordOfLanguage(word: string): boolean {
  return unitFromText(word) !== undefined || functionNames.has(word);
}
