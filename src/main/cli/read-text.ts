import path from 'node:path';
import { readUtf8 } from '../../engine/files/index.ts';
import { AppError } from '../../shared/std/app-error.ts';

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EISDIR: 'it is a folder',
  EACCES: 'it may not be read (check its permissions)',
};

/** A text file named on the command line; `-` is standard input. Throws input.notFound with the reason, input.invalid when it is not UTF-8. */
export function readText(file: string): string {
  try {
    return file === '-' ? readUtf8(0, 'standard input') : readUtf8(file, path.resolve(file));
  } catch (thrown) {
    if (thrown instanceof AppError) throw thrown;
    const code = (thrown as NodeJS.ErrnoException).code ?? '';
    throw new AppError(
      'input.notFound',
      `cannot read ${path.resolve(file)}: ${reasons[code] ?? String(thrown)}`,
      {
        data: { path: file },
        cause: thrown,
      },
    );
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
