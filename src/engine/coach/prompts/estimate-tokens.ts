/** Letters of a word taken for one token; common words have more to a token, parts of names fewer. */
const lettersPerToken = 4;

/**
 * Tokens of a text, rather too many than too few, for where no model is at hand: a word as a token for every four letters, and
 * every digit, sign and line break as one. Letters of other scripts count by their bytes. Cost: linear in the text.
 */
export function estimateTokens(text: string): number {
  let count = 0;
  for (const [piece] of text.matchAll(/[A-Za-z]+|\n|[^\sA-Za-z]/gu)) {
    if (/^[A-Za-z]/.test(piece)) count += Math.ceil(piece.length / lettersPerToken);
    else count += Buffer.byteLength(piece);
  }
  return count;
}
