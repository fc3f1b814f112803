import { declarationWords } from './words.ts';

/** A stretch of the text that holds whole declarations. */
export interface TextPiece {
  readonly start: number;
  readonly end: number;
}

export interface SplitText {
  /** End of `environment … {`. */
  readonly headerEnd: number;
  /** In order; what is between and after them is white space and comments. */
  readonly pieces: readonly TextPiece[];
}

const tokens =
  /\/\*[\s\S]*?(?:\*\/|$)|\/\/[^\n\r]*|"(?:\\.|[^"\\\n\r])*"?|[A-Za-z_][A-Za-z0-9_]*|[{}]|[^\sA-Za-z_{}"/]+|\//g;
/** After these a word that opens declarations elsewhere is a name. */
const namingWords: ReadonlySet<string> = new Set([...declarationWords, 'policy', 'extends', 'environment']);

/**
 * Cuts a text between its declarations: after each block, and before each line that begins with a declaration's
 * keyword. Null where braces do not match or something stands outside of them: such a text is parsed as a whole.
 * Cost: one pass, some nanoseconds a character.
 */
export function splitDeclarations(text: string): SplitText | null {
  let depth = 0;
  let headerEnd = -1;
  let isClosed = false;
  let start = -1;
  let previous = '';
  let previousEnd = 0;
  const pieces: TextPiece[] = [];
  const endPiece = (end: number): void => {
    if (start >= 0) pieces.push({ start, end });
    start = -1;
  };
  for (const { 0: token, index } of text.matchAll(tokens)) {
    if (token.startsWith('//') || token.startsWith('/*')) continue;
    if (isClosed) return null;
    if (token === '{') depth++;
    if (token === '}') depth--;
    if (depth === 0) {
      if (headerEnd >= 0) isClosed = true;
      else if (token === '}') return null;
    } else if (headerEnd < 0) {
      headerEnd = index + 1;
    } else if (depth === 1 && token !== '}') {
      if (start >= 0 && isFirstOfLine(text, index, previousEnd) && opensDeclaration(token, previous)) {
        endPiece(previousEnd);
      }
      if (start < 0) start = index;
    }
    const end = index + token.length;
    if (token === '}' && depth <= 1) endPiece(depth === 1 ? end : previousEnd);
    previous = token;
    previousEnd = end;
  }
  return isClosed ? { headerEnd, pieces } : null;
}

function isFirstOfLine(text: string, at: number, previousEnd: number): boolean {
  const line = text.lastIndexOf('\n', at);
  return line >= previousEnd && text.slice(line + 1, at).trim() === '';
}

function opensDeclaration(word: string, previous: string): boolean {
  return declarationWords.has(word) && !namingWords.has(previous) && !/[.=,\-*/+(]$/.test(previous);
}
