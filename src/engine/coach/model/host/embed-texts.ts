import { performance } from 'node:perf_hooks';
import type { EmbedAnswer, EmbedRequest } from '../../types.ts';
import type { LlamaSession } from './llama-session.ts';

/** Tokens of a text that are read at most; the rest does not count. */
const maxEmbeddedTokens = 1024;

/** Tokens that the library may put around a text. */
const margin = 2;

/**
 * Vectors of unit length: pooled as the model was trained to where it is one for embeddings, else what stands at the last token
 * of a text, which has seen all of it. Each text has a context of its own, so that its vector depends on it alone.
 */
export async function embedTexts(
  session: LlamaSession,
  { texts }: EmbedRequest,
  signal: AbortSignal,
): Promise<EmbedAnswer> {
  const started = performance.now();
  const contextSize = Math.min(session.contextTokens, maxEmbeddedTokens + margin);
  const vectors: number[][] = [];
  let promptTokens = 0;
  for (const text of texts) {
    signal.throwIfAborted();
    const tokens = session.tokenize(text).slice(0, contextSize - margin - 1);
    promptTokens += tokens.length;
    const context = await session.embeddingContext(contextSize, signal);
    try {
      const { vector } = await context.getEmbeddingFor(tokens);
      vectors.push(toUnitLength(vector));
    } finally {
      await context.dispose();
    }
  }
  return { vectors, promptTokens, durationMs: performance.now() - started };
}

/** A vector of zeros stays one. */
function toUnitLength(vector: readonly number[]): number[] {
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value ** 2, 0));
  return length === 0 ? [...vector] : vector.map((value) => value / length);
}
