import { randomUUID } from 'node:crypto';
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';

/**
 * Marks work as begun by this process, by a file that nobody else has made. Null where another process is at it, or takes it over
 * right now; the mark of one that was killed counts for nothing. On success: what takes the mark away.
 */
export function claim(mark: string): (() => void) | null {
  const token = randomUUID();
  const owner: Owner = { pid: process.pid, host: hostname(), token };
  const text = JSON.stringify(owner);
  // A mark is there whole or not at all: who reads half of one would take it for nobody's.
  const own = `${mark}.${token}`;
  writeFileSync(own, text, { flag: 'wx' });
  try {
    if (!place(own, mark) && !takeOver(own, mark)) return null;
  } finally {
    rmSync(own, { force: true });
  }
  return () => {
    if (read(mark) === text) rmSync(mark, { force: true });
  };
}

interface Owner {
  readonly pid: number;
  readonly host: string;
  readonly token: string;
}

function place(own: string, mark: string): boolean {
  try {
    linkSync(own, mark);
    return true;
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw thrown;
  }
}

/** Of all that see a dead mark one takes it over at a time, and only while it is still that mark. */
function takeOver(own: string, mark: string): boolean {
  const dead = read(mark);
  if (dead === null || isAlive(ownerOf(dead))) return false;
  const release = claim(`${mark}.next`);
  if (release === null) return false;
  try {
    if (read(mark) !== dead) return false;
    renameSync(own, mark);
    return true;
  } finally {
    release();
  }
}

/** Null where there is none. */
function read(mark: string): string | null {
  try {
    return readFileSync(mark, 'utf8');
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw thrown;
  }
}

/** Null for a mark that says nothing: it was made before marks did. */
function ownerOf(text: string): Pick<Owner, 'pid' | 'host'> | null {
  try {
    const { pid, host } = JSON.parse(text) as Partial<Owner>;
    return typeof pid === 'number' && typeof host === 'string' ? { pid, host } : null;
  } catch {
    return null;
  }
}

/** Of another machine nobody here can tell: it is taken to be at work. */
function isAlive(owner: Pick<Owner, 'pid' | 'host'> | null): boolean {
  if (owner === null) return false;
  if (owner.host !== hostname()) return true;
  try {
    process.kill(owner.pid, 0);
    return true;
  } catch (thrown) {
    return (thrown as NodeJS.ErrnoException).code === 'EPERM';
  }
}
