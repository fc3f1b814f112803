import type { Migration } from './migration.ts';

/** Why a proposal waits for a person without a trial; null in those of before. */
export const untriedProposals: Migration = {
  version: 8,
  slug: 'untried-proposals',
  up(db) {
    db.exec('ALTER TABLE proposals ADD COLUMN untried TEXT');
  },
};
