import type { AstNode } from 'langium';
import { type Measure, measureOf, plain, unitFromText, unitSpellings } from '../dimension.ts';
import { parseNumber } from '../number-text.ts';
import type { Reporter } from '../reporter.ts';
import { hintFor, suggestNames } from '../suggest.ts';

/** A literal with its unit read; `measure` is null for a number without one. */
export interface Quantity {
  readonly value: number;
  readonly measure: Measure | null;
}

type QuantityNode = AstNode & { readonly value: string; readonly unit?: string };

/** Reads `0.3 m`, `200k steps`, `30%`; null with a diagnostic where number or unit makes no sense. */
export function readQuantity(reporter: Reporter, node: QuantityNode, stepSeconds: number): Quantity | null {
  const value = parseNumber(node.value);
  if (!Number.isFinite(value)) {
    reporter.report('EDL106', { node, property: 'value' }, `${node.value} is larger than a number can be`);
    return null;
  }
  if (node.unit === undefined) return { value, measure: null };
  const unit = unitFromText(node.unit);
  if (unit === undefined) {
    const suggestions = suggestNames(node.unit, unitSpellings);
    const message = `'${node.unit}' is not a unit${hintFor(suggestions, unitSpellings)}`;
    reporter.report('EDL207', { node, property: 'unit' }, message, suggestions);
    return null;
  }
  if (unit === 'percent') return { value: percentToFraction(value), measure: plain };
  return { value, measure: measureOf(unit, stepSeconds) };
}

/** 30 % is 0.3 exactly as written: the division rounds once, to the double nearest to the decimal fraction. */
export function percentToFraction(percent: number): number {
  return percent / 100;
}
