/** A comment between two tokens. */
export interface Comment {
  readonly text: string;
  /** Something else stood before it on its line. */
  readonly isTrailing: boolean;
  readonly isBlankBefore: boolean;
  readonly isLineComment: boolean;
}

export interface Trivia {
  readonly comments: readonly Comment[];
  /** An empty line between the last comment (or token) and the next token. */
  readonly isBlankAfter: boolean;
}

const comment = /\/\*[\s\S]*?\*\/|\/\/[^\n]*/g;

/** Takes white space and comments apart. `isStart`: nothing stands before it in the text. */
export function readTrivia(text: string, isStart: boolean): Trivia {
  const comments: Comment[] = [];
  let at = 0;
  for (const match of text.matchAll(comment)) {
    const gap = text.slice(at, match.index);
    const breaks = countBreaks(gap);
    comments.push({
      text: match[0].trimEnd(),
      isTrailing: breaks === 0 && !(isStart && comments.length === 0),
      isBlankBefore: breaks > 1,
      isLineComment: match[0].startsWith('//'),
    });
    at = match.index + match[0].length;
  }
  return { comments, isBlankAfter: countBreaks(text.slice(at)) > 1 };
}

function countBreaks(text: string): number {
  return text.split('\n').length - 1;
}
