import type { ParseResult } from 'langium';
import { unitSpellings } from './dimension.ts';
import { isRelationName } from './relation.ts';
import { hintFor, suggestNames } from './suggest.ts';
import { syntaxSlip } from './syntax-slips.ts';
import { declarationKindNames } from './types.ts';
import { type Unclosed, unclosedAt, unclosedBefore } from './unclosed.ts';

type SyntaxError = ParseResult['parserErrors'][number];

const expectedToken = /Expecting(?: token of type)? [`'"]?([^`'"]+)[`'"]?/;
/** "1. [for, ID]" in one kind of message, "<[spawn] ,[disturb]>" in another. */
const alternative = /(?:^\s*\d+\. |<|,)\[([^\]]*)\]/gm;
const unitWords = 'a unit (s, steps, m, …)';
const tokenWords: Readonly<Record<string, string>> = {
  ID: 'a name',
  NUMBER: 'a number',
  STRING: 'a string in quotes',
  ...Object.fromEntries(['RATIO_UNIT', 'm', 's', 'step', 'steps', 'deg'].map((unit) => [unit, unitWords])),
  EOF: 'the end of the text',
};

const declarationWords = `a declaration (${declarationKindNames.join(', ')}) or '}'`;

/** A syntax error as an author reads it, with the offsets it concerns. */
export interface SyntaxProblem {
  readonly code: 'EDL103' | 'EDL207';
  readonly message: string;
  readonly suggestions: readonly string[];
  readonly start: number;
  readonly end: number;
}

/** Clauses that are often written in another order than theirs. */
const orderHints: Readonly<Record<string, string>> = {
  'Event every': "'every' comes before 'for' and 'when'",
  'Event at': "'at' comes before 'for' and 'when'",
  'Event with': "'with chance' comes before what happens",
  'Event for': "'for' comes after 'every' and 'at', before 'when'",
  'Event when': "'when' comes before what happens",
  'Rule for': "'for' comes before 'when' and 'then'",
  'Rule when': "'when' comes after 'for', before 'then'",
  'Npc when': "what is done comes first, when after it: 'retreat when health < 30%'",
  'Reward for': "'for' comes before 'when' and 'give'",
  'Reward when': "'when' comes after 'for', before 'give'",
  'ScheduleEntry with': "'with chance' comes before 'enter'",
  'Schedule with': "'with chance' comes before 'enter'",
};

/** What stands at a syntax error and what may stand there, in plain words, with the offsets it concerns. */
export function describeSyntaxError(text: string, error: SyntaxError): SyntaxProblem {
  const token = error.token;
  const isAtEnd = Number.isNaN(token.startOffset) || token.image === '';
  const last = text.trimEnd().length;
  const start = isAtEnd ? Math.max(0, last - 1) : token.startOffset;
  const end = isAtEnd ? last : (token.endOffset ?? token.startOffset) + 1;
  const found = isAtEnd ? 'the text ends here' : `found '${token.image.slice(0, 40)}'`;
  if (!isAtEnd && text.startsWith('/*', start)) {
    return {
      code: 'EDL103',
      message: 'the comment has no closing */',
      suggestions: [],
      start,
      end: start + 2,
    };
  }
  const unit = token.tokenType.name === 'ID' ? unknownUnit(text, token.image, start) : null;
  if (unit !== null && !isAtEnd) return { ...unit, start, end };
  const bracketed = bracketAfterSet(text, start);
  if (bracketed !== null) return bracketed;
  const hint = orderHints[`${ruleOf(error)} ${token.image}`];
  if (hint !== undefined) return { code: 'EDL103', message: hint, suggestions: [], start, end };
  const unclosed = isAtEnd ? unclosedAt(text, text.length, 1) : unclosedBefore(text, start, token.image);
  if (unclosed !== null) return describeUnclosed(text, error, unclosed, found);
  const slip = isAtEnd ? null : syntaxSlip({ text, start, image: token.image, rule: ruleOf(error) });
  if (slip !== null) return { code: 'EDL103', ...slip };
  const expected = expectedWords(error);
  // Within the first line of a text nothing is declared yet.
  const isHeader = !text.slice(0, start).includes('{');
  const kinds =
    ruleOf(error) === 'Environment' && !isHeader ? suggestNames(token.image, declarationKindNames) : [];
  if (kinds.length > 0) {
    const message = `'${token.image}' begins no declaration; did you mean '${kinds[0]}'?`;
    return { code: 'EDL103', message, suggestions: kinds, start, end };
  }
  return {
    code: 'EDL103',
    message: expected === '' ? `unexpected: ${found}` : `${found}; expected ${expected}`,
    suggestions: [],
    start,
    end,
  };
}

