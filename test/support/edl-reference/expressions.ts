import type {
  Aggregate,
  Call,
  Comparison,
  Condition,
  Conjunction,
  EntityExpression,
  Expression,
  Loop,
  Negation,
  Primary,
  Product,
  Quantifier,
  Reference,
  Signed,
  Sum,
} from '../../../src/engine/edl/generated/ast.ts';
import { and, not, or } from './logic.ts';
import { findSet, nobody } from './sets.ts';
import { emptyScope, type Scope, StateView, undefinedValue } from './state-view.ts';

/** Raised where a copy traps. */
export class ReferenceTrap extends Error {
  readonly declaration: string;
  constructor(declaration: string) {
    super(`trap in ${declaration}`);
    this.name = 'ReferenceTrap';
    this.declaration = declaration;
  }
}

/**
 * A second, independent meaning of expressions: walks the syntax tree over a true state, with no canonical form, no types
 * and no bytecode. Numbers are in m, m/s, deg and steps; booleans are 1 and 0; undefined is NaN; an entity is its index.
 */
export class ExpressionEvaluator extends StateView {
  /** One scope per combination of members, the first loop outermost; of the present ones unless told otherwise. */
  instances(loops: readonly Loop[], scope: Scope = emptyScope, options = { withAbsent: false }): Scope[] {
    const [first, ...rest] = loops;
    if (first === undefined) return [scope];
    const members = this.members(first.set, scope);
    return (options.withAbsent ? members : this.present(members)).flatMap((entity) =>
      this.instances(rest, new Map([...scope, [first.variable, entity]]), options),
    );
  }

  /** Undefined conditions are NaN: who acts on them traps. */
  condition(node: Condition | undefined, scope: Scope): number {
    return node === undefined ? 1 : this.expression(node.expression, scope);
  }

  expression(node: Expression, scope: Scope, anchor: number | null = null): number {
    return node.operands.map((operand) => this.#conjunction(operand, scope, anchor)).reduce(or);
  }

  sum(node: Sum, scope: Scope, anchor: number | null = null): number {
    const values = node.operands.map((operand) => this.product(operand, scope, anchor));
    return values.reduce((left, right, i) => (node.operators[i - 1] === '+' ? left + right : left - right));
  }

  product(node: Product, scope: Scope, anchor: number | null = null): number {
    const values = node.operands.map((operand) => this.#signed(operand, scope, anchor));
    return values.reduce((left, right, i) => {
      if (node.operators[i - 1] === '*') return left * right;
      return right === 0 ? undefinedValue : left / right;
    });
  }

  /** The entity that a name or a call denotes. */
  entity(node: EntityExpression, scope: Scope, anchor: number | null = null): number {
    return node.$type === 'Reference'
      ? this.entityNamed(node.name, scope)
      : this.#extreme(node, scope, anchor);
  }

  /** All that a target of an event denotes: one entity, or the members of a set. */
  entities(node: EntityExpression, scope: Scope): number[] {
    if (node.$type === 'Reference' && !scope.has(node.name) && !this.isEntity(node.name))
      return this.members(node, scope);
    return [this.entity(node, scope)];
  }

  #conjunction(node: Conjunction, scope: Scope, anchor: number | null): number {
    return node.operands.map((operand) => this.#negation(operand, scope, anchor)).reduce(and);
  }

  #negation(node: Negation, scope: Scope, anchor: number | null): number {
    return node.negations.reduce(not, this.#comparison(node.operand, scope, anchor));
  }

  #comparison(node: Comparison, scope: Scope, anchor: number | null): number {
    const left = this.sum(node.left, scope, anchor);
    if (node.right === undefined) return left;
    const right = this.sum(node.right, scope, anchor);
    if (Number.isNaN(left) || Number.isNaN(right)) {
      this.at.encounters.undefinedValues++;
      return undefinedValue;
    }
    const results = {
      '<': left < right,
      '<=': left <= right,
      '>': left > right,
      '>=': left >= right,
      '==': left === right,
      '!=': left !== right,
    };
    return results[node.operator ?? '=='] ? 1 : 0;
  }

  #signed(node: Signed, scope: Scope, anchor: number | null): number {
    const value = this.#primary(node.operand, scope, anchor);
    return node.minuses.length % 2 === 1 ? -value : value;
  }

