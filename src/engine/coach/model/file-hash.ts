import { createHash } from 'node:crypto';
import { createReadStream, statSync } from 'node:fs';

const known = new Map<string, Promise<string>>();

/** SHA-256 of a file; computed once per (path, size, modification time). */
export function hashFile(path: string): Promise<string> {
  const { size, mtimeMs } = statSync(path);
  const key = `${path}\0${size}\0${mtimeMs}`;
  const found = known.get(key);
  if (found !== undefined) return found;
  const pending = digest(path);
  known.set(key, pending);
  pending.catch(() => known.delete(key));
  return pending;
}

async function digest(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) hash.update(chunk as Buffer);
  return hash.digest('hex');
}
