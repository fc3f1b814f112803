import type {
  Aggregate,
  Call,
  Comparison,
  Condition,
  Conjunction,
  Environment,
  Expression,
  Loop,
  Negation,
  Primary,
  Product,
  Quantifier,
  Reference,
  Reward,
  Rule,
  SetExpression,
  Signed,
  Sum,
  Target,
} from '../../src/engine/edl/generated/ast.ts';
import type { World } from './edl-world.ts';

/**
 * A second, independent meaning of EDL: walks the syntax tree over a true state, with no canonical form, no types and
 * no bytecode. Numbers are in m, m/s and steps. Undefined is NaN. Tests compare the product with it.
 */
type Scope = ReadonlyMap<string, number>;

/** Raised where a copy traps. */
export class ReferenceTrap extends Error {}

const undefinedValue = Number.NaN;

export class ReferenceEvaluator {
  readonly world: World;
  constructor(world: World) {
    this.world = world;
  }

  instances(loops: readonly Loop[], scope: Scope = new Map()): Scope[] {
    const [first, ...rest] = loops;
    if (first === undefined) return [scope];
    return this.members(first.set, scope).flatMap((entity) =>
      this.instances(rest, new Map([...scope, [first.variable, entity]])),
    );
  }

  holds(condition: Condition | undefined, scope: Scope): boolean {
    if (condition === undefined) return true;
    const value = this.expression(condition.expression, scope, null);
    if (Number.isNaN(value)) throw new ReferenceTrap();
    return value !== 0;
  }

  expression(node: Expression, scope: Scope, anchor: number | null): number {
    return node.operands.map((operand) => this.conjunction(operand, scope, anchor)).reduce(or);
  }

  conjunction(node: Conjunction, scope: Scope, anchor: number | null): number {
    return node.operands.map((operand) => this.negation(operand, scope, anchor)).reduce(and);
  }

  negation(node: Negation, scope: Scope, anchor: number | null): number {
    const value = this.comparison(node.operand, scope, anchor);
    return node.negations.reduce((so) => (Number.isNaN(so) ? so : so === 0 ? 1 : 0), value);
  }

