import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { LlamaConfig } from '../../../../src/engine/coach/config.ts';
import { ModelHost, type ModelHostOptions } from '../../../../src/engine/coach/model/model-host.ts';
import { defaultSettings } from '../../../../src/engine/coach/model/settings.ts';
import type { ModelIdentity, ScoreAnswer } from '../../../../src/engine/coach/types.ts';
import { rejectedBy } from '../../../support/error-code.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { writeTinyAdapter, writeTinyGguf } from '../../../support/tiny-gguf.ts';

const question = {
  prefix: 'the reward\n',
  variants: [{ suffix: 'Best:', options: [' remove', ' scale it'] }],
};

/** No host at all: it reads what it is told and answers nothing. */
function muteWorker(): string {
  const path = join(temporaryFolder(), 'mute.mjs');
  writeFileSync(path, 'process.on("message", () => {});');
  return path;
}

function openHost(options: ModelHostOptions = {}): ModelHost {
  const host = new ModelHost({ threads: 1, ...options });
  onTestFinished(() => host.close());
  return host;
}

describe('ModelHost with settings', () => {
  let host: ModelHost;
  let folder: string;
  let path: string;
  let adapter: string;

  beforeAll(() => {
    host = new ModelHost({ threads: 1 });
    folder = mkdtempSync(join(tmpdir(), 'gymwright-test-'));
    path = writeTinyGguf(join(folder, 'tiny.gguf'), { contextLength: 2 ** 30 });
    adapter = writeTinyAdapter(join(folder, 'lora.gguf'));
  });
  afterAll(async () => {
    await host.close();
    rmSync(folder, { recursive: true });
  });

  async function ask(
    settings: Partial<LlamaConfig> = {},
  ): Promise<{ identity: ModelIdentity; scores: ScoreAnswer['variants'] }> {
    const client = host.client('a');
    const identity = await client.load(path, undefined, { ...defaultSettings, ...settings });
    return { identity, scores: (await client.score(question)).variants };
  }

  test('says what was used: context, layers on a card, threads, adapters', async () => {
    const { identity } = await ask({ context: 1024, gpu: 0 });
    expect(identity.contextLength).toBe(1024);
    expect(identity.setup).toEqual({
      modelSha256: identity.sha256,
      ...{ contextTokens: 1024, gpu: null, gpuLayers: 0, threads: 1, adapters: [] },
    });
  });

  test('another context gives the same scores bit for bit', async () => {
    const { scores } = await ask({ gpu: 0 });
    expect((await ask({ context: 512, gpu: 0 })).scores).toEqual(scores);
  });

  test('an adapter is another model: by name, by hash, and in what it answers; its scale counts', async () => {
    const base = await ask();
    const adapted = await ask({ adapters: [{ file: adapter, scale: 1 }] });
    expect(adapted.identity.name).toBe('tiny random bytes + lora');
    expect(adapted.identity.sha256).not.toBe(base.identity.sha256);
    expect(adapted.identity.setup).toMatchObject({
      modelSha256: base.identity.sha256,
      adapters: [{ file: adapter, scale: 1, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) }],
    });
    expect(adapted.scores).not.toEqual(base.scores);
    const halved = await ask({ adapters: [{ file: adapter, scale: 0.5 }] });
    expect(halved.identity.name).toBe('tiny random bytes + lora × 0.5');
    expect(halved.scores).not.toEqual(adapted.scores);
    // Asked again after the others, each answers as it did.
    expect((await ask({ adapters: [{ file: adapter, scale: 1 }] })).scores).toEqual(adapted.scores);
    expect((await ask()).scores).toEqual(base.scores);
  });

  test('clients with settings of their own do not get in each other’s way', async () => {
    const [plain, adapted] = [host.client('plain'), host.client('adapted')];
    await plain.load(path);
    await adapted.load(path, undefined, { ...defaultSettings, adapters: [{ file: adapter, scale: 1 }] });
    const answers = await Promise.all([
      plain.score(question),
      adapted.score(question),
      plain.score(question),
    ]);
    expect(answers[2]?.variants).toEqual(answers[0]?.variants);
    expect(answers[1]?.variants).not.toEqual(answers[0]?.variants);
  });

  test('an adapter of another model is refused with the reason, before anything is loaded', async () => {
    const wide = writeTinyAdapter(join(folder, 'wide.gguf'), { embedding: 96 });
    const fresh = openHost();
    const settings = { ...defaultSettings, adapters: [{ file: wide, scale: 1 }] };
    const error = await rejectedBy(fresh.client('a').load(path, undefined, settings));
    expect(error.code).toBe('model.invalid');
    expect(error.message).toContain(
      '"blk.0.attn_q.weight" is 64×64 in the model, and the adapter was trained for 96×96',
    );
    expect(fresh.pid).toBeNull();
  });

  test('a context that there is no memory for is refused with figures, and the host goes on', async () => {
    const error = await rejectedBy(ask({ context: 2 ** 30, gpu: 0 }));
    expect(error.code).toBe('model.outOfMemory');
    expect(error.message).toMatch(
      /needs about 549,\d{3} MB of memory \(weights 1 MB, a context of 1073741824 tokens 549,756 MB/,
    );
    expect(error.data).toMatchObject({ cacheBytes: 2 ** 39, availableBytes: expect.any(Number) });
    expect((await ask()).identity.contextLength).toBe(4096);
  });

  test('an answer has the time that its client gives it', async () => {
    const client = host.client('a');
    await client.load(path, undefined, { ...defaultSettings, timeout: 0.02 });
    const request = { prompt: 'x', grammar: null, temperature: 1, seed: 1, maxTokens: 3000 };
    const error = await rejectedBy(client.generate(request));
    expect(error.code).toBe('model.timeout');
    expect(error.message).toContain('raise llama.timeout of the coach block');
  });
});

describe('the line of a ModelHost', () => {
  test('takes so many requests of one owner and of all, and refuses more with the figures', async () => {
    const path = writeTinyGguf(join(temporaryFolder(), 'tiny.gguf'));
    const host = openHost({ workerPath: muteWorker(), maxWaiting: { owner: 2, all: 3 } });
    const ask = (owner: string): Promise<unknown> => host.client(owner).load(path);
    // The first is being served and does not wait.
    const waiting = [ask('a'), ask('a'), ask('a')];
    const settled = Promise.allSettled([...waiting, ask('b')]);
    const [own, all] = await Promise.all([rejectedBy(ask('a')), rejectedBy(ask('c'))]);
    expect(own.code).toBe('model.busy');
    expect(own.data).toEqual({ waiting: 3, own: 2, owner: 'a' });
    expect(all.message).toContain('the model host has 3 requests waiting, 0 of them of "c"');
    await host.close();
    const outcomes = await settled;
    expect(outcomes.map(({ status }) => status)).toEqual(Array(4).fill('rejected'));
    expect(host.pid).toBeNull();
  });
});
