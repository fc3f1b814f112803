import {
  closeSync,
  fsyncSync,
  lstatSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { maxTransferBytes } from './read-whole.ts';

/** How the name of a file that is being written begins. Hidden, so that nobody lists it. */
export const temporaryMark = '.partial-';

let written = 0;

/**
 * Writes a file whole or not at all, whatever is killed when: temporary name beside it, synced, renamed, the folder synced.
 * A file that was there keeps its permissions, a link stays one and its file is written; on any failure all stays as it was
 * and the temporary file is gone.
 * Throws: the system's error; `fileError` says it under the name the caller's people know.
 */
export function writeWhole(path: string, content: Uint8Array | string): void {
  const target = targetOf(path);
  const folder = dirname(target);
  const temporary = join(folder, `${temporaryMark}${process.pid}-${written++}-${basename(target)}`);
  try {
    // Left by a killed process that had this number; never written through, should it be a link.
    rmSync(temporary, { force: true });
    writeSynced(temporary, typeof content === 'string' ? Buffer.from(content) : content, modeOf(target));
    renameSync(temporary, target);
    syncFolder(folder);
  } catch (thrown) {
    discard(temporary);
    throw thrown;
  }
}

/** The file that a link leads to; a link to nothing is replaced. */
function targetOf(path: string): string {
  try {
    return lstatSync(path).isSymbolicLink() ? realpathSync(path) : path;
  } catch {
    return path;
  }
}

function modeOf(path: string): number {
  return (statSync(path, { throwIfNoEntry: false })?.mode ?? 0o666) & 0o777;
}

function writeSynced(path: string, bytes: Uint8Array, mode: number): void {
  const descriptor = openSync(path, 'wx', mode);
  try {
    for (let offset = 0; offset < bytes.length; ) {
      offset += writeSync(descriptor, bytes, offset, Math.min(bytes.length - offset, maxTransferBytes));
    }
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Makes the rename itself durable; Windows has no such call for folders. */
function syncFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const descriptor = openSync(folder, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** The error that is told is the first one, not what comes of tidying up after it. */
function discard(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // A path through something that is no folder cannot hold anything to discard.
  }
}
