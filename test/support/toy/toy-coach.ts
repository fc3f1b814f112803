import type { CoachFace, RoundContext, TryOutOutcome } from '../../../src/engine/coach/types.ts';
import { toyEdl, toyText } from './toy-edl.ts';

const trialSteps = 40;

export interface ToyCoachOptions {
  /** Default: at every boundary but the last. */
  readonly asks?: (context: RoundContext) => boolean;
  /** The bias a round's proposal sets. */
  readonly propose?: (context: RoundContext) => number;
  /** What `ask` does before it answers. */
  readonly think?: (context: RoundContext, signal: AbortSignal) => Promise<void>;
  /** Whether a candidate is taken. Default: when it scored better than the control. */
  readonly accept?: (scores: readonly number[]) => boolean;
}

/** A coach with nothing to remember: trials are pure functions of the run, so that it may be asked again. */
export class ToyCoach implements CoachFace {
  readonly #options: ToyCoachOptions;
  readonly #proposed = new Map<string, number>();
  readonly #verdicts = new Map<string, number | null>();
  /** What was called, in order: `shouldAsk 0`, `ask 0`, ... */
  readonly calls: string[] = [];

  constructor(options: ToyCoachOptions = {}) {
    this.#options = options;
  }

  shouldAsk(context: RoundContext) {
    if (context.round + 1 >= context.numRounds || this.#options.asks?.(context) === false) return null;
    if (context.config.trigger.interval === null && !context.isRequested) return null;
    return { trigger: 'interval' as const, detail: '' };
  }

  async ask(context: RoundContext, _reason: unknown, signal: AbortSignal) {
    this.calls.push(`ask ${context.round}`);
    await this.#options.think?.(context, signal);
    signal.throwIfAborted();
    this.#proposed.set(`${context.runId} ${context.round}`, this.#options.propose?.(context) ?? 0);
    return [];
  }

  async tryOut(
    context: RoundContext,
    askedRound: number,
    runTrial: Parameters<CoachFace['tryOut']>[2],
    signal: AbortSignal,
  ): Promise<TryOutOutcome> {
    this.calls.push(`try ${askedRound} at ${context.round}`);
    const bias = this.#proposed.get(`${context.runId} ${askedRound}`);
    if (bias === undefined) throw new Error(`nothing was proposed at round ${askedRound}`);
    const { scripted } = context.environment.spec;
    const candidate = { ...compiled(toyText(bias)).spec, scripted };
    const request = {
      environments: [context.environment.spec, candidate],
      seed: context.seed,
      steps: trialSteps,
      episodes: 32,
    };
    const { branches } = await runTrial(request, signal);
    const scores = branches.map(({ score }) => score ?? Number.NaN);
    const isTaken = this.#options.accept?.(scores) ?? (scores[1] ?? 0) > (scores[0] ?? 0);
    this.#verdicts.set(`${context.runId} ${context.round}`, isTaken ? bias : null);
    return { chargedSteps: branches.reduce((sum, { trainedSteps }) => sum + trainedSteps, 0) };
  }

  decide(context: RoundContext) {
    const bias = this.#verdicts.get(`${context.runId} ${context.round}`) ?? null;
    const text = bias === null ? context.text : toyText(bias);
    return { text, environment: compiled(text), applied: [] };
  }
}

function compiled(text: string) {
  const { environment } = toyEdl.compile(text);
  if (environment === null) throw new Error(`the toy text does not compile: ${text}`);
  return environment;
}
