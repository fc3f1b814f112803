import type { ParseResult } from 'langium';
import { declarationKindNames } from './types.ts';

type SyntaxError = ParseResult['parserErrors'][number];

const expectedToken = /Expecting(?: token of type)? [`'"]?([^`'"]+)[`'"]?/;
/** "1. [for, ID]" in one kind of message, "<[give]>" in another. */
const alternative = /(?:^\s*\d+\. |<)\[([^\]]*)\]/gm;
const tokenWords: Readonly<Record<string, string>> = {
  ID: 'a name',
  NUMBER: 'a number',
  STRING: 'a string in quotes',
  RATIO_UNIT: 'a unit',
  EOF: 'the end of the text',
};

const declarationWords = `a declaration (${declarationKindNames.join(', ')}) or '}'`;

/** What stands at a syntax error and what may stand there, in plain words, with the offsets it concerns. */
export function describeSyntaxError(
  text: string,
  error: SyntaxError,
): { message: string; start: number; end: number } {
  const token = error.token;
  const isAtEnd = Number.isNaN(token.startOffset) || token.image === '';
  const last = text.trimEnd().length;
  const start = isAtEnd ? Math.max(0, last - 1) : token.startOffset;
  const end = isAtEnd ? last : (token.endOffset ?? token.startOffset) + 1;
  const found = isAtEnd ? 'the text ends here' : `found '${token.image.slice(0, 40)}'`;
  const expected = expectedWords(error);
  return { message: expected === '' ? `unexpected: ${found}` : `${found}; expected ${expected}`, start, end };
}

function expectedWords(error: SyntaxError): string {
  if (error.name === 'NotAllInputParsedException') return 'the end of the text';
  if (error.name === 'MismatchedTokenException') {
    const type = expectedToken.exec(error.message)?.[1];
    if (type === '}' && isInEnvironment(error)) return declarationWords;
    return type === undefined ? '' : wordFor(type);
  }
  const firsts = new Set<string>();
  for (const match of error.message.matchAll(alternative)) {
    const first = (match[1] ?? '').split(', ')[0]?.trim() ?? '';
    if (first !== '') firsts.add(wordFor(first));
  }
  // Where any name will do, the words of the language that may serve as one are noise.
  const words = [...firsts].filter((word) => !firsts.has(wordFor('ID')) || !/^'[a-z]+'$/.test(word));
  const shown = words.slice(0, 8);
  return shown.length < 2
    ? shown.join('')
    : `${shown.slice(0, -1).join(', ')}${words.length > 8 ? ', …' : ''} or ${shown.at(-1)}`;
}

/** Rule names carry an invisible mark in Langium's parser. */
function isInEnvironment(error: SyntaxError): boolean {
  return error.context?.ruleStack.at(-1)?.replace(/[^A-Za-z]/g, '') === 'Environment';
}

function wordFor(tokenType: string): string {
  return tokenWords[tokenType] ?? `'${tokenType}'`;
}
