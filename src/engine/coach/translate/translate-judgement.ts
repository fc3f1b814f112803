import type { TermTable } from './term-table.ts';
import { type Word, wordsOf } from './words.ts';

/** A term that was found in a judgement. */
export interface FoundTerm {
  /** As it stands in the table. */
  readonly term: string;
  /** Offset in the text. */
  readonly at: number;
  /** What it counts here: its own value, turned round by negations and scaled by modifiers. */
  readonly value: number;
  /** Negations and modifiers that did so, as they stand in the text. */
  readonly by: readonly string[];
}

export interface Translation {
  /** Mean over the terms found, within the table's range; null where there is none. */
  readonly value: number | null;
  readonly terms: readonly FoundTerm[];
  /** Words that the table does not know, each once, in the order of the text. They count nothing: a person has to say. */
  readonly unknown: readonly string[];
}

/** Longest expression of a table, in words. */
const maxWords = 6;

/**
 * Turns a judgement in words into a number, by the table and by nothing else. Modifiers and negations act on the next term of
 * their clause. Throws: never.
 */
export function translateJudgement(text: string, table: TermTable): Translation {
  const words = wordsOf(text);
  const terms: FoundTerm[] = [];
  const unknown = new Set<string>();
  let waiting: { readonly text: string; readonly factor: number }[] = [];
  for (let i = 0; i < words.length; ) {
    const { at, beginsClause, word } = words[i] as Word;
    if (beginsClause) waiting = [];
    const found = findLongest(words, i, table);
    if (found === null) {
      unknown.add(word);
      i++;
      continue;
    }
    const { expression, length } = found;
    const worth = table.terms.get(expression);
    const factor = table.negations.has(expression) ? -1 : table.modifiers.get(expression);
    if (worth !== undefined) {
      const value = waiting.reduce((product, each) => product * each.factor, worth);
      terms.push({ term: expression, at, value, by: waiting.map((each) => each.text) });
      waiting = [];
    } else if (factor !== undefined) {
      waiting.push({ text: expression, factor });
    }
    i += length;
  }
  const sum = terms.reduce((total, { value }) => total + value, 0);
  const value = terms.length === 0 ? null : Math.min(Math.max(sum / terms.length, table.low), table.high);
  return { value, terms, unknown: [...unknown] };
}

/** The longest expression of the table that begins with word `start` and keeps within its clause. */
function findLongest(
  words: readonly Word[],
  start: number,
  { terms, modifiers, negations, neutral }: TermTable,
): { readonly expression: string; readonly length: number } | null {
  let expression = '';
  let longest: { expression: string; length: number } | null = null;
  for (let length = 1; length <= maxWords; length++) {
    const next = words[start + length - 1];
    if (next === undefined || (length > 1 && next.beginsClause)) break;
    expression = length === 1 ? next.word : `${expression} ${next.word}`;
    const isKnown =
      terms.has(expression) ||
      modifiers.has(expression) ||
      negations.has(expression) ||
      neutral.has(expression);
    if (isKnown) longest = { expression, length };
  }
  return longest;
}
