import { AppError } from '../../../shared/std/app-error.ts';
import { type GgufHeader, type GgufTensor, readGgufHeader, sizeOfTensors, textOf } from './gguf-reader.ts';

/** Endings of the two factors of a change of weights. */
const factors = { a: '.lora_a', b: '.lora_b' } as const;

/** Tables of vectors, one row a token: their factors stand the other way round. */
const tables: readonly string[] = ['token_embd.weight'];

export function isAdapter(header: GgufHeader): boolean {
  return textOf(header, 'general.type') === 'adapter';
}

/**
 * Whether a LoRA adapter belongs to a model, from both headers: the same architecture, and each pair of factors as long and
 * wide as the weights that it changes. Two models of one size cannot be told apart so. Returns what its tensors take.
 *
 * Throws: model.notFound; model.invalid with the reason.
 * Source: the adapter part of the GGUF specification; shapes as llama.cpp takes them.
 */
export function checkAdapter(path: string, base: GgufHeader, basePath: string): number {
  const adapter = readGgufHeader(path);
  const refuse = (reason: string): never => {
    const hint =
      'Name an adapter that was trained on this very model, converted with llama.cpp (convert_lora_to_gguf.py).';
    throw new AppError('model.invalid', `${path} is no LoRA adapter for ${basePath}: ${reason}. ${hint}`, {
      data: { path, basePath, reason },
    });
  };
  if (!isAdapter(adapter)) return refuse('the file does not say that it is an adapter (general.type)');
  const kind = textOf(adapter, 'adapter.type');
  if (kind !== 'lora') return refuse(`it is an adapter of the kind "${kind ?? 'unnamed'}"`);
  const own = textOf(adapter, 'general.architecture');
  const architecture = textOf(base, 'general.architecture');
  if (own !== architecture)
    return refuse(`it is for the architecture ${own}, and the model is ${architecture}`);
  const weights = new Map(base.tensors.map((tensor) => [tensor.name, tensor]));
  const given = new Map(adapter.tensors.map((tensor) => [tensor.name, tensor]));
  for (const { name } of adapter.tensors) {
    const ending = Object.values(factors).find((each) => name.endsWith(each));
    if (ending === undefined) return refuse(`its tensor "${name}" is neither ${factors.a} nor ${factors.b}`);
    const target = name.slice(0, -ending.length);
    const weight = weights.get(target);
    if (weight === undefined) return refuse(`it changes "${target}", which the model does not have`);
    const reason = misfit(weight, given.get(target + factors.a), given.get(target + factors.b));
    if (reason !== null) return refuse(reason);
  }
  return sizeOfTensors(adapter);
}

/** Why two factors are not those of a change of these weights; null: they are. */
function misfit(weight: GgufTensor, a: GgufTensor | undefined, b: GgufTensor | undefined): string | null {
  if (a === undefined || b === undefined) return `it has only one of the two factors of "${weight.name}"`;
  const [width, height] = tables.includes(weight.name) ? [b.shape[1], a.shape[1]] : [a.shape[0], b.shape[1]];
  if (a.shape[1] !== b.shape[0] && !tables.includes(weight.name))
    return `the factors of "${weight.name}" (${sizeOf(a)} and ${sizeOf(b)}) do not fit together`;
  if (width === weight.shape[0] && height === weight.shape[1]) return null;
  return `"${weight.name}" is ${sizeOf(weight)} in the model, and the adapter was trained for ${width}×${height}`;
}

const sizeOf = ({ shape }: GgufTensor): string => shape.join('×');
