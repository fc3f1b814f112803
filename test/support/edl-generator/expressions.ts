import type { Unit } from '../../../src/shared/rl/manifest.ts';
import { relatives } from '../edl-reference/sets.ts';
import type { Draw } from './draw.ts';
import {
  type Attribute,
  hasAttribute,
  type Named,
  type Subject,
  subjectOf,
  type Vocabulary,
} from './vocabulary.ts';

/** What an expression may name where it stands. */
export interface Scope {
  readonly subjects: readonly Subject[];
  /** Names of the environment's own events, for `recent`. */
  readonly events: readonly string[];
  /** Attributes of the agent itself may be written bare. */
  readonly self: Subject | null;
  readonly depth: number;
  readonly fresh: { count: number };
}

const spelling: Readonly<Record<Unit, string>> = {
  none: '',
  percent: '%',
  m: ' m',
  s: ' s',
  steps: ' steps',
  'm/s': ' m/s',
  'm/s^2': ' m/s^2',
  deg: ' deg',
};

/** Largest magnitude of literals, by unit: what values of the scenarios are about. */
const magnitude: Readonly<Record<Unit, number>> = {
  none: 3,
  percent: 100,
  m: 2,
  s: 10,
  steps: 8,
  'm/s': 2,
  'm/s^2': 5,
  deg: 90,
};

export function literal(value: number, unit: Unit): string {
  return `${value}${spelling[unit]}`;
}

const isPlainUnit = (unit: Unit): boolean => unit === 'none' || unit === 'percent';

/** Writes random expressions that check: every branch of the grammar, units right, nesting bounded. */
export class ExpressionWriter {
  readonly #draw: Draw;
  readonly #words: Vocabulary;
  constructor(draw: Draw, words: Vocabulary) {
    this.#draw = draw;
    this.#words = words;
  }

  #deeper = (scope: Scope): Scope => ({ ...scope, depth: scope.depth - 1 });

  /** A set to loop over, and the scope inside. */
  bind(scope: Scope): { readonly name: string; readonly set: string; readonly next: Scope } {
    const name = `v${scope.fresh.count++}`;
    const set = this.set(scope);
    const subjects = [...scope.subjects, subjectOf(name, set)];
    return { name, set: set.name, next: { ...scope, subjects, depth: scope.depth - 1 } };
  }

  set(scope: Scope): Named {
    const agent = this.#draw.pickWhere(scope.subjects, ({ kind, isFixed }) => kind === 'agent' && isFixed);
    if (agent === undefined || !this.#draw.once(4)) return this.#draw.pick(this.#words.sets);
    const relation = this.#draw.pick(['other', 'ally', 'opponent']);
    const members = agent.candidates.map((one) => relatives(this.#words.manifest, relation, one));
    if (members.some((list) => list.length === 0)) return this.#draw.pick(this.#words.sets);
    const entities = [...new Set(members.flat())];
    return { name: `${relation}(${agent.name})`, kind: 'agent', entities, isDynamic: false };
  }

  condition(scope: Scope): string {
    if (scope.depth <= 0) return this.#smallCondition(scope);
    const inner = this.#deeper(scope);
    switch (this.#draw.below(12)) {
      case 0:
        return `${this.condition(inner)} and ${this.condition(inner)}`;
      case 1:
        return `(${this.condition(inner)} or ${this.condition(inner)})`;
      case 2:
        return `not (${this.condition(inner)})`;
      case 3: {
        const { name, set, next } = this.bind(scope);
        return `${this.#draw.pick(['any', 'all'])}(${name} in ${set} where ${this.condition(next)})`;
      }
      case 4:
        return this.#sameEntity(scope);
      case 5:
        return this.#relationCondition(scope) ?? this.#smallCondition(scope);
      case 6:
        return this.#insideCondition(scope) ?? this.#smallCondition(scope);
      case 7:
        return this.#recentCondition(scope) ?? this.#smallCondition(scope);
      case 8:
        return this.#fleetingCondition(scope) ?? this.#smallCondition(scope);
      default: {
        const unit = this.#draw.pick<Unit>(['m', 'm', 'm', 'none', 'steps', 'm/s']);
        const operator = this.#draw.pick(['<', '<=', '>', '>=']);
        return `${this.quantity(inner, unit)} ${operator} ${this.quantity(inner, unit)}`;
      }
    }
  }

  #smallCondition(scope: Scope): string {
    const bound = this.#draw.below(8);
    if (this.#words.signals.some(({ name }) => name === 'time') && this.#draw.once(2)) {
      return `time ${this.#draw.pick(['<', '>='])} ${bound} steps`;
    }
    const inner = { ...scope, depth: 0 };
    return `${this.quantity(inner, 'm')} ${this.#draw.pick(['<', '>'])} ${this.quantity(inner, 'm')}`;
  }

  #sameEntity(scope: Scope): string {
    const operator = this.#draw.pick(['==', '!=']);
    const one = this.entity(scope);
    const other = this.#draw.pickWhere(scope.subjects, ({ kind }) => kind === one.kind);
    return `${one.name} ${operator} ${other?.name ?? one.name}`;
  }

  #recentCondition(scope: Scope): string | undefined {
    if (scope.events.length === 0) return undefined;
    return `recent(${this.#draw.pick(scope.events)}, ${1 + this.#draw.below(4)} steps)`;
  }

