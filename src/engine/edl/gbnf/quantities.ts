import type { Unit } from '../../../shared/rl/manifest.ts';
import { unitSpelling } from '../types.ts';
import type { GrammarBuilder } from './grammar-builder.ts';
import { numberRule } from './number-rule.ts';
import { type GrammarRule, sequence } from './rule.ts';

/** A number with its unit, within bounds. */
export interface QuantityRange {
  readonly unit: Unit;
  readonly min: number;
  readonly max: number;
  readonly isWhole?: boolean;
}

/** Decimals that tell about a hundred values of a span apart. */
function decimalsFor(span: number): number {
  if (span === 0) return 3;
  return Math.min(4, Math.max(0, 2 - Math.floor(Math.log10(span))));
}

/** Literals of a range as they are written: `0.3 m`, `25%`, `12`. */
export function quantityRule(
  builder: GrammarBuilder,
  { unit, min, max, isWhole }: QuantityRange,
): GrammarRule {
  const scale = unit === 'percent' ? 100 : 1;
  const bounds = { min: Number((min * scale).toPrecision(12)), max: Number((max * scale).toPrecision(12)) };
  const decimals = isWhole === true || unit === 'steps' ? 0 : decimalsFor(bounds.max - bounds.min);
  const name = `${isWhole === true ? 'whole' : ''} ${bounds.min} to ${bounds.max} ${unit}`.replaceAll(
    '-',
    'minus ',
  );
  return builder.define(name.trim(), () => sequence(numberRule({ ...bounds, decimals }), suffixOf(unit)));
}

/** What follows a number of a unit. */
function suffixOf(unit: Unit): string {
  const spelling = unitSpelling[unit];
  return spelling === '' || spelling === '%' ? spelling : ` ${spelling}`;
}

/** The range without its ends and a hundredth beside them, where a threshold decides nothing. */
export function insideOf<R extends QuantityRange>(range: R): R {
  const margin = range.isWhole === true || range.unit === 'steps' ? 1 : (range.max - range.min) / 100;
  const [min, max] = [range.min + margin, range.max - margin];
  return min <= max ? { ...range, min, max } : range;
}
