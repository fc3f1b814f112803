import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { databasePath, openStore } from '../../../src/engine/store/index.ts';
import { asOrdinaryUser } from '../../support/ordinary-user.ts';
import { storeWithRun } from '../../support/store-records.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const writer = fileURLToPath(new URL('../../support/store-writer.ts', import.meta.url));

async function writeAndKill(root: string, afterMs: number): Promise<void> {
  const child = spawn(process.execPath, [writer, root], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  await new Promise((resolve) => setTimeout(resolve, afterMs));
  child.kill('SIGKILL');
  await once(child, 'exit');
}

/** What a reading command sees, right after the kill. */
function readNext(root: string): number {
  const reader = openStore(root, { readOnly: true });
  const next = reader.series.nextSequence('r1');
  reader.close();
  return next;
}

test('a writer killed at any moment leaves a sound database whose points, counters and checkpoints agree', async () => {
  const root = temporaryFolder();
  storeWithRun(root).close();
  chmodSync(root, 0o755);
  for (const afterMs of [0, 7, 23, 61]) {
    await writeAndKill(root, afterMs);
    const seen = readNext(root);
    // The data folder is its owner's alone; here another user is let in to read.
    chmodSync(dirname(databasePath(root)), 0o755);
    expect(asOrdinaryUser(() => readNext(root))).toBe(seen);
    const store = openStore(root);
    expect(store.series.nextSequence('r1')).toBe(seen);
    const next = store.series.nextSequence('r1');
    expect(store.runs.get('r1').ownSteps).toBe(next);
    expect([...store.series.points('r1', 'a')].length).toBe(next / 3);
    const checkpoint = store.cutBack('r1');
    expect(store.series.nextSequence('r1')).toBe(checkpoint?.sequence);
    expect([...store.series.points('r1', 'b')].at(-1)).toEqual({
      step: (checkpoint?.sequence ?? 0) - 3,
      value: (checkpoint?.sequence ?? 0) - 2,
    });
    store.close();
    const db = new Database(databasePath(root), { readonly: true });
    expect(db.pragma('integrity_check', { simple: true })).toBe('ok');
    db.close();
  }
});
