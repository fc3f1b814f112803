import type { Migration } from './migration.ts';

/** Adds what a boundary set out to try, and the branches in which training broke down. */
export const trialPlans: Migration = {
  version: 3,
  slug: 'trial-plans',
  up(db) {
    db.exec(`
      CREATE TABLE trial_plans (
        run_id TEXT NOT NULL REFERENCES runs (run_id) ON DELETE CASCADE, round INTEGER NOT NULL, plan TEXT NOT NULL,
        PRIMARY KEY (run_id, round)
      ) STRICT;
      CREATE TABLE trial_failures (
        proposal_id TEXT PRIMARY KEY REFERENCES trials (proposal_id) ON DELETE CASCADE, seed TEXT NOT NULL,
        message TEXT NOT NULL, charged_steps INTEGER NOT NULL, evaluation_steps INTEGER NOT NULL
      ) STRICT;
    `);
  },
};
