import type { Migration } from './migration.ts';

/** What the episodes of a trial can tell apart; null in trials of before. */
export const trialErrors: Migration = {
  version: 7,
  slug: 'trial-errors',
  up(db) {
    db.exec('ALTER TABLE trial_pairs ADD COLUMN error REAL');
  },
};
