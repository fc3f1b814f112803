import type { ModelSetup } from '../../../shared/contract/model-setup.ts';
import { AppError } from '../../../shared/std/app-error.ts';
import { sha256 } from '../../files/index.ts';
import type { LlamaConfig } from '../config.ts';
import { checkAdapter, isAdapter } from './check-adapter.ts';
import { estimateMemory } from './estimate-memory.ts';
import { hashFile } from './file-hash.ts';
import { type GgufHeader, numberOf, readGgufHeader, textOf } from './gguf-reader.ts';
import type { LoadRequest } from './host/protocol.ts';
import { defaultContextTokens } from './settings.ts';

/** What the host is to load, and what of it is known beforehand. */
export interface LoadPlan {
  readonly load: LoadRequest;
  /** Over the file and, where there are any, the adapters and their scales: what an answer depends on. */
  readonly sha256: string;
  readonly modelSha256: string;
  readonly adapters: ModelSetup['adapters'];
}

/**
 * Reads and hashes the files of a model, checks that they belong together, and says what memory they will take.
 *
 * Throws: model.notFound, model.invalid, model.cancelled; input.invalid for a context beyond the model's.
 */
export async function planLoad(
  path: string,
  { context, gpu, adapters: wanted }: LlamaConfig,
  {
    threads,
    contextTokens: usual = defaultContextTokens,
  }: { readonly threads: number; readonly contextTokens?: number },
  signal: AbortSignal | undefined,
): Promise<LoadPlan> {
  const header = readGgufHeader(path);
  requireModel(path, header);
  const contextTokens = chooseContext(path, header, context, usual);
  const adapterBytes = wanted.reduce((sum, { file }) => sum + checkAdapter(file, header, path), 0);
  const modelSha256 = await hashFile(path, signal);
  const adapters: ModelSetup['adapters'][0][] = [];
  for (const { file, scale } of wanted) adapters.push({ file, scale, sha256: await hashFile(file, signal) });
  return {
    load: {
      ...{ path, contextTokens, threads, gpu, adapters: wanted },
      memory: estimateMemory(header, contextTokens, adapterBytes),
    },
    sha256: adapters.length === 0 ? modelSha256 : hashOf(modelSha256, adapters),
    modelSha256,
    adapters,
  };
}

/** Names of files are no part of it: an answer does not depend on them. */
function hashOf(modelSha256: string, adapters: ModelSetup['adapters']): string {
  return sha256(JSON.stringify([modelSha256, ...adapters.map(({ sha256: hash, scale }) => [hash, scale])]));
}

function requireModel(path: string, header: GgufHeader): void {
  if (!isAdapter(header)) return;
  const message = `${path} is an adapter, not a model: name the model that it was trained on, and the adapter under llama.adapters of the coach block`;
  throw new AppError('model.invalid', message, { data: { path } });
}

/**
 * Tokens of context: as asked for, else the usual number, or as many as the model was trained for where that is less.
 *
 * Throws: input.invalid for more than it was trained for.
 */
export function chooseContext(
  path: string,
  header: GgufHeader,
  wanted: number | null,
  usual: number = defaultContextTokens,
): number {
  const trained = numberOf(header, `${textOf(header, 'general.architecture')}.context_length`);
  if (wanted === null) return Math.min(trained ?? usual, usual);
  if (trained === null || wanted <= trained) return wanted;
  const message = `a context of ${wanted} tokens is more than ${path} was trained for (${trained}): lower llama.context of the coach block`;
  throw new AppError('input.invalid', message, { data: { path, wanted, trained } });
}
