import type { Quantity } from '../../../src/engine/edl/generated/ast.ts';
import type { Unit } from '../../../src/shared/rl/manifest.ts';
import { findSet, namedEntity, nobody, relatives } from './sets.ts';
import type { World } from './state-reader.ts';

/** Values of loop variables, outermost first; `self` stands for the agent an npc plays. */
export type Scope = ReadonlyMap<string, number>;
export const emptyScope: Scope = new Map();

/** How often a reading came upon what is no ordinary value. */
export interface Encounters {
  /** `nearest` or `farthest` of no one. */
  nobodies: number;
  /** Distances from, to or between nobody. */
  infinities: number;
  /** Comparisons of something undefined. */
  undefinedValues: number;
  /** Smallest or largest values that are infinite, over a part of a set. */
  infiniteExtrema: number;
}

/** What an expression is read in: the true state, attributes as this phase sees them, what the episode remembers. */
export interface Surroundings {
  readonly world: World;
  /** Writable attributes by "name entity" where they differ from the scenario's own. */
  readonly attributes: ReadonlyMap<string, number>;
  /** Values of all parameters in this environment. */
  readonly parameters: ReadonlyMap<string, number>;
  /** The step in which an event of the program fired last in this episode; undefined: not yet. */
  lastFired(event: string): number | undefined;
  /** The step to which `recent` looks back: control cannot see this one yet, what follows it can. */
  readonly recentUntil: number;
  readonly encounters: Encounters;
}

const suffixes: Readonly<Record<string, string>> = { k: 'e3', M: 'e6' };

/** The value of a NUMBER token. */
export function numberOf(token: string): number {
  const plain = token.replaceAll('_', '');
  return Number(plain.replace(/[kM]$/, (suffix) => suffixes[suffix] ?? ''));
}

/** What is undefined: neither true nor false, no number. */
export const undefinedValue = Number.NaN;

/** The state as one part of a step sees it: who is meant by a name, who takes part, what their attributes are. */
export class StateView {
  readonly at: Surroundings;
  constructor(at: Surroundings) {
    this.at = at;
  }

  entityNamed(name: string, scope: Scope): number {
    const { manifest } = this.at.world;
    const bound = scope.get(name) ?? namedEntity(manifest, name);
    if (bound !== undefined) return bound;
    const set = findSet(manifest, name);
    if (set?.dynamic) return this.at.world.member(name);
    const [only] = set?.entities ?? [];
    if (only === undefined) throw new Error(`reference: no entity ${name}`);
    return only;
  }

  members(set: { readonly name: string; readonly argument?: string }, scope: Scope): number[] {
    const { manifest } = this.at.world;
    if (set.argument !== undefined) {
      return relatives(manifest, set.name, this.entityNamed(set.argument, scope));
    }
    const found = findSet(manifest, set.name);
    if (found === undefined || found.dynamic) return [this.entityNamed(set.name, scope)];
    return [...found.entities];
  }

  present(entities: readonly number[]): number[] {
    return entities.filter((entity) => this.isPresent(entity));
  }

  isPresent(entity: number): boolean {
    const { presence, numAgents, attributes, sets } = this.at.world.manifest;
    const kind = entity < numAgents ? 'agent' : 'landmark';
    const name = presence[kind];
    const owners =
      attributes.find((candidate) => candidate.kind === kind && candidate.name === name)?.of ?? [];
    const members = sets.filter((set) => owners.includes(set.name)).flatMap((set) => set.entities);
    const isAlwaysThere = name === null || (owners.length > 0 && !members.includes(entity));
    return isAlwaysThere || this.attribute(entity, name) === 1;
  }

  attribute(entity: number, name: string): number {
    if (entity === nobody || Number.isNaN(entity)) return undefinedValue;
    return this.at.attributes.get(`${name} ${entity}`) ?? this.at.world.attribute(name, entity);
  }

  distance(a: number, b: number): number {
    if (a === nobody || b === nobody) return this.infinitelyFar();
    const [dx, dy] = [
      this.attribute(a, 'x') - this.attribute(b, 'x'),
      this.attribute(a, 'y') - this.attribute(b, 'y'),
    ];
    return Math.sqrt(dx * dx + dy * dy);
  }

  infinitelyFar(): number {
    this.at.encounters.infinities++;
    return Infinity;
  }

  isEntity(name: string): boolean {
    const { manifest } = this.at.world;
    const set = findSet(manifest, name);
    return (
      namedEntity(manifest, name) !== undefined ||
      (set !== undefined && (set.dynamic || set.entities.length === 1))
    );
  }

  /** A number in m, deg and steps; seconds that are a whole number of steps come out whole. */
  quantity(node: Pick<Quantity, 'value' | 'unit'>): number {
    const value = numberOf(node.value);
    if (node.unit === '%') return value / 100;
    return node.unit === 's' ? wholeIfClose(this.counted(value, 's')) : value;
  }

  /**
   * What the scenario gives in some unit, as expressions have it: they count every time in steps. There and back is exact
   * where a step is a power of two of seconds; so are those of the scenarios that have seconds.
   */
  counted(value: number, unit: Unit): number {
    return unit === 's' ? value / this.at.world.manifest.stepSeconds : value;
  }

  /** What an expression came to, as the scenario takes it: one that asks for seconds is given no steps. */
  stated(value: number, unit: Unit): number {
    return unit === 's' ? value * this.at.world.manifest.stepSeconds : value;
  }

  unitOf(entity: number, name: string): Unit {
    const { attributes, numAgents } = this.at.world.manifest;
    const kind = entity < numAgents ? 'agent' : 'landmark';
    return attributes.find((one) => one.name === name && one.kind === kind)?.unit ?? 'none';
  }
}

function wholeIfClose(value: number): number {
  const whole = Math.round(value);
  return Math.abs(value - whole) <= 1e-9 * Math.abs(value) ? whole : value;
}
