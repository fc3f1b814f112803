import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

/** Node reads, writes and hashes less than 2 GiB at once. */
export const maxTransferBytes = 2 ** 30;

/** All bytes of a regular file of any length; `readFileSync` refuses 2 GiB and more. Throws: the system's error. */
export function readWhole(path: string, transferBytes = maxTransferBytes): Buffer {
  const descriptor = openSync(path, 'r');
  try {
    const bytes = Buffer.allocUnsafe(fstatSync(descriptor).size);
    let end = 0;
    while (end < bytes.length) {
      const wanted = Math.min(bytes.length - end, transferBytes);
      const count = readSync(descriptor, bytes, end, wanted, null);
      if (count === 0) break;
      end += count;
    }
    return bytes.subarray(0, end);
  } finally {
    closeSync(descriptor);
  }
}
