import type { GrammarBuilder } from './grammar-builder.ts';
import { characters, type GrammarRule, repeat, sequence } from './rule.ts';

const letter = characters(['a', 'z']);
const wordLength = 12;

/**
 * A few words of plain text of at most `maxLength` characters: between two words stands one blank, so that a model
 * cannot go on writing white space. Nothing in it needs an escape, in EDL or in JSON.
 */
export function proseRule(builder: GrammarBuilder, maxLength: number): GrammarRule {
  const word = builder.define('word', () =>
    repeat(characters(['A', 'Z'], ['a', 'z'], ['0', '9'], [',', '.'], ["'", "'"], ['%', '%']), 1, wordLength),
  );
  const maxWords = Math.max(1, Math.floor((maxLength + 1) / (wordLength + 1)));
  return builder.define(`prose ${maxLength}`, () =>
    sequence(word, repeat(sequence(' ', word), 0, maxWords - 1)),
  );
}

/**
 * A new name of two words, of bounded length. It is no word of the language, which has none with an underscore.
 * `ending` keeps names of several declarations apart.
 */
export function identifierRule(builder: GrammarBuilder, ending?: string): GrammarRule {
  const part = builder.define('name part', () => repeat(letter, 3, 8));
  return sequence(part, '_', ending ?? part);
}
