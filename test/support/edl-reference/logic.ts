/** Connectives of three values: 1, 0 and NaN (undefined). */

export function or(a: number, b: number): number {
  if (a === 1 || b === 1) return 1;
  return a === 0 && b === 0 ? 0 : Number.NaN;
}

export function and(a: number, b: number): number {
  if (a === 0 || b === 0) return 0;
  return a === 1 && b === 1 ? 1 : Number.NaN;
}

export function not(a: number): number {
  if (Number.isNaN(a)) return a;
  return a === 0 ? 1 : 0;
}