  comparison(node: Comparison, scope: Scope, anchor: number | null): number {
    const left = this.sum(node.left, scope, anchor);
    if (node.right === undefined) return left;
    const right = this.sum(node.right, scope, anchor);
    if (Number.isNaN(left) || Number.isNaN(right)) return undefinedValue;
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

  sum(node: Sum, scope: Scope, anchor: number | null): number {
    const values = node.operands.map((operand) => this.product(operand, scope, anchor));
    return values.reduce((left, right, i) => (node.operators[i - 1] === '+' ? left + right : left - right));
  }

  product(node: Product, scope: Scope, anchor: number | null): number {
    const values = node.operands.map((operand) => this.signed(operand, scope, anchor));
    return values.reduce((left, right, i) => {
      if (node.operators[i - 1] === '*') return left * right;
      return right === 0 ? undefinedValue : left / right;
    });
  }

  signed(node: Signed, scope: Scope, anchor: number | null): number {
    const value = this.primary(node.operand, scope, anchor);
    return node.minuses.length % 2 === 1 ? -value : value;
  }

  primary(node: Primary, scope: Scope, anchor: number | null): number {
    switch (node.$type) {
      case 'Quantity':
        return Number(node.value) / (node.unit === '%' ? 100 : 1);
      case 'Group':
        return this.expression(node.inner, scope, anchor);
      case 'Reference':
        return this.reference(node, scope);
      case 'Call':
        return this.call(node, scope, anchor);
      case 'Aggregate':
        return this.aggregate(node, scope);
      case 'Quantifier':
        return this.quantifier(node, scope);
    }
  }

  reference(node: Reference, scope: Scope): number {
    if (node.name === 'time') return this.world.time;
    const entity = this.entity(node.name, scope);
    return node.path.length === 0 ? entity : this.attribute(entity, node.path.join('.'));
  }

  entity(name: string, scope: Scope): number {
    const bound = scope.get(name);
    if (bound !== undefined) return bound;
    for (const group of this.world.manifest.groups) {
      const i = group.agents.indexOf(name);
      if (i >= 0) return group.firstAgent + i;
    }
    if (name === 'goal') return this.world.goal;
    const numbered = /^landmark_(\d+)$/.exec(name)?.[1];
    if (numbered !== undefined) return this.world.manifest.numAgents + Number(numbered);
    const set = this.world.manifest.sets.find((candidate) => candidate.name === name);
    const only = set?.entities[0];
    if (only === undefined) throw new Error(`reference: no entity ${name}`);
    return only;
  }

  attribute(entity: number, name: string): number {
    const position = this.world.positions[entity] ?? [0, 0];
    const velocity = this.world.velocities[entity] ?? [0, 0];
    const read: Record<string, number | undefined> = {
      x: position[0],
      y: position[1],
      vx: velocity[0],
      vy: velocity[1],
    };
    const value = read[name] ?? this.world.effective.get(`${name} ${entity}`);
    if (value === undefined) throw new Error(`reference: no attribute ${name}`);
    return value;
  }

  distance(a: number, b: number): number {
    const [ax, ay] = this.world.positions[a] ?? [0, 0];
    const [bx, by] = this.world.positions[b] ?? [0, 0];
    return Math.sqrt((ax - bx) * (ax - bx) + (ay - by) * (ay - by));
  }

  call(node: Call, scope: Scope, anchor: number | null): number {
    if (node.name === 'nearest' || node.name === 'farthest') {
      const entity = this.extreme(node, scope, anchor);
      return node.path.length === 0 ? entity : this.attribute(entity, node.path.join('.'));
    }
    const [first, second, third] = node.arguments;
    if (first === undefined) throw new Error('reference: no argument');
    if (node.name === 'distance' && second !== undefined)
      return this.distanceCall(first, second, scope, anchor);
    const x = this.expression(first, scope, anchor);
    const y = second === undefined ? 0 : this.expression(second, scope, anchor);
    if (node.name === 'abs') return Math.abs(x);
    if (node.name === 'sqrt') return x < 0 ? undefinedValue : Math.sqrt(x);
    if (node.name === 'min') return Math.min(x, y);
    if (node.name === 'max') return Math.max(x, y);
    if (node.name === 'clamp' && third !== undefined) {
      return Math.min(Math.max(x, y), this.expression(third, scope, anchor));
    }
    throw new Error(`reference: no function ${node.name}`);
  }

  distanceCall(first: Expression, second: Expression, scope: Scope, anchor: number | null): number {
    if (isFloating(first) && !isFloating(second)) {
      const to = this.expression(second, scope, anchor);
      return this.distance(this.expression(first, scope, to), to);
    }
    const from = this.expression(first, scope, anchor);
    const to = this.expression(second, scope, isFloating(first) ? anchor : from);
    return this.distance(from, to);
  }

  extreme(node: Call, scope: Scope, anchor: number | null): number {
    const around =
      node.anchor === undefined
        ? (anchor ?? [...scope.values()].at(-1))
        : this.expression(node.anchor, scope, anchor);
    const [argument] = node.arguments;
    if (around === undefined || argument === undefined) throw new Error('reference: nearest to nothing');
    const call = /^\s*(\w+)\s*(?:\(\s*(\w+)\s*\))?\s*$/.exec(argument.$cstNode?.text ?? '');
    const set = { name: call?.[1] ?? '', ...(call?.[2] === undefined ? {} : { argument: call[2] }) };
    const members = this.members(set, scope).filter((member) => member !== around);
    const better = (a: number, b: number): boolean => {
      const [da, db] = [this.distance(around, a), this.distance(around, b)];
      return node.name === 'nearest' ? da < db : da > db;
    };
    return members.reduce((best, member) => (better(member, best) ? member : best));
  }

  members(set: Pick<SetExpression, 'name' | 'argument'>, scope: Scope): number[] {
    if (set.argument !== undefined) {
      const agent = this.entity(set.argument, scope);
      const groupOf = (index: number): number =>
        this.world.manifest.groups.findIndex(
          (group) => index >= group.firstAgent && index < group.firstAgent + group.agents.length,
        );
      const others = Array.from({ length: this.world.manifest.numAgents }, (_, i) => i).filter(
        (i) => i !== agent,
      );
      if (set.name === 'other') return others;
      return others.filter((i) => (groupOf(i) === groupOf(agent)) === (set.name === 'ally'));
    }
    const found = this.world.manifest.sets.find((candidate) => candidate.name === set.name);
    if (found === undefined || found.dynamic) return [this.entity(set.name, scope)];
    return [...found.entities];
  }

  terms(node: Aggregate | Quantifier, scope: Scope): { holds: number; inner: Scope; entity: number }[] {
    return this.members(node.set, scope).map((entity) => {
      const inner = new Map([...scope, [node.variable, entity]]);
      return {
        holds: node.condition === undefined ? 1 : this.expression(node.condition, inner, null),
        inner,
        entity,
      };
    });
  }

  quantifier(node: Quantifier, scope: Scope): number {
    const holding = this.terms(node, scope).map((term) => term.holds);
    if (node.name === 'any') return holding.reduce(or, 0);
    return node.name === 'all' ? holding.reduce(and, 1) : holding.reduce((total, term) => total + term, 0);
  }

  aggregate(node: Aggregate, scope: Scope): number {
    const terms = this.terms(node, scope);
    if (terms.some((term) => Number.isNaN(term.holds))) return undefinedValue;
    const holding = terms.filter((term) => term.holds === 1);
    const values = holding.map((term) => this.product(node.body, term.inner, null));
    if (values.length === 0) return 0;
    const total = values.reduce((so, value) => so + value);
    if (node.name === 'sum') return total;
    if (node.name === 'mean') return total / values.length;
    return node.name === 'min' ? Math.min(...values) : Math.max(...values);
  }

  targets(target: Target, scope: Scope): number[] {
    return scope.has(target.name)
      ? [scope.get(target.name) ?? -1]
      : this.members({ name: target.name }, scope);
  }
}

const isFloating = (node: Expression): boolean =>
  /^(nearest|farthest)\s*\((?:(?!\bto\b).)*\)$/s.test(node.$cstNode?.text.trim() ?? '');

function or(a: number, b: number): number {
  if (a === 1 || b === 1) return 1;
  return a === 0 && b === 0 ? 0 : undefinedValue;
}

function and(a: number, b: number): number {
  if (a === 0 || b === 0) return 0;
  return a === 1 && b === 1 ? 1 : undefinedValue;
}

const byName = (a: { name: string }, b: { name: string }): number => (a.name < b.name ? -1 : 1);

export interface ReferenceRules {
  readonly fired: number[];
  readonly effective: Map<string, number>;
}

/** Fire counts and effective attributes of the rules of an environment, in order of name. Throws ReferenceTrap. */
export function runRules(ast: Environment, world: World, base: ReadonlyMap<string, number>): ReferenceRules {
  const reference = new ReferenceEvaluator({ ...world, effective: base });
  const folds = new Map<string, { set: number | null; product: number; sum: number }>();
  const rules = ast.declarations.filter((node): node is Rule => node.$type === 'Rule').sort(byName);
  const fired = rules.map((rule) => {
    const holding = reference.instances(rule.loops).filter((scope) => reference.holds(rule.condition, scope));
    for (const scope of holding) foldEffects(reference, rule, scope, folds);
    return holding.length;
  });
  return { fired, effective: foldAll(world, base, folds) };
}

type Folds = Map<string, { set: number | null; product: number; sum: number }>;

function foldEffects(reference: ReferenceEvaluator, rule: Rule, scope: Scope, folds: Folds): void {
  for (const effect of rule.effects) {
    const value = reference.sum(effect.value, scope, null);
    if (!Number.isFinite(value)) throw new ReferenceTrap();
    for (const entity of reference.targets(effect.target, scope)) {
      const key = `${effect.target.path.join('.')} ${entity}`;
      const fold = folds.get(key) ?? { set: null, product: 1, sum: 0 };
      if (effect.operator === '=') fold.set = value;
      else if (effect.operator === '*=') fold.product *= value;
      else fold.sum += value;
      folds.set(key, fold);
    }
  }
}

function foldAll(world: World, base: ReadonlyMap<string, number>, folds: Folds): Map<string, number> {
  const effective = new Map(base);
  for (const [key, fold] of folds) {
    const [name = '', entity = ''] = key.split(' ');
    const kind = Number(entity) < world.manifest.numAgents ? 'agent' : 'landmark';
    const attribute = world.manifest.attributes.find(
      (candidate) => candidate.name === name && candidate.kind === kind,
    );
    const value = (fold.set ?? base.get(key) ?? 0) * fold.product + fold.sum;
    effective.set(key, Math.min(Math.max(value, attribute?.min ?? value), attribute?.max ?? value));
  }
  return effective;
}

export interface ReferenceRewards {
  readonly fired: number[];
  /** [component][agent] */
  readonly given: number[][];
}

/** Fire counts and gifts of the rewards, in order of name. Throws ReferenceTrap. */
export function runRewards(ast: Environment, world: World): ReferenceRewards {
  const reference = new ReferenceEvaluator(world);
  const rewards = ast.declarations.filter((node): node is Reward => node.$type === 'Reward').sort(byName);
  const given = rewards.map(() => new Array<number>(world.manifest.numAgents).fill(0));
  const fired = rewards.map((reward, component) => {
    const holding = reference
      .instances(reward.loops)
      .filter((scope) => reference.holds(reward.condition, scope));
    for (const scope of holding) {
      for (const gift of reward.gifts) {
        const value = reference.sum(gift.value, scope, null);
        if (!Number.isFinite(value)) throw new ReferenceTrap();
        const row = given[component] ?? [];
        for (const agent of reference.targets(gift.target, scope)) row[agent] = (row[agent] ?? 0) + value;
      }
    }
    return holding.length;
  });
  return { fired, given };
}
