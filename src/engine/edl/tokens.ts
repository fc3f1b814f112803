/** A token of a text with the white space and comments before it. */
export interface Piece {
  readonly trivia: string;
  readonly text: string;
}

const token =
  /m\/s(?:\^2)?(?![a-zA-Z0-9_])|[0-9](?:_?[0-9])*(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?(?:[kM](?![a-zA-Z0-9_]))?|"(?:\\.|[^"\\\n\r])*"|[a-zA-Z_][a-zA-Z0-9_]*|[<>=!*+]=|\.\.|[\s\S]/y;
const trivia = /(?:\s+|\/\*[\s\S]*?\*\/|\/\/[^\n\r]*)*/y;

/** Splits text that parses into tokens, losing nothing: joining trivia and text gives it back, up to `tail`. */
export function splitTokens(text: string): { pieces: Piece[]; tail: string } {
  const pieces: Piece[] = [];
  let at = 0;
  for (;;) {
    trivia.lastIndex = at;
    const before = trivia.exec(text)?.[0] ?? '';
    token.lastIndex = at + before.length;
    const found = token.exec(text)?.[0];
    if (found === undefined) return { pieces, tail: before };
    pieces.push({ trivia: before, text: found });
    at += before.length + found.length;
  }
}

/** Whether white space and comments hold a comment. */
export function hasComment(text: string): boolean {
  return text.includes('/*') || text.includes('//');
}
