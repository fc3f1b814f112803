import { z } from 'zod';
import { AppError } from '../../../shared/std/app-error.ts';
import { type DocumentProblem, readDocument, schemaProblems } from '../../yaml/index.ts';
import { wordsOf } from './words.ts';

/** What words of a judgement are worth. All of them in lower case, words of a term apart by one blank. */
export interface TermTable {
  readonly low: number;
  readonly high: number;
  readonly terms: ReadonlyMap<string, number>;
  /** Factors for the term behind them. */
  readonly modifiers: ReadonlyMap<string, number>;
  readonly negations: ReadonlySet<string>;
  /** Known to be worth nothing. */
  readonly neutral: ReadonlySet<string>;
}

const expression = z.string().min(1).max(80);
const value = z.number().min(-1e6).max(1e6);

/** The keys of a table's file; meaning: docs/coach/README.md. */
const tableSchema = z.strictObject({
  range: z
    .tuple([value, value])
    .refine(([low, high]) => low < high, 'the lower end first, then the higher one'),
  terms: z.record(expression, value),
  modifiers: z.record(expression, z.number().min(0).max(10)).optional(),
  negations: z.array(expression).optional(),
  neutral: z.array(expression).optional(),
});

/**
 * Reads a table and checks it wholly. Throws: input.invalid with every problem in the message: unknown keys, values that are
 * no numbers, expressions that are no words or stand for two things.
 */
export function parseTermTable(text: string, path: string): TermTable {
  const document = readDocument(text);
  if (document.problems.length > 0) throw refuse(path, document.problems);
  const parsed = tableSchema.safeParse(document.value, { reportInput: false });
  if (!parsed.success) throw refuse(path, schemaProblems(document, tableSchema, parsed.error));
  const { range, terms, modifiers = {}, negations = [], neutral = [] } = parsed.data;
  const problems: DocumentProblem[] = [];
  const seen = new Map<string, string>();
  const take = (written: string, place: (string | number)[]): string => {
    const key = wordsOf(written)
      .map(({ word }) => word)
      .join(' ');
    const before = seen.get(key);
    if (key === '') problems.push(document.problemAt(place, `"${written}" holds no word`));
    else if (before !== undefined)
      problems.push(document.problemAt(place, `"${written}" stands under ${before} too`));
    seen.set(key, String(place[0]));
    return key;
  };
  const table: TermTable = {
    low: range[0],
    high: range[1],
    terms: new Map(Object.entries(terms).map(([term, worth]) => [take(term, ['terms', term]), worth])),
    modifiers: new Map(Object.entries(modifiers).map(([word, by]) => [take(word, ['modifiers', word]), by])),
    negations: new Set(negations.map((word, i) => take(word, ['negations', i]))),
    neutral: new Set(neutral.map((word, i) => take(word, ['neutral', i]))),
  };
  if (problems.length > 0) throw refuse(path, problems);
  return table;
}

function refuse(path: string, problems: readonly DocumentProblem[]): AppError {
  const lines = problems.map(({ line, column, message }) => `  ${path}:${line}:${column} ${message}`);
  return new AppError('input.invalid', `${path} is no table of terms:\n${lines.join('\n')}`, {
    data: { problems },
  });
}
