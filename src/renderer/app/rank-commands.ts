import type { Command } from './commands.ts';

/** How well a text fits what was typed, 0 (not at all) to 1. */
export type Scorer = (value: string, search: string) => number;

const minWordLength = 2;

/**
 * Commands that fit what was typed, the best first. One that needs a word (`onlyAfter`) is left out until it is typed;
 * once it is, the command is what is meant and comes before what merely resembles the text.
 */
export function rankCommands(
  commands: readonly Command[],
  search: string,
  score: Scorer,
): readonly Command[] {
  return commands
    .map((command) => ({ command, rank: rankOf(command, search, score) }))
    .filter(({ rank }) => rank > 0)
    .toSorted((a, b) => b.rank - a.rank)
    .map(({ command }) => command);
}

function rankOf({ onlyAfter, title, id }: Command, search: string, score: Scorer): number {
  const own = score(`${title} ${id}`, search);
  if (onlyAfter === undefined || own === 0) return own;
  const words = search.trim().split(/\s+/);
  return words.some((word) => isStartOf(word, onlyAfter)) ? own + 1 : 0;
}

function isStartOf(typed: string, word: string): boolean {
  return typed.length >= minWordLength && word.startsWith(typed.toLowerCase());
}
