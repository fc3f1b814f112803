import { AppError } from '../../../shared/std/app-error.ts';
import type { EnumeratedEdit } from '../enumerate/enumerate-edits.ts';
import { type Ranker, readRanker } from '../learned/ranker-file.ts';
import { type RatedEdit, ratedEdits, requireKnown, withLikings } from '../learned/scorer.ts';
import { parsePrompt } from '../prompts/render-prompt.ts';
import { Choosing } from './choosing.ts';
import { composeAnswer } from './compose-body.ts';
import { openRecordedModel } from './open-recorded-model.ts';
import type { AnswerSlot, Provider, ProviderAnswer, ProviderRequest } from './provider.ts';
import { rankingPrompt } from './rank-provider.ts';
import { firstPassing, secondChoice } from './second-attempt.ts';

/** Rates the edits that are best by the rest with what a model makes of them. */
type Rerate = (
  rated: readonly RatedEdit[],
  all: readonly EnumeratedEdit[],
  slot: AnswerSlot,
) => Promise<readonly RatedEdit[]>;

/**
 * Chooses among the enumerated edits by what trials of the workspace taught: the one most likely to do better than nothing
 * first, for other candidates those on other targets. Where a scorer is named, it is asked about the best of them, too.
 *
 * Throws: input.invalid, input.notFound for the ranker's file; model.*, modelHost.died for the scorer.
 */
export async function createLearnedProvider(request: ProviderRequest): Promise<Provider> {
  const { context, snapshot, edits } = request;
  const { model } = context.config;
  if (model === null) {
    throw new AppError(
      'input.invalid',
      'provider learned needs a ranker: set `model` in the coach block to the file that `gymwright coach learn` wrote',
    );
  }
  const { ranker, name } = readRanker(model);
  const rerate = await openScorer(request, ranker, name);
  const all = await edits();
  const rated = ratedEdits(ranker, snapshot, all);
  const { trials, studies } = ranker.trained;
  const compose = ({ edit, score }: RatedEdit, after = ''): ProviderAnswer => {
    const chance = (100 * score).toFixed(0);
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
      const [others, same] = byTarget(rated, slot.taken);
      const order = [...(await rerate(others, all, slot)), ...same];
      if (slot.rejections.length > 0) {
        const known = new Map(order.map((each) => [each.edit, each]));
        const composeAgain = (edit: EnumeratedEdit): ProviderAnswer =>
          compose(known.get(edit) ?? { edit, score: 0 }, ` ${secondChoice}`);
        return firstPassing(known.keys(), slot, composeAgain);
      }
      const [first] = order;
      if (first === undefined)
        throw new AppError('coach.noProposal', 'there is no valid edit to choose from');
      return compose(first);
    },
  };
}

/** Where none is named, edits stay as they are rated. */
async function openScorer(request: ProviderRequest, ranker: Ranker, name: string): Promise<Rerate> {
  const { context, snapshot } = request;
  const { scorer } = context.config;
  if (scorer === undefined) return async (rated) => rated;
  const config = { ...context.config, model: scorer };
  const model = await openRecordedModel({ ...request, context: { ...context, config } });
  requireKnown(ranker, name, model.identity);
  const file = context.prompts.read(config.prompt, 'rank');
  const { render } = rankingPrompt(request, model, parsePrompt(file.path, file.text, 'rank'));
  return (rated, all, { proposalId }) => {
    const choosing = new Choosing(request, model, render, proposalId);
    return withLikings(ranker, snapshot, rated, { choosing, model: model.identity, all });
  };
}

/** What was not taken yet: on targets that nothing was proposed for at this boundary, and on others. */
function byTarget(rated: readonly RatedEdit[], taken: ReadonlySet<string>): [RatedEdit[], RatedEdit[]] {
  const isTaken = ({ edit }: RatedEdit): boolean => taken.has(edit.identity);
  const targets = new Set(rated.filter(isTaken).map(({ edit }) => edit.target));
  const open = rated.filter((each) => !isTaken(each));
  const isSame = ({ edit }: RatedEdit): boolean => targets.has(edit.target);
  return [open.filter((each) => !isSame(each)), open.filter(isSame)];
}
