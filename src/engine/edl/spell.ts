import type { Unit } from '../../shared/rl/manifest.ts';
import { formatNumber } from './number-text.ts';
import { unitSpelling } from './types.ts';

/** A value of the manifest as it is written in a text: `0.3 m`, `30%`, `12`. */
export function spellQuantity(value: number, unit: Unit): string {
  if (unit === 'percent') return `${formatNumber(Number((value * 100).toPrecision(12)))}%`;
  const spelling = unitSpelling[unit];
  return spelling === '' ? formatNumber(value) : `${formatNumber(value)} ${spelling}`;
}
