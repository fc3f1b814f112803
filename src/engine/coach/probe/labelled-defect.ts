import { z } from 'zod';
import { proposedChange } from '../../../shared/contract/coach.ts';
import { editKinds } from '../enumerate/draft.ts';
import { snapshotSchema } from '../snapshot/snapshot-schema.ts';

const label = z.object({
  differences: z
    .array(z.number())
    .describe('option minus unchanged environment on the objective, by paired seed'),
  failure: z.string().nullable().describe('why training in it broke down; null: it did not'),
});

const option = z.object({
  kind: z.enum(editKinds),
  target: z.string(),
  value: z.string(),
  changes: z.array(proposedChange).min(1),
  identity: z.string(),
  label,
});

/** One planted defect with what a coach is shown of it, what it may choose from, and what each choice came to. */
export const labelledDefectSchema = z.object({
  version: z.literal(1),
  name: z.string(),
  scenario: z.string(),
  fault: z.string(),
  at: z.string(),
  group: z.string(),
  opponents: z.record(z.string(), z.string()),
  text: z.string(),
  snapshot: snapshotSchema,
  enumerated: z.int().describe('edits of the whole catalogue, of which the options are some'),
  options: z.array(option),
  made: z.object({
    command: z.string(),
    commit: z.string(),
    cpu: z.string(),
    objective: z.number().describe('of the unchanged environment when the snapshot was taken'),
    trainedSteps: z.number(),
    branchSteps: z.number(),
    episodes: z.number(),
  }),
});

export type LabelledDefect = z.infer<typeof labelledDefectSchema>;
export type LabelledOption = LabelledDefect['options'][number];

/** Fewest paired seeds on which an option can be said to repair something. */
export const minPairs = 4;

/** An option repairs that comes to this share of what the best one gains. */
const shareOfBest = 0.25;

const gainOf = ({ label: { differences } }: LabelledOption): number =>
  differences.reduce((sum, difference) => sum + difference, 0) / differences.length;

/** Better on every one of at least four paired seeds. */
function isBetter({ label: { differences, failure } }: LabelledOption): boolean {
  return (
    failure === null && differences.length >= minPairs && differences.every((difference) => difference > 0)
  );
}

/**
 * The options that repair: better than the unchanged environment on every paired seed, and by at least a quarter of what the best
 * of them gains, so that what helps by the way is none.
 */
export function repairsOf({ options }: Pick<LabelledDefect, 'options'>): LabelledOption[] {
  const better = options.filter(isBetter);
  const best = Math.max(...better.map(gainOf));
  return better.filter((each) => gainOf(each) >= shareOfBest * best);
}
