import type { Migration } from './migration.ts';

/** As they were written before there were codes. */
const budgetNotes = [
  'what is left of the trial budget does not pay for two pairs of one iteration',
  'the trial budget of this boundary does not reach for it besides the candidates before it; it may be proposed again',
];

/** Codes of decisions that later ones are made by, beside their notes, which are for people. */
export const decisionReasons: Migration = {
  version: 6,
  slug: 'decision-reasons',
  up(db) {
    db.exec('ALTER TABLE decisions ADD COLUMN reason TEXT');
    const mark = db.prepare(
      "UPDATE decisions SET reason = 'budget' WHERE verdict = 'rejected' AND author = 'automatic' AND note = ?",
    );
    for (const note of budgetNotes) mark.run(note);
  },
};
