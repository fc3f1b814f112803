import { closeSync, constants, fstatSync, openSync, readSync, type Stats, statSync } from 'node:fs';
import { AppError } from '../../shared/std/app-error.ts';

/** Files a person writes are far smaller; what is larger is named by mistake. */
export const maxFileBytes = 64 * 1024 * 1024;

const chunkBytes = 64 * 1024;
/** A pipe that took the file's place meanwhile is not waited for. */
const openFlags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0);

/**
 * The bytes of a file, by path or open descriptor, called `name` in messages. What a path names has to be a regular file:
 * pipes and devices need not end, and opening one may do something. A descriptor may be anything; it is read to its end.
 * Throws: the system's error; input.invalid for what is no file, or longer than `maxBytes`.
 * Cost: reads at most one byte more than `maxBytes`.
 */
export function readFileBytes(file: string | number, name: string, maxBytes: number = maxFileBytes): Buffer {
  if (typeof file === 'number') return readToEnd(file, name, maxBytes);
  requireFile(statSync(file), name, maxBytes);
  const descriptor = openSync(file, openFlags);
  try {
    requireFile(fstatSync(descriptor), name, maxBytes);
    return readToEnd(descriptor, name, maxBytes);
  } finally {
    closeSync(descriptor);
  }
}

function requireFile(stats: Stats, name: string, maxBytes: number): void {
  if (!stats.isFile()) {
    throw new AppError('input.invalid', `${name} is ${kindOf(stats)}, not a file; name a regular file`, {
      data: { path: name },
    });
  }
  if (stats.size > maxBytes) throw tooLong(name, maxBytes, stats.size);
}

function kindOf(stats: Stats): string {
  if (stats.isDirectory()) return 'a folder';
  if (stats.isFIFO()) return 'a pipe';
  if (stats.isSocket()) return 'a socket';
  return 'a device';
}

function readToEnd(descriptor: number, name: string, maxBytes: number): Buffer {
  const chunks: Buffer[] = [];
  let length = 0;
  while (length <= maxBytes) {
    const chunk = Buffer.allocUnsafe(Math.min(chunkBytes, maxBytes + 1 - length));
    const count = readChunk(descriptor, chunk);
    if (count === 0) return Buffer.concat(chunks, length);
    chunks.push(chunk.subarray(0, count));
    length += count;
  }
  throw tooLong(name, maxBytes, null);
}

/** Windows ends a pipe on standard input with an error. */
function readChunk(descriptor: number, into: Buffer): number {
  try {
    return readSync(descriptor, into, 0, into.length, null);
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === 'EOF') return 0;
    throw thrown;
  }
}

function tooLong(name: string, maxBytes: number, size: number | null): AppError {
  const has = size === null ? 'is longer than that' : `has ${size}`;
  return new AppError(
    'input.invalid',
    `${name} is too large: at most ${maxBytes} bytes are read, it ${has}`,
    {
      data: { path: name, limit: maxBytes },
    },
  );
}
