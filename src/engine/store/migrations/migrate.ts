import type Database from 'better-sqlite3';
import { AppError } from '../../../shared/std/app-error.ts';
import { initial } from './0001-initial.ts';
import { seriesSummary } from './0002-series-summary.ts';
import { trialPlans } from './0003-trial-plans.ts';
import { rollbacks } from './0004-rollbacks.ts';
import { memory } from './0005-memory.ts';
import { decisionReasons } from './0006-decision-reasons.ts';
import { trialErrors } from './0007-trial-errors.ts';
import { untriedProposals } from './0008-untried-proposals.ts';
import type { Migration } from './migration.ts';

export const migrations: readonly Migration[] = [
  initial,
  seriesSummary,
  trialPlans,
  rollbacks,
  memory,
  decisionReasons,
  trialErrors,
  untriedProposals,
];

export const latestVersion = migrations.length;

export function schemaVersion(db: Database.Database): number {
  return Number(db.pragma('user_version', { simple: true }));
}

/** Throws store.newerVersion when the file was written by a later Gymwright; it is left untouched. */
export function refuseNewer(db: Database.Database, path: string): void {
  const version = schemaVersion(db);
  if (version <= latestVersion) return;
  throw new AppError(
    'store.newerVersion',
    `${path} has version ${version}; this Gymwright knows up to ${latestVersion}. Update Gymwright, or open another ` +
      'workspace; the file was not changed.',
    { data: { path, version, known: latestVersion } },
  );
}

/** Applies what is missing up to `target`, each step in its own transaction: an interrupted one leaves the version before. */
export function migrate(db: Database.Database, target: number = latestVersion): void {
  for (const migration of migrations) {
    if (migration.version > target) return;
    db.transaction(() => {
      if (migration.version <= schemaVersion(db)) return;
      migration.up(db);
      db.pragma(`user_version = ${migration.version}`);
    }).immediate();
  }
}
