import { describeDimension, isPlain, type Measure, measureOf } from '../dimension.ts';
import { type FunctionName, functionNames, functionTable, isFunctionName } from '../function-names.ts';
import type { Call } from '../generated/ast.ts';
import { binaryIr, numberIr, samePlace, unaryIr } from '../ir-make.ts';
import { mayBeNobody } from '../population.ts';
import { isEmpty } from './aggregate.ts';
import { type Context, candidatesOf, elaborateNumber, elaboratePlace, stateRefusal } from './context.ts';
import { elaborateExtremeCall, elaboratePath, isExtremeName, isFloating, reportAnchor } from './extreme.ts';
import { elaborateOwnRelation } from './method.ts';
import { elaborateSet } from './set.ts';
import { asSetExpression } from './set-argument.ts';
import { elaborateInside, elaborateRecent } from './state-functions.ts';
import { reconcile } from './units.ts';
import { reportUnknownFunction } from './unknown-name.ts';
import type { EntityValue, NumberValue, PointValue, Value } from './value.ts';

type Elaborate = (context: Context, node: Call) => Value | null;

/** Functions that read the state: an issue has none. */
const stateFunctions: ReadonlySet<FunctionName> = new Set([
  'centroid',
  'distance',
  'nearest',
  'farthest',
  'inside',
  'recent',
]);

interface Entry {
  readonly arity: number;
  readonly elaborate: Elaborate;
  /** In an npc the first argument may be left out: it is the agent itself. */
  readonly isOfSelf?: true;
}

const functions: Partial<Record<FunctionName, Entry>> = {
  centroid: { arity: 1, elaborate: elaborateCentroid },
  distance: { arity: 2, elaborate: elaborateDistance },
  nearest: { arity: 1, elaborate: elaborateExtremeCall },
  farthest: { arity: 1, elaborate: elaborateExtremeCall },
  min: { arity: 2, elaborate: (context, node) => elaborateChoice(context, node, 'min') },
  max: { arity: 2, elaborate: (context, node) => elaborateChoice(context, node, 'max') },
  clamp: { arity: 3, elaborate: elaborateClamp },
  abs: { arity: 1, elaborate: (context, node) => elaborateAbs(context, node) },
  sqrt: { arity: 1, elaborate: elaborateSqrt },
  inside: { arity: 2, elaborate: elaborateInside, isOfSelf: true },
  recent: { arity: 2, elaborate: elaborateRecent },
};

/** The value of `name(…)`, with the attribute read that may follow it. */
export function elaborateCall(context: Context, node: Call): Value | null {
  const ownRelation = elaborateOwnRelation(context, node);
  if (ownRelation !== undefined) return ownRelation;
  const name = isFunctionName(node.name) ? node.name : undefined;
  const entry = name === undefined ? undefined : functions[name];
  if (name === undefined || entry === undefined) return reportFunction(context, node, name);
  if (context.reads === 'metrics' && stateFunctions.has(name)) {
    context.reporter.report('EDL208', { node, property: 'name' }, stateRefusal(`${name}(…)`));
    return null;
  }
  const isShort =
    entry.isOfSelf === true && context.self !== null && node.arguments.length === entry.arity - 1;
  if (node.arguments.length !== entry.arity && !isShort) {
    const message = `${name} takes ${entry.arity} argument${entry.arity === 1 ? '' : 's'}, not ${node.arguments.length}: ${functionTable[name].signature}`;
    context.reporter.report('EDL304', { node }, message);
    return null;
  }
  if (node.anchor !== undefined && !isExtremeName(name)) {
    reportAnchor(context, node);
    return null;
  }
  const value = entry.elaborate(context, node);
  if (value === null || node.path.length === 0) return value;
  if (value.type === 'entity') return elaboratePath(context, value, node);
  context.reporter.report(
    'EDL301',
    { node, property: 'path' },
    `${name} is ${value.type === 'point' ? 'a point' : 'a number'}: it has no attribute '${node.path.join('.')}'`,
  );
  return null;
}

function reportFunction(context: Context, node: Call, name: FunctionName | undefined): null {
  const place = { node, property: 'name' };
  if (name === undefined) reportUnknownFunction(context, place, node.name, functionNames);
  else context.reporter.report('EDL304', place, `${name} is written ${functionTable[name].signature}`);
  return null;
}

