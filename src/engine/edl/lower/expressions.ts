import type { OpcodeName } from '../../../shared/generated/opcodes.ts';
import type { BinaryOp, ExpressionIr, PlaceIr } from '../ir.ts';
import { sameEntity } from '../ir-make.ts';
import {
  indexNode,
  infinity,
  type LoweringScope,
  lowerDistance,
  lowerEntity,
  lowerExtreme,
  lowerSet,
} from './entities.ts';
import type { NodeId } from './graph.ts';
import { lowerPlaceDistance } from './places.ts';
import { presenceOf } from './presence.ts';
import { lowerRecent } from './recent.ts';

const binaryOpcodes: Readonly<Record<Exclude<BinaryOp, 'and' | 'or'>, OpcodeName>> = {
  add: 'ADD',
  sub: 'SUB',
  mul: 'MUL',
  div: 'DIV',
  min: 'MIN',
  max: 'MAX',
  lt: 'LT',
  le: 'LE',
  eq: 'EQ',
};

const unaryOpcodes = { neg: 'NEG', abs: 'ABS', sqrt: 'SQRT' } as const;

/** The node that computes an expression for the current loop variables. */
export function lowerExpression(scope: LoweringScope, node: ExpressionIr): NodeId {
  const { graph, index } = scope;
  graph.visit();
  switch (node.op) {
    case 'number':
      return graph.number(node.value);
    case 'boolean':
      return graph.boolean(node.value);
    case 'signal':
      return graph.make('SIGNAL', known(index.signals.get(node.name), node.name).id);
    case 'metric':
      throw new RangeError(`metric ${node.name} outside an issue`);
    case 'attribute':
      return lowerAttribute(scope, node);
    case 'distance':
      return lowerDistanceBetween(scope, node.from, node.to);
    case 'same':
      return graph.same(
        indexNode(scope, lowerEntity(scope, node.left)),
        indexNode(scope, lowerEntity(scope, node.right)),
      );
    case 'relation':
      return lowerRelation(scope, node);
    case 'recent':
      return lowerRecent(scope, node.event, node.steps);
    case 'aggregate':
      return lowerAggregate(scope, node);
    case 'not':
      return graph.not(lowerExpression(scope, node.value));
    case 'neg':
    case 'abs':
    case 'sqrt':
      return graph.make(unaryOpcodes[node.op], lowerExpression(scope, node.value));
    case 'and':
      return graph.and(lowerExpression(scope, node.left), lowerExpression(scope, node.right));
    case 'or':
      return graph.or(lowerExpression(scope, node.left), lowerExpression(scope, node.right));
    default:
      return graph.make(
        binaryOpcodes[node.op],
        lowerExpression(scope, node.left),
        lowerExpression(scope, node.right),
      );
  }
}

function known<T>(found: T | undefined, name: string): T {
  if (found === undefined) throw new RangeError(`'${name}' passed the check but is not in the manifest`);
  return found;
}

function lowerAttribute(scope: LoweringScope, node: Extract<ExpressionIr, { op: 'attribute' }>): NodeId {
  const { id } = known(scope.index.attributes[node.kind].get(node.name), node.name);
  const entity = lowerEntity(scope, node.of);
  return entity.type === 'fixed'
    ? scope.graph.make('LOAD', id, entity.index)
    : scope.graph.make('LOADX', id, entity.node);
}

/** The distance to what is nearest is the smallest distance: no need to look up who it was. */
function lowerDistanceBetween(scope: LoweringScope, from: PlaceIr, to: PlaceIr): NodeId {
  if (from.op === 'centroid' || to.op === 'centroid') return lowerPlaceDistance(scope, from, to);
  if ((to.op === 'nearest' || to.op === 'farthest') && sameEntity(to.to, from))
    return lowerExtreme(scope, to).distance;
  if ((from.op === 'nearest' || from.op === 'farthest') && sameEntity(from.to, to))
    return lowerExtreme(scope, from).distance;
  return lowerDistance(scope, lowerEntity(scope, from), lowerEntity(scope, to));
}

