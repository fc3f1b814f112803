import { resolve } from 'node:path';
import type { TranslationView } from '../../../shared/contract/coach-translate.ts';
import { openTermTable } from './term-files.ts';
import { translateJudgement } from './translate-judgement.ts';

/**
 * A judgement by the table in `file`; null: the workspace's own, else the shipped one.
 * Throws: input.invalid for what is no table, what fileError says for a file that cannot be read.
 */
export function translateWith(root: string, file: string | null, text: string): TranslationView {
  const { path, table } = openTermTable(root, file === null ? null : resolve(root, file));
  const { value, terms, unknown } = translateJudgement(text, table);
  return {
    value,
    terms: terms.map((term) => ({ ...term, by: [...term.by] })),
    unknown: [...unknown],
    table: path,
  };
}
