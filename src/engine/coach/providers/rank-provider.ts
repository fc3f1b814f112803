import { AppError } from '../../../shared/std/app-error.ts';
import type { EditKind } from '../enumerate/draft-edits.ts';
import { maxOptions } from '../enumerate/draft-edits.ts';
import type { EnumeratedEdit } from '../enumerate/enumerate-edits.ts';
import type { Prompt } from '../prompts/render-prompt.ts';
import { composeAnswer } from './compose-body.ts';
import type { AnswerSlot, Provider, ProviderRequest } from './provider.ts';
import {
  bestOption,
  type PromptRenderer,
  type Question,
  rankOptions,
  scoreRequests,
} from './rank-options.ts';
import type { RecordedModel } from './recorded-model.ts';

const kindPhrases: Readonly<Record<EditKind, string>> = {
  remove: 'remove a reward or rule',
  scale: 'make a reward stronger or weaker',
  decay: 'let a reward fade with time',
  limit: 'limit a reward',
  addReward: 'add a new reward',
  set: 'change a parameter',
  addRule: 'add a rule',
};

interface Stage {
  readonly question: string;
  /** What an edit is called at this stage. */
  readonly phrase: (edit: EnumeratedEdit) => string;
}

const stages: readonly Stage[] = [
  { question: 'Which kind of edit helps most?', phrase: ({ kind }) => kindPhrases[kind] },
  { question: 'On what?', phrase: ({ target }) => target },
  { question: 'How much?', phrase: ({ value }) => value },
];

/**
 * A small model chooses: first the kind of edit, then its target, then its value, each among at most eight options
 * scored by token probability with the snapshot minus without it. It writes nothing; the prose is composed.
 */
export async function createRankProvider(
  request: ProviderRequest,
  model: RecordedModel,
  prompt: Prompt,
): Promise<Provider> {
  const { text, edits } = request;
  const render: PromptRenderer = (question, options, withSnapshot) =>
    prompt.render({ ...text, snapshot: withSnapshot, question, options });
  return {
    name: 'llama',
    model: model.identity.name,
    prompt: { fileHash: prompt.hash, rendered: render(stages[0]?.question ?? '', '- …', true) },
    maxAnswers: Math.max(1, (await edits()).length),
    canRepair: false,
    propose: (slot) => choose(request, model, render, slot),
  };
}

async function choose(
  { context, edits, deps, signal }: ProviderRequest,
  model: RecordedModel,
  render: PromptRenderer,
  { proposalId, taken }: AnswerSlot,
): Promise<ReturnType<typeof composeAnswer>> {
  const all = await edits();
  let left = leaveOutTaken(all, taken);
  const choices: string[] = [];
  for (const stage of stages) {
    const question = { question: questionOf(stage, choices), options: optionsOf(stage, left) };
    const chosen = question.options.length > 1 ? await askStage(question) : question.options[0];
    if (chosen === undefined) throw new AppError('input.notFound', 'there is no valid edit to choose from');
    left = left.filter((edit) => stage.phrase(edit) === chosen);
    if (chosen !== '') choices.push(chosen);
  }
  const edit = left[0];
  if (edit === undefined) throw new AppError('input.notFound', 'there is no valid edit to choose from');
  return composeAnswer(
    edit,
    `Chosen by ${model.identity.name} among ${all.length} valid edits: ${choices.join('; ')}.`,
    all.length,
  );

  async function askStage(question: Question): Promise<string | undefined> {
    const requests = scoreRequests(question, render);
    const answers = await model.score(
      requests,
      { runId: context.runId, proposalId, now: deps.now, signal },
      (given) => {
        const options = rankOptions(question, given);
        const first = requests[0];
        return {
          options,
          prompt: (first?.prefix ?? '') + (first?.variants[0]?.suffix ?? ''),
          output: options[bestOption(options)]?.text ?? '',
        };
      },
    );
    return question.options[bestOption(rankOptions(question, answers))];
  }
}

/** Edits of another kind or target than those taken, so that a boundary's candidates differ; if none is left, just other edits. */
function leaveOutTaken(edits: readonly EnumeratedEdit[], taken: ReadonlySet<string>): EnumeratedEdit[] {
  const keyOf = ({ kind, target }: EnumeratedEdit): string => `${kind} ${target}`;
  const takenKeys = new Set(edits.filter(({ identity }) => taken.has(identity)).map(keyOf));
  const different = edits.filter((edit) => !takenKeys.has(keyOf(edit)));
  return different.length > 0 ? different : edits.filter(({ identity }) => !taken.has(identity));
}

function questionOf({ question }: Stage, choices: readonly string[]): string {
  return choices.length === 0 ? question : `Chosen so far: ${choices.join('; ')}. ${question}`;
}

/** Distinct phrases in the order of the enumeration. */
function optionsOf({ phrase }: Stage, edits: readonly EnumeratedEdit[]): string[] {
  return [...new Set(edits.map(phrase))].slice(0, maxOptions);
}
