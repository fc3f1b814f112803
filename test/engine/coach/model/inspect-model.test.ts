import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { inspectHeader, inspectModel } from '../../../../src/engine/coach/model/inspect-model.ts';
import { thrownBy } from '../../../support/error-code.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { tinyGguf, writeTinyGguf } from '../../../support/tiny-gguf.ts';

describe('inspectModel', () => {
  test('describes a model by its header and hashes the file', async () => {
    const path = writeTinyGguf(join(temporaryFolder(), 'tiny.gguf'));
    const bytes = tinyGguf();
    expect(await inspectModel(path)).toEqual({
      path,
      name: 'tiny random bytes',
      architecture: 'llama',
      // Embedding and output 2 × 260 × 64, two layers of 4 × 64² + 3 × 64 × 128 + 128, last norm 64.
      parameters: 115_520,
      sizeBytes: bytes.length,
      contextLength: 512,
      quantization: 'F32',
      sha256: createHash('sha256').update(bytes).digest('hex'),
      memoryEstimateBytes: expect.any(Number),
      memory: expect.objectContaining({ contextTokens: 512, weightsBytes: 115_520 * 4 }),
      mode: 'rank',
    });
  });

  test('estimates more memory for a longer context', () => {
    const folder = temporaryFolder();
    const short = inspectHeader(writeTinyGguf(join(folder, 'short.gguf'), { contextLength: 512 }));
    const long = inspectHeader(writeTinyGguf(join(folder, 'long.gguf'), { contextLength: 2048 }));
    // Key and value, two layers, 64 wide, 16 bit: 512 bytes a token.
    expect((long.memoryEstimateBytes ?? 0) - (short.memoryEstimateBytes ?? 0)).toBe((2048 - 512) * 512);
  });

  test('estimates for the context that is asked for, and refuses one that the model was not trained for', () => {
    const path = writeTinyGguf(join(temporaryFolder(), 'tiny.gguf'), { contextLength: 4096 });
    const { memory, memoryEstimateBytes } = inspectHeader(path, 1024);
    expect(memory).toMatchObject({ contextTokens: 1024, cacheBytes: 1024 * 512 });
    expect(memory?.availableBytes).toBeGreaterThan(0);
    const { weightsBytes = 0, cacheBytes = 0, workBytes = 0 } = memory ?? {};
    expect(memoryEstimateBytes).toBe(weightsBytes + cacheBytes + workBytes);
    expect(thrownBy(() => inspectHeader(path, 5000)).code).toBe('input.invalid');
  });

  test('hashes again when the file changed', async () => {
    const path = join(temporaryFolder(), 'model.gguf');
    const first = await inspectModel(writeTinyGguf(path, { seed: 1 }));
    const second = await inspectModel(writeTinyGguf(path, { seed: 2, contextLength: 1024 }));
    expect(second.sha256).not.toBe(first.sha256);
  });
});
