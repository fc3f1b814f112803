import type { LlamaContext, LlamaContextOptions } from 'node-llama-cpp';
import { describe, expect, test } from 'vitest';
import { layersOnCard, openContext } from '../../../../../src/engine/coach/model/host/open-context.ts';
import type { LoadRequest } from '../../../../../src/engine/coach/model/host/protocol.ts';
import { rejectedBy } from '../../../../support/error-code.ts';

class InsufficientMemoryError extends Error {}

/** A card with room for so many tokens: the library opens fewer only where it is given a range. */
function cardWith(freeTokens: number) {
  const asked: LlamaContextOptions[] = [];
  const createContext = async (options: LlamaContextOptions = {}): Promise<LlamaContext> => {
    asked.push(options);
    const { contextSize } = options;
    const range = typeof contextSize === 'object' ? contextSize : { min: contextSize, max: contextSize };
    const [least, most] = [Number(range.min), Number(range.max)];
    if (least > freeTokens) throw new InsufficientMemoryError(`A context size of ${least} is too large`);
    const opened = { contextSize: Math.min(most, freeTokens), dispose: async () => {} };
    return opened as LlamaContext;
  };
  return { createContext, asked };
}

const request: LoadRequest = {
  ...{ path: 'm.gguf', contextTokens: 4096, threads: 1, gpu: 'auto', adapters: [] },
  memory: { contextTokens: 4096, weightsBytes: 0, cacheBytes: 0, workBytes: 0 },
};
const { signal } = new AbortController();

describe('openContext', () => {
  test('opens what was planned', async () => {
    expect((await openContext(cardWith(10_000), request, signal)).contextSize).toBe(4096);
  });

  test('a card that is short of memory gives no smaller context, but a reason', async () => {
    await expect(openContext(cardWith(2000), request, signal)).rejects.toThrow('size of 4096 is too large');
  });

  test('a library that gives less without a word is refused with both figures', async () => {
    const createContext = async () => ({ contextSize: 2000, dispose: async () => {} }) as LlamaContext;
    const error = await rejectedBy(openContext({ createContext }, request, signal));
    expect(error.code).toBe('model.outOfMemory');
    expect(error.message).toContain('opens 2000 of the 4096 tokens');
  });

  test('loads adapters with their scales', async () => {
    const card = cardWith(10_000);
    await openContext(card, { ...request, adapters: [{ file: 'a.gguf', scale: 0.5 }] }, signal);
    expect(card.asked[0]?.lora).toEqual({ adapters: [{ filePath: 'a.gguf', scale: 0.5 }] });
  });
});

test('layersOnCard leaves room for the context unless a number is asked for', () => {
  expect(layersOnCard(request)).toEqual({ fitContext: { contextSize: 4096 } });
  expect(layersOnCard({ ...request, gpu: 12 })).toBe(12);
});
