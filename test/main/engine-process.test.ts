import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type EngineProcess, forkEngine } from '../../src/main/engine-process.ts';
import { createClient } from '../../src/shared/contract/index.ts';
import { rejectedBy } from '../support/error-code.ts';
import { studyView } from '../support/fake-services.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const entry = fileURLToPath(new URL('../support/fake-engine-entry.ts', import.meta.url));

async function start(root = temporaryFolder()): Promise<EngineProcess> {
  const engine = await forkEngine({ root, entry });
  onTestFinished(() => engine.close());
  return engine;
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

async function waitUntil(condition: () => boolean): Promise<void> {
  for (const deadline = Date.now() + 10_000; !condition(); ) {
    if (Date.now() > deadline) throw new Error('the condition did not come true within 10 s');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

describe('forkEngine', () => {
  test('answers calls from a process of its own, typed arrays as they are', async () => {
    const engine = await start();
    const client = createClient(engine);
    expect((await client.engine.status({})).pid).toBe(engine.pid);
    expect(await client.runs.list({})).toEqual([studyView]);
    expect((await client.policies.export({ policyId: 'x1' })).onnx).toEqual(new Uint8Array([8, 0, 255]));
    expect((await rejectedBy(client.runs.get({ studyId: 's9' }))).code).toBe('store.notFound');
  });

  test('brings events over', async () => {
    const root = temporaryFolder();
    const client = createClient(await start(root));
    const changed = new Promise<readonly string[]>((resolve) =>
      client.on('workspace.changed', ({ paths }) => resolve(paths)),
    );
    writeFileSync(join(root, 'new.edl'), 'environment n extends simple_spread {}');
    expect(await changed).toEqual(['new.edl']);
  });

  test('a killed engine rejects what is open with engine.unavailable and tells onClose', async () => {
    const engine = await start();
    const client = createClient(engine);
    const closed = new Promise((resolve) => engine.onClose(resolve));
    const waiting = rejectedBy(client.models.inspect({ path: 'hang.gguf' }));
    process.kill(engine.pid, 'SIGKILL');
    expect(await waiting).toMatchObject({
      code: 'engine.unavailable',
      message: expect.stringContaining('SIGKILL'),
    });
    expect(await closed).toMatchObject({ code: 'engine.unavailable' });
    expect((await rejectedBy(client.runs.list({}))).code).toBe('engine.unavailable');
  });

  test('an error that nobody handled is reported, then the process is gone', async () => {
    const engine = await start();
    const error = await rejectedBy(createClient(engine).models.inspect({ path: 'crash.gguf' }));
    expect(error).toMatchObject({ code: 'internal', message: 'nobody caught this' });
    await waitUntil(() => !isRunning(engine.pid));
  });

  test('close ends it in good order', async () => {
    const engine = await start();
    await engine.close();
    expect(isRunning(engine.pid)).toBe(false);
  });

  test('starting on a folder that is none rejects with its reason', async () => {
    expect((await rejectedBy(forkEngine({ root: '/nowhere/at/all', entry }))).code).toBe(
      'workspace.notFound',
    );
  });

  test('starting on a damaged database rejects with store.corrupt', async () => {
    const root = temporaryFolder();
    mkdirSync(join(root, '.gymwright'));
    writeFileSync(
      join(root, '.gymwright', 'gymwright.db'),
      'no database, but long enough to be read as one '.repeat(50),
    );
    expect((await rejectedBy(forkEngine({ root, entry }))).code).toBe('store.corrupt');
  });

  test('an entry that is not there rejects with engine.unavailable', async () => {
    expect(
      (await rejectedBy(forkEngine({ root: temporaryFolder(), entry: '/nowhere/engine.js' }))).code,
    ).toBe('engine.unavailable');
  });

  test('a second one on the same workspace relays to the first', async () => {
    const root = temporaryFolder();
    const first = await start(root);
    const second = await start(root);
    expect(second).toMatchObject({ isRemote: true });
    const client = createClient(second);
    expect((await client.engine.status({})).pid).toBe(first.pid);
    await second.close();
    expect(isRunning(first.pid)).toBe(true);
  });

  test('the second one hears it when the first is killed', async () => {
    const root = temporaryFolder();
    const first = await start(root);
    const second = await start(root);
    const closed = new Promise((resolve) => second.onClose(resolve));
    process.kill(first.pid, 'SIGKILL');
    expect(await closed).toMatchObject({ code: 'rpc.disconnected' });
  });

  test('an engine whose parent was killed ends and frees the workspace', async () => {
    const root = temporaryFolder();
    const script = `
      import { forkEngine } from ${JSON.stringify(new URL('../../src/main/engine-process.ts', import.meta.url).href)};
      const engine = await forkEngine({ root: process.argv[1], entry: process.argv[2] });
      console.log(engine.pid);
      setInterval(() => {}, 1000);`;
    const parent = spawn(process.execPath, ['--input-type=module', '-e', script, root, entry], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [output] = await once(parent.stdout, 'data');
    const pid = Number(String(output));
    expect(isRunning(pid)).toBe(true);
    parent.kill('SIGKILL');
    await waitUntil(() => !isRunning(pid));
    expect((await start(root)).isRemote).toBe(false);
  });
});

test('the entry of the product refuses to run by hand and says what to do', async () => {
  const product = fileURLToPath(new URL('../../src/main/engine.ts', import.meta.url));
  const child = fork(product, [], { stdio: ['ignore', 'ignore', 'pipe', 'ipc'], execArgv: [] });
  let message = '';
  child.stderr?.on('data', (data) => {
    message += String(data);
  });
  const [code] = await once(child, 'exit');
  expect(code).toBe(2);
  expect(message).toContain('start it through `gymwright`');
});
