import { createHash } from 'node:crypto';

/** SHA-256 in hex; of a text over its UTF-8. What names texts, files and records. */
export function sha256(content: Uint8Array | string): string {
  return createHash('sha256').update(content).digest('hex');
}
