import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileError, makeFolder, sha256, temporaryMark, writeWhole } from '../files/index.ts';

/** Name of a file that says what it holds: `checkpoint-<first 32 hex digits of the SHA-256>.gwc`. */
export function contentName(prefix: string, extension: string, hash: string): string {
  return `${prefix}-${hash.slice(0, 32)}.${extension}`;
}

/** Whether a file's bytes are the ones its name promises. */
export function matchesName(name: string, bytes: Uint8Array): boolean {
  const promised = /-([0-9a-f]{32})\.[a-z0-9]+$/.exec(name)?.[1];
  return promised !== undefined && sha256(bytes).startsWith(promised);
}

/**
 * Writes a file whole under its content's name. The same content again is left as it is. Returns name and hash.
 * Throws: workspace.diskFull, workspace.readOnly, workspace.unreadable.
 */
export function writeContentFile(
  directory: string,
  prefix: string,
  extension: string,
  bytes: Uint8Array,
): { file: string; sha256: string } {
  const hash = sha256(bytes);
  const file = contentName(prefix, extension, hash);
  const target = join(directory, file);
  if (existsSync(target)) return { file, sha256: hash };
  try {
    writeWhole(target, bytes);
  } catch (thrown) {
    throw fileError(thrown, 'write', target);
  }
  return { file, sha256: hash };
}

/** Makes the run's folder and clears what a killed process left half written. */
export function prepareDirectory(directory: string): void {
  try {
    makeFolder(directory);
    for (const name of readdirSync(directory)) {
      if (name.startsWith(temporaryMark)) rmSync(join(directory, name), { force: true });
    }
  } catch (thrown) {
    throw fileError(thrown, 'use', directory);
  }
}
