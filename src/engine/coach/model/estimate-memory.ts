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
  const keyOf = (name: string): string => `${header.metadata.get('general.architecture')}.${name}`;
  const of = (name: string): number | null => numberOf(header, keyOf(name));
  const layers = of('block_count') ?? 0;
  /** A number that a file has for all layers, or one for each in a list; null where it has neither. */
  const perLayer = (name: string): readonly number[] | null => {
    const one = of(name);
    return one === null ? (header.numberLists.get(keyOf(name)) ?? null) : [one];
  };
  const embedding = of('embedding_length') ?? 0;
  const heads = perLayer('attention.head_count') ?? [1];
  const cachedHeads = perLayer('attention.head_count_kv') ?? heads;
  const headWidth = embedding / (heads.find((each) => each > 0) ?? 1);
  const keyWidth = of('attention.key_length') ?? headWidth;
  const valueWidth = of('attention.value_length') ?? headWidth;
  const hidden = Math.max(...(perLayer('feed_forward_length') ?? []), embedding);
  const vocabulary = header.arrayLengths.get('tokenizer.ggml.tokens') ?? 0;
  const batch = Math.min(batchTokens, contextTokens);
  return {
    contextTokens,
    weightsBytes: sizeOfTensors(header) + adapterBytes,
    cacheBytes: Math.round(contextTokens * sumOver(layers, cachedHeads) * (keyWidth + valueWidth) * 2),
    // What a layer holds at a time: its input, what attention makes of it, and both halves of the feed-forward part.
    workBytes: processBytes + Math.round(batch * 4 * (vocabulary + 4 * embedding + 2 * hidden)),
  };
}

/** Sum of what all layers have; those that a list leaves out are taken for its widest. */
function sumOver(layers: number, numbers: readonly number[]): number {
  const known = numbers.slice(0, layers);
  return known.reduce((sum, each) => sum + each, 0) + (layers - known.length) * Math.max(...numbers);
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