/** From nobody and to nobody no relation holds. */
function lowerRelation(scope: LoweringScope, node: Extract<ExpressionIr, { op: 'relation' }>): NodeId {
  const { graph } = scope;
  const { id } = known(scope.index.relations.get(node.name), node.name);
  const from = lowerEntity(scope, node.from);
  const to = indexNode(scope, lowerEntity(scope, node.to));
  if (from.type === 'fixed') return graph.make('RELATE', id, from.index, to);
  return from.candidates.reduce((relation, candidate) => {
    const isIt = graph.same(from.node, graph.number(candidate));
    return graph.select(isIt, graph.make('RELATE', id, candidate, to), relation);
  }, graph.number(0));
}

type AggregateIr = Extract<ExpressionIr, { op: 'aggregate' }>;

/** One member of an aggregate: whether it counts, and its value. */
interface Term {
  readonly holds: NodeId;
  readonly value: NodeId;
}

function lowerAggregate(scope: LoweringScope, node: AggregateIr): NodeId {
  const { graph } = scope;
  const terms = lowerSet(scope, node.set).map((member): Term => {
    const inner = { ...scope, variables: [...scope.variables, member] };
    const where = lowerExpression(inner, node.where);
    const present = presenceOf(scope, member);
    const holds = node.kind === 'all' ? graph.or(graph.not(present), where) : graph.and(present, where);
    return { holds, value: node.body === null ? holds : lowerExpression(inner, node.body) };
  });
  const holding = terms.map((term) => term.holds);
  switch (node.kind) {
    case 'any':
      return holding.reduce((all, term) => graph.or(all, term), graph.number(0));
    case 'all':
      return holding.reduce((all, term) => graph.and(all, term), graph.number(1));
    case 'count':
      return addAll(scope, holding);
    case 'sum':
      return addAll(
        scope,
        terms.map((term) => graph.select(term.holds, term.value, graph.number(0))),
      );
    case 'mean':
      return lowerMean(scope, terms);
    case 'min':
    case 'max':
      return lowerExtremum(scope, terms, node.kind);
  }
}

/** From the left, in index order; nothing sums to 0. */
function addAll(scope: LoweringScope, terms: readonly NodeId[]): NodeId {
  const [first, ...rest] = terms;
  if (first === undefined) return scope.graph.number(0);
  return rest.reduce((total, term) => scope.graph.make('ADD', total, term), first);
}

/** The mean of nothing is 0. */
function lowerMean(scope: LoweringScope, terms: readonly Term[]): NodeId {
  const { graph } = scope;
  const total = addAll(
    scope,
    terms.map((term) => graph.select(term.holds, term.value, graph.number(0))),
  );
  const isWhole = terms.every((term) => graph.constantOf(term.holds) === 1);
  if (isWhole) return graph.make('DIV', total, graph.number(Math.max(1, terms.length)));
  const count = addAll(
    scope,
    terms.map((term) => term.holds),
  );
  return graph.make('DIV', total, graph.make('MAX', count, graph.number(1)));
}

/** The smallest or largest of nothing is 0. Who does not hold stands for an infinity, which changes no extremum. */
function lowerExtremum(scope: LoweringScope, terms: readonly Term[], kind: 'min' | 'max'): NodeId {
  const { graph } = scope;
  const [first, ...rest] = terms;
  if (first === undefined) return graph.number(0);
  const outside = kind === 'min' ? infinity(scope) : graph.make('NEG', infinity(scope));
  const value = (term: Term): NodeId => graph.select(term.holds, term.value, outside);
  const op = kind === 'min' ? 'MIN' : 'MAX';
  const best = rest.reduce((so, term) => graph.make(op, so, value(term)), value(first));
  const isAny = terms.reduce((some, term) => graph.or(some, term.holds), graph.number(0));
  return graph.select(isAny, best, graph.number(0));
}
