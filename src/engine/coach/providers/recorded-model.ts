import { AppError } from '../../../shared/std/app-error.ts';
import { sha256 } from '../../files/index.ts';
import type { ModelCallRecord } from '../../store/model-calls.ts';
import type {
  AnsweringService,
  CoachStore,
  GenerateAnswer,
  GenerateRequest,
  ModelIdentity,
  ScoreAnswer,
  ScoreRequest,
} from '../types.ts';

export interface CallContext {
  readonly runId: string;
  readonly proposalId: string;
  readonly now: () => number;
  readonly signal: AbortSignal;
}

/** What is shown of an answer: the contract's part of a model call. */
export type CallSummary = Pick<
  ModelCallRecord,
  'mode' | 'options' | 'promptTokens' | 'outputTokens' | 'durationMs'
> & {
  readonly prompt: string;
  readonly output: string;
};

/** How often a request is put again after the host died under it: the answer depends on the request alone. */
const maxAttempts = 3;

/**
 * A model whose answers go on record before they are used, and are taken from the record where they are there: a
 * resumed run reads what it was told before it was interrupted.
 */
export class RecordedModel {
  readonly identity: ModelIdentity;
  readonly #service: AnsweringService;
  readonly #store: Pick<CoachStore, 'texts' | 'modelCalls'>;

  constructor(
    identity: ModelIdentity,
    service: AnsweringService,
    store: Pick<CoachStore, 'texts' | 'modelCalls'>,
  ) {
    this.identity = identity;
    this.#service = service;
    this.#store = store;
  }

  generate(request: GenerateRequest, context: CallContext): Promise<GenerateAnswer> {
    return this.#answer(
      { verb: 'generate', request },
      context,
      () => this.#service.generate(request, context.signal),
      (answer) => ({
        mode: 'generate',
        options: [],
        prompt: request.prompt,
        output: answer.text,
        promptTokens: answer.promptTokens,
        outputTokens: answer.outputTokens,
        durationMs: answer.durationMs,
      }),
    );
  }

  /** Several score requests that make one decision go on record as one call. */
  score(
    requests: readonly ScoreRequest[],
    context: CallContext,
    summarize: (answers: readonly ScoreAnswer[]) => Pick<CallSummary, 'options' | 'prompt' | 'output'>,
  ): Promise<readonly ScoreAnswer[]> {
    const ask = async (): Promise<readonly ScoreAnswer[]> => {
      const answers: ScoreAnswer[] = [];
      for (const request of requests) answers.push(await this.#service.score(request, context.signal));
      return answers;
    };
    return this.#answer({ verb: 'score', requests }, context, ask, (answers) => ({
      mode: 'rank',
      ...summarize(answers),
      promptTokens: Math.max(...answers.map(({ promptTokens }) => promptTokens)),
      outputTokens: answers.reduce((sum, { scoredTokens }) => sum + scoredTokens, 0),
      durationMs: answers.reduce((sum, { durationMs }) => sum + durationMs, 0),
    }));
  }

  async #answer<T>(
    request: object,
    context: CallContext,
    ask: () => Promise<T>,
    summarize: (answer: T) => CallSummary,
  ): Promise<T> {
    const requestKey = sha256(JSON.stringify({ model: this.identity.sha256, ...request }));
    const known = this.#store.modelCalls.findAnswer(context.runId, requestKey);
    if (known !== null) return (known.details as { answer: T }).answer;
    const answer = await askAgain(ask);
    const { prompt, output, ...summary } = summarize(answer);
    const { texts, modelCalls } = this.#store;
    modelCalls.insert({
      modelCallId: sha256(`${context.proposalId}/${requestKey}`).slice(0, 32),
      runId: context.runId,
      proposalId: context.proposalId,
      requestKey,
      model: this.identity.name,
      modelHash: this.identity.sha256,
      promptHash: texts.put(prompt),
      outputHash: texts.put(output),
      details: { request, answer, setup: this.identity.setup ?? null },
      createdAt: context.now(),
      ...summary,
    });
    return answer;
  }
}

/** Asks again while the host dies under the request; a model that kills its host every time is an error in the end. */
export async function askAgain<T>(ask: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await ask();
    } catch (thrown) {
      const isLost = thrown instanceof AppError && thrown.code === 'modelHost.died';
      if (!isLost || attempt >= maxAttempts) throw thrown;
    }
  }
}
