import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { readGgufHeader } from '../../../../src/engine/coach/model/gguf-reader.ts';
import { ModelHost, type ModelHostOptions } from '../../../../src/engine/coach/model/model-host.ts';
import type { GenerateRequest } from '../../../../src/engine/coach/types.ts';
import { rejectedBy } from '../../../support/error-code.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { writeTinyGguf } from '../../../support/tiny-gguf.ts';

const grammar = 'root ::= "{\\"op\\":\\"" ("add" | "remove") "\\",\\"edl\\":\\"" [a-z ]{0,12} "\\"}"';

const generation: GenerateRequest = { prompt: 'Edit?', grammar, temperature: 0.8, seed: 3, maxTokens: 200 };
const question = {
  prefix: 'the reward\n',
  variants: [
    { suffix: 'Best:', options: [' remove', ' scale it', ' remove'] },
    { suffix: 'Good:', options: [' remove'] },
  ],
};

function openHost(options: ModelHostOptions = {}): ModelHost {
  const host = new ModelHost({ threads: 1, ...options });
  onTestFinished(() => host.close());
  return host;
}

describe('ModelHost with a generated model', () => {
  let host: ModelHost;
  let folder: string;
  let path: string;
  const states: string[] = [];

  beforeAll(() => {
    host = new ModelHost({ threads: 1, onStatus: ({ state }) => states.push(state) });
    folder = mkdtempSync(join(tmpdir(), 'gymwright-test-'));
    path = writeTinyGguf(join(folder, 'tiny.gguf'));
  });
  afterAll(async () => {
    await host.close();
    rmSync(folder, { recursive: true });
  });

  test('loads it and names it by its hash', async () => {
    const identity = await host.client('a').load(path);
    expect(identity).toMatchObject({ name: 'tiny random bytes', mode: 'rank', contextLength: 512 });
    expect(identity.sha256).toMatch(/^[0-9a-f]{64}$/);
    expect(host.status.state).toBe('ready');
  });

  test('gives texts vectors of unit length, each the same in whatever company', async () => {
    const client = host.client('a');
    await client.load(path);
    const { vectors, promptTokens } = await client.embed({ texts: ['crowding', 'a long way off', ''] });
    const [alone] = (await client.embed({ texts: ['a long way off'] })).vectors;
    expect(vectors[1]).toEqual(alone);
    expect(vectors[0]).not.toEqual(vectors[1]);
    for (const vector of vectors.slice(0, 2)) {
      expect(vector).toHaveLength(alone?.length ?? 0);
      expect(vector.reduce((sum, value) => sum + value ** 2, 0)).toBeCloseTo(1, 6);
    }
    expect(promptTokens).toBeGreaterThan(0);
    const [long] = (await client.embed({ texts: ['word '.repeat(2000)] })).vectors;
    expect(long).toHaveLength(alone?.length ?? 0);
  });

  test('scores options by token probability, the same text the same', async () => {
    const client = host.client('a');
    await client.load(path);
    const answer = await client.score(question);
    const [first = [], second = []] = answer.variants;
    expect(first.map(({ numTokens }) => numTokens)).toEqual([7, 9, 7]);
    expect(first[0]?.logProb).toBe(first[2]?.logProb);
    expect(first[0]?.logProb).not.toBe(second[0]?.logProb);
    for (const { logProb, numTokens } of first) {
      // A model that knows nothing gives about 1/260 to each byte.
      expect(logProb / numTokens).toBeLessThan(-3);
      expect(logProb / numTokens).toBeGreaterThan(-9);
    }
    expect(answer.scoredTokens).toBe(30);
  });

  test('probabilities of distinct continuations of one token stay below one together', async () => {
    const client = host.client('a');
    await client.load(path);
    const options = Array.from({ length: 95 }, (_, i) => String.fromCharCode(33 + i));
    const [scores = []] = (await client.score({ prefix: 'q', variants: [{ suffix: ':', options }] }))
      .variants;
    const sum = scores.reduce((total, { logProb }) => total + Math.exp(logProb), 0);
    expect(sum).toBeGreaterThan(0.15);
    expect(sum).toBeLessThan(1);
  });

  test('answers depend on the request alone, not on what was asked before', async () => {
    const client = host.client('a');
    await client.load(path);
    const first = await client.score(question);
    await client.score({ prefix: 'something else entirely\n', variants: [{ suffix: 'x', options: [' y'] }] });
    await client.generate(generation);
    expect((await client.score(question)).variants).toEqual(first.variants);
  });

  test('generates what the grammar permits and ends with it, and the same for the same seed', async () => {
    const client = host.client('a');
    await client.load(path);
    const first = await client.generate(generation);
    expect(first.stopReason).toBe('end');
    const value = JSON.parse(first.text);
    expect(Object.keys(value)).toEqual(['op', 'edl']);
    expect(['add', 'remove']).toContain(value.op);
    expect(first.logProbs).toHaveLength(first.outputTokens);
    expect(Math.max(...first.logProbs)).toBeLessThanOrEqual(0);
    expect((await client.generate(generation)).text).toBe(first.text);
    expect((await client.generate({ ...generation, seed: 4 })).text).not.toBe(first.text);
  });

  test('samples an answer for each seed, in their order, each held to the grammar', async () => {
    const client = host.client('a');
    await client.load(path);
    const { prompt, temperature, maxTokens } = generation;
    const request = { prompt, temperature, maxTokens, grammar, seeds: [3, 4, 5, 3], parallel: 2 };
    const { answers } = await client.sample(request);
    expect(answers).toHaveLength(4);
    for (const { text, stopReason } of answers) {
      expect(stopReason).toBe('end');
      expect(text).toMatch(/^\{"op":"(add|remove)","edl":"[a-z ]{0,12}"\}$/);
    }
    expect(new Set(answers.map(({ text }) => text)).size).toBeGreaterThan(1);
    const fewer = await client.sample({ ...request, seeds: [], parallel: 8 });
    expect(fewer.answers).toEqual([]);
  });

  test('refuses a grammar that cannot be read', async () => {
    const client = host.client('a');
    await client.load(path);
    const error = await rejectedBy(client.generate({ ...generation, grammar: 'root ::= missing' }));
    expect(error.code).toBe('input.invalid');
    expect(error.message).toMatch(/^the grammar of the answer cannot be read/);
  });

  test('says when the answer was cut off', async () => {
    const client = host.client('a');
    await client.load(path);
    const answer = await client.generate({ ...generation, maxTokens: 10 });
    expect(answer).toMatchObject({ stopReason: 'maxTokens', outputTokens: 10 });
  });

  test('refuses a prompt that does not fit, with the numbers', async () => {
    const client = host.client('a');
    await client.load(path);
    const error = await rejectedBy(client.generate({ ...generation, prompt: 'x'.repeat(600) }));
    expect(error.code).toBe('model.contextOverflow');
    expect(error.data).toMatchObject({ contextTokens: 512, extraTokens: 200 });
    const scoring = client.score({ prefix: 'x'.repeat(600), variants: [{ suffix: '', options: [' y'] }] });
    expect((await rejectedBy(scoring)).code).toBe('model.contextOverflow');
    await client.score(question);
  });

  test('a cancelled generation ends as model.cancelled and the host goes on', async () => {
    const client = host.client('a');
    await client.load(path);
    const pid = host.pid;
    const controller = new AbortController();
    const answer = client.generate({ ...generation, grammar: null, maxTokens: 400 }, controller.signal);
    setTimeout(() => controller.abort(), 20);
    expect((await rejectedBy(answer)).code).toBe('model.cancelled');
    await client.score(question);
    expect(host.pid).toBe(pid);
  });

  test('a load that is cancelled while the file is hashed ends at once and reaches no host', async () => {
    const fresh = openHost();
    const controller = new AbortController();
    const loading = fresh
      .client('a')
      .load(writeTinyGguf(join(temporaryFolder(), 'fresh.gguf')), controller.signal);
    controller.abort();
    expect((await rejectedBy(loading)).code).toBe('model.cancelled');
    expect(fresh.pid).toBeNull();
    expect(fresh.status.state).toBe('absent');
  });

  test('a request that is cancelled in line never runs', async () => {
    const client = host.client('a');
    await client.load(path);
    const controller = new AbortController();
    const running = client.score(question);
    const waiting = client.generate(generation, controller.signal);
    controller.abort();
    expect((await rejectedBy(waiting)).code).toBe('model.cancelled');
    await running;
  });

  test('a file that was exchanged does not answer in the place of the one that was loaded', async () => {
    const files = temporaryFolder();
    const mine = writeTinyGguf(join(files, 'mine.gguf'));
    const client = host.client('a');
    await client.load(mine);
    writeTinyGguf(mine, { seed: 2 });
    // Others take the one place there is: the file is loaded again.
    await host.client('b').load(path);
    const error = await rejectedBy(client.score(question));
    expect(error.code).toBe('experiment.invalid');
    expect(error.message).toContain(`${mine} is another file than the one that answered`);
    await client.load(mine);
    expect((await client.score(question)).scoredTokens).toBeGreaterThan(0);
  });

  test('a host that is killed fails its request with modelHost.died and is started again by the next', async () => {
    const client = host.client('a');
    await client.load(path);
    const first = host.pid;
    states.length = 0;
    const answer = client.generate({ ...generation, grammar: null, maxTokens: 400 });
    setTimeout(() => process.kill(host.pid ?? 0, 'SIGKILL'), 30);
    const error = await rejectedBy(answer);
    expect(error.code).toBe('modelHost.died');
    expect(error.message).toContain('SIGKILL');
    expect(states).toContain('failed');
    expect(await client.score(question)).toBeDefined();
    expect(host.pid).not.toBe(first);
  });
});

