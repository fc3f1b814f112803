import { basename } from 'node:path';
import type { ModelInfo } from '../../../shared/contract/models.ts';
import { availableMemory } from './available-memory.ts';
import { estimateMemory, totalOf } from './estimate-memory.ts';
import { hashFile } from './file-hash.ts';
import { numberOf, readGgufHeader, textOf } from './gguf-reader.ts';
import { chooseContext } from './plan-load.ts';

/** Names of `general.file_type`, by number. */
const quantizations: Readonly<Record<number, string>> = {
  0: 'F32',
  1: 'F16',
  2: 'Q4_0',
  3: 'Q4_1',
  7: 'Q8_0',
  8: 'Q5_0',
  9: 'Q5_1',
  10: 'Q2_K',
  11: 'Q3_K_S',
  12: 'Q3_K_M',
  13: 'Q3_K_L',
  14: 'Q4_K_S',
  15: 'Q4_K_M',
  16: 'Q5_K_S',
  17: 'Q5_K_M',
  18: 'Q6_K',
  19: 'IQ2_XXS',
  20: 'IQ2_XS',
  22: 'IQ3_XS',
  23: 'IQ3_XXS',
  24: 'IQ1_S',
  25: 'IQ4_NL',
  30: 'IQ4_XS',
  32: 'BF16',
};

/** Models below this many parameters choose among enumerated edits; larger ones write EDL. */
const generateFromParameters = 900_000_000;

/**
 * Describes a GGUF file from its header, without loading it; memory is estimated for the context that is asked for, else for
 * the one that the host opens by itself.
 *
 * Throws: model.notFound, model.invalid (with the offset of what is wrong); input.invalid for a context beyond the model's.
 */
export function inspectHeader(path: string, contextTokens: number | null = null): ModelInfo {
  const header = readGgufHeader(path);
  const architecture = textOf(header, 'general.architecture') ?? 'unknown';
  const parameters = header.tensors.reduce((sum, tensor) => sum + tensor.elements, 0);
  const memory = estimateMemory(header, chooseContext(path, header, contextTokens));
  const fileType = numberOf(header, 'general.file_type');
  return {
    path,
    name: textOf(header, 'general.name') ?? basename(path, '.gguf'),
    architecture,
    parameters: parameters > 0 ? parameters : null,
    sizeBytes: header.fileBytes,
    contextLength: numberOf(header, `${architecture}.context_length`),
    quantization: fileType === null ? null : (quantizations[fileType] ?? `type ${fileType}`),
    sha256: null,
    memoryEstimateBytes: totalOf(memory),
    memory: { ...memory, availableBytes: availableMemory() },
    mode: parameters >= generateFromParameters ? 'generate' : 'rank',
  };
}

/**
 * The same with the file's SHA-256, which reads the whole file once.
 *
 * Throws: as above; model.cancelled when the signal is aborted before the hash is there.
 */
export async function inspectModel(
  path: string,
  signal?: AbortSignal,
  contextTokens: number | null = null,
): Promise<ModelInfo> {
  const info = inspectHeader(path, contextTokens);
  return { ...info, sha256: await hashFile(path, signal) };
}
