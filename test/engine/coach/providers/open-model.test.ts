import { describe, expect, test } from 'vitest';
import { openModel } from '../../../../src/engine/coach/providers/open-model.ts';
import type { ModelIdentity, ModelService } from '../../../../src/engine/coach/types.ts';
import { AppError } from '../../../../src/shared/std/app-error.ts';
import { rejectedBy } from '../../../support/error-code.ts';
import { fakeModel } from '../../../support/fake-model.ts';

const llama = {
  context: 2048,
  gpu: 0,
  timeout: 60,
  adapters: [{ file: '/w/lora.gguf', scale: 0.5 }],
} as const;

/** What a host was asked to load, and by whom; each failure is thrown once. */
function recordingHost(failures: AppError[] = []) {
  const loads: { owner: string; args: Parameters<ModelService['load']> }[] = [];
  const usual = fakeModel();
  const client = (owner: string): ModelService => ({
    ...usual.client(owner),
    async load(...args): Promise<ModelIdentity> {
      loads.push({ owner, args });
      const failure = failures.shift();
      if (failure !== undefined) throw failure;
      return usual.client(owner).load('m.gguf');
    },
  });
  return { loads, models: { client } };
}

describe('openModel', () => {
  const { signal } = new AbortController();

  test('loads the file under the settings of the coach block, in the place of the run', async () => {
    const { loads, models } = recordingHost();
    const config = { model: '/w/m.gguf', llama };
    const { identity } = await openModel({ deps: { models }, context: { runId: 'r1', config }, signal });
    expect(loads).toEqual([{ owner: 'r1', args: ['/w/m.gguf', signal, llama] }]);
    expect(identity.name).toBe('fake');
  });

  test('leaves the settings to the host where the block has none', async () => {
    const { loads, models } = recordingHost();
    await openModel({ deps: { models }, context: { runId: 'r1', config: { model: 'm.gguf' } }, signal });
    expect(loads[0]?.args[2]).toBeUndefined();
  });

  test('asks again where the host died, and not where memory is short', async () => {
    const context = { runId: 'r1', config: { model: 'm.gguf' } };
    const dying = recordingHost([new AppError('modelHost.died', 'killed')]);
    await openModel({ deps: dying, context, signal });
    expect(dying.loads).toHaveLength(2);
    const short = recordingHost([new AppError('model.outOfMemory', 'too large')]);
    expect((await rejectedBy(openModel({ deps: short, context, signal }))).code).toBe('model.outOfMemory');
    expect(short.loads).toHaveLength(1);
  });

  test('says what is missing: a file, or a host', async () => {
    const { models } = recordingHost();
    const nameless = openModel({
      deps: { models },
      context: { runId: 'r1', config: { model: null } },
      signal,
    });
    expect((await rejectedBy(nameless)).message).toContain('set `model` in the coach block');
    const context = { runId: 'r1', config: { model: 'm.gguf' } };
    const error = await rejectedBy(openModel({ deps: { models: null }, context, signal }));
    expect(error.message).toBe('no model host is available here');
  });
});
