import { AppError } from '../../../shared/std/app-error.ts';
import type { CoachConfig } from '../config.ts';
import { type EditKind, maxOptions } from '../enumerate/draft.ts';
import type { EnumeratedEdit } from '../enumerate/enumerate-edits.ts';
import { tellExamples } from '../prompts/few-shots.ts';
import { rankingValues } from '../prompts/prompt-values.ts';
import type { Prompt } from '../prompts/render-prompt.ts';
import type { CoachDependencies, RoundContext } from '../types.ts';
import { composeAnswer } from './compose-body.ts';
import type { AnswerSlot, Provider, ProviderAnswer, ProviderRequest } from './provider.ts';
import {
  bestOption,
  type PromptRenderer,
  type Question,
  rankOptions,
  scoreRequests,
} from './rank-options.ts';
import type { RecordedModel } from './recorded-model.ts';
import { firstPassing, secondChoice } from './second-attempt.ts';

const kindPhrases: Readonly<Record<EditKind, string>> = {
  remove: 'remove a reward or rule',
  scale: 'make a reward stronger or weaker',
  decay: 'let a reward fade with time',
  limit: 'limit a reward',
  addReward: 'add a new reward',
  set: 'change a parameter',
  addRule: 'add a rule',
  addEvent: 'add an event or a constraint',
  addConstraint: 'add an event or a constraint',
  adjust: 'change an event, a constraint, an opponent or a stage',
  curriculum: 'change an event, a constraint, an opponent or a stage',
};

/** So that no question has more than eight options, the whole catalogue asks for these two as one. */
const fadeOrLimit = 'limit a reward or let it fade';

function kindPhrase(kind: EditKind, catalogue: CoachConfig['catalogue']): string {
  return catalogue !== 1 && (kind === 'decay' || kind === 'limit') ? fadeOrLimit : kindPhrases[kind];
}

interface Stage {
  readonly question: string;
  /** What an edit is called at this stage. */
  readonly phrase: (edit: EnumeratedEdit) => string;
}

function stagesOf(catalogue: CoachConfig['catalogue']): readonly [Stage, ...Stage[]] {
  return [
    { question: 'Which kind of edit helps most?', phrase: ({ kind }) => kindPhrase(kind, catalogue) },
    { question: 'On what?', phrase: ({ target }) => target },
    { question: 'How much?', phrase: ({ value }) => value },
  ];
}

/**
 * A small model chooses: first the kind of edit, then its target, then its value, each among at most eight options
 * scored by token probability with the snapshot minus without it. It writes nothing; the prose is composed. Where its choice is
 * refused, the next that passes in the order of the scores is its second answer.
 */
export async function createRankProvider(
  request: ProviderRequest,
  model: RecordedModel,
  prompt: Prompt,
): Promise<Provider> {
  const { text, edits, context, snapshot, deps } = request;
  const stages = stagesOf(context.config.catalogue);
  const examples = tellExamples(context, snapshot, deps.store, 'rank');
  const { values, cuts } = rankingValues(prompt, { text, examples }, model.identity.contextLength);
  const render: PromptRenderer = (question, options, withSnapshot) =>
    prompt.render({ ...values, snapshot: withSnapshot, question, options });
  return {
    name: 'llama',
    model: model.identity.name,
    prompt: { fileHash: prompt.hash, rendered: render(stages[0].question, '- …', true), cuts },
    maxAnswers: Math.max(1, (await edits()).length),
    canRepair: true,
    propose: (slot) => choose(request, stages, model, render, slot),
  };
}

/** What ranking reads of a request. */
export interface RankedQuestion extends Pick<ProviderRequest, 'text' | 'signal'> {
  readonly context: Pick<RoundContext, 'runId'> & { readonly config: Pick<CoachConfig, 'catalogue'> };
  readonly deps: Pick<CoachDependencies, 'now'>;
}

/**
 * Edits from the one that the model likes best on, for who wants to know the order rather than an answer: asked at most as far as
 * it is read. It is shown no examples: what it knows is what the snapshot says.
 */
export function rankedEdits(
  request: RankedQuestion,
  model: RecordedModel,
  prompt: Prompt,
  edits: readonly EnumeratedEdit[],
  proposalId: string,
): AsyncGenerator<EnumeratedEdit, void> {
  const facts = { text: request.text, examples: '' };
  const { values } = rankingValues(prompt, facts, model.identity.contextLength);
  const render: PromptRenderer = (question, options, withSnapshot) =>
    prompt.render({ ...values, snapshot: withSnapshot, question, options });
  const stages = stagesOf(request.context.config.catalogue);
  return new Choosing(request, model, render, proposalId).inOrder(edits, stages);
}

async function choose(
  request: ProviderRequest,
  stages: readonly Stage[],
  model: RecordedModel,
  render: PromptRenderer,
  slot: AnswerSlot,
): Promise<ProviderAnswer> {
  const all = await request.edits();
  const choosing = new Choosing(request, model, render, slot.proposalId);
  const edits = choosing.inOrder(leaveOutTaken(all, slot.taken), stages);
  const compose = (edit: EnumeratedEdit, after = ''): ProviderAnswer => {
    const choices = stages.map(({ phrase }) => phrase(edit)).filter((phrase) => phrase !== '');
    const chosen = `Chosen by ${model.identity.name} among ${all.length} valid edits: ${choices.join('; ')}.`;
    return composeAnswer(edit, `${chosen}${after}`, all.length);
  };
  if (slot.rejections.length > 0)
    return firstPassing(edits, slot, (edit) => compose(edit, ` ${secondChoice}`));
  const first = await edits.next();
  if (first.done === true) throw new AppError('input.notFound', 'there is no valid edit to choose from');
  return compose(first.value);
}

/** The model's questions about one candidate. Asked again they are answered from the record. */
class Choosing {
  readonly #request: RankedQuestion;
  readonly #model: RecordedModel;
  readonly #render: PromptRenderer;
  readonly #proposalId: string;

  constructor(request: RankedQuestion, model: RecordedModel, render: PromptRenderer, proposalId: string) {
    this.#request = request;
    this.#model = model;
    this.#render = render;
    this.#proposalId = proposalId;
  }

  /**
   * Edits from the one that the model likes best on: through the stages, at each the options from best to worst. A question is
   * put only once an edit behind it is wanted.
   */
  async *inOrder(
    edits: readonly EnumeratedEdit[],
    [stage, ...rest]: readonly Stage[],
    choices: readonly string[] = [],
  ): AsyncGenerator<EnumeratedEdit, void> {
    if (stage === undefined) {
      yield* edits.slice(0, 1);
      return;
    }
    const options = optionsOf(stage, edits);
    const question = { question: questionOf(stage, choices), options };
    for (const option of options.length > 1 ? await this.#ask(question) : options) {
      const left = edits.filter((edit) => stage.phrase(edit) === option);
      yield* this.inOrder(left, rest, option === '' ? choices : [...choices, option]);
    }
  }

  /** The options of a question, best first; ties go to the lower index. */
  async #ask(question: Question): Promise<string[]> {
    const { context, deps, signal } = this.#request;
    const requests = scoreRequests(question, this.#render);
    const answers = await this.#model.score(
      requests,
      { runId: context.runId, proposalId: this.#proposalId, now: deps.now, signal },
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
    return rankOptions(question, answers)
      .toSorted((a, b) => b.score - a.score)
      .map(({ text }) => text);
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
