import { createHash } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { root } from './project.mjs';
import { say } from './report.mjs';

// Outside the project: builds clear their output folders, and npm ci clears node_modules.
const lockFile = path.join(
  os.tmpdir(),
  `gymwright-bootstrap-${createHash('sha256').update(root).digest('hex').slice(0, 16)}.lock`,
);

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (thrown) {
    return thrown.code === 'EPERM';
  }
}

function tryTake() {
  try {
    writeFileSync(lockFile, String(process.pid), { flag: 'wx' });
    return true;
  } catch (thrown) {
    if (thrown.code !== 'EEXIST') throw thrown;
    return false;
  }
}

function readOwner() {
  try {
    return Number(readFileSync(lockFile, 'utf8'));
  } catch {
    return 0;
  }
}

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Runs `work` while no other process of this machine builds the same tree; a lock whose owner is gone is taken over. */
export async function withBuildLock(work) {
  let hasSaid = false;
  while (!tryTake()) {
    const owner = readOwner();
    if (owner > 0 && !isAlive(owner)) rmSync(lockFile, { force: true });
    else if (!hasSaid) {
      say(`waiting for another build of this folder (process ${owner}) …`);
      hasSaid = true;
    }
    await pause(200);
  }
  try {
    return await work();
  } finally {
    rmSync(lockFile, { force: true });
  }
}
