import { AppError } from '../../../shared/std/app-error.ts';
import type { EnumeratedEdit } from '../enumerate/enumerate-edits.ts';
import { tellExamples } from '../prompts/few-shots.ts';
import { type PromptFacts, rankingValues } from '../prompts/prompt-values.ts';
import type { Prompt } from '../prompts/render-prompt.ts';
import { Choosing, firstQuestion, phrasesOf, type RankedQuestion } from './choosing.ts';
import { composeAnswer } from './compose-body.ts';
import type { AnswerSlot, Provider, ProviderAnswer, ProviderRequest } from './provider.ts';
import type { PromptRenderer } from './rank-options.ts';
import type { RecordedModel } from './recorded-model.ts';
import { firstPassing, secondChoice } from './second-attempt.ts';

/**
 * A small model chooses: first the kind of edit, then its sort (of rewards and parameters), its target and its value, each among at most eight options
 * scored by token probability with the snapshot minus without it. It writes nothing; the prose is composed. Where its choice is
 * refused, the next that passes in the order of the scores is its second answer.
 */
export async function createRankProvider(
  request: ProviderRequest,
  model: RecordedModel,
  prompt: Prompt,
): Promise<Provider> {
  const { render, cuts } = rankingPrompt(request, model, prompt);
  return {
    name: 'llama',
    model: model.identity.name,
    prompt: { fileHash: prompt.hash, rendered: render(firstQuestion, '- …', true), cuts },
    maxAnswers: Math.max(1, (await request.edits()).length),
    canRepair: true,
    propose: (slot) => choose(request, model, render, slot),
  };
}

/** How a ranking model is asked at a boundary, and what was left out so that it fits. */
export function rankingPrompt(
  { text, context, snapshot, deps }: Pick<ProviderRequest, 'text' | 'context' | 'snapshot' | 'deps'>,
  model: RecordedModel,
  prompt: Prompt,
): { readonly render: PromptRenderer; readonly cuts: readonly string[] } {
  return fitRanking(prompt, { text, examples: tellExamples(context, snapshot, deps.store, 'rank') }, model);
}

/** The same from what it is to tell. */
export function fitRanking(
  prompt: Prompt,
  facts: PromptFacts,
  { identity }: Pick<RecordedModel, 'identity'>,
): { readonly render: PromptRenderer; readonly cuts: readonly string[] } {
  const { values, cuts } = rankingValues(prompt, facts, identity.contextLength);
  const render: PromptRenderer = (question, options, withSnapshot) =>
    prompt.render({ ...values, snapshot: withSnapshot, question, options });
  return { render, cuts };
}

/**
 * Edits from the one that the model likes best on, for who wants to know the order rather than an answer: asked at most as far as
 * it is read. It is shown no examples: what it knows is what the snapshot says.
 */
export function rankedEdits(
  request: RankedQuestion,
  model: RecordedModel,
  prompt: Prompt,
  { edits, proposalId }: { readonly edits: readonly EnumeratedEdit[]; readonly proposalId: string },
): AsyncGenerator<EnumeratedEdit, void> {
  const { render } = fitRanking(prompt, { text: request.text, examples: '' }, model);
  return new Choosing(request, model, render, proposalId).inOrder(edits);
}

async function choose(
  request: ProviderRequest,
  model: RecordedModel,
  render: PromptRenderer,
  slot: AnswerSlot,
): Promise<ProviderAnswer> {
  const all = await request.edits();
  const { name, sha256 } = model.identity;
  const choosing = new Choosing(request, model, render, slot.proposalId);
  const edits = choosing.inOrder(leaveOutTaken(all, slot.taken));
  const compose = (edit: EnumeratedEdit, after = ''): ProviderAnswer => {
    const choices = phrasesOf(edit);
    const chosen = `Chosen by ${name} among ${all.length} valid edits: ${choices.join('; ')}.`;
    const value = choosing.likingOf(edit);
    const answer = composeAnswer(edit, `${chosen}${after}`, all.length);
    return value === null ? answer : { ...answer, liking: { model: sha256, value } };
  };
  if (slot.rejections.length > 0)
    return firstPassing(edits, slot, (edit) => compose(edit, ` ${secondChoice}`));
  const first = await edits.next();
  if (first.done === true) throw new AppError('coach.noProposal', 'there is no valid edit to choose from');
  return compose(first.value);
}

/** Edits of another kind or target than those taken, so that a boundary's candidates differ; if none is left, just other edits. */
function leaveOutTaken(edits: readonly EnumeratedEdit[], taken: ReadonlySet<string>): EnumeratedEdit[] {
  const keyOf = ({ kind, target }: EnumeratedEdit): string => `${kind} ${target}`;
  const takenKeys = new Set(edits.filter(({ identity }) => taken.has(identity)).map(keyOf));
  const different = edits.filter((edit) => !takenKeys.has(keyOf(edit)));
  return different.length > 0 ? different : edits.filter(({ identity }) => !taken.has(identity));
}
