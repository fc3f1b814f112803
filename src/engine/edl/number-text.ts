const suffixes: Readonly<Record<string, number>> = { k: 1e3, M: 1e6 };

/** The value of a NUMBER token: 0.05, 1e-3, 10_000, 200k, 5M. May be Infinity for absurd exponents. */
export function parseNumber(token: string): number {
  const digits = token.replaceAll('_', '');
  const factor = suffixes[digits.at(-1) ?? ''];
  if (factor === undefined) return Number(digits);
  // "0.3k" is read as 0.3e3, so that the result is the double nearest to what is written.
  const mantissa = digits.slice(0, -1);
  return /[eE]/.test(mantissa) ? Number(mantissa) * factor : Number(`${mantissa}e${factor === 1e3 ? 3 : 6}`);
}

/** Shortest EDL spelling that reads back as the same double. */
export function formatNumber(value: number): string {
  if (Object.is(value, -0)) return '0';
  const whole = Math.abs(value);
  if (Number.isInteger(value) && whole >= 10_000 && whole <= 1e12) {
    if (whole % 1e6 === 0) return `${value / 1e6}M`;
    if (whole % 1e3 === 0) return `${value / 1e3}k`;
  }
  return String(value).replace('e+', 'e');
}
