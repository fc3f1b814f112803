import type { AstNode } from 'langium';
import { convert, describeDimension, isSameDimension, measureOf } from '../dimension.ts';
import { formatNumber } from '../number-text.ts';
import type { Reporter } from '../reporter.ts';
import { readQuantity } from './quantity.ts';

/** Longest time anything in a text may take. */
const maxSteps = 1_000_000_000;

type TimeNode = AstNode & { readonly value: string; readonly unit?: string };

interface TimeOptions {
  /** Subject of messages: "the time between two events". */
  readonly what: string;
  readonly min: number;
  readonly stepSeconds: number;
  /** Where the number stands, if its unit does not follow at once. */
  readonly property?: string;
}

/** A time in whole steps, written in steps or seconds; null with a diagnostic. */
export function readSteps(reporter: Reporter, node: TimeNode, options: TimeOptions): number | null {
  const { what, min, stepSeconds, property } = options;
  const quantity = readQuantity(reporter, node, stepSeconds);
  if (quantity === null) return null;
  const steps = measureOf('steps', stepSeconds);
  const measure = quantity.measure ?? steps;
  if (!isSameDimension(measure.dimension, steps.dimension)) {
    const message = `${what} is a time (s, steps), not ${describeDimension(measure.dimension)}`;
    reporter.report('EDL302', { node, property: 'unit' }, message, ['steps']);
    return null;
  }
  const value = convert(quantity.value, measure, steps);
  const nearest = Math.min(maxSteps, Math.max(min, Math.round(value)));
  if (value === nearest) return value;
  const isWhole = Number.isInteger(value);
  const message = isWhole
    ? `${what} ranges from ${min} to ${formatNumber(maxSteps)} steps`
    : `${what} is a whole number of steps (of ${formatNumber(stepSeconds)} s), not ${formatNumber(Number(value.toPrecision(12)))}`;
  if (property !== undefined) {
    const own = formatNumber(convert(nearest, steps, measure));
    reporter.report('EDL505', { node, property }, message, [own]);
    return null;
  }
  const suggestion =
    node.unit === undefined
      ? formatNumber(nearest)
      : `${formatNumber(nearest)} ${nearest === 1 ? 'step' : 'steps'}`;
  reporter.report('EDL505', { node, property: 'value', through: 'unit' }, message, [suggestion]);
  return null;
}
