import { AppError } from '../../../shared/std/app-error.ts';
import type { EnumeratedEdit } from '../enumerate/enumerate-edits.ts';
import type { Choosing } from '../providers/choosing.ts';
import type { Snapshot } from '../snapshot/snapshot-schema.ts';
import type { ModelIdentity } from '../types.ts';
import { editFeatures } from './edit-features.ts';
import { knowsModel, likingFeatures } from './liking-features.ts';
import { type Ranker, rate } from './ranker-file.ts';

/** An edit with its chance to do better than nothing. */
export interface RatedEdit {
  readonly edit: EnumeratedEdit;
  readonly score: number;
}

/** Decimals that count: what is closer goes by the order of the enumeration. */
const scoreDecimals = 6;

/** Edits that a model is asked about: those that are best by everything else. Each costs up to four questions. */
const maxScored = 8;

/** Edits with their chances, the best first. No model is asked. */
export function ratedEdits(
  ranker: Ranker,
  snapshot: Snapshot,
  edits: readonly EnumeratedEdit[],
): RatedEdit[] {
  const scored = edits.map((edit) => ({
    edit,
    score: rounded(rate(ranker, editFeatures(snapshot, edit.change))),
  }));
  return scored.toSorted((a, b) => b.score - a.score);
}

/**
 * The first of the rated edits, rated anew with what a model makes of them, then the others as they were.
 *
 * `all`: what the model would choose from. Throws: model.*, modelHost.died.
 */
export async function withLikings(
  ranker: Ranker,
  snapshot: Snapshot,
  rated: readonly RatedEdit[],
  { choosing, model, all }: { choosing: Choosing; model: ModelIdentity; all: readonly EnumeratedEdit[] },
): Promise<RatedEdit[]> {
  const first: RatedEdit[] = [];
  for (const { edit } of rated.slice(0, maxScored)) {
    const liking = { model: model.sha256, value: await choosing.like(edit, all) };
    const features = { ...editFeatures(snapshot, edit.change), ...likingFeatures(liking) };
    first.push({ edit, score: rounded(rate(ranker, features)) });
  }
  return [...first.toSorted((a, b) => b.score - a.score), ...rated.slice(maxScored)];
}

/** Throws: input.invalid for a model of whose likings the ranker was taught nothing. */
export function requireKnown({ features }: Ranker, name: string, model: ModelIdentity): void {
  if (knowsModel(features, model.sha256)) return;
  throw new AppError(
    'input.invalid',
    `${name} was taught nothing of what ${model.name} likes: "coach learn" learns it from trials of what this very file ranked (provider llama)`,
  );
}

function rounded(score: number): number {
  return Number(score.toFixed(scoreDecimals));
}
