import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** Replaces a file as a whole: temporary name beside it, synced, renamed. On any failure the old content stays. */
export function writeAtomically(path: string, content: Uint8Array): void {
  const temporary = join(dirname(path), `.${basename(path)}.${process.pid}.tmp`);
  try {
    const file = openSync(temporary, 'w', 0o644);
    try {
      for (let written = 0; written < content.length; ) written += writeSync(file, content, written);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}
