/** Numbers as a person reads them: 1 234 567 steps are "1.23 M". */
export function formatCount(value: number): string {
  const magnitude = Math.abs(value);
  if (magnitude >= 1e9) return `${trim(value / 1e9)} G`;
  if (magnitude >= 1e6) return `${trim(value / 1e6)} M`;
  if (magnitude >= 1e4) return `${trim(value / 1e3)} k`;
  return String(Math.round(value));
}

/** A measured value with four significant digits; "–" when there is none. */
export function formatValue(value: number | null | undefined): string {
  if (value === null || value === undefined || Number.isNaN(value)) return '–';
  if (!Number.isFinite(value)) return value > 0 ? '∞' : '−∞';
  const magnitude = Math.abs(value);
  if (value !== 0 && (magnitude < 1e-3 || magnitude >= 1e6)) return withMinus(value.toExponential(2));
  return withMinus(String(Number(value.toPrecision(4))));
}

/** The same with its sign always shown, for differences. */
export function formatDifference(value: number): string {
  return value > 0 ? `+${formatValue(value)}` : formatValue(value);
}

/** "1 seed", "3 seeds". */
export function formatQuantity(count: number, unit: string): string {
  return count === 1 ? `1 ${unit}` : `${count} ${unit}s`;
}

/** A share in whole percent, without its sign: "18", "−14". */
export function formatPercent(share: number): string {
  // Without the sum, −0 would keep its sign.
  return withMinus(String(Math.round(100 * share) + 0));
}

export function formatTime(ms: number): string {
  return new Date(ms).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit', second: '2-digit' });
}

function trim(value: number): string {
  return withMinus(String(Number(value.toPrecision(3))));
}

function withMinus(text: string): string {
  return text.replace('-', '−');
}
