import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { AppError, type ErrorCode } from '../../shared/std/app-error.ts';

const causes: Readonly<Record<string, readonly [ErrorCode, string]>> = {
  ENOSPC: ['workspace.diskFull', 'the disk is full; free some space and try again'],
  EROFS: ['workspace.readOnly', 'the folder is on a read-only file system'],
  EACCES: ['workspace.readOnly', 'the folder may not be written to (check its permissions)'],
  EPERM: ['workspace.readOnly', 'the folder may not be written to (check its permissions)'],
  EISDIR: ['input.invalid', 'it is a folder'],
  ENOTDIR: ['input.invalid', 'part of the path is a file, not a folder'],
  EEXIST: ['input.invalid', 'part of the path is a file, not a folder'],
};

/** The error that is told is the first one, not what comes of tidying up after it. */
function discard(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {
    // A path through something that is no folder cannot hold anything to discard.
  }
}

/** Writes an output file whole or not at all. */
export function writeOutputFile(file: string, content: string | Uint8Array): void {
  const temporary = `${file}.${process.pid}.part`;
  try {
    mkdirSync(path.dirname(path.resolve(file)), { recursive: true });
    writeFileSync(temporary, content);
    renameSync(temporary, file);
  } catch (thrown) {
    discard(temporary);
    const [code, reason] = causes[(thrown as NodeJS.ErrnoException).code ?? ''] ?? [
      'input.invalid',
      String(thrown),
    ];
    throw new AppError(code, `cannot write ${path.resolve(file)}: ${reason}`, {
      data: { path: file },
      cause: thrown,
    });
  }
}
