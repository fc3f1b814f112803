import type { ManifestParameter } from '../../../shared/rl/manifest.ts';
import { unitSpelling } from '../../edl/types.ts';
import { formatNumber } from './declaration-text.ts';

/** A parameter's value as EDL writes it. */
export function quantity({ unit }: ManifestParameter, value: number): string {
  if (unit === 'percent') return `${formatNumber(value * 100)}%`;
  const spelling = unitSpelling[unit];
  return spelling === '' ? formatNumber(value) : `${formatNumber(value)} ${spelling}`;
}
