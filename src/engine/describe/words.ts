import { assertNever } from '../../shared/std/assert-never.ts';
import { allToNone } from './quantise.ts';
import type { Scale } from './template.ts';

/** A quantised value in words. */
export function spellShown(scale: Scale, shown: number): string {
  switch (scale.type) {
    case 'level':
      return scale.levels[shown] ?? '';
    case 'number':
      return spellNumber(scale, shown);
    case 'ratio':
      return spellRatio(shown);
    default:
      return assertNever(scale);
  }
}

function spellNumber({ unit, noun }: Extract<Scale, { type: 'number' }>, shown: number): string {
  const number = String(shown);
  if (noun !== null) return `${number} ${shown === 1 ? noun[0] : noun[1]}`;
  return unit === '' ? number : `${number} ${unit}`;
}

function spellRatio(shown: number): string {
  if (shown === allToNone) return 'all to none';
  if (shown === -allToNone) return 'none to all';
  const larger = String(Number((1 + Math.abs(shown)).toPrecision(12)));
  return shown >= 0 ? `${larger} to 1` : `1 to ${larger}`;
}
