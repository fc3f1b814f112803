import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { hashFile } from '../../../../src/engine/coach/model/file-hash.ts';
import { planLoad } from '../../../../src/engine/coach/model/plan-load.ts';
import { defaultSettings } from '../../../../src/engine/coach/model/settings.ts';
import { rejectedBy } from '../../../support/error-code.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { writeTinyAdapter, writeTinyGguf } from '../../../support/tiny-gguf.ts';

describe('planLoad', () => {
  let folder: string;
  let path: string;
  beforeEach(() => {
    folder = temporaryFolder();
    path = writeTinyGguf(join(folder, 'tiny.gguf'), { contextLength: 8192 });
  });
  const plan = (settings: Partial<typeof defaultSettings> = {}) =>
    planLoad(path, { ...defaultSettings, ...settings }, { threads: 1 }, undefined);

  test('opens 4096 tokens where nobody says otherwise, fewer where the model was trained for fewer', async () => {
    expect((await plan()).load).toMatchObject({ contextTokens: 4096, gpu: 'auto' });
    path = writeTinyGguf(join(folder, 'short.gguf'), { contextLength: 512 });
    expect((await plan()).load.contextTokens).toBe(512);
  });

  test('opens the context that is asked for, up to what the model was trained for', async () => {
    const { load } = await plan({ context: 8192 });
    expect(load).toMatchObject({ contextTokens: 8192 });
    expect(load.memory.contextTokens).toBe(8192);
    const error = await rejectedBy(plan({ context: 8193 }));
    expect(error.code).toBe('input.invalid');
    expect(error.message).toContain('8193 tokens is more than');
    expect(error.message).toContain('(8192)');
  });

  test('a model alone goes by the hash of its file; with adapters by theirs and their scales, too', async () => {
    const file = writeTinyAdapter(join(folder, 'a.gguf'));
    const copy = writeTinyAdapter(join(folder, 'copy.gguf'));
    const other = writeTinyAdapter(join(folder, 'b.gguf'), { seed: 10 });
    const alone = await plan();
    expect(alone.sha256).toBe(await hashFile(path));
    const adapted = await plan({ adapters: [{ file, scale: 1 }] });
    expect(adapted.modelSha256).toBe(alone.sha256);
    expect(adapted.adapters).toEqual([{ file, scale: 1, sha256: await hashFile(file) }]);
    expect(adapted.load.memory.weightsBytes).toBeGreaterThan(alone.load.memory.weightsBytes);
    expect((await plan({ adapters: [{ file: copy, scale: 1 }] })).sha256).toBe(adapted.sha256);
    const hashes = [
      alone.sha256,
      adapted.sha256,
      (await plan({ adapters: [{ file, scale: 0.5 }] })).sha256,
      (await plan({ adapters: [{ file: other, scale: 1 }] })).sha256,
      (
        await plan({
          adapters: [
            { file, scale: 1 },
            { file: other, scale: 1 },
          ],
        })
      ).sha256,
    ];
    expect(new Set(hashes).size).toBe(5);
  });

  test('an adapter in the place of a model is refused, and says where it belongs', async () => {
    path = writeTinyAdapter(join(folder, 'a.gguf'));
    const error = await rejectedBy(plan());
    expect(error.code).toBe('model.invalid');
    expect(error.message).toContain('the adapter under llama.adapters of the coach block');
  });

  test('an adapter that is not there is refused', async () => {
    const error = await rejectedBy(plan({ adapters: [{ file: join(folder, 'gone.gguf'), scale: 1 }] }));
    expect(error.code).toBe('model.notFound');
  });
});
