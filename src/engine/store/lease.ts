import { randomUUID } from 'node:crypto';
import { AppError } from '../../shared/std/app-error.ts';
import type { Connection, WriteGuard } from './connection.ts';
import { isAlive, ownIdentity, type ProcessIdentity } from './process-identity.ts';

/** Who writes to the workspace. */
export interface LeaseHolder extends ProcessIdentity {
  readonly token: string;
  /** Private socket (unix path or named pipe) where the holder answers; null until it listens. */
  readonly endpoint: string | null;
  readonly acquiredAt: number;
  readonly heartbeatAt: number;
}

/** The one right to write to a workspace. Lost when another engine took it over, which every write then notices. */
export interface Lease extends WriteGuard {
  readonly token: string;
  publishEndpoint(endpoint: string | null): void;
  renew(): void;
  release(): void;
}

export const heartbeatMs = 5_000;
/** A holder whose process cannot be looked up from here counts as gone after this silence. */
export const staleAfterMs = 30_000;

interface LeaseRow {
  token: string;
  pid: number;
  started: string;
  machine: string;
  endpoint: string | null;
  acquired_at: number;
  heartbeat_at: number;
}

const selectSql =
  "SELECT token, pid, started, machine, endpoint, acquired_at, heartbeat_at FROM leases WHERE name = 'engine'";

function fromRow(row: LeaseRow): LeaseHolder {
  return {
    token: row.token,
    pid: row.pid,
    started: row.started,
    machine: row.machine,
    endpoint: row.endpoint,
    acquiredAt: row.acquired_at,
    heartbeatAt: row.heartbeat_at,
  };
}

function isLive(holder: LeaseHolder, now: number): boolean {
  return isAlive(holder) ?? now - holder.heartbeatAt < staleAfterMs;
}

/** The engine that holds the workspace now, or null when none does or the one on record is gone. */
export function findLiveHolder(db: Connection, now: number = Date.now()): LeaseHolder | null {
  const row = db.prepare<LeaseRow>(selectSql).get({});
  if (row === undefined) return null;
  const holder = fromRow(row);
  return isLive(holder, now) ? holder : null;
}

function lockedBy(holder: LeaseHolder, path: string): AppError {
  return new AppError(
    'store.locked',
    `${path} is in use by another Gymwright engine (process ${holder.pid}). Close that window, server or run first; ` +
      'reading commands (`runs list`, `runs show`) work meanwhile, and `run` hands its work to that engine.',
    { data: { path, pid: holder.pid, endpoint: holder.endpoint } },
  );
}

/** Takes the lease, from a dead holder too. Throws store.locked with the pid while another engine lives. */
export function acquireLease(db: Connection): Lease {
  const token = randomUUID();
  const identity = ownIdentity();
  const take = db.prepare(`
    INSERT OR REPLACE INTO leases (name, token, pid, started, machine, endpoint, acquired_at, heartbeat_at)
    VALUES ('engine', @token, @pid, @started, @machine, NULL, @now, @now)`);
  db.write(() => {
    const now = Date.now();
    const holder = findLiveHolder(db, now);
    if (holder !== null) throw lockedBy(holder, db.path);
    take.run({ token, ...identity, now });
  });
  return createLease(db, token);
}

function createLease(db: Connection, token: string): Lease {
  const selectHolder = db.prepare<LeaseRow>(selectSql);
  const renew = db.prepare("UPDATE leases SET heartbeat_at = @now WHERE name = 'engine' AND token = @token");
  const publish = db.prepare(
    "UPDATE leases SET endpoint = @endpoint WHERE name = 'engine' AND token = @token",
  );
  const release = db.prepare("DELETE FROM leases WHERE name = 'engine' AND token = @token");
  return {
    token,
    assertHeld() {
      const row = selectHolder.get({});
      if (row?.token === token) return;
      throw new AppError(
        'store.locked',
        `${db.path} was taken over by process ${row?.pid ?? '(none)'}; this engine must end and writes nothing more.`,
        {
          data: { path: db.path, pid: row?.pid ?? null },
        },
      );
    },
    publishEndpoint: (endpoint) => void db.write(() => publish.run({ endpoint, token })),
    renew: () => void db.write(() => renew.run({ now: Date.now(), token })),
    release: () => void release.run({ token }),
  };
}
