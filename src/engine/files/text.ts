import { AppError } from '../../shared/std/app-error.ts';
import { readFileBytes } from './read-file.ts';

/** The text of UTF-8 bytes, a byte order mark kept; null for other bytes. Nothing is replaced, so writing it back loses nothing. */
export function decodeUtf8(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

/**
 * A text file, by path or open descriptor, called `name` in messages: the one way in which files that people name are read.
 * Throws: the system's error (see `fileError`); input.invalid when it is no regular file, too large or not UTF-8.
 */
export function readUtf8(file: string | number, name: string, maxBytes?: number): string {
  const text = decodeUtf8(readFileBytes(file, name, maxBytes));
  if (text !== null) return text;
  throw new AppError('input.invalid', `${name} is not UTF-8 text: save it as UTF-8 and try again`, {
    data: { path: name },
  });
}
