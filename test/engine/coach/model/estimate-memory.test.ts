import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  estimateMemory,
  requireMemory,
  totalOf,
} from '../../../../src/engine/coach/model/estimate-memory.ts';
import { type GgufHeader, readGgufHeader } from '../../../../src/engine/coach/model/gguf-reader.ts';
import { thrownBy } from '../../../support/error-code.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { writeTinyGguf } from '../../../support/tiny-gguf.ts';

const header = (): GgufHeader => readGgufHeader(writeTinyGguf(join(temporaryFolder(), 'tiny.gguf')));

describe('estimateMemory', () => {
  test('adds up weights, the cache of the context, and what the process and a batch need', () => {
    expect(estimateMemory(header(), 1024)).toEqual({
      contextTokens: 1024,
      // 115,520 numbers of 32 bit.
      weightsBytes: 462_080,
      // Two layers, two heads, keys and values of 32 each, in 16 bit: 512 bytes a token.
      cacheBytes: 1024 * 512,
      // 512 tokens at a time: 260 logits, 4 × 64, and 2 × 128 of the feed-forward part, in 32 bit.
      workBytes: 100_000_000 + 512 * 4 * (260 + 256 + 256),
    });
  });

  test('takes the width of keys and values from the file where it says it, and counts adapters as weights', () => {
    const plain = header();
    const wide: GgufHeader = {
      ...plain,
      metadata: new Map([
        ...plain.metadata,
        ['llama.attention.key_length', 256],
        ['llama.attention.value_length', 128],
      ]),
    };
    expect(estimateMemory(wide, 1000).cacheBytes).toBe(2 * 1000 * 2 * (256 + 128) * 2);
    const more = totalOf(estimateMemory(plain, 512, 1000)) - totalOf(estimateMemory(plain, 512));
    expect(more).toBe(1000);
  });

  test('heads and widths that differ by layer count layer by layer', () => {
    const plain = header();
    const metadata = new Map(plain.metadata);
    const keys = ['attention.head_count', 'attention.head_count_kv', 'feed_forward_length'];
    for (const key of keys) metadata.delete(`llama.${key}`);
    const lists = (kv: readonly number[]) =>
      new Map([
        ['llama.attention.head_count', [8, 4]],
        ['llama.attention.head_count_kv', kv],
        ['llama.feed_forward_length', [128, 512]],
      ]);
    const estimate = (kv: readonly number[]) =>
      estimateMemory({ ...plain, metadata, numberLists: lists(kv) }, 1000);
    // Keys and values of 64 / 8 each, in 16 bit; a layer without attention keeps none.
    expect(estimate([4, 2]).cacheBytes).toBe(1000 * (4 + 2) * 16 * 2);
    expect(estimate([4, 0]).cacheBytes).toBe(1000 * 4 * 16 * 2);
    expect(estimate([4]).cacheBytes).toBe(1000 * (4 + 4) * 16 * 2);
    expect(estimate([4, 2]).workBytes).toBe(100_000_000 + 512 * 4 * (260 + 4 * 64 + 2 * 512));
  });
});

describe('requireMemory', () => {
  const estimate = { contextTokens: 4096, weightsBytes: 1.1e9, cacheBytes: 6e8, workBytes: 2e8 };

  test('lets pass what fits to the byte', () => {
    expect(() => requireMemory('m.gguf', estimate, 1.9e9)).not.toThrow();
  });

  test('refuses what does not, with every figure and what to do', () => {
    const attempt = (): void => requireMemory('m.gguf', estimate, 1.9e9 - 1);
    expect(thrownBy(attempt).code).toBe('model.outOfMemory');
    expect(attempt).toThrow(
      'm.gguf needs about 1,900 MB of memory (weights 1,100 MB, a context of 4096 tokens 600 MB, computing 200 MB), and 1,900 MB are free. Lower llama.context in the coach block',
    );
  });
});
