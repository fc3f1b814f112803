import { z } from 'zod';
import { proposedChange } from '../../../shared/contract/coach.ts';

const entry = z.object({
  source: z.object({
    study: z.string(),
    run: z.string(),
    arm: z.string(),
    seed: z.int(),
    round: z.int(),
    proposal: z.string(),
    provider: z.string(),
    model: z.string().nullable(),
  }),
  scenario: z.object({ name: z.string(), version: z.int() }),
  objective: z.object({
    metric: z.string(),
    group: z.string(),
    better: z.enum(['higher', 'lower']),
    /** As `measuredIn` tells it; null where nobody knows, as in texts that were frozen before it was kept. */
    measuredIn: z.string().nullable().default(null),
  }),
  /** Of the snapshot's text in the store, and of the environment's text it was asked in. */
  snapshotHash: z.string(),
  beforeHash: z.string(),
  /** Where the run stood: what similarity is measured by. */
  situation: z.record(z.string(), z.number()),
  changes: z.array(proposedChange),
  /** The declarations that the changes replace or remove, as one line each; null for what they add. */
  replaced: z.array(z.string().nullable()),
  /** Whether the prose of the changes was composed rather than written by a model. */
  isComposed: z.boolean(),
  /** edited: a person took another text in place of the changes, which is not on record here. */
  label: z.enum(['accepted', 'edited', 'rejected', 'undecided']),
  author: z.enum(['automatic', 'person']).nullable(),
  /** It was in force, and the environment from before it came back. */
  isRolledBack: z.boolean(),
  /** Candidate minus control on the objective, with the changes as they were proposed; null: it was not measured. */
  measured: z
    .object({
      meanDifference: z.number(),
      low: z.number(),
      high: z.number(),
      numPairs: z.int(),
      verdict: z.enum(['better', 'notBetter']),
    })
    .nullable(),
  /** Training in it broke down in its trial. */
  brokeDown: z.boolean().default(false),
  chargedSteps: z.number(),
  createdAt: z.number(),
});

/** What earlier studies may teach a run: the form in which it is frozen, as JSON, at a study's start. */
export const experienceSchema = z.object({ version: z.literal(1), entries: z.array(entry) });

/** One change that was proposed in an earlier study, in which situation, and what came of it. */
export type ExperienceEntry = z.infer<typeof entry>;

/** What earlier studies may teach a run. It is fixed at the study's start, and the same for all its arms and seeds. */
export interface Experience {
  /** SHA-256 of the frozen text; null where nothing is remembered. */
  readonly hash: string | null;
  /** Newest first; of the scenarios that the study's arms train in, at the version they have. */
  readonly entries: readonly ExperienceEntry[];
}

/** Of a study that remembers nothing. */
export const noExperience: Experience = Object.freeze({ hash: null, entries: [] });

/**
 * Whether a change was shown to help: fresh pairs decided for it, it was not taken back, and no person took another text in its
 * place. The pairs of a candidate that was screened out may lie on the better side, too: they are those that selected it, and
 * often a single one.
 */
export function hasHelped({ measured, isRolledBack, label }: ExperienceEntry): boolean {
  return measured?.verdict === 'better' && !isRolledBack && label !== 'edited';
}
