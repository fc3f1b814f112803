/** A word of a text in lower case, and where it stands. */
export interface Word {
  readonly word: string;
  readonly at: number;
  /** A sentence, or a part of one, begins with it. */
  readonly beginsClause: boolean;
}

/** Letters with their apostrophes and hyphens; whatever is between them parts words, and commas and stops part clauses. */
export function wordsOf(text: string): Word[] {
  let end = 0;
  return [...text.matchAll(/\p{L}[\p{L}\p{M}]*(?:['’-][\p{L}\p{M}]+)*/gu)].map((match) => {
    const between = text.slice(end, match.index);
    end = match.index + match[0].length;
    return {
      word: match[0].toLowerCase().replaceAll('’', "'"),
      at: match.index,
      beginsClause: match.index === 0 || /[.,;:!?\n()]/.test(between),
    };
  });
}