/** An argument `nearest(…)` without `to` is nearest to the other argument. */
function elaborateDistance(context: Context, node: Call): NumberValue | null {
  const [first, second] = node.arguments;
  if (first === undefined || second === undefined) return null;
  const what = 'an argument of distance';
  let from: EntityValue | PointValue | null;
  let to: EntityValue | PointValue | null;
  if (isFloating(first) && !isFloating(second)) {
    to = elaboratePlace(context, second, what);
    from = elaboratePlace({ ...context, anchor: anchorOf(to) ?? context.anchor }, first, what);
  } else {
    from = elaboratePlace(context, first, what);
    const anchor = isFloating(first) ? context.anchor : (anchorOf(from) ?? context.anchor);
    to = elaboratePlace({ ...context, anchor }, second, what);
  }
  if (from === null || to === null) return null;
  const measure = measureOf('m', context.index.manifest.stepSeconds);
  if (samePlace(from.ir, to.ir) && !mayBeNobody(context.index, from.ir, candidatesOf(context)))
    return { type: 'number', ir: numberIr(0), measure, isBare: false };
  return { type: 'number', ir: { op: 'distance', from: from.ir, to: to.ir }, measure, isBare: false };
}

function anchorOf(place: EntityValue | PointValue | null): EntityValue | null {
  return place?.type === 'entity' ? place : null;
}

/** The mean position of a set, or null with a diagnostic. */
function elaborateCentroid(context: Context, node: Call): PointValue | null {
  const [argument] = node.arguments;
  const setNode = argument === undefined ? null : asSetExpression(argument);
  if (setNode === null) {
    const place = { node, property: 'arguments' };
    context.reporter.report('EDL301', place, 'centroid takes a set: centroid(agent), centroid(ally(a))');
    return null;
  }
  const set = elaborateSet(context, setNode);
  if (set === null || isEmpty(context, set, node, 'centroid')) return null;
  return { type: 'point', ir: { op: 'centroid', set: set.ir } };
}

function elaborateChoice(context: Context, node: Call, op: 'min' | 'max'): NumberValue | null {
  const [first, second] = node.arguments;
  if (first === undefined || second === undefined) return null;
  const left = elaborateNumber(context, first, `an argument of ${op}`);
  const right = elaborateNumber(context, second, `an argument of ${op}`);
  if (left === null || right === null) return null;
  const both = reconcile(context, { value: left, node: first }, { value: right, node: second }, 'compared');
  if (both === null) return null;
  return { ...both.left, ir: binaryIr(op, both.left.ir, both.right.ir), isBare: left.isBare && right.isBare };
}

function elaborateClamp(context: Context, node: Call): NumberValue | null {
  const [subject, low, high] = node.arguments;
  if (subject === undefined || low === undefined || high === undefined) return null;
  const value = elaborateNumber(context, subject, 'an argument of clamp');
  const lowest = elaborateNumber(context, low, 'an argument of clamp');
  const highest = elaborateNumber(context, high, 'an argument of clamp');
  if (value === null || lowest === null || highest === null) return null;
  const raised = reconcile(context, { value, node: subject }, { value: lowest, node: low }, 'compared');
  if (raised === null) return null;
  const atLeast: NumberValue = { ...raised.left, ir: binaryIr('max', raised.left.ir, raised.right.ir) };
  const capped = reconcile(
    context,
    { value: atLeast, node: subject },
    { value: highest, node: high },
    'compared',
  );
  if (capped === null) return null;
  const isBare = value.isBare && lowest.isBare && highest.isBare;
  return { ...capped.left, ir: binaryIr('min', capped.left.ir, capped.right.ir), isBare };
}

function elaborateAbs(context: Context, node: Call): NumberValue | null {
  const [argument] = node.arguments;
  const value = argument === undefined ? null : elaborateNumber(context, argument, 'the argument of abs');
  return value === null ? null : { ...value, ir: unaryIr('abs', value.ir) };
}

function elaborateSqrt(context: Context, node: Call): NumberValue | null {
  const [argument] = node.arguments;
  const value = argument === undefined ? null : elaborateNumber(context, argument, 'the argument of sqrt');
  if (argument === undefined || value === null) return null;
  const { length, time, angle } = value.measure.dimension;
  if (length % 2 !== 0 || time % 2 !== 0 || angle % 2 !== 0) {
    const words = describeDimension(value.measure.dimension);
    context.reporter.report('EDL302', { node: argument }, `the square root of ${words} has no unit`);
    return null;
  }
  if (value.ir.op === 'number' && value.ir.value < 0) {
    context.reporter.report(
      'EDL505',
      { node: argument },
      'the square root of a negative number is undefined',
    );
    return null;
  }
  const measure: Measure = isPlain(value.measure.dimension)
    ? value.measure
    : {
        dimension: { length: length / 2, time: time / 2, angle: angle / 2 },
        scale: Math.sqrt(value.measure.scale),
      };
  return { ...value, ir: unaryIr('sqrt', value.ir), measure };
}
