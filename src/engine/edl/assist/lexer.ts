/** A token of a text, comments and white space left out. */
export interface Token {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** The name of the grammar's terminal, or the word or sign itself where it is a keyword. */
  readonly type: string;
}

export interface LexedText {
  readonly tokens: readonly Token[];
  readonly comments: readonly { readonly start: number; readonly end: number }[];
}

const pattern =
  /(\/\*[\s\S]*?(?:\*\/|$)|\/\/[^\n\r]*)|(m\/s(?:\^2)?(?![a-zA-Z0-9_]))|([0-9](?:_?[0-9])*(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?(?:[kM](?![a-zA-Z0-9_]))?)|("(?:\\.|[^"\\\n\r])*"?)|([a-zA-Z_][a-zA-Z0-9_]*)|(\.\.|[<>=!*+]=|[^\s])/g;

/**
 * The tokens of a stretch of any text, with offsets of the whole; a string that is not closed ends with its line.
 * `keywords`: the words of the language.
 */
export function lex(text: string, keywords: ReadonlySet<string>, from = 0, to = text.length): LexedText {
  const tokens: Token[] = [];
  const comments: { start: number; end: number }[] = [];
  for (const match of text.slice(from, to).matchAll(pattern)) {
    const [own, comment, ratio, number, string, word] = match;
    const start = from + match.index;
    const end = start + own.length;
    if (comment !== undefined) comments.push({ start, end });
    else tokens.push({ start, end, text: own, type: typeOf({ own, ratio, number, string, word }, keywords) });
  }
  return { tokens, comments };
}

interface Parts {
  readonly own: string;
  readonly ratio: string | undefined;
  readonly number: string | undefined;
  readonly string: string | undefined;
  readonly word: string | undefined;
}

function typeOf({ own, ratio, number, string, word }: Parts, keywords: ReadonlySet<string>): string {
  if (ratio !== undefined) return 'RATIO_UNIT';
  if (number !== undefined) return 'NUMBER';
  if (string !== undefined) return 'STRING';
  return word === undefined || keywords.has(own) ? own : 'ID';
}
