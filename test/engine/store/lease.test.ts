import { spawn } from 'node:child_process';
import { once } from 'node:events';
import Database from 'better-sqlite3';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { staleAfterMs } from '../../../src/engine/store/lease.ts';
import { databasePath, openStore } from '../../../src/engine/store/open.ts';
import type { AppError } from '../../../src/shared/std/app-error.ts';
import { thrownBy } from '../../support/error-code.ts';
import { openTestStore } from '../../support/store-records.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** Changes the lease row behind the engine's back. */
function editLease(root: string, assignments: string): void {
  const db = new Database(databasePath(root));
  db.exec(`UPDATE leases SET ${assignments}`);
  db.close();
}

const holdLease = `
  import { openStore } from ${JSON.stringify(new URL('../../../src/engine/store/open.ts', import.meta.url).href)};
  globalThis.store = openStore(process.argv[1]);
  console.log('open');
  setInterval(() => {}, 1000);`;

describe('lease', () => {
  test('a second engine is refused with the pid of the first and what to do', () => {
    const root = temporaryFolder();
    openTestStore(root);
    const error = thrownBy(() => openStore(root));
    expect(error.code).toBe('store.locked');
    expect(error.message).toContain(`process ${process.pid}`);
    expect(error.message).toMatch(/Close that window/);
    expect(error.data).toMatchObject({ pid: process.pid, endpoint: null });
  });

  test('a closed store frees the workspace', () => {
    const root = temporaryFolder();
    openTestStore(root).close();
    expect(openTestStore(root).liveHolder()?.pid).toBe(process.pid);
  });

  test('the lease of a killed process is taken over at once', async () => {
    const root = temporaryFolder();
    const child = spawn(process.execPath, ['--input-type=module', '-e', holdLease, root], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(child.stdout, 'data');
    expect(thrownBy(() => openStore(root)).data).toMatchObject({ pid: child.pid });
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(openTestStore(root).liveHolder()?.pid).toBe(process.pid);
  });

  test('a process that took over the pid of a dead engine does not count as it', () => {
    const root = temporaryFolder();
    const store = openTestStore(root);
    editLease(root, "started = '1'");
    if (process.platform === 'linux') expect(store.liveHolder()).toBeNull();
    else expect(store.liveHolder()?.pid).toBe(process.pid);
  });

  test('a holder on another machine counts as live until it has been silent for long', () => {
    const root = temporaryFolder();
    const store = openTestStore(root);
    editLease(root, `machine = 'elsewhere', pid = 1, heartbeat_at = ${Date.now()}`);
    expect(store.liveHolder()?.pid).toBe(1);
    editLease(root, `heartbeat_at = ${Date.now() - staleAfterMs - 1}`);
    expect(store.liveHolder()).toBeNull();
  });

  test('an engine that lost its lease cannot write any more, and reads on', () => {
    const root = temporaryFolder();
    const orphan = openTestStore(root);
    orphan.texts.put('before');
    editLease(root, "token = 'someone-else', pid = 1");
    const error = thrownBy(() => orphan.texts.put('after'));
    expect(error.code).toBe('store.locked');
    expect(error.message).toMatch(/writes nothing more/);
    expect(orphan.studies.list()).toEqual([]);
  });

  test('the loss is told, without a write', async () => {
    const root = temporaryFolder();
    const lost = new Promise<AppError>((resolve) => {
      const store = openStore(root, { heartbeatMs: 10, onLeaseLost: resolve });
      onTestFinished(() => store.close());
    });
    editLease(root, "token = 'someone-else', pid = 1");
    expect((await lost).message).toContain('taken over by process 1');
  });

  test('a lease that is held is renewed and not reported lost', async () => {
    const root = temporaryFolder();
    const reasons: AppError[] = [];
    const store = openStore(root, { heartbeatMs: 10, onLeaseLost: (reason) => reasons.push(reason) });
    onTestFinished(() => store.close());
    const before = store.liveHolder()?.heartbeatAt ?? 0;
    await vi.waitFor(() => expect(store.liveHolder()?.heartbeatAt).toBeGreaterThan(before + 20));
    expect(reasons).toEqual([]);
  });
});
