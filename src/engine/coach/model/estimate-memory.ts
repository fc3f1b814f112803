import { AppError } from '../../../shared/std/app-error.ts';
import { type GgufHeader, numberOf, sizeOfTensors } from './gguf-reader.ts';

/** What a loaded model takes, by what takes it. Upper bounds: layers that look back a limited way cache less. */
export interface MemoryEstimate {
  /** Tokens of context that it is for. */
  readonly contextTokens: number;
  /** Of the model and its adapters. */
  readonly weightsBytes: number;
  /** Keys and values of the whole context, in 16 bit. */
  readonly cacheBytes: number;
  /** The host process, and logits and activations of one batch. */
  readonly workBytes: number;
}

/** Tokens that are computed at a time. */
const batchTokens = 512;

/** Node with llama.cpp and a vocabulary, measured: 98 to 102 MB beyond what is estimated at contexts of 512 to 8192 tokens. */
const processBytes = 100_000_000;

/** Memory for a context of so many tokens, from the header alone. */
export function estimateMemory(header: GgufHeader, contextTokens: number, adapterBytes = 0): MemoryEstimate {
  const of = (key: string): number | null =>
    numberOf(header, `${header.metadata.get('general.architecture')}.${key}`);
  const layers = of('block_count') ?? 0;
  const embedding = of('embedding_length') ?? 0;
  const heads = Math.max(1, of('attention.head_count') ?? 1);
  // A list with a number for each layer is not kept; then as many as there are for queries, which is the most.
  const cachedHeads = of('attention.head_count_kv') ?? heads;
  const keyWidth = of('attention.key_length') ?? embedding / heads;
  const valueWidth = of('attention.value_length') ?? embedding / heads;
  const hidden = Math.max(of('feed_forward_length') ?? 0, embedding);
  const vocabulary = header.arrayLengths.get('tokenizer.ggml.tokens') ?? 0;
  const batch = Math.min(batchTokens, contextTokens);
  return {
    contextTokens,
    weightsBytes: sizeOfTensors(header) + adapterBytes,
    cacheBytes: Math.round(layers * contextTokens * cachedHeads * (keyWidth + valueWidth) * 2),
    // What a layer holds at a time: its input, what attention makes of it, and both halves of the feed-forward part.
    workBytes: processBytes + Math.round(batch * 4 * (vocabulary + 4 * embedding + 2 * hidden)),
  };
}

export function totalOf({ weightsBytes, cacheBytes, workBytes }: MemoryEstimate): number {
  return weightsBytes + cacheBytes + workBytes;
}

/** Throws: model.outOfMemory with all figures where less is free. */
export function requireMemory(path: string, estimate: MemoryEstimate, availableBytes: number): void {
  const neededBytes = totalOf(estimate);
  if (neededBytes <= availableBytes) return;
  const { contextTokens, weightsBytes, cacheBytes, workBytes } = estimate;
  const message =
    `${path} needs about ${inMegabytes(neededBytes)} of memory (weights ${inMegabytes(weightsBytes)}, a context of ${contextTokens} tokens ` +
    `${inMegabytes(cacheBytes)}, computing ${inMegabytes(workBytes)}), and ${inMegabytes(availableBytes)} are free. Lower llama.context ` +
    'in the coach block, choose a smaller model or a stronger quantisation, or close other programs.';
  throw new AppError('model.outOfMemory', message, {
    data: { path, ...estimate, neededBytes, availableBytes },
  });
}

function inMegabytes(bytes: number): string {
  return `${Math.ceil(bytes / 1e6).toLocaleString('en-US')} MB`;
}
