import { type EditKind, maxOptions } from '../enumerate/draft.ts';
import type { EnumeratedEdit } from '../enumerate/enumerate-edits.ts';
import type { CoachDependencies, RoundContext } from '../types.ts';
import type { ProviderRequest } from './provider.ts';
import {
  bestOption,
  type PromptRenderer,
  type Question,
  type RankedOption,
  rankOptions,
  scoreRequests,
} from './rank-options.ts';
import type { RecordedModel } from './recorded-model.ts';

/** So that no question has more than eight options, some kinds are asked for as one. */
const fadeOrLimit = 'limit a reward or let it fade';
const happening = 'add an event or a constraint';
const adjusting = 'change an event, a constraint, an opponent or a stage';

const kindPhrases: Readonly<Record<EditKind, string>> = {
  remove: 'remove a reward, rule, event or constraint',
  scale: 'make a reward stronger or weaker',
  decay: fadeOrLimit,
  limit: fadeOrLimit,
  addReward: 'add a new reward',
  set: 'change a parameter',
  addRule: 'add a rule',
  addEvent: happening,
  addConstraint: happening,
  adjust: adjusting,
  curriculum: adjusting,
};

/** One of the questions by which an edit is chosen. */
interface Stage {
  readonly question: string;
  /** What an edit is called at this stage. */
  readonly phrase: (edit: EnumeratedEdit) => string;
}

/** As every choice begins. */
export const firstQuestion = 'Which kind of edit helps most?';

/** What the stages of a choice call an edit. */
export function phrasesOf(edit: EnumeratedEdit): string[] {
  return stages.map(({ phrase }) => phrase(edit)).filter((phrase) => phrase !== '');
}

const stages: readonly Stage[] = [
  { question: firstQuestion, phrase: ({ kind }) => kindPhrases[kind] },
  { question: 'Of which sort?', phrase: ({ family }) => family ?? '' },
  { question: 'On what?', phrase: ({ target }) => target },
  { question: 'How much?', phrase: ({ value }) => value },
];

/** What ranking reads of a request. */
export interface RankedQuestion extends Pick<ProviderRequest, 'text' | 'signal'> {
  readonly context: Pick<RoundContext, 'runId'>;
  readonly deps: Pick<CoachDependencies, 'now'>;
}

/** The model's questions about one candidate. Asked again they are answered from the record. */
export class Choosing {
  readonly #request: RankedQuestion;
  readonly #model: RecordedModel;
  readonly #render: PromptRenderer;
  readonly #proposalId: string;
  readonly #likings = new Map<EnumeratedEdit, number>();

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
  inOrder(edits: readonly EnumeratedEdit[]): AsyncGenerator<EnumeratedEdit, void> {
    return this.#descend(edits, stages, [], 0);
  }

  /** How much better than the mean of its options the model liked an edit that came up in the order, over the stages; else null. */
  likingOf(edit: EnumeratedEdit): number | null {
    return this.#likings.get(edit) ?? null;
  }

  /** The same of an edit that is named, among all that there are: asks about the stages on the way to it. */
  async like(wanted: EnumeratedEdit, edits: readonly EnumeratedEdit[]): Promise<number> {
    let left = edits;
    let liking = 0;
    const choices: string[] = [];
    for (const stage of stages) {
      const option = stage.phrase(wanted);
      const rated = await this.#rate(stage, left, choices);
      // Beyond the options that a question has, it is liked neither more nor less than they are.
      liking += rated.find(({ text }) => text === option)?.liking ?? 0;
      left = left.filter((edit) => stage.phrase(edit) === option);
      if (option !== '') choices.push(option);
    }
    return rounded(liking);
  }

  async *#descend(
    edits: readonly EnumeratedEdit[],
    [stage, ...rest]: readonly Stage[],
    choices: readonly string[],
    liking: number,
  ): AsyncGenerator<EnumeratedEdit, void> {
    if (stage === undefined) {
      const [first] = edits;
      if (first === undefined) return;
      this.#likings.set(first, rounded(liking));
      yield first;
      return;
    }
    for (const { text, liking: more } of await this.#rate(stage, edits, choices)) {
      const left = edits.filter((edit) => stage.phrase(edit) === text);
      yield* this.#descend(left, rest, text === '' ? choices : [...choices, text], liking + more);
    }
  }

  /** The options of a stage, best first, and by how much each is above their mean. A single one is not asked about. */
  async #rate(
    stage: Stage,
    edits: readonly EnumeratedEdit[],
    choices: readonly string[],
  ): Promise<{ readonly text: string; readonly liking: number }[]> {
    const options = optionsOf(stage, edits);
    if (options.length < 2) return options.map((text) => ({ text, liking: 0 }));
    const ranked = await this.#ask({ question: questionOf(stage, choices), options });
    const mean = ranked.reduce((sum, { score }) => sum + score, 0) / ranked.length;
    return ranked.map(({ text, score }) => ({ text, liking: score - mean }));
  }

  /** The options of a question, best first; ties go to the lower index. */
  async #ask(question: Question): Promise<RankedOption[]> {
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
    return rankOptions(question, answers).toSorted((a, b) => b.score - a.score);
  }
}

function rounded(liking: number): number {
  return Number(liking.toFixed(4));
}

function questionOf({ question }: Stage, choices: readonly string[]): string {
  return choices.length === 0 ? question : `Chosen so far: ${choices.join('; ')}. ${question}`;
}

/** Distinct phrases in the order of the enumeration. */
function optionsOf({ phrase }: Stage, edits: readonly EnumeratedEdit[]): string[] {
  return [...new Set(edits.map(phrase))].slice(0, maxOptions);
}
