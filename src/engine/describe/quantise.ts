import { assertNever } from '../../shared/std/assert-never.ts';
import type { Scale, Trend } from './template.ts';

/** What was last told of a slot. Plain JSON. */
export interface SlotMemory {
  /** Index of the level, or the rounded number; null: there was no value. */
  readonly shown: number | null;
  /** Null where the slot has no trend. */
  readonly trend: TrendMemory | null;
}

export interface TrendMemory {
  /** The value at the last movement. */
  readonly anchor: number;
  readonly direction: -1 | 0 | 1;
  /** Descriptions since then. */
  readonly quiet: number;
}

/** One side of a ratio is nothing: beyond every finite ratio. */
export const allToNone = 1e9;

/**
 * What is shown for a value, given what was shown before. It stays as long as the value is within the margin of it, so a
 * value that trembles on a border does not flicker; without a value before, the value alone decides.
 */
export function quantise(scale: Scale, value: number, before: number | null): number {
  switch (scale.type) {
    case 'level':
      return quantiseLevel(scale, value, before);
    case 'number':
    case 'ratio':
      return quantiseNumber(scale, value, before);
    default:
      return assertNever(scale);
  }
}

function quantiseLevel(
  { thresholds, margin }: Extract<Scale, { type: 'level' }>,
  value: number,
  before: number | null,
): number {
  if (before === null) return thresholds.filter((threshold) => value >= threshold).length;
  let level = before;
  while (level < thresholds.length && value >= (thresholds[level] as number) + margin) level++;
  while (level > 0 && value < (thresholds[level - 1] as number) - margin) level--;
  return level;
}

function quantiseNumber(
  { step, margin }: { readonly step: number; readonly margin: number },
  value: number,
  before: number | null,
): number {
  if (Math.abs(value) === allToNone) return value;
  if (before !== null && Math.abs(value - before) <= step / 2 + margin) return before;
  // Multiples of 0.1 are to come out as people write them.
  return Number((Math.round(value / step) * step).toPrecision(12));
}

/**
 * A ratio on the scale that has 0 at even: `of` twice `to` is 1, half of it is -1. NaN where both are nothing.
 * Negative parts have no ratio and give NaN.
 */
export function ratioOf(of: number, to: number): number {
  if (of < 0 || to < 0 || (of === 0 && to === 0)) return Number.NaN;
  if (to === 0) return allToNone;
  if (of === 0) return -allToNone;
  return of >= to ? of / to - 1 : 1 - to / of;
}

/** The trend after a value. Movements smaller than the step are none. */
export function followTrend({ step, settle }: Trend, value: number, before: TrendMemory | null): TrendMemory {
  if (before === null) return { anchor: value, direction: 0, quiet: 0 };
  const moved = value - before.anchor;
  if (Math.abs(moved) >= step) return { anchor: value, direction: moved > 0 ? 1 : -1, quiet: 0 };
  // A steady slot has nothing to forget: its memory is the same however long it is steady.
  if (settle === null || before.direction === 0) return before;
  const quiet = before.quiet + 1;
  return quiet >= settle
    ? { anchor: before.anchor, direction: 0, quiet: 0 }
    : { anchor: before.anchor, direction: before.direction, quiet };
}
