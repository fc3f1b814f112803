/** Three significant digits: more would be noise to a reader and tokens to a model. */
export function shortNumber(value: number): string {
  if (!Number.isFinite(value)) return 'unknown';
  return String(Number(value.toPrecision(3)));
}