  #primary(node: Primary, scope: Scope, anchor: number | null): number {
    switch (node.$type) {
      case 'Quantity':
        return this.quantity(node);
      case 'Group':
        return this.expression(node.inner, scope, anchor);
      case 'Reference':
        return this.#reference(node, scope);
      case 'Call':
        return this.#call(node, scope, anchor);
      case 'Aggregate':
        return this.#aggregate(node, scope);
      case 'Quantifier':
        return isExtreme(node)
          ? this.#ofEntity(this.#extreme(node, scope, anchor), node, scope)
          : this.#quantifier(node, scope);
    }
  }

  #reference(node: Reference, scope: Scope): number {
    const dotted = [node.name, ...node.path].join('.');
    if (scope.has(node.name) || this.isEntity(node.name)) {
      return this.#ofEntity(this.entityNamed(node.name, scope), node, scope);
    }
    const self = scope.get('self');
    const { manifest, ...world } = this.at.world;
    if (
      self !== undefined &&
      manifest.attributes.some(({ name, kind }) => name === dotted && kind === 'agent')
    )
      return this.#countedAttribute(self, dotted);
    const signal = manifest.signals.find(({ name }) => name === dotted);
    if (signal !== undefined) return this.counted(world.signal(dotted), signal.unit);
    const parameter = this.at.parameters.get(dotted);
    if (parameter === undefined) throw new Error(`reference: no name ${dotted}`);
    const unit = manifest.parameters.find(({ name }) => name === dotted)?.unit ?? 'none';
    return this.counted(parameter, unit);
  }

  #countedAttribute(entity: number, name: string): number {
    return this.counted(this.attribute(entity, name), this.unitOf(entity, name));
  }

  /** The entity itself, an attribute of it, or a relation it has to others. */
  #ofEntity(entity: number, node: Call | Quantifier | Reference, scope: Scope): number {
    if (node.path.length === 0) return entity;
    if (node.method === undefined) return this.#countedAttribute(entity, node.path.join('.'));
    return this.#relation(entity, node.path.join('.'), node.method.arguments, scope);
  }

  /** Towards a set: whether it stands so to any present member. */
  #relation(from: number, name: string, [argument]: readonly Expression[], scope: Scope): number {
    if (argument === undefined) throw new Error(`reference: ${name} of nothing`);
    const relate = (to: number): number => {
      if (from === nobody) return 0;
      if (Number.isNaN(from) || Number.isNaN(to)) return undefinedValue;
      return to === nobody ? 0 : this.at.world.relation(name, from, to, this.at.attributes);
    };
    const set = this.#setIn(argument, scope);
    if (set === null) return relate(this.expression(argument, scope, from));
    return this.present(this.members(set, scope)).map(relate).reduce(or, 0);
  }

  /** `ally(a)` or the name of a set of several where an expression is parsed; null for anything else. */
  #setIn(node: Expression, scope: Scope): { name: string; argument?: string } | null {
    const text = node.$cstNode?.text ?? '';
    const related = /^\s*(ally|other|opponent)\s*\(\s*(\w+)\s*\)\s*$/.exec(text);
    if (related?.[1] !== undefined && related[2] !== undefined)
      return { name: related[1], argument: related[2] };
    const name = text.trim();
    if (scope.has(name) || this.isEntity(name)) return null;
    return findSet(this.at.world.manifest, name) === undefined ? null : { name };
  }

  #call(node: Call, scope: Scope, anchor: number | null): number {
    if (isExtreme(node)) return this.#ofEntity(this.#extreme(node, scope, anchor), node, scope);
    return this.#function(node, scope, anchor);
  }

  #function(node: Call, scope: Scope, anchor: number | null): number {
    const [first, second, third] = node.arguments;
    if (first === undefined) throw new Error(`reference: ${node.name} of nothing`);
    if (node.name === 'distance' && second !== undefined)
      return this.#distanceCall(first, second, scope, anchor);
    if (node.name === 'inside' && second !== undefined) return this.#inside(first, second, scope, anchor);
    if (node.name === 'recent' && second !== undefined) return this.#recent(first, second, scope);
    const x = this.expression(first, scope, anchor);
    const y = second === undefined ? 0 : this.expression(second, scope, anchor);
    if (node.name === 'abs') return Math.abs(x);
    if (node.name === 'sqrt') return x < 0 ? undefinedValue : Math.sqrt(x);
    if (node.name === 'min') return Math.min(x, y);
    if (node.name === 'max') return Math.max(x, y);
    if (node.name === 'clamp' && third !== undefined)
      return Math.min(Math.max(x, y), this.expression(third, scope, anchor));
    throw new Error(`reference: no function ${node.name}`);
  }

  /** Whether an event fired in one of the last so many steps. */
  #recent(event: Expression, within: Expression, scope: Scope): number {
    const fired = this.at.lastFired(event.$cstNode?.text.trim() ?? '');
    return fired !== undefined && fired > this.at.recentUntil - this.expression(within, scope) ? 1 : 0;
  }

  /** Of a set of zones: inside any of those that are there. */
  #inside(first: Expression, zone: Expression, scope: Scope, anchor: number | null): number {
    const set = this.#setIn(zone, scope);
    const zones =
      set === null ? [this.expression(zone, scope, anchor)] : this.present(this.members(set, scope));
    return zones
      .map((one) => {
        const radius = this.attribute(one, 'radius');
        const distance = this.distance(this.expression(first, scope, one), one);
        return Number.isNaN(radius) ? undefinedValue : distance <= radius ? 1 : 0;
      })
      .reduce(or, 0);
  }

  #distanceCall(first: Expression, second: Expression, scope: Scope, anchor: number | null): number {
    const [centre, other] = isCentroid(first) ? [first, second] : [second, first];
    if (isCentroid(centre)) return this.#distanceToCentre(centre, other, scope, anchor);
    if (isFloating(first) && !isFloating(second)) {
      const to = this.expression(second, scope, anchor);
      return this.distance(this.expression(first, scope, to), to);
    }
    const from = this.expression(first, scope, anchor);
    return this.distance(from, this.expression(second, scope, isFloating(first) ? anchor : from));
  }

  /** To the mean position of the present members; of none, the distance is infinite. */
  #distanceToCentre(centre: Expression, other: Expression, scope: Scope, anchor: number | null): number {
    const from = this.centroid(centre, scope);
    const to = isCentroid(other)
      ? this.centroid(other, scope)
      : this.#point(this.expression(other, scope, anchor));
    if (from === null || to === null) return this.infinitelyFar();
    const [dx, dy] = [from[0] - to[0], from[1] - to[1]];
    return Math.sqrt(dx * dx + dy * dy);
  }

  #point(entity: number): readonly [number, number] | null {
    return entity === nobody ? null : [this.attribute(entity, 'x'), this.attribute(entity, 'y')];
  }

  centroid(node: Expression, scope: Scope): readonly [number, number] | null {
    const inner = /^\s*centroid\s*\((.*)\)\s*$/s.exec(node.$cstNode?.text ?? '')?.[1] ?? '';
    const related = /^\s*(\w+)\s*(?:\(\s*(\w+)\s*\))?\s*$/.exec(inner);
    const set = { name: related?.[1] ?? '', ...(related?.[2] === undefined ? {} : { argument: related[2] }) };
    const points = this.present(this.members(set, scope)).map((member) => this.#point(member) ?? [0, 0]);
    if (points.length === 0) return null;
    const mean = (axis: 0 | 1): number =>
      points.map((point) => point[axis]).reduce((a, b) => a + b) / points.length;
    return [mean(0), mean(1)];
  }

  /** Undefined where it is for some member whether it is looked at. */
  #extreme(node: Call | Quantifier, scope: Scope, anchor: number | null): number {
    const around =
      node.anchor === undefined
        ? (anchor ?? [...scope.values()].at(-1))
        : this.expression(node.anchor, scope, anchor);
    if (around === undefined) throw new Error('reference: nearest to nothing');
    if (around === nobody) return nobody;
    const isKnown = Number.isNaN(around) ? undefinedValue : 1;
    const candidates = this.#candidates(node, scope).filter(({ entity }) => entity !== around);
    const looked = candidates.map(({ entity, holds }) => ({ entity, holds: and(isKnown, holds) }));
    if (looked.some(({ holds }) => Number.isNaN(holds))) {
      this.at.encounters.undefinedValues++;
      return undefinedValue;
    }
    const members = looked.filter(({ holds }) => holds === 1).map(({ entity }) => entity);
    const isBetter = (a: number, b: number): boolean => {
      const [da, db] = [this.distance(around, a), this.distance(around, b)];
      return node.name === 'nearest' ? da < db : da > db;
    };
    if (members.length === 0) this.at.encounters.nobodies++;
    const [first = nobody, ...rest] = members;
    return rest.reduce((best, member) => (isBetter(member, best) ? member : best), first);
  }

  /** The present members that are looked at, with what the condition says of each. */
  #candidates(node: Call | Quantifier, scope: Scope): { entity: number; holds: number }[] {
    if (node.$type === 'Quantifier')
      return this.#terms(node, scope).map(({ holds, inner }) => {
        return { entity: inner.get(node.variable) ?? nobody, holds };
      });
    const call = /^\s*(\w+)\s*(?:\(\s*(\w+)\s*\))?\s*$/.exec(node.arguments[0]?.$cstNode?.text ?? '');
    const set = { name: call?.[1] ?? '', ...(call?.[2] === undefined ? {} : { argument: call[2] }) };
    return this.present(this.members(set, scope)).map((entity) => ({ entity, holds: 1 }));
  }

  #terms(node: Aggregate | Quantifier, scope: Scope): { holds: number; inner: Scope }[] {
    return this.present(this.members(node.set, scope)).map((entity) => {
      const inner = new Map([...scope, [node.variable, entity]]);
      return { holds: node.condition === undefined ? 1 : this.expression(node.condition, inner), inner };
    });
  }

  #quantifier(node: Quantifier, scope: Scope): number {
    const holding = this.#terms(node, scope).map((term) => term.holds);
    if (node.name === 'any') return holding.reduce(or, 0);
    return node.name === 'all' ? holding.reduce(and, 1) : holding.reduce((total, term) => total + term, 0);
  }

  #aggregate(node: Aggregate, scope: Scope): number {
    const terms = this.#terms(node, scope);
    if (terms.some((term) => Number.isNaN(term.holds))) return undefinedValue;
    const values = terms
      .filter((term) => term.holds === 1)
      .map((term) => this.product(node.body, term.inner));
    if (values.length === 0) return 0;
    const total = values.reduce((so, value) => so + value);
    if (node.name === 'sum') return total;
    if (node.name === 'mean') return total / values.length;
    const extremum = node.name === 'min' ? Math.min(...values) : Math.max(...values);
    const isInfinite = Math.abs(extremum) === Infinity;
    if (isInfinite && values.length < terms.length) this.at.encounters.infiniteExtrema++;
    return extremum;
  }
}

const isExtreme = ({ name }: { readonly name: string }): boolean => name === 'nearest' || name === 'farthest';

/** A `nearest` or `farthest` alone that does not say to what. */
const isFloating = (node: Expression): boolean => {
  const primary = node.operands[0]?.operands[0]?.operand.left.operands[0]?.operands[0]?.operand;
  if (primary?.$type !== 'Call' && primary?.$type !== 'Quantifier') return false;
  const isAlone = primary.$cstNode?.text.trim() === node.$cstNode?.text.trim();
  return isAlone && isExtreme(primary) && primary.anchor === undefined;
};

const isCentroid = (node: Expression): boolean => /^\s*centroid\s*\(/.test(node.$cstNode?.text ?? '');
