import { choice, digit, type GrammarRule, never, type RulePart, repeat, sequence, text } from './rule.ts';

interface NumberRange {
  readonly min: number;
  readonly max: number;
  /** Decimals written at most; fewer are allowed. */
  readonly decimals: number;
}

/** Largest magnitude that is written out: seven digits before the point. */
const maxMagnitude = 9_999_999;

/**
 * Decimal numbers of a range, exactly: none outside it can be written. With two decimals and 0 to 1.5: `0`, `1`,
 * `0.0` to `1.5`, `0.00` to `1.50`. Never where the range holds no number of so few decimals.
 */
export function numberRule(range: NumberRange): GrammarRule {
  const grids = Array.from({ length: range.decimals + 1 }, (_, decimals) => gridRule(range, decimals));
  return choice(...grids);
}

/** Numbers of exactly so many decimals. */
function gridRule({ min, max }: NumberRange, decimals: number): GrammarRule {
  const scale = 10 ** decimals;
  // A bound that is itself a decimal keeps its place on the grid in spite of rounding (1.1 * 100).
  const low = Math.ceil(Number((Math.max(min, -maxMagnitude) * scale).toPrecision(15)));
  const high = Math.floor(Number((Math.min(max, maxMagnitude) * scale).toPrecision(15)));
  return choice(
    low < 0 ? sequence('-', magnitudeRule(Math.max(1, -high), -low, decimals)) : never,
    magnitudeRule(Math.max(0, low), high, decimals),
  );
}

/** `low` to `high` in units of the last decimal; no leading zeros. */
function magnitudeRule(low: number, high: number, decimals: number): GrammarRule {
  const options: GrammarRule[] = [];
  for (let width = 1; width <= String(maxMagnitude).length; width++) {
    const first = width === 1 ? 0 : 10 ** (width - 1 + decimals);
    const last = 10 ** (width + decimals) - 1;
    const from = Math.max(low, first);
    const to = Math.min(high, last);
    if (from > to) continue;
    const pad = (value: number): string => String(value).padStart(width + decimals, '0');
    options.push(between(pad(from), pad(to), decimals === 0 ? -1 : width));
  }
  return choice(...options);
}

/** Digit strings from `low` to `high`, equally long, with a point before the digit at `point` (-1: none). */
function between(low: string, high: string, point: number): GrammarRule {
  if (low === '') return text('');
  if (point === 0) return sequence('.', between(low, high, -1));
  if (/^0*$/.test(low) && /^9*$/.test(high)) return anyDigits(low.length, point);
  const rest = point < 0 ? -1 : point - 1;
  const [a = '0', b = '0'] = [low[0], high[0]];
  const [lowRest, highRest] = [low.slice(1), high.slice(1)];
  if (a === b) return sequence(a, between(lowRest, highRest, rest));
  const isLowWhole = /^0*$/.test(lowRest);
  const isHighWhole = /^9*$/.test(highRest);
  const inner = digitClass(Number(a) + (isLowWhole ? 0 : 1), Number(b) - (isHighWhole ? 0 : 1));
  const edge = (first: string, from: string, to: string): GrammarRule =>
    sequence(first, between(from, to, rest));
  return choice(
    isLowWhole ? never : edge(a, lowRest, '9'.repeat(lowRest.length)),
    inner === null ? never : sequence(inner, anyDigits(lowRest.length, rest)),
    isHighWhole ? never : edge(b, '0'.repeat(highRest.length), highRest),
  );
}

function anyDigits(count: number, point: number): GrammarRule {
  if (point < 0 || point >= count) return repeat(digit, count, count);
  return sequence(repeat(digit, point, point), '.', repeat(digit, count - point, count - point));
}

function digitClass(from: number, to: number): RulePart | null {
  if (from > to) return null;
  return from === to ? String(from) : { kind: 'characters', ranges: [[String(from), String(to)]] };
}