describe('ModelHost with a model that cannot be loaded', () => {
  test('a truncated file is refused before anything is started', async () => {
    const path = writeTinyGguf(join(temporaryFolder(), 'model.gguf'));
    writeFileSync(path, readFileSync(path).subarray(0, 200_000));
    const host = openHost();
    const error = await rejectedBy(host.client('a').load(path));
    expect(error.code).toBe('model.invalid');
    expect(error.message).toMatch(/cut short/);
    expect(host.pid).toBeNull();
    expect(host.status.state).toBe('failed');
  });

  test('a file whose weights are no numbers is refused by the loader', async () => {
    const path = writeTinyGguf(join(temporaryFolder(), 'model.gguf'));
    const bytes = readFileSync(path);
    const { dataOffset } = readGgufHeader(path);
    bytes.fill(0xff, dataOffset, dataOffset + 4096);
    writeFileSync(path, bytes);
    expect((await rejectedBy(openHost().client('a').load(path))).code).toBe('model.invalid');
  });

  test('a header that is sound but names another architecture is refused by the loader', async () => {
    const path = writeTinyGguf(join(temporaryFolder(), 'model.gguf'));
    const bytes = readFileSync(path);
    bytes.write('lalma', bytes.indexOf('llama'));
    writeFileSync(path, bytes);
    const error = await rejectedBy(openHost().client('a').load(path));
    expect(error.code).toBe('model.invalid');
    expect(error.message).toContain(path);
  });

  test('a missing file is model.notFound', async () => {
    const error = await rejectedBy(openHost().client('a').load(join(temporaryFolder(), 'none.gguf')));
    expect(error.code).toBe('model.notFound');
  });
});

