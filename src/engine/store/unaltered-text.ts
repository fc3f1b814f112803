import { AppError } from '../../shared/std/app-error.ts';
import { sha256 } from '../files/index.ts';
import type { TextsReader } from './texts.ts';

/**
 * A text that a study was begun with, called `what` in messages: it is what its hash says, or it is refused. Figures would be
 * told of another one otherwise. Throws: store.notFound, store.corrupt.
 */
export function readUnaltered(texts: Pick<TextsReader, 'get'>, hash: string, what: string): string {
  const text = texts.get(hash);
  const found = sha256(text);
  if (found === hash) return text;
  throw new AppError(
    'store.corrupt',
    `${what} was altered in the database: the text on record under ${hash} has the SHA-256 ${found}. Put the database back ` +
      'from a backup, or start the study anew.',
    { data: { expected: hash, actual: found } },
  );
}
