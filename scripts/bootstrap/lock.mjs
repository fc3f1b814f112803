import { randomUUID } from 'node:crypto';
import {
  accessSync,
  constants,
  linkSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { inProject } from './project.mjs';
import { say } from './report.mjs';

// In the project's own folder, where no other user can put a file; beside what builds and `npm ci` clear.
const folder = inProject('.bootstrap');
const lockFile = path.join(folder, 'lock');

/** A lock is written whole before it gets its name: one that cannot be read for this long is nobody's. */
const unreadableAfterMs = 5000;
const pauseMs = 200;

/** When a process started, in the system's own clock; empty where the system does not tell. */
function startTime(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  } catch {
    return '';
  }
}

function isAlive({ pid, started }) {
  try {
    process.kill(pid, 0);
  } catch (thrown) {
    if (thrown.code !== 'EPERM') return false;
  }
  return started === '' || startTime(pid) === started;
}

/** Who holds the lock: null for nobody, undefined where the file does not say. */
function readHolder() {
  let text;
  try {
    text = readFileSync(lockFile, 'utf8');
  } catch (thrown) {
    if (thrown.code === 'ENOENT') return null;
    return undefined;
  }
  try {
    const holder = JSON.parse(text);
    return Number.isInteger(holder.pid) && typeof holder.key === 'string' ? holder : undefined;
  } catch {
    return undefined;
  }
}

/** Puts a whole file in the lock's place, if nothing is there. */
function tryTake(own) {
  const whole = path.join(folder, `lock-${own.key}`);
  writeFileSync(whole, JSON.stringify(own));
  try {
    linkSync(whole, lockFile);
    return true;
  } catch (thrown) {
    if (thrown.code === 'EEXIST') return false;
    // A file system without hard links: the lock may be seen empty for a moment, which counts as held.
    return tryCreate(lockFile, JSON.stringify(own));
  } finally {
    rmSync(whole, { force: true });
  }
}

function tryCreate(file, text) {
  try {
    writeFileSync(file, text, { flag: 'wx' });
    return true;
  } catch (thrown) {
    if (thrown.code === 'EEXIST') return false;
    throw thrown;
  }
}

function isOld(file) {
  try {
    return Date.now() - statSync(file).mtimeMs > unreadableAfterMs;
  } catch {
    return false;
  }
}

const isStale = (holder) => (holder === undefined ? isOld(lockFile) : holder !== null && !isAlive(holder));

/** Takes a stale lock away. One process at a time, and it looks again: no second one removes the lock of the next holder. */
function clearStale() {
  const clearing = path.join(folder, 'clearing');
  if (!tryCreate(clearing, '')) {
    if (isOld(clearing)) rmSync(clearing, { force: true });
    return;
  }
  try {
    if (isStale(readHolder())) rmSync(lockFile, { force: true });
  } finally {
    rmSync(clearing, { force: true });
  }
}

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

async function take(own) {
  let hasSaid = false;
  while (!tryTake(own)) {
    const holder = readHolder();
    if (holder === null) continue;
    if (isStale(holder)) clearStale();
    else if (!hasSaid) {
      say(`waiting for another build of this folder (process ${holder?.pid ?? 'unknown'}) …`);
      hasSaid = true;
    }
    await pause(pauseMs);
  }
}

/** Where nothing can be written nothing can be built, so there is nothing to guard either. */
function canLock() {
  try {
    mkdirSync(folder, { recursive: true });
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** Runs `work` while no other process builds the same tree; a lock whose owner is gone is taken over. */
export async function withBuildLock(work) {
  if (!canLock()) return work();
  const own = { pid: process.pid, started: startTime(process.pid), key: randomUUID() };
  await take(own);
  try {
    return await work();
  } finally {
    if (readHolder()?.key === own.key) rmSync(lockFile, { force: true });
  }
}
