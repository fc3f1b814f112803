import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';

/**
 * Marks work as begun by this process, by a file that nobody else has made. Null where another process is at it; the mark of
 * one that was killed counts for nothing. On success: what takes the mark away.
 */
export function claim(mark: string): (() => void) | null {
  if (!make(mark)) {
    if (isAlive(ownerOf(mark))) return null;
    rmSync(mark, { force: true });
    if (!make(mark)) return null;
  }
  return () => rmSync(mark, { force: true });
}

interface Owner {
  readonly pid: number;
  readonly host: string;
}

function make(mark: string): boolean {
  try {
    const owner: Owner = { pid: process.pid, host: hostname() };
    writeFileSync(mark, JSON.stringify(owner), { flag: 'wx' });
    return true;
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw thrown;
  }
}

/** Null for a mark that says nothing: it was made before marks did, or cut off. */
function ownerOf(mark: string): Owner | null {
  try {
    const { pid, host } = JSON.parse(readFileSync(mark, 'utf8')) as Partial<Owner>;
    return typeof pid === 'number' && typeof host === 'string' ? { pid, host } : null;
  } catch {
    return null;
  }
}

/** Of another machine nobody here can tell: it is taken to be at work. */
function isAlive(owner: Owner | null): boolean {
  if (owner === null) return false;
  if (owner.host !== hostname()) return true;
  try {
    process.kill(owner.pid, 0);
    return true;
  } catch (thrown) {
    return (thrown as NodeJS.ErrnoException).code === 'EPERM';
  }
}