/** A missing brace is told where it is missing, not where the next declaration begins. */
function describeUnclosed(
  text: string,
  error: SyntaxError,
  { words, start, end }: Unclosed,
  found: string,
): SyntaxProblem {
  const last = text.slice(start, end);
  const isComplete =
    error.name === 'MismatchedTokenException' && expectedToken.exec(error.message)?.[1] === '}';
  const isPlain = !text.slice(text.lastIndexOf('\n', start) + 1, end).includes('//') && !last.endsWith('*/');
  const message = isComplete
    ? `${words} has no closing '}'${found.startsWith('found') ? ` before ${found.slice('found '.length)}` : ''}`
    : `${words} is not complete: ${found}; expected ${expectedWords(error)}`;
  return { code: 'EDL103', message, suggestions: isComplete && isPlain ? [`${last} }`] : [], start, end };
}

/** `for a in agent (time)` just before, perhaps with the `unit` that was taken for a name. */
const setAndBracket = /\bin\s+([A-Za-z_]\w*)\s*(\(\s*([A-Za-z_]\w*)\s*\))(?:\s*unit)?\s*$/;

/** A name in brackets right after the set of a loop is read as the set's argument, as in ally(a). */
function bracketAfterSet(text: string, start: number): SyntaxProblem | null {
  const from = Math.max(0, start - 200);
  const match = setAndBracket.exec(text.slice(from, start));
  if (match === null) return null;
  const [, set = '', bracket = '', name = ''] = match;
  if (isRelationName(set)) return null;
  const at = from + match.index + match[0].indexOf(bracket, match[0].indexOf(set) + set.length);
  const message = `'${set} (${name})' is read as a set with an argument, as in ally(a): write '${name}' without brackets`;
  return {
    code: 'EDL103',
    message,
    suggestions: [/\s/.test(text.charAt(at - 1)) ? name : ` ${name}`],
    start: at,
    end: at + bracket.length,
  };
}

const numberBefore =
  /(?<![a-zA-Z0-9_.]|\bstep[ \t]+)[0-9][0-9_]*(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?[kM]?[ \t]*$/;

/** A name right after a number was meant as its unit. */
function unknownUnit(
  text: string,
  image: string,
  start: number,
): Pick<SyntaxProblem, 'code' | 'message' | 'suggestions'> | null {
  if (!numberBefore.test(text.slice(Math.max(0, start - 80), start))) return null;
  const suggestions = suggestNames(image, unitSpellings);
  return {
    code: 'EDL207',
    message: `'${image}' is not a unit${hintFor(suggestions, unitSpellings)}`,
    suggestions,
  };
}

function expectedWords(error: SyntaxError): string {
  if (error.name === 'NotAllInputParsedException') return 'the end of the text';
  if (error.name === 'MismatchedTokenException') {
    const type = expectedToken.exec(error.message)?.[1];
    if (type === '}' && ruleOf(error) === 'Environment') return declarationWords;
    if (type === ')' && ruleOf(error) === 'Call') return "',' or ')'";
    return type === undefined ? '' : wordFor(type);
  }
  const firsts = new Set<string>();
  for (const match of error.message.matchAll(alternative)) {
    const first = (match[1] ?? '').split(', ')[0]?.trim() ?? '';
    if (first !== '') firsts.add(wordFor(first));
  }
  // Where any name will do, the words of the language that may serve as one are noise; so is % among the units.
  const isNoise = (word: string): boolean =>
    (firsts.has(wordFor('ID')) && (/^'[a-z]+'$/.test(word) || word === unitWords)) ||
    (firsts.has(unitWords) && word === wordFor('%'));
  const words = [...firsts].filter((word) => !isNoise(word));
  const shown = words.slice(0, 8);
  return shown.length < 2
    ? shown.join('')
    : `${shown.slice(0, -1).join(', ')}${words.length > 8 ? ', …' : ''} or ${shown.at(-1)}`;
}

/** Rule names carry an invisible mark in Langium's parser. */
function ruleOf(error: SyntaxError): string {
  return error.context?.ruleStack.at(-1)?.replace(/[^A-Za-z]/g, '') ?? '';
}

function wordFor(tokenType: string): string {
  return tokenWords[tokenType] ?? `'${tokenType}'`;
}