describe('ModelHost limits', () => {
  test('a host that does not answer in time is ended: model.timeout', async () => {
    const path = writeTinyGguf(join(temporaryFolder(), 'model.gguf'));
    const worker = join(temporaryFolder(), 'mute.mjs');
    writeFileSync(worker, 'process.on("message", () => {});');
    const host = openHost({ workerPath: worker, loadTimeoutMs: 100, graceMs: 50 });
    expect((await rejectedBy(host.client('a').load(path))).code).toBe('model.timeout');
    await expect.poll(() => host.pid).toBeNull();
  });

  test('a host that is ended since what it was at was cancelled has no model, and did not fail', async () => {
    const path = writeTinyGguf(join(temporaryFolder(), 'model.gguf'));
    const worker = join(temporaryFolder(), 'deaf.mjs');
    const loaded = '{ ok: true, id, value: { gpu: "none", gpuLayers: 0 } }';
    writeFileSync(
      worker,
      `process.on("message", ({ verb, id }) => verb === "load" && process.send(${loaded}));`,
    );
    const states: string[] = [];
    const host = openHost({ workerPath: worker, graceMs: 50, onStatus: ({ state }) => states.push(state) });
    const client = host.client('a');
    await client.load(path);
    const controller = new AbortController();
    const answer = client.score(question, controller.signal);
    setTimeout(() => controller.abort(), 20);
    expect((await rejectedBy(answer)).code).toBe('model.cancelled');
    await expect.poll(() => host.pid).toBeNull();
    expect(host.status).toEqual({ state: 'absent', path: null, message: 'no model is loaded' });
    expect(states).not.toContain('failed');
  });

  test('a host that is closed while it loads did not fail', async () => {
    const path = writeTinyGguf(join(temporaryFolder(), 'model.gguf'));
    const worker = join(temporaryFolder(), 'mute.mjs');
    writeFileSync(worker, 'process.on("message", () => {});');
    const host = openHost({ workerPath: worker });
    const loading = rejectedBy(host.client('a').load(path));
    await expect.poll(() => host.pid).not.toBeNull();
    await host.close();
    expect((await loading).code).toBe('modelHost.died');
    expect(host.status.state).toBe('absent');
  });

  test('a host that cannot be started is modelHost.died', async () => {
    const path = writeTinyGguf(join(temporaryFolder(), 'model.gguf'));
    const host = openHost({ workerPath: join(temporaryFolder(), 'none.mjs') });
    expect((await rejectedBy(host.client('a').load(path))).code).toBe('modelHost.died');
  });

  test('using a client before it loaded anything is a mistake of the caller', () => {
    expect(() => openHost().client('a').score(question)).toThrow(TypeError);
  });
});
