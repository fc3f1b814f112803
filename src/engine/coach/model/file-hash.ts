import { createHash } from 'node:crypto';
import { createReadStream, statSync } from 'node:fs';
import { AppError } from '../../../shared/std/app-error.ts';

const known = new Map<string, Promise<string>>();

/**
 * SHA-256 of a file; computed once per (path, size, modification time). Who is aborted waits no longer; the file is read
 * to its end for whoever asks next. Throws: model.cancelled.
 */
export function hashFile(path: string, signal?: AbortSignal): Promise<string> {
  const pending = sharedHash(path);
  if (signal === undefined) return pending;
  return new Promise((resolve, reject) => {
    const onAbort = (): void =>
      reject(new AppError('model.cancelled', `hashing ${path} was no longer waited for`));
    if (signal.aborted) return onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    void pending.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}

function sharedHash(path: string): Promise<string> {
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
