import { existsSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { AppError } from '../../shared/std/app-error.ts';
import { fileError, makeFolder } from '../files/index.ts';
import { createConnection, type WriteGuard } from './connection.ts';
import { acquireLease, heartbeatMs as defaultHeartbeatMs, findLiveHolder, type Lease } from './lease.ts';
import { readLeftOpen } from './left-open.ts';
import { migrate, refuseNewer } from './migrations/migrate.ts';
import { requireNodeApi } from './node-api.ts';
import { openForReading } from './open-reading.ts';
import { requireWhole } from './require-whole.ts';
import { translateSqliteError } from './sqlite-errors.ts';
import { createAggregates, type Store, type StoreReader } from './store.ts';

/** Folder of results inside a workspace; everything in it is Gymwright's own. The user's alone: it holds the engine's token. */
export const dataFolder = '.gymwright';

export function databasePath(root: string): string {
  return join(root, dataFolder, 'gymwright.db');
}

/** The schema version that has the `leases` table: a database another engine works on is migrated no further than this. */
const leaseVersion = 1;

function attempt<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw translateSqliteError(error, path);
  }
}

function createDataFolder(root: string): void {
  if (!existsSync(root)) {
    throw new AppError(
      'workspace.notFound',
      `${root} does not exist: create it with \`gymwright init ${root}\`, or check the spelling.`,
    );
  }
  const folder = join(root, dataFolder);
  try {
    makeFolder(folder, 0o700);
  } catch (error) {
    throw fileError(error, 'create', folder);
  }
}

interface WritingOptions {
  readonly readOnly?: false;
  /** Told once when another engine took the workspace over; nothing can be written any more. */
  readonly onLeaseLost?: (reason: AppError) => void;
  readonly heartbeatMs?: number;
}

/**
 * Opens the workspace's database, creating or migrating it, and takes the lease; with readOnly, opens it beside a live engine
 * (a workspace without one yet reads as empty), where runs that no engine is at any more read as interrupted.
 *
 * Throws: store.locked (another engine, with its pid), store.newerVersion, store.corrupt, workspace.readOnly, workspace.diskFull,
 * workspace.notFound, engine.unavailable (Node too old).
 */
export function openStore(root: string, options: { readonly readOnly: true }): StoreReader;
export function openStore(root: string, options?: WritingOptions): Store;
export function openStore(
  root: string,
  options: WritingOptions | { readonly readOnly: true } = {},
): Store | StoreReader {
  requireNodeApi();
  return options.readOnly === true ? openReader(root) : openWriter(root, options);
}

function openReader(root: string): StoreReader {
  const path = databasePath(root);
  requireWhole(path);
  const db = attempt(path, () => openForReading(path));
  const connection = createConnection(db, path, { current: null });
  const aggregates = createAggregates(connection);
  const liveHolder = () => findLiveHolder(connection);
  return {
    ...aggregates,
    ...readLeftOpen(aggregates, () => liveHolder() !== null),
    liveHolder,
    close: () => void db.close(),
  };
}

function openWriter(root: string, options: WritingOptions): Store {
  createDataFolder(root);
  const path = databasePath(root);
  requireWhole(path);
  const db = attempt(path, () => new Database(path));
  try {
    return attempt(path, () => prepareWriter(db, path, options));
  } catch (error) {
    db.close();
    throw error;
  }
}

function prepareWriter(db: Database.Database, path: string, options: WritingOptions): Store {
  refuseNewer(db, path);
  db.pragma('journal_mode = WAL');
  db.pragma('foreign_keys = ON');
  migrate(db, leaseVersion);
  const guard: { current: WriteGuard | null } = { current: null };
  const connection = createConnection(db, path, guard);
  const lease = acquireLease(connection);
  guard.current = lease;
  migrate(db);
  const stopHeartbeat = startHeartbeat(lease, options);
  return {
    ...createAggregates(connection),
    liveHolder: () => findLiveHolder(connection),
    token: lease.token,
    publishEndpoint: lease.publishEndpoint,
    close() {
      if (!db.open) return;
      stopHeartbeat();
      try {
        lease.release();
      } catch {
        // On a full disk the lease stays; its holder is found dead by the next engine.
      } finally {
        db.close();
      }
    },
  };
}

/** Keeps the lease fresh for engines that cannot look this process up, and notices when it was lost. */
function startHeartbeat(
  lease: Lease,
  { onLeaseLost, heartbeatMs = defaultHeartbeatMs }: WritingOptions,
): () => void {
  const timer = setInterval(() => {
    try {
      lease.renew();
    } catch (thrown) {
      const error = AppError.from(thrown);
      if (!isLost(error)) return;
      clearInterval(timer);
      onLeaseLost?.(error);
    }
  }, heartbeatMs);
  timer.unref();
  return () => clearInterval(timer);
}

/** A full disk or a busy database passes; the next beat tries again. Another holder does not. */
function isLost(error: AppError): boolean {
  return error.code === 'store.locked' && error.cause === undefined;
}
