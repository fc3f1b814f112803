import { hasComment, type Piece, splitTokens } from '../tokens.ts';

/**
 * A declaration with new content that keeps what it can of the old text: tokens that stay keep the white space and
 * comments before them, and comments before tokens that go stay as well. Its tokens are always those of `after`, which
 * stands in canonical layout.
 */
export function mergeDeclaration(before: string, after: string): string {
  const next = splitTokens(after).pieces;
  const merged = mergePieces(splitTokens(before).pieces, next);
  return hasTokens(merged, next) ? merged : after;
}

function mergePieces(old: readonly Piece[], next: readonly Piece[]): string {
  const kept = alignTokens(old, next);
  let result = '';
  let from = 0;
  next.forEach((piece, i) => {
    const match = kept[i];
    const until = match ?? from;
    const orphaned = old.slice(from, until).filter((lost) => hasComment(lost.trivia));
    const isPair = match === 0 || (match !== undefined && kept[i - 1] === match - 1);
    const stay =
      match === undefined ? piece.trivia : keptTrivia(old[match]?.trivia ?? '', piece.trivia, isPair);
    result +=
      orphaned.map((lost) => lost.trivia).join('') +
      (orphaned.length > 0 ? atLineStart(stay, orphaned) : stay) +
      piece.text;
    from = match === undefined ? from : match + 1;
  });
  const lost = old.slice(from).filter((piece) => hasComment(piece.trivia));
  return result + lost.map((piece) => piece.trivia.trimEnd()).join('');
}

/**
 * The old layout, unless only the new text has a comment there, or the token has another one before it now (not
 * `isPair`) and just one of the two layouts parts them: `any(` needs no blank before the bracket, `not any(` one
 * before the word.
 */
function keptTrivia(before: string, after: string, isPair: boolean): string {
  if (hasComment(before)) return before;
  if (hasComment(after)) return after;
  return isPair || (before === '') === (after === '') ? before : after;
}

/** Whether a text has just these tokens. */
function hasTokens(text: string, pieces: readonly Piece[]): boolean {
  const found = splitTokens(text).pieces;
  return found.length === pieces.length && found.every((piece, i) => piece.text === pieces[i]?.text);
}

/** After a line comment the next token must not stand on its line, which ends as those around the comment do. */
function atLineStart(trivia: string, comments: readonly Piece[]): string {
  if (trivia.includes('\n')) return trivia;
  return `${comments.some((comment) => comment.trivia.includes('\r\n')) ? '\r\n' : '\n'}${trivia}`;
}

/** For each new token the old one it continues (longest common subsequence), or undefined. */
function alignTokens(old: readonly Piece[], next: readonly Piece[]): (number | undefined)[] {
  const width = next.length + 1;
  const table = new Uint32Array((old.length + 1) * width);
  for (let i = old.length - 1; i >= 0; i--) {
    for (let j = next.length - 1; j >= 0; j--) {
      const isSame = old[i]?.text === next[j]?.text;
      const skip = Math.max(table[(i + 1) * width + j] ?? 0, table[i * width + j + 1] ?? 0);
      table[i * width + j] = isSame ? (table[(i + 1) * width + j + 1] ?? 0) + 1 : skip;
    }
  }
  return walkAlignment(old, next, table);
}

function walkAlignment(
  old: readonly Piece[],
  next: readonly Piece[],
  table: Uint32Array,
): (number | undefined)[] {
  const width = next.length + 1;
  const kept: (number | undefined)[] = next.map(() => undefined);
  let i = 0;
  let j = 0;
  while (i < old.length && j < next.length) {
    if (old[i]?.text === next[j]?.text) kept[j++] = i++;
    else if ((table[(i + 1) * width + j] ?? 0) >= (table[i * width + j + 1] ?? 0)) i++;
    else j++;
  }
  return kept;
}
