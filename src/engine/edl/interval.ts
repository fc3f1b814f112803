import type { BinaryOp, ExpressionIr, PlaceIr, SetIr, UnaryOp } from './ir.ts';
import { appliesTo, type EntityKind, type ManifestIndex } from './manifest-index.ts';
import { type Relation, relatedAgents } from './relation.ts';

/** Bounds of a value. Booleans are within 0..1. */
export interface Interval {
  readonly min: number;
  readonly max: number;
}

const anything: Interval = { min: -Infinity, max: Infinity };
const truth: Interval = { min: 0, max: 1 };
const point = (value: number): Interval => ({ min: value, max: value });

/** True or false where the manifest's bounds already decide a condition, else null. */
export function constantCondition(
  index: ManifestIndex,
  condition: ExpressionIr,
  metrics: Metrics = index.metrics,
): boolean | null {
  const { min, max } = boundsOf(index, condition, metrics);
  if (min === max) return min === 1;
  return null;
}

/** Bounds of the metrics that a condition may read. */
type Metrics = ReadonlyMap<string, Interval>;

/** Bounds of an expression over all states the manifest allows. */
export function boundsOf(
  index: ManifestIndex,
  node: ExpressionIr,
  metrics: Metrics = index.metrics,
): Interval {
  switch (node.op) {
    case 'number':
      return point(node.value);
    case 'boolean':
      return point(node.value ? 1 : 0);
    case 'signal':
      return index.signals.get(node.name) ?? anything;
    case 'metric':
      return metrics.get(node.name) ?? anything;
    case 'attribute':
      return index.attributes[node.kind].get(node.name) ?? anything;
    case 'distance':
      return distanceBounds(index, node.from, node.to);
    case 'same':
    case 'recent':
      return truth;
    case 'relation':
      return relationBounds(index, node.name);
    case 'aggregate':
      return aggregateBounds(index, node, metrics);
    case 'neg':
    case 'abs':
    case 'sqrt':
    case 'not':
      return unaryBounds(node.op, boundsOf(index, node.value, metrics));
    default:
      return binaryBounds(node.op, boundsOf(index, node.left, metrics), boundsOf(index, node.right, metrics));
  }
}

function relationBounds(index: ManifestIndex, name: string): Interval {
  return index.relations.get(name)?.kind === 'boolean' ? truth : anything;
}

function unaryBounds(op: UnaryOp, value: Interval): Interval {
  switch (op) {
    case 'neg':
      return { min: -value.max, max: -value.min };
    case 'not':
      return { min: 1 - value.max, max: 1 - value.min };
    case 'abs': {
      const ends = [Math.abs(value.min), Math.abs(value.max)];
      return { min: value.min <= 0 && value.max >= 0 ? 0 : Math.min(...ends), max: Math.max(...ends) };
    }
    case 'sqrt':
      return { min: Math.sqrt(Math.max(0, value.min)), max: Math.sqrt(Math.max(0, value.max)) };
  }
}

function binaryBounds(op: BinaryOp, left: Interval, right: Interval): Interval {
  switch (op) {
    case 'add':
      return known(left.min + right.min, left.max + right.max);
    case 'sub':
      return known(left.min - right.max, left.max - right.min);
    case 'mul':
      return cornersOf(left, right, (a, b) => (a === 0 || b === 0 ? 0 : a * b));
    case 'div':
      return right.min <= 0 && right.max >= 0 ? anything : cornersOf(left, right, (a, b) => a / b);
    case 'min':
      return { min: Math.min(left.min, right.min), max: Math.min(left.max, right.max) };
    case 'max':
      return { min: Math.max(left.min, right.min), max: Math.max(left.max, right.max) };
    case 'lt':
      return decide(left.max < right.min, left.min >= right.max);
    case 'le':
      return decide(left.max <= right.min, left.min > right.max);
    case 'eq':
      return decide(
        left.min === left.max && right.min === right.max && left.min === right.min,
        left.max < right.min || left.min > right.max,
      );
    case 'and':
      return { min: Math.min(left.min, right.min), max: Math.min(left.max, right.max) };
    case 'or':
      return { min: Math.max(left.min, right.min), max: Math.max(left.max, right.max) };
  }
}

function decide(always: boolean, never: boolean): Interval {
  if (always) return point(1);
  return never ? point(0) : truth;
}

function known(min: number, max: number): Interval {
  return { min: Number.isNaN(min) ? -Infinity : min, max: Number.isNaN(max) ? Infinity : max };
}

function cornersOf(left: Interval, right: Interval, combine: (a: number, b: number) => number): Interval {
  const corners = [
    combine(left.min, right.min),
    combine(left.min, right.max),
    combine(left.max, right.min),
    combine(left.max, right.max),
  ];
  if (corners.some(Number.isNaN)) return anything;
  return { min: Math.min(...corners), max: Math.max(...corners) };
}

