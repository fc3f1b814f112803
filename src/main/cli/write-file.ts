import path from 'node:path';
import { fileError, makeFolder, writeWhole } from '../../engine/files/index.ts';
import { AppError } from '../../shared/std/app-error.ts';

/** Whether an answer goes to standard output: where no file is named, or `-` is. */
export const isStandardOutput = (file: string | undefined): file is undefined | '-' =>
  file === undefined || file === '-';

/** Throws: input.invalid for `-`, which is no name of a file elsewhere. */
export function requireFileName(file: string): void {
  if (file === '-')
    throw new AppError('input.invalid', '"-" names no file to write here; a file of that name is "./-"');
}

/** Writes an output file whole or not at all, with the folders on the way. Throws: input.invalid for `-`. */
export function writeOutputFile(file: string, content: string | Uint8Array): void {
  requireFileName(file);
  const target = path.resolve(file);
  try {
    makeFolder(path.dirname(target));
    writeWhole(target, content);
  } catch (thrown) {
    throw fileError(thrown, 'write', target);
  }
}
