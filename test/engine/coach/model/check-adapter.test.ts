import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { checkAdapter } from '../../../../src/engine/coach/model/check-adapter.ts';
import { type GgufHeader, readGgufHeader } from '../../../../src/engine/coach/model/gguf-reader.ts';
import { thrownBy } from '../../../support/error-code.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { type TinyAdapterOptions, writeTinyAdapter, writeTinyGguf } from '../../../support/tiny-gguf.ts';

describe('checkAdapter', () => {
  let path: string;
  let base: GgufHeader;
  beforeEach(() => {
    const folder = temporaryFolder();
    path = join(folder, 'lora.gguf');
    base = readGgufHeader(writeTinyGguf(join(folder, 'base.gguf')));
  });

  test('takes the adapter of this model, and says what its factors take', () => {
    // Two layers, two weights each, two factors of 4 × 64 numbers.
    expect(checkAdapter(writeTinyAdapter(path), base, 'base.gguf')).toBe(2 * 2 * 2 * 4 * 64 * 4);
  });

  test('takes factors of the table of tokens the other way round', () => {
    const tensors = [
      { name: 'token_embd.weight.lora_a', shape: [4, 260] },
      { name: 'token_embd.weight.lora_b', shape: [4, 64] },
    ];
    expect(() => checkAdapter(writeTinyAdapter(path, { tensors }), base, 'base.gguf')).not.toThrow();
  });

  test.each<[title: string, options: TinyAdapterOptions, reason: string]>([
    [
      'of a wider model',
      { embedding: 96 },
      '"blk.0.attn_q.weight" is 64×64 in the model, and the adapter was trained for 96×96',
    ],
    ['of a deeper model', { layers: 3 }, 'it changes "blk.2.attn_q.weight", which the model does not have'],
    [
      'of another architecture',
      { architecture: 'gemma3' },
      'it is for the architecture gemma3, and the model is llama',
    ],
    ['of another kind', { kind: 'control' }, 'it is an adapter of the kind "control"'],
    [
      'with one factor only',
      { tensors: [{ name: 'output.weight.lora_a', shape: [64, 4] }] },
      'it has only one of the two factors of "output.weight"',
    ],
    [
      'with factors of two ranks',
      {
        tensors: [
          { name: 'output.weight.lora_a', shape: [64, 4] },
          { name: 'output.weight.lora_b', shape: [8, 260] },
        ],
      },
      'the factors of "output.weight" (64×4 and 8×260) do not fit together',
    ],
    [
      'with something else inside',
      { tensors: [{ name: 'output.bias', shape: [64] }] },
      'its tensor "output.bias" is neither .lora_a nor .lora_b',
    ],
  ])('refuses one %s', (_title, options, reason) => {
    const attempt = (): number => checkAdapter(writeTinyAdapter(path, options), base, 'base.gguf');
    expect(thrownBy(attempt).code).toBe('model.invalid');
    expect(attempt).toThrow(`is no LoRA adapter for base.gguf: ${reason}. Name an adapter`);
  });

  test('refuses a whole model', () => {
    const attempt = (): number => checkAdapter(writeTinyGguf(path), base, 'base.gguf');
    expect(attempt).toThrow('the file does not say that it is an adapter (general.type)');
  });
});
