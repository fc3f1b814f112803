import { createHash } from 'node:crypto';
import { maxTransferBytes } from './read-whole.ts';

/** SHA-256 in hex; of a text over its UTF-8, of bytes of any length. What names texts, files and records. */
export function sha256(content: Uint8Array | string, pieceBytes = maxTransferBytes): string {
  const hash = createHash('sha256');
  if (typeof content === 'string') return hash.update(content).digest('hex');
  for (let at = 0; at < content.byteLength; at += pieceBytes) {
    hash.update(content.subarray(at, at + pieceBytes));
  }
  return hash.digest('hex');
}
