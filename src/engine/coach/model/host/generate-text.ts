import type { LlamaGrammar, Token } from 'node-llama-cpp';
import { AppError } from '../../../../shared/std/app-error.ts';
import type { GenerateAnswer, GenerateRequest } from '../../types.ts';
import type { LlamaSession } from './llama-session.ts';

/** Blanks in a row after which the answer is given up: grammars permit white space that a small model never leaves. */
const maxBlanks = 48;

/** Generates an answer to the prompt in the model's chat format, held to a JSON schema where one is given. */
export async function generateText(
  session: LlamaSession,
  request: GenerateRequest,
  signal: AbortSignal,
): Promise<GenerateAnswer> {
  const started = performance.now();
  const promptTokens = renderChat(session, request.prompt);
  session.requireRoom(promptTokens.length, request.maxTokens);
  const grammar = request.schema === null ? null : await createGrammar(session, request.schema);

  const sequence = await session.freshSequence(signal);
  const stream = sequence.evaluateWithMetadata(
    promptTokens,
    { confidence: true },
    {
      temperature: request.temperature,
      seed: request.seed,
      ...(grammar === null
        ? {}
        : {
            grammarEvaluationState: new session.library.LlamaGrammarEvaluationState({
              model: session.model,
              grammar,
            }),
          }),
    },
  );
  const tokens: Token[] = [];
  const logProbs: number[] = [];
  let stopReason: GenerateAnswer['stopReason'] = 'end';
  for await (const { token, confidence } of stream) {
    signal.throwIfAborted();
    tokens.push(token);
    logProbs.push(Math.log(Math.max(confidence, Number.MIN_VALUE)));
    refuseEndlessBlanks(session, tokens);
    // The grammar would permit blanks after the last brace, and small models go on writing them.
    if (grammar !== null && isWholeJson(session.model.detokenize(tokens))) break;
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

async function createGrammar(session: LlamaSession, schema: object): Promise<LlamaGrammar> {
  try {
    return await session.llama.createGrammarForJsonSchema(
      schema as Parameters<typeof session.llama.createGrammarForJsonSchema>[0],
    );
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new AppError('input.invalid', `the JSON schema of the answer cannot be made a grammar: ${reason}`, {
      cause,
    });
  }
}

function isWholeJson(text: string): boolean {
  if (!text.trimEnd().endsWith('}')) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
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
