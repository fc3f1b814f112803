import type { ExpressionIr, PlaceIr, SetIr } from '../ir.ts';
import { alwaysIr } from '../ir-make.ts';
import type { EntityKind } from '../manifest-index.ts';
import {
  infinity,
  isSomebody,
  type LoweredEntity,
  type LoweringScope,
  lowerEntity,
  lowerSet,
} from './entities.ts';
import type { NodeId } from './graph.ts';

/** A point while lowering. */
interface Place {
  readonly x: NodeId;
  readonly y: NodeId;
  /** Whether there is one: nobody is nowhere. */
  readonly exists: NodeId;
}

/** The distance of two places of which at least one is a centroid; infinite where one of them does not exist. */
export function lowerPlaceDistance(scope: LoweringScope, from: PlaceIr, to: PlaceIr): NodeId {
  const { graph } = scope;
  const start = lowerPlace(scope, from);
  const end = lowerPlace(scope, to);
  const dx = graph.make('SUB', start.x, end.x);
  const dy = graph.make('SUB', start.y, end.y);
  const square = graph.make('ADD', graph.make('MUL', dx, dx), graph.make('MUL', dy, dy));
  return graph.select(graph.and(start.exists, end.exists), graph.make('SQRT', square), infinity(scope));
}

function lowerPlace(scope: LoweringScope, place: PlaceIr): Place {
  if (place.op === 'centroid') return lowerCentroid(scope, place.set);
  const entity = lowerEntity(scope, place);
  const coordinate = (axis: 'x' | 'y'): NodeId => lowerCoordinate(scope, entity, axis);
  return { x: coordinate('x'), y: coordinate('y'), exists: isSomebody(scope, entity) };
}

/** The mean position of the members that take part. */
function lowerCentroid(scope: LoweringScope, set: SetIr): Place {
  const [member] = lowerSet(scope, set);
  const kind = member === undefined ? 'agent' : kindOf(scope, member);
  const of = { op: 'variable', index: scope.variables.length } as const;
  const mean = (name: string): NodeId => {
    const body: ExpressionIr = { op: 'attribute', kind, name, of };
    return scope.lower(scope, { op: 'aggregate', kind: 'mean', set, where: alwaysIr, body });
  };
  const exists = scope.lower(scope, { op: 'aggregate', kind: 'any', set, where: alwaysIr, body: null });
  return { x: mean('x'), y: mean('y'), exists };
}

function lowerCoordinate(scope: LoweringScope, entity: LoweredEntity, axis: 'x' | 'y'): NodeId {
  const attribute = scope.index.attributes[kindOf(scope, entity)].get(axis);
  if (attribute === undefined) throw new RangeError(`no coordinate ${axis}`);
  return entity.type === 'fixed'
    ? scope.graph.make('LOAD', attribute.id, entity.index)
    : scope.graph.make('LOADX', attribute.id, entity.node);
}

function kindOf(scope: LoweringScope, entity: LoweredEntity): EntityKind {
  const index = entity.type === 'fixed' ? entity.index : (entity.candidates[0] ?? 0);
  return scope.index.entitiesByIndex.get(index)?.kind ?? 'agent';
}
