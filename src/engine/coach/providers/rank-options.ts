import type { OptionScore, ScoreAnswer, ScoreRequest } from '../types.ts';

/** A question with its options, as a ranking prompt shows them. */
export interface Question {
  readonly question: string;
  readonly options: readonly string[];
}

/** Renders the prompt for a question, with the snapshot or without it, its options in a given order. */
export type PromptRenderer = (question: string, optionList: string, withSnapshot: boolean) => string;

export interface RankedOption {
  readonly text: string;
  /** Per-token log p given the snapshot, averaged over the orders. */
  readonly logProb: number;
  /** The same without the snapshot. */
  readonly baseline: number;
  /** logProb − baseline, rounded: what seeing the snapshot adds. */
  readonly score: number;
}

/** Decimals of a score: below, differences are noise of the arithmetic. */
const scoreDecimals = 4;

/** Options in the order given, and reversed: models favour places in a list. */
export function orderings(length: number): readonly (readonly number[])[] {
  const forward = Array.from({ length }, (_, i) => i);
  return [forward, forward.toReversed()];
}

/** The two requests of a question: with the snapshot, then without; each with both orders. */
export function scoreRequests({ question, options }: Question, render: PromptRenderer): ScoreRequest[] {
  return [true, false].map((withSnapshot) => {
    const prompts = orderings(options.length).map((order) =>
      render(question, order.map((i) => `- ${options[i]}`).join('\n'), withSnapshot).trimEnd(),
    );
    const prefix = commonLines(prompts);
    return {
      prefix,
      variants: prompts.map((prompt) => ({
        suffix: prompt.slice(prefix.length),
        options: options.map((option) => ` ${option}`),
      })),
    };
  });
}

/** What the texts share from the start, in whole lines: so the tokens of the prefix are those of every prompt. */
function commonLines(texts: readonly string[]): string {
  const [first = '', ...rest] = texts;
  let length = first.length;
  for (const text of rest) {
    let same = 0;
    while (same < length && text[same] === first[same]) same++;
    length = same;
  }
  return first.slice(0, first.lastIndexOf('\n', length) + 1);
}

/** Scores of a question's options from the two answers. */
export function rankOptions({ options }: Question, answers: readonly ScoreAnswer[]): RankedOption[] {
  const [informed, blind] = answers;
  return options.map((text, i) => {
    const logProb = meanPerToken(informed, i);
    const baseline = meanPerToken(blind, i);
    return { text, logProb, baseline, score: Number((logProb - baseline).toFixed(scoreDecimals)) };
  });
}

function meanPerToken(answer: ScoreAnswer | undefined, option: number): number {
  const scores = (answer?.variants ?? [])
    .map((variant) => variant[option])
    .filter((score) => score !== undefined);
  const perToken = ({ logProb, numTokens }: OptionScore): number => logProb / numTokens;
  return scores.reduce((sum, score) => sum + perToken(score), 0) / scores.length;
}

/** Index of the best score; ties go to the lower index. */
export function bestOption(ranked: readonly RankedOption[]): number {
  let best = 0;
  for (const [i, { score }] of ranked.entries()) if (score > (ranked[best]?.score ?? 0)) best = i;
  return best;
}