  #relationCondition(scope: Scope): string | undefined {
    const relation = this.#draw.pickWhere(this.#words.relations, ({ kind }) => kind === 'boolean');
    if (relation === undefined) return undefined;
    const from = this.#draw.pickWhere(scope.subjects, ({ kind }) => kind === relation.from);
    if (from === undefined) return undefined;
    const isFit = ({ kind }: { kind: string }): boolean => relation.to === 'any' || kind === relation.to;
    const set = this.set(scope);
    if (this.#draw.once(3) && isFit(set) && !set.isDynamic && set.entities.length > 1)
      return `${from.name}.${relation.name}(${set.name})`;
    const to = this.#draw.pickWhere(scope.subjects, isFit);
    return to === undefined ? undefined : `${from.name}.${relation.name}(${to.name})`;
  }

  #insideCondition(scope: Scope): string | undefined {
    const radius = this.#words.attributes.find(({ name, kind }) => name === 'radius' && kind === 'landmark');
    if (radius === undefined) return undefined;
    const zones = this.#draw.pickWhere(
      this.#words.sets,
      ({ kind, entities }) =>
        entities.length > 1 && hasAttribute(radius, { kind, candidates: entities, isFixed: true }),
    );
    if (zones !== undefined && this.#draw.once(3))
      return `inside(${this.#draw.pick(scope.subjects).name}, ${zones.name})`;
    const zone = this.#draw.pickWhere(scope.subjects, (subject) => hasAttribute(radius, subject));
    return zone === undefined ? undefined : `inside(${this.#draw.pick(scope.subjects).name}, ${zone.name})`;
  }

  /** Some entity: a name, or the nearest or farthest of a set. */
  entity(scope: Scope): Omit<Subject, 'isFixed'> {
    if (scope.depth <= 0 || this.#draw.once(2)) return this.#draw.pick(scope.subjects);
    const anchor = this.#draw.once(3) ? this.entity(this.#deeper(scope)) : this.#draw.pick(scope.subjects);
    const set = this.#setAround(scope, anchor);
    if (set === undefined) return anchor;
    const name = `${this.#draw.pick(['nearest', 'nearest', 'farthest'])}(${this.#choice(scope, set)} to ${anchor.name})`;
    return { name, kind: set.kind, candidates: set.entities };
  }

  /** The whole set, or those of its members of which something holds. */
  #choice(scope: Scope, set: Named): string {
    if (!this.#draw.once(3)) return set.name;
    const name = `v${scope.fresh.count++}`;
    const subjects = [...scope.subjects, subjectOf(name, set)];
    return `${name} in ${set.name} where ${this.condition({ ...scope, subjects, depth: scope.depth - 2 })}`;
  }

  /** A set that has another member than the entity that something is nearest to, whichever that is. */
  #setAround(scope: Scope, { candidates }: Pick<Subject, 'candidates'>): Named | undefined {
    const set = this.set(scope);
    const mayHoldIt = set.entities.some((entity) => candidates.includes(entity));
    const size = set.isDynamic ? 1 : set.entities.length;
    return size - (mayHoldIt ? 1 : 0) > 0 ? set : undefined;
  }

  /** A number in a unit. Plain numbers and shares are one dimension. */
  quantity(scope: Scope, unit: Unit): string {
    if (scope.depth <= 0 || this.#draw.once(5)) return this.#atom(scope, unit);
    const inner = this.#deeper(scope);
    switch (this.#draw.below(isPlainUnit(unit) ? 9 : 5)) {
      case 0:
        return this.#aggregate(scope, unit);
      case 1:
        return `${this.#draw.pick(['min', 'max'])}(${this.quantity(inner, unit)}, ${this.quantity(inner, unit)})`;
      case 2:
        return `(${this.quantity(inner, unit)} ${this.#draw.pick(['+', '-'])} ${this.quantity(inner, unit)})`;
      case 3:
        return `abs(${this.quantity(inner, unit)})`;
      case 4:
        return `${this.#draw.below(30) / 10} * ${this.quantity(inner, unit)}`;
      case 5: {
        const { name, set, next } = this.bind(scope);
        return `count(${name} in ${set} where ${this.condition(next)})`;
      }
      case 6:
        return `(${this.quantity(inner, unit)} ${this.#draw.pick(['*', '/'])} ${this.quantity(inner, unit)})`;
      case 7:
        return `${this.#draw.pick(['sqrt', 'abs'])}(-(${this.quantity(inner, unit)}))`;
      default:
        return `clamp(${this.#ratio(inner)}, -1, 1)`;
    }
  }

  /** A plain number out of two with units. */
  #ratio(scope: Scope): string {
    const unit = this.#draw.pick<Unit>(['m', 'm/s', 'steps']);
    return `(${this.quantity(scope, unit)}) / (${literal(1, unit)} + 2 * (${this.quantity(scope, unit)}))`;
  }

  #aggregate(scope: Scope, unit: Unit): string {
    const { name, set, next } = this.bind(scope);
    const distance = unit === 'm' && this.#draw.once(2) ? this.#fleetingDistance(next) : undefined;
    if (distance !== undefined) {
      const split = `${name}.${this.#draw.pick(['x', 'y'])} ${this.#draw.pick(['<', '>'])} ${this.literal('m')}`;
      return `(${this.#draw.pick(['min', 'max'])} over ${name} in ${set} where ${split} of (${distance}))`;
    }
    const isWhole = this.#draw.once(2);
    const kind = this.#draw.pick(['sum', 'mean', 'min', 'max']);
    const where = isWhole ? '' : ` where ${this.condition(next)}`;
    const body = this.#draw.once(3) ? this.#atom(next, unit) : this.quantity(next, unit);
    return `(${kind} over ${name} in ${set}${where} of (${body}))`;
  }

  /** The nearest of those who are all away at first: nobody then. */
  #fleeting({ name, candidates }: Pick<Subject, 'name' | 'candidates'>): string | undefined {
    const set = this.#draw.pickWhere(
      this.#words.fleeting,
      ({ entities }) => entities.length > 1 || !entities.some((entity) => candidates.includes(entity)),
    );
    return set === undefined ? undefined : `nearest(${set.name} to ${name})`;
  }

  /** From the member bound last; infinite while there is nobody. */
  #fleetingDistance({ subjects }: Scope): string | undefined {
    const member = subjects.at(-1);
    const nearest = member === undefined ? undefined : this.#fleeting(member);
    return nearest === undefined ? undefined : `distance(${member?.name}, ${nearest})`;
  }

  /** Undefined while there is nobody; mostly behind something that decides already. */
  #fleetingCondition(scope: Scope): string | undefined {
    const subject = this.#draw.pick(scope.subjects);
    const nearest = this.#fleeting(subject);
    if (nearest === undefined) return undefined;
    const asked = `${nearest}.${this.#draw.pick(['x', 'y'])} ${this.#draw.pick(['<', '>'])} ${this.literal('m')}`;
    const far = `distance(${subject.name}, ${nearest})`;
    return this.#draw.pick([
      asked,
      `(${asked} and ${far} < 1k m)`,
      `(${far} < 1k m and ${asked})`,
      `(${asked} or ${far} > 1k m)`,
      `(${far} > 1k m or not (${asked}))`,
    ]);
  }

  #atom(scope: Scope, unit: Unit): string {
    const options = [
      () => this.literal(unit),
      () => this.#attribute(scope, unit),
      () => this.#attribute(scope, unit),
      () => this.#draw.pickWhere(this.#words.signals, (signal) => signal.unit === unit)?.name,
      () => (unit === 'm' ? this.#distance(scope) : undefined),
      () => (unit === 'm' ? this.#distance(scope) : this.#relation(scope, unit)),
    ];
    return this.#draw.pick(options)() ?? this.literal(unit);
  }

  literal(unit: Unit): string {
    const size = magnitude[unit];
    const value = unit === 'steps' ? this.#draw.below(size) : Number((this.#draw.next() * size).toFixed(2));
    return literal(value, unit);
  }

  #attribute(scope: Scope, unit: Unit): string | undefined {
    const { self } = scope;
    if (self !== null && this.#draw.once(2)) {
      return this.#pickAttribute(self, unit)?.name;
    }
    const entity = this.entity(scope);
    const attribute = this.#pickAttribute(entity, unit);
    return attribute === undefined ? undefined : `${entity.name}.${attribute.name}`;
  }

  #pickAttribute(subject: Omit<Subject, 'name' | 'isFixed'>, unit: Unit): Attribute | undefined {
    return this.#draw.pickWhere(
      this.#words.attributes,
      (attribute) => attribute.unit === unit && hasAttribute(attribute, { ...subject, isFixed: false }),
    );
  }

  #relation(scope: Scope, unit: Unit): string | undefined {
    const relation = this.#draw.pickWhere(
      this.#words.relations,
      (one) => one.kind === 'number' && one.unit === unit,
    );
    const from = this.#draw.pickWhere(scope.subjects, ({ kind }) => kind === relation?.from);
    const to = this.#draw.pickWhere(
      scope.subjects,
      ({ kind }) => relation?.to === 'any' || kind === relation?.to,
    );
    if (relation === undefined || from === undefined || to === undefined) return undefined;
    return `${from.name}.${relation.name}(${to.name})`;
  }

  #distance(scope: Scope): string {
    const from = this.#draw.pick(scope.subjects);
    const set = this.#setAround(scope, from);
    switch (set === undefined ? 0 : this.#draw.below(5)) {
      case 1:
        return `distance(${from.name}, nearest(${set === undefined ? '' : this.#choice(scope, set)}))`;
      case 2:
        return `distance(farthest(${set === undefined ? '' : this.#choice(scope, set)}), ${from.name})`;
      case 3:
        return `distance(${from.name}, centroid(${this.#draw.pickWhere(this.#words.sets, (one) => !one.isDynamic)?.name}))`;
      case 4:
        return `distance(${this.entity(this.#deeper(scope)).name}, nearest(${set?.name} to ${from.name}))`;
      default:
        return `distance(${from.name}, ${this.#draw.pick(scope.subjects).name})`;
    }
  }
}
