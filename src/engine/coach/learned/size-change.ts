import { readGifts, tokenize } from '../enumerate/declaration-text.ts';

/** How a number becomes another one. */
export interface SizeChange {
  /** Negative: halvings. What is nothing at one end counts as the most there is. */
  readonly doublings: number;
  /** What gave takes now, or the other way round. */
  readonly isTurned: boolean;
}

/** Doublings at most: beyond, how far it goes says no more. */
const mostDoublings = 8;

/**
 * What happens to the size of a declaration: of a reward, to what its gifts are multiplied by; else to the first number that differs.
 * Null where sizes stay as they are, or the texts differ otherwise.
 */
export function sizeChange(old: string, now: string): SizeChange | null {
  return giftChange(old, now) ?? firstChange(numbersOf(old), numbersOf(now));
}

/** The value that a `set` gives a parameter, in its unit; null for one by name. */
export function settingOf(text: string): number | null {
  const tokens = tokenize(text).map((token) => token.text);
  const at = tokens.indexOf('=');
  const isNegative = tokens[at + 1] === '-';
  const value = numberOf(tokens[isNegative ? at + 2 : at + 1] ?? '');
  if (at < 0 || value === null) return null;
  const size = tokens.includes('%') ? value / 100 : value;
  return isNegative ? -size : size;
}

export function changeBetween(from: number, to: number): SizeChange | null {
  if (from === to) return null;
  const doublings = Math.log2(Math.abs(to) / Math.abs(from));
  return {
    doublings: Math.max(-mostDoublings, Math.min(mostDoublings, doublings)),
    isTurned: from * to < 0,
  };
}

/** Null unless what is given differs in its factors alone. */
function giftChange(old: string, now: string): SizeChange | null {
  const [before, after] = [readGifts(old), readGifts(now)];
  if (before.length !== after.length || before.some(({ of }, i) => of !== after[i]?.of)) return null;
  return firstChange(
    before.map(({ factor }) => factor),
    after.map(({ factor }) => factor),
  );
}

function firstChange(before: readonly number[], after: readonly number[]): SizeChange | null {
  if (before.length !== after.length) return null;
  const at = before.findIndex((value, i) => value !== after[i]);
  return at < 0 ? null : changeBetween(before[at] ?? 0, after[at] ?? 0);
}

/** Numbers of a text in their order, with the sign that stands before them. */
function numbersOf(text: string): number[] {
  const tokens = tokenize(text).map((token) => token.text);
  return tokens.flatMap((token, i) => {
    const value = numberOf(token);
    if (value === null) return [];
    return tokens[i - 1] === '-' ? -value : value;
  });
}

const multiples: Readonly<Record<string, number>> = { k: 1e3, M: 1e6 };

function numberOf(token: string): number | null {
  const match = /^(\d+(?:\.\d+)?(?:e\d+)?)([kM]?)$/i.exec(token.replaceAll('_', ''));
  return match === null ? null : Number(match[1]) * (multiples[match[2] ?? ''] ?? 1);
}