function aggregateBounds(
  index: ManifestIndex,
  node: Extract<ExpressionIr, { op: 'aggregate' }>,
  metrics: Metrics,
): Interval {
  const where = boundsOf(index, node.where, metrics);
  const most = where.max === 0 ? 0 : largestSize(index, node.set);
  const fewest = where.min === 1 ? smallestSize(index, node.set) : 0;
  switch (node.kind) {
    case 'count':
      return { min: fewest, max: most };
    case 'any':
      return { min: fewest > 0 ? 1 : 0, max: most > 0 ? 1 : 0 };
    case 'all':
      return {
        min: where.min === 1 ? 1 : 0,
        max: where.max === 0 && smallestSize(index, node.set) > 0 ? 0 : 1,
      };
    default: {
      if (node.body === null) return anything;
      const body = boundsOf(index, node.body, metrics);
      if (node.kind === 'sum') {
        const [low, high] = [fewest * body.min, most * body.max];
        return known(Math.min(low, most * body.min), Math.max(high, fewest * body.max));
      }
      // Over nobody they are 0.
      return fewest > 0 ? body : { min: Math.min(0, body.min), max: Math.max(0, body.max) };
    }
  }
}

/** Largest distance between two places within the bounds of their coordinates; no end where one may be nobody's. */
function distanceBounds(index: ManifestIndex, from: PlaceIr, to: PlaceIr): Interval {
  if (mayBeNobody(index, from) || mayBeNobody(index, to)) return { min: 0, max: Infinity };
  const kinds = [placeKind(index, from), placeKind(index, to)] as const;
  const span = (axis: string): number => {
    const [a, b] = kinds.map((kind) => index.attributes[kind].get(axis) ?? anything);
    return a === undefined || b === undefined ? Infinity : Math.max(a.max - b.min, b.max - a.min);
  };
  return { min: 0, max: Math.hypot(span('x'), span('y')) };
}

function placeKind(index: ManifestIndex, place: PlaceIr): EntityKind {
  switch (place.op) {
    case 'variable':
      // Which kind a variable has is not kept here: the wider of the two bounds is taken for it.
      return widestKind(index);
    case 'entity':
      return index.entities.get(place.name)?.kind ?? 'agent';
    case 'member':
      return index.sets.get(place.set)?.kind ?? 'agent';
    case 'nearest':
    case 'farthest':
    case 'centroid':
      if (place.set.op !== 'set') return 'agent';
      return index.sets.get(place.set.name)?.kind ?? index.entities.get(place.set.name)?.kind ?? 'agent';
  }
}

function widestKind(index: ManifestIndex): EntityKind {
  const width = (kind: EntityKind): number => {
    const x = index.attributes[kind].get('x');
    return x === undefined ? Infinity : x.max - x.min;
  };
  return width('landmark') > width('agent') ? 'landmark' : 'agent';
}

/** Whether a place may be nobody's: the nearest member of a set of which none may take part. */
export function mayBeNobody(index: ManifestIndex, place: PlaceIr): boolean {
  if (place.op !== 'nearest' && place.op !== 'farthest' && place.op !== 'centroid') return false;
  return smallestSize(index, place.set) === 0;
}

/** Most members a set has. */
export function largestSize(index: ManifestIndex, set: SetIr): number {
  if (set.op === 'set') {
    const found = index.sets.get(set.name);
    return found === undefined || found.dynamic ? 1 : found.entities.length;
  }
  return Math.max(0, ...relatedSizes(index, set.op));
}

/** Fewest members that take part: those that no state leaves out. */
export function smallestSize(index: ManifestIndex, set: SetIr): number {
  if (set.op !== 'set') {
    const sizes = [...index.groupOf.keys()].map(
      (agent) => relatedAgents(index, set.op, agent).filter((other) => isAlwaysPresent(index, other)).length,
    );
    return sizes.length === 0 ? 0 : Math.min(...sizes);
  }
  const found = index.sets.get(set.name);
  if (found === undefined) {
    const entity = index.entities.get(set.name);
    return entity !== undefined && isAlwaysPresent(index, entity.index) ? 1 : 0;
  }
  const sure = found.entities.filter((entity) => isAlwaysPresent(index, entity)).length;
  return found.dynamic ? Number(sure === found.entities.length) : sure;
}

function isAlwaysPresent(index: ManifestIndex, entity: number): boolean {
  const kind = index.entitiesByIndex.get(entity)?.kind ?? 'agent';
  const attribute = index.attributes[kind].get(index.manifest.presence[kind] ?? '');
  return attribute === undefined || !appliesTo(index, attribute, entity);
}

function relatedSizes(index: ManifestIndex, relation: Relation): number[] {
  return [...index.groupOf.keys()].map((agent) => relatedAgents(index, relation, agent).length);
}
