import type { ManifestParameter, Unit } from '../../shared/rl/manifest.ts';
import { formatNumber } from './number-text.ts';
import { unitSpelling } from './types.ts';

/** A value of the manifest as it is written in a text: `0.3 m`, `30%`, `12`. */
export function spellQuantity(value: number, unit: Unit): string {
  if (unit === 'percent') return `${formatNumber(Number((value * 100).toPrecision(12)))}%`;
  const spelling = unitSpelling[unit];
  return spelling === '' ? formatNumber(value) : `${formatNumber(value)} ${spelling}`;
}

/** One of the names of a choice: as a word, or quoted where it begins with a digit. */
export const spellChoice = (name: string): string => (/^[a-zA-Z_]/.test(name) ? name : `"${name}"`);

type Valued = Pick<ManifestParameter, 'kind' | 'unit' | 'choices'>;

/** A value of a parameter as `set` writes it. */
export function spellParameter({ kind, unit, choices }: Valued, value: number): string {
  if (kind === 'bool') return String(value !== 0);
  if (kind !== 'choice') return spellQuantity(value, unit);
  const name = choices[value];
  return name === undefined ? formatNumber(value) : spellChoice(name);
}
