import type { ControlledEvaluateInputItem, LlamaContextSequence, Token } from 'node-llama-cpp';
import { AppError } from '../../../../shared/std/app-error.ts';
import type { OptionScore, ScoreAnswer, ScoreRequest } from '../../types.ts';
import { cutBack } from './cut-back.ts';
import type { LlamaSession } from './llama-session.ts';

/** Probabilities below this are read as this: log 0 would swallow every other token's evidence. */
const leastProbability = 1e-12;

interface Tokenized {
  /** At least one token: the last one is evaluated anew for its distribution over what follows. */
  readonly prompt: readonly Token[];
  readonly options: readonly (readonly Token[])[];
}

/**
 * log p of each option as the continuation of its prompt, by teacher forcing: the prompts' common start is evaluated
 * once, and after each option the sequence is cut back to it.
 */
export async function scoreOptions(
  session: LlamaSession,
  request: ScoreRequest,
  signal: AbortSignal,
): Promise<ScoreAnswer> {
  const started = performance.now();
  const variants = request.variants.map(({ suffix, options }) =>
    tokenize(session, request.prefix + suffix, options),
  );
  for (const { prompt, options } of variants) session.requireRoom(prompt.length, longest(options));

  const sequence = await session.freshSequence(signal);
  const answers: OptionScore[][] = [];
  const common = commonLength(variants.map(({ prompt }) => prompt.slice(0, -1)));
  await evaluate(sequence, variants[0]?.prompt.slice(0, common) ?? []);
  for (const { prompt, options } of variants) {
    await cutBack(sequence, common);
    await evaluate(sequence, prompt.slice(common, -1));
    const scores: OptionScore[] = [];
    for (const option of options) {
      signal.throwIfAborted();
      await cutBack(sequence, prompt.length - 1);
      scores.push({
        logProb: await logProbOf(sequence, prompt.at(-1) as Token, option),
        numTokens: option.length,
      });
    }
    answers.push(scores);
  }
  return {
    variants: answers,
    promptTokens: longest(variants.map(({ prompt }) => prompt)),
    scoredTokens: answers.flat().reduce((sum, { numTokens }) => sum + numTokens, 0),
    durationMs: performance.now() - started,
  };
}

function tokenize(session: LlamaSession, text: string, options: readonly string[]): Tokenized {
  const { bos, shouldPrependBosToken } = session.model.tokens;
  const start = shouldPrependBosToken && bos !== null ? [bos] : [];
  const prompt = [...start, ...session.tokenize(text)];
  if (prompt.length === 0) throw new AppError('input.invalid', 'a prompt to be scored has no token');
  return {
    prompt,
    options: options.map((option) => continuation(session, text, prompt.slice(start.length), option)),
  };
}

/** Tokens that follow the prompt's; tokenised together, since a tokeniser may treat the start of a text differently. */
function continuation(
  session: LlamaSession,
  text: string,
  prompt: readonly Token[],
  option: string,
): Token[] {
  const together = session.tokenize(text + option);
  const isPrefix = prompt.every((token, i) => together[i] === token);
  const tokens = isPrefix ? together.slice(prompt.length) : session.tokenize(option);
  if (tokens.length === 0) throw new AppError('input.invalid', 'an option to be scored has no token');
  return tokens;
}

async function evaluate(sequence: LlamaContextSequence, tokens: readonly Token[]): Promise<void> {
  if (tokens.length > 0) await sequence.evaluateWithoutGeneratingNewTokens([...tokens]);
}

async function logProbOf(
  sequence: LlamaContextSequence,
  last: Token,
  option: readonly Token[],
): Promise<number> {
  const input: ControlledEvaluateInputItem[] = [last, ...option.slice(0, -1)].map((token) => [
    token,
    { generateNext: { probabilities: true } },
  ]);
  const results = await sequence.controlledEvaluate(input);
  let sum = 0;
  for (const [i, token] of option.entries()) {
    const probability = results[i]?.next.probabilities?.get(token) ?? 0;
    sum += Math.log(Math.max(probability, leastProbability));
  }
  return sum;
}

function longest(lists: readonly (readonly Token[])[]): number {
  return lists.reduce((most, { length }) => Math.max(most, length), 0);
}

function commonLength(lists: readonly (readonly Token[])[]): number {
  const [first = [], ...rest] = lists;
  let length = first.length;
  for (const list of rest) {
    let same = 0;
    while (same < length && list[same] === first[same]) same++;
    length = same;
  }
  return length;
}
