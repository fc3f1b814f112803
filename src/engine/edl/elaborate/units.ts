import type { AstNode } from 'langium';
import {
  convert,
  describeDimension,
  isPlain,
  isSameDimension,
  type Measure,
  spellingFor,
} from '../dimension.ts';
import { binaryIr, numberIr } from '../ir-make.ts';
import type { Context } from './context.ts';
import type { NumberValue } from './value.ts';

/**
 * Both numbers in one unit, or null with a diagnostic. Constants are converted to the unit of the other side, so
 * that `time < 2 s` compares whole steps; a bare 0 fits every unit.
 */
export function reconcile(
  context: Context,
  left: { value: NumberValue; node: AstNode },
  right: { value: NumberValue; node: AstNode },
  verb: string,
): { left: NumberValue; right: NumberValue } | null {
  if (isBareZero(left.value)) return { left: adopt(left.value, right.value), right: right.value };
  if (isBareZero(right.value)) return { left: left.value, right: adopt(right.value, left.value) };
  if (!isSameDimension(left.value.measure.dimension, right.value.measure.dimension)) {
    reportMismatch(context, left, right, verb);
    return null;
  }
  const isLeftConverted = left.value.ir.op === 'number';
  const [from, to] = isLeftConverted ? [left, right] : [right, left];
  const converted = finiteOrReport(context, inMeasure(from.value, to.value.measure), from.node);
  if (converted === null) return null;
  return isLeftConverted ? { left: converted, right: right.value } : { left: left.value, right: converted };
}

/** A bare zero in the unit of another number: bare still only where that one is. */
function adopt(zero: NumberValue, { measure, isBare }: NumberValue): NumberValue {
  return { ...zero, measure, isBare };
}

function finiteOrReport(context: Context, value: NumberValue, node: AstNode): NumberValue | null {
  if (value.ir.op !== 'number' || Number.isFinite(value.ir.value)) return value;
  context.reporter.report('EDL106', { node }, 'in the unit of the other side it is no finite number');
  return null;
}

/** A number in the given unit, or null with a diagnostic; a bare number is taken to be in it where `adopt` says so. */
export function expectMeasure(
  context: Context,
  number: { value: NumberValue; node: AstNode },
  measure: Measure,
  options: { what: string; adopt: boolean },
): NumberValue | null {
  const { value, node } = number;
  if (isBareZero(value) || (options.adopt && value.isBare)) return { ...value, measure };
  if (isSameDimension(value.measure.dimension, measure.dimension))
    return finiteOrReport(context, inMeasure(value, measure), node);
  const stated = describeDimension(value.measure.dimension);
  const wanted = describeDimension(measure.dimension);
  if (value.isBare) reportBare(context, node, measure, `${options.what} is ${wanted}: write its unit`);
  else context.reporter.report('EDL302', { node }, `${options.what} is ${wanted}, not ${stated}`);
  return null;
}

/** The same quantity expressed in another unit of its dimension. */
function inMeasure(value: NumberValue, measure: Measure): NumberValue {
  if (value.measure.scale === measure.scale) return { ...value, measure };
  if (value.ir.op === 'number') {
    return { ...value, ir: numberIr(convert(value.ir.value, value.measure, measure)), measure };
  }
  const factor = numberIr(convert(1, value.measure, measure));
  return { ...value, ir: binaryIr('mul', value.ir, factor), measure };
}

function isBareZero(value: NumberValue): boolean {
  return value.isBare && value.ir.op === 'number' && value.ir.value === 0;
}

function reportMismatch(
  context: Context,
  left: { value: NumberValue; node: AstNode },
  right: { value: NumberValue; node: AstNode },
  verb: string,
): void {
  const bare = left.value.isBare ? left : right.value.isBare ? right : null;
  const other = bare === left ? right : left;
  if (bare !== null && !isPlain(other.value.measure.dimension)) {
    const kind = describeDimension(other.value.measure.dimension);
    reportBare(context, bare.node, other.value.measure, `the other side is ${kind}: write the unit`);
    return;
  }
  const first = describeDimension(left.value.measure.dimension);
  const second = describeDimension(right.value.measure.dimension);
  context.reporter.report('EDL302', { node: right.node }, `${first} and ${second} cannot be ${verb}`);
}

function reportBare(context: Context, node: AstNode, measure: Measure, message: string): void {
  const text = node.$cstNode?.text.trim() ?? '';
  const spelling = spellingFor(measure, context.index.manifest.stepSeconds);
  const isNumber = /^-?[\d.]+[kM]?$/.test(text);
  const suggestions =
    spelling === undefined || text === ''
      ? []
      : [isNumber ? `${text} ${spelling}` : `(${text}) * 1 ${spelling}`];
  const shown = suggestions[0] === undefined ? '' : ` ('${suggestions[0]}')`;
  context.reporter.report('EDL303', { node }, `${message}${shown}`, suggestions);
}
