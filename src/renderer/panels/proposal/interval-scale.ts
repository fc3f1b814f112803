/** Maps values to pixels so that all of them and zero lie inside, with a margin for labels. */
export function intervalScale(
  values: readonly number[],
  width: number,
  margin = 50,
): (value: number) => number {
  const finite = values.filter(Number.isFinite);
  const low = Math.min(0, ...finite);
  const high = Math.max(0, ...finite);
  const span = high - low || 1;
  return (value) => margin + ((Math.min(high, Math.max(low, value)) - low) / span) * (width - 2 * margin);
}
