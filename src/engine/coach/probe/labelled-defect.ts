import { z } from 'zod';
import { proposedChange } from '../../../shared/contract/coach.ts';
import { mean, standardError, studentProbability } from '../../../shared/std/statistics.ts';
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

/** Paired seeds on each of which an option has to be better to be looked at further. */
export const screeningPairs = 4;

/** Paired seeds of an option that was better in all that screen: on the later ones it may have lost. */
export const numPairs = 8;

/** How sure all pairs together have to be that an option is better. */
const certainty = 0.99;

/** An option repairs that comes to this share of what the best one gains. */
const shareOfBest = 0.25;

const gainOf = ({ label }: Pick<LabelledOption, 'label'>): number => mean(label.differences);

/** Whether training with an option is worth another pair. */
export function isWorthAnotherPair({ differences, failure }: LabelledOption['label']): boolean {
  const screened = differences.slice(0, screeningPairs);
  return failure === null && differences.length < numPairs && screened.every((difference) => difference > 0);
}

/**
 * Better on every pair that screens, and over all of them by Student's t. Of options that do nothing 0.6 % pass; by the pairs that
 * screen alone it would be one in sixteen.
 */
function isBetter({ label: { differences, failure } }: LabelledOption): boolean {
  if (failure !== null || differences.length < numPairs) return false;
  if (differences.slice(0, screeningPairs).some((difference) => difference <= 0)) return false;
  const t = mean(differences) / standardError(differences);
  return studentProbability(t, differences.length - 1) >= certainty;
}

/**
 * The options that repair: better than the unchanged environment beyond reasonable doubt, and by at least a quarter of what the best of them
 * gains, so that what helps by the way is none.
 */
export function repairsOf({ options }: Pick<LabelledDefect, 'options'>): LabelledOption[] {
  const better = options.filter(isBetter);
  const best = Math.max(...better.map(gainOf));
  return better.filter((each) => gainOf(each) >= shareOfBest * best);
}
