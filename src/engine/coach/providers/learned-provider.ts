import { AppError } from '../../../shared/std/app-error.ts';
import type { EnumeratedEdit } from '../enumerate/enumerate-edits.ts';
import { editFeatures } from '../learned/edit-features.ts';
import { type Ranker, rate, readRanker } from '../learned/ranker-file.ts';
import type { Snapshot } from '../snapshot/snapshot-schema.ts';
import { composeAnswer } from './compose-body.ts';
import type { Provider, ProviderAnswer, ProviderRequest } from './provider.ts';
import { firstPassing, secondChoice } from './second-attempt.ts';

/** Decimals that count: what is closer goes by the order of the enumeration. */
const scoreDecimals = 6;

/** Edits with their chance to do better than nothing, the best first. */
export function ratedEdits(
  ranker: Ranker,
  snapshot: Snapshot,
  edits: readonly EnumeratedEdit[],
): { readonly edit: EnumeratedEdit; readonly score: number }[] {
  return edits
    .map((edit) => ({
      edit,
      score: Number(rate(ranker, editFeatures(snapshot, edit.change)).toFixed(scoreDecimals)),
    }))
    .toSorted((a, b) => b.score - a.score);
}

/**
 * Chooses among the enumerated edits by what trials of the workspace taught: the one most likely to do better than nothing
 * first, for other candidates those on other targets.
 *
 * Throws: input.invalid, input.notFound for the ranker's file.
 */
export async function createLearnedProvider({
  context,
  snapshot,
  edits,
}: ProviderRequest): Promise<Provider> {
  const { model } = context.config;
  if (model === null) {
    throw new AppError(
      'input.invalid',
      'provider learned needs a ranker: set `model` in the coach block to the file that "gymwright coach learn" wrote',
    );
  }
  const { ranker, name } = readRanker(model);
  const all = await edits();
  const scored = ratedEdits(ranker, snapshot, all);
  const scores = new Map(scored.map(({ edit, score }) => [edit, score]));
  const { trials, studies } = ranker.trained;
  const compose = (edit: EnumeratedEdit, after = ''): ProviderAnswer => {
    const chance = (100 * (scores.get(edit) ?? 0)).toFixed(0);
    const analysis = `Chosen among ${all.length} valid edits by what ${trials} trials of ${studies.length} studies taught: better than nothing with ${chance} %.${after}`;
    return composeAnswer(edit, analysis, all.length);
  };
  return {
    name: 'learned',
    model: name,
    prompt: null,
    maxAnswers: Math.max(1, all.length),
    canRepair: true,
    async propose(slot) {
      const order = otherTargetsFirst(
        scored.map(({ edit }) => edit),
        slot.taken,
      );
      if (slot.rejections.length > 0)
        return firstPassing(order, slot, (edit) => compose(edit, ` ${secondChoice}`));
      const [first] = order;
      if (first === undefined) throw new AppError('input.notFound', 'there is no valid edit to choose from');
      return compose(first);
    },
  };
}

/** What was not taken yet, on targets that nothing was proposed for at this boundary before others. */
function otherTargetsFirst(edits: readonly EnumeratedEdit[], taken: ReadonlySet<string>): EnumeratedEdit[] {
  const targets = new Set(edits.filter(({ identity }) => taken.has(identity)).map(({ target }) => target));
  const open = edits.filter(({ identity }) => !taken.has(identity));
  return [
    ...open.filter(({ target }) => !targets.has(target)),
    ...open.filter(({ target }) => targets.has(target)),
  ];
}
