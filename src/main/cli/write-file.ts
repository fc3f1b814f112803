import path from 'node:path';
import { fileError, makeFolder, writeWhole } from '../../engine/files/index.ts';

/** Writes an output file whole or not at all, with the folders on the way. */
export function writeOutputFile(file: string, content: string | Uint8Array): void {
  const target = path.resolve(file);
  try {
    makeFolder(path.dirname(target));
    writeWhole(target, content);
  } catch (thrown) {
    throw fileError(thrown, 'write', target);
  }
}
