import type { LlamaContextSequence, LlamaGrammar, Token } from 'node-llama-cpp';
import { AppError } from '../../../../shared/std/app-error.ts';
import type { GenerateAnswer, GenerateRequest, SampleAnswer, SampleRequest } from '../../types.ts';
import { cutBack } from './cut-back.ts';
import type { LlamaSession } from './llama-session.ts';

/** Blanks in a row after which an answer is given up: a small model never leaves white space that nothing forbids. */
const maxBlanks = 48;

/** Generates an answer to the prompt in the model's chat format, held to a grammar where one is given. */
export async function generateText(
  session: LlamaSession,
  request: GenerateRequest,
  signal: AbortSignal,
): Promise<GenerateAnswer> {
  const { promptTokens, grammar } = await prepare(session, request);
  const sequence = await session.freshSequence(signal);
  return continuePrompt({ session, sequence, promptTokens, grammar, request, signal });
}

/** Several answers to one prompt, one per seed, a few of them at a time in one batch. */
export async function sampleTexts(
  session: LlamaSession,
  { seeds, parallel, ...request }: SampleRequest,
  signal: AbortSignal,
): Promise<SampleAnswer> {
  const { promptTokens, grammar } = await prepare(session, request);
  const sequences = await session.freshSequences(Math.min(parallel, seeds.length), signal);
  const answers: GenerateAnswer[] = [];
  let next = 0;
  const work = async (sequence: LlamaContextSequence): Promise<void> => {
    for (let i = next++; i < seeds.length; i = next++) {
      const one = { ...request, seed: seeds[i] ?? 0 };
      answers[i] = await continuePrompt({ session, sequence, promptTokens, grammar, request: one, signal });
    }
  };
  await Promise.all(sequences.map(work));
  return { answers };
}

interface Prepared {
  readonly promptTokens: Token[];
  readonly grammar: LlamaGrammar | null;
}

async function prepare(session: LlamaSession, request: Omit<GenerateRequest, 'seed'>): Promise<Prepared> {
  const promptTokens = renderChat(session, request.prompt);
  session.requireRoom(promptTokens.length, request.maxTokens);
  const grammar = request.grammar === null ? null : await createGrammar(session, request.grammar);
  return { promptTokens, grammar };
}

interface Continuation extends Prepared {
  readonly session: LlamaSession;
  readonly sequence: LlamaContextSequence;
  readonly request: GenerateRequest;
  readonly signal: AbortSignal;
}

async function continuePrompt(continuation: Continuation): Promise<GenerateAnswer> {
  const { session, promptTokens, request, signal } = continuation;
  const started = performance.now();
  const tokens: Token[] = [];
  const logProbs: number[] = [];
  let stopReason: GenerateAnswer['stopReason'] = 'end';
  for await (const { token, confidence } of await streamTokens(continuation)) {
    signal.throwIfAborted();
    tokens.push(token);
    logProbs.push(Math.log(Math.max(confidence, Number.MIN_VALUE)));
    refuseEndlessBlanks(session, tokens);
    if (tokens.length < request.maxTokens) continue;
    stopReason = 'maxTokens';
    break;
  }
  signal.throwIfAborted();
  return {
    text: session.model.detokenize(tokens),
    logProbs,
    promptTokens: promptTokens.length,
    outputTokens: tokens.length,
    stopReason,
    durationMs: performance.now() - started,
  };
}

async function streamTokens({ session, sequence, promptTokens, grammar, request }: Continuation) {
  const { library, model } = session;
  const held =
    grammar === null
      ? {}
      : { grammarEvaluationState: new library.LlamaGrammarEvaluationState({ model, grammar }) };
  const options = { temperature: request.temperature, seed: request.seed, ...held };
  // What an earlier answer to the same prompt left is cut away, and the prompt before its last token is kept.
  const kept = Math.min(promptTokens.length - 1, sequence.nextTokenIndex);
  await cutBack(sequence, kept);
  return sequence.evaluateWithMetadata(promptTokens.slice(kept), { confidence: true }, options);
}

function renderChat(session: LlamaSession, prompt: string): Token[] {
  const wrapper = session.library.resolveChatWrapper(session.model);
  const { contextText } = wrapper.generateContextState({
    chatHistory: [
      { type: 'user', text: prompt },
      { type: 'model', response: [] },
    ],
  });
  const tokens = contextText.tokenize(session.model.tokenizer);
  const { bos, shouldPrependBosToken } = session.model.tokens;
  return shouldPrependBosToken && bos !== null && tokens[0] !== bos ? [bos, ...tokens] : tokens;
}

async function createGrammar(session: LlamaSession, grammar: string): Promise<LlamaGrammar> {
  try {
    return await session.llama.createGrammar({ grammar });
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new AppError('input.invalid', `the grammar of the answer cannot be read: ${reason}`, { cause });
  }
}

function refuseEndlessBlanks(session: LlamaSession, tokens: readonly Token[]): void {
  if (tokens.length < maxBlanks) return;
  const tail = session.model.detokenize(tokens.slice(-maxBlanks));
  if (tail.trim() !== '') return;
  throw new AppError('coach.badOutput', `the model wrote nothing but white space for ${maxBlanks} tokens`, {
    data: { text: session.model.detokenize([...tokens]).slice(0, 2000) },
  });
}
