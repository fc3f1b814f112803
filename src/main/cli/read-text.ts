import path from 'node:path';
import { fileError, readUtf8 } from '../../engine/files/index.ts';
import { AppError } from '../../shared/std/app-error.ts';

/**
 * A text file named on the command line; `-` is standard input. Throws input.notFound with the reason; input.invalid when it
 * is no regular file, too large or not UTF-8.
 */
export function readText(file: string): string {
  try {
    return file === '-' ? readUtf8(0, 'standard input') : readUtf8(file, path.resolve(file));
  } catch (thrown) {
    if (thrown instanceof AppError) throw thrown;
    const { message } = fileError(thrown, 'read', path.resolve(file));
    throw new AppError('input.notFound', message, { data: { path: file }, cause: thrown });
  }
}

/** As `readText`, parsed. Throws input.invalid naming the file and what JSON.parse says of it. */
export function readJson(file: string): unknown {
  try {
    return JSON.parse(readText(file));
  } catch (thrown) {
    if (!(thrown instanceof SyntaxError)) throw thrown;
    throw new AppError('input.invalid', `${path.resolve(file)} is not JSON: ${thrown.message}`, {
      cause: thrown,
    });
  }
}
