import type { LlamaContext, LlamaModel, LlamaModelOptions } from 'node-llama-cpp';
import { AppError } from '../../../../shared/std/app-error.ts';
import type { LoadRequest } from './protocol.ts';

/**
 * A context of the tokens that were planned, or none: prompts are fitted to it, and what a prompt says must not depend on what
 * memory was free.
 *
 * Throws: what llama.cpp throws for lack of memory; model.outOfMemory where it gave less without a word.
 */
export async function openContext(
  model: Pick<LlamaModel, 'createContext'>,
  { path, contextTokens, threads, adapters }: LoadRequest,
  signal: AbortSignal,
  sequences = 1,
): Promise<LlamaContext> {
  const context = await model.createContext({
    sequences,
    contextSize: contextTokens,
    threads,
    createSignal: signal,
    ...(adapters.length > 0 && {
      lora: { adapters: adapters.map(({ file, scale }) => ({ filePath: file, scale })) },
    }),
  });
  if (context.contextSize >= contextTokens) return context;
  await context.dispose();
  const message = `llama.cpp opens ${context.contextSize} of the ${contextTokens} tokens of context that ${path} is asked with: lower llama.context of the coach block`;
  throw new AppError('model.outOfMemory', message, { data: { path, contextTokens } });
}

/** `auto`: as many layers as leave room for the whole context on the card. */
export function layersOnCard({
  gpu,
  contextTokens,
}: Pick<LoadRequest, 'gpu' | 'contextTokens'>): NonNullable<LlamaModelOptions['gpuLayers']> {
  return gpu === 'auto' ? { fitContext: { contextSize: contextTokens } } : gpu;
}
