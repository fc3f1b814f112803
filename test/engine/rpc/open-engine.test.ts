import { chmodSync, existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createEngine } from '../../../src/engine/rpc/create-engine.ts';
import { type OpenedEngine, openEngine, openReader } from '../../../src/engine/rpc/open-engine.ts';
import { encodePacket } from '../../../src/engine/rpc/packet-stream.ts';
import { endpointOf } from '../../../src/engine/rpc/private-socket.ts';
import type { ComposeReading, ComposeWriting } from '../../../src/engine/rpc/services.ts';
import { databasePath, openStore, type Store } from '../../../src/engine/store/index.ts';
import { rejectedBy } from '../../support/error-code.ts';
import { fakeServices, studyView } from '../../support/fake-services.ts';
import { asOrdinaryUser } from '../../support/ordinary-user.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const compose: ComposeWriting = (_files, store) => fakeServices(store);
const composeReading: ComposeReading = (_files, store) => ({
  ...fakeServices(store as Store),
  studies: null,
  decide: null,
  forget: null,
});

async function open(root: string, composing = compose): Promise<OpenedEngine> {
  const opened = await openEngine({ root, compose: composing });
  onTestFinished(() => opened.close());
  return opened;
}

function fakeStudies({ studies }: ReturnType<typeof fakeServices>) {
  if (studies === null) throw new Error('the fakes have a supervisor');
  return studies;
}

describe('openEngine', () => {
  test('the first one holds the workspace, the second one works through the first', async () => {
    const root = temporaryFolder();
    const first = await open(root);
    const second = await open(root);
    expect([first.isRemote, second.isRemote]).toEqual([false, true]);
    expect(await second.client.runs.start({ experimentPath: 'experiments/spread.yaml' })).toEqual(studyView);
    const error = await rejectedBy(second.client.runs.start({ experimentPath: 'broken.yaml' }));
    expect(error).toMatchObject({ code: 'experiment.invalid', data: { line: 3 } });
  });

  test('events of the live engine reach the second one', async () => {
    const root = temporaryFolder();
    let voice: Parameters<ComposeWriting>[2] | undefined;
    await open(root, (files, store, given) => {
      voice = given;
      return compose(files, store, given);
    });
    const second = await open(root);
    const heard = new Promise((resolve) => second.client.on('study.changed', resolve));
    voice?.emit('study.changed', studyView);
    expect(await heard).toEqual(studyView);
  });

  test('tells engine.changed when the number of runs at work changes', async () => {
    let runningRuns = 0;
    let voice: Parameters<ComposeWriting>[2] | undefined;
    const engine = await open(temporaryFolder(), (_files, store, given) => {
      voice = given;
      const services = fakeServices(store);
      const studies = {
        ...fakeStudies(services),
        get runningRuns() {
          return runningRuns;
        },
      };
      return { ...services, studies };
    });
    const heard: number[] = [];
    engine.client.on('engine.changed', (status) => heard.push(status.runningRuns));
    for (const running of [1, 1, 2, 0]) {
      runningRuns = running;
      voice?.emit('study.changed', studyView);
    }
    expect(heard).toEqual([1, 2, 0]);
  });

  test('after the first is closed the second is told, and a new one takes the workspace', async () => {
    const root = temporaryFolder();
    const first = await open(root);
    const second = await open(root);
    const closed = new Promise((resolve) => second.transport.onClose(resolve));
    await first.close();
    expect(await closed).toMatchObject({ code: 'rpc.disconnected' });
    expect((await rejectedBy(second.client.runs.list({}))).code).toBe('rpc.disconnected');
    expect((await open(root)).isRemote).toBe(false);
  });

  test('a holder that lives but cannot be reached is store.locked, after a while', async () => {
    const root = temporaryFolder();
    const store = openStore(root);
    onTestFinished(() => store.close());
    const error = await rejectedBy(openEngine({ root, compose }));
    expect(error).toMatchObject({
      code: 'store.locked',
      message: expect.stringContaining(`process ${process.pid}`),
    });
  });

  describe('with a holder that listens and never answers, as one that was stopped', () => {
    /** Says nothing at all, or no more than a welcome. */
    function holdSilently(isWelcoming = false): string {
      const root = temporaryFolder();
      const store = openStore(root);
      const endpoint = endpointOf(root, store.token);
      const sockets: Socket[] = [];
      const server = createServer((socket) => {
        sockets.push(socket.on('error', () => undefined));
        if (isWelcoming) socket.write(encodePacket({ kind: 'welcome' }));
      }).listen(endpoint);
      store.publishEndpoint(endpoint);
      onTestFinished(() => {
        for (const socket of sockets) socket.destroy();
        server.close();
        store.close();
      });
      return root;
    }

    test('it is told by its pid what to do, after a while', async () => {
      const root = holdSilently();
      const error = await rejectedBy(openEngine({ root, compose, silentMs: 100 }));
      expect(error).toMatchObject({ code: 'engine.unavailable', data: { pid: process.pid } });
      expect(error.message).toContain(`the engine with pid ${process.pid}`);
      expect(error.message).toMatch(/does not answer.*`fg`.*`kill -KILL/);
    });

    test('an interrupt ends the wait at once', async () => {
      const controller = new AbortController();
      const opening = openEngine({ root: holdSilently(), compose, signal: controller.signal });
      setTimeout(() => controller.abort(), 100);
      const begun = performance.now();
      expect((await rejectedBy(opening)).code).toBe('run.cancelled');
      expect(performance.now() - begun).toBeLessThan(5_000);
    });

    test('a call after the welcome is given up, too, and says that it may still be done', async () => {
      const { client, close } = await openEngine({ root: holdSilently(true), compose, silentMs: 100 });
      const error = await rejectedBy(client.coach.list({}));
      expect(error).toMatchObject({ code: 'engine.unavailable', data: { pid: process.pid } });
      expect(error.message).toMatch(/does not answer.*`fg`.*may still do.*coach\.list/);
      await close();
    });

    test('an interrupt ends the wait for such a call at once', async () => {
      const controller = new AbortController();
      const root = holdSilently(true);
      const { client, close } = await openEngine({ root, compose, signal: controller.signal });
      setTimeout(() => controller.abort(), 100);
      const begun = performance.now();
      expect((await rejectedBy(client.coach.list({}))).code).toBe('run.cancelled');
      expect(performance.now() - begun).toBeLessThan(5_000);
      await close();
    });
  });

  test('a call that takes its time in a live engine is waited for, also when it is interrupted', async () => {
    const root = temporaryFolder();
    const controller = new AbortController();
    await open(root, (_files, store) => {
      const services = fakeServices(store);
      const start = async () => {
        controller.abort();
        await new Promise((resolve) => setTimeout(resolve, 1500));
        return studyView;
      };
      return { ...services, studies: { ...fakeStudies(services), start } };
    });
    const second = await openEngine({ root, compose, signal: controller.signal, silentMs: 1000 });
    onTestFinished(() => second.close());
    expect(await second.client.runs.start({ experimentPath: 'experiments/spread.yaml' })).toEqual(studyView);
  });

  test('a socket file that a killed engine left behind is no obstacle', async () => {
    const root = temporaryFolder();
    mkdirSync(join(root, '.gymwright'));
    writeFileSync(join(root, '.gymwright', 'engine.sock'), '');
    expect((await open(root)).isRemote).toBe(false);
  });

  test.skipIf(process.platform === 'win32')('only this user can reach the socket', async () => {
    const engine = await createEngine({ root: temporaryFolder(), compose });
    onTestFinished(() => engine.close());
    expect(statSync(engine.endpoint).mode & 0o777).toBe(0o600);
  });

  test('services that fail to start leave the workspace free', async () => {
    const root = temporaryFolder();
    const failing: ComposeWriting = () => {
      throw new Error('no simulator');
    };
    expect((await rejectedBy(openEngine({ root, compose: failing }))).message).toBe('no simulator');
    expect((await open(root)).isRemote).toBe(false);
  });

  test('closing twice, and closing while a call is open, is harmless', async () => {
    const engine = await createEngine({ root: temporaryFolder(), compose });
    const answer = engine.dispatch('runs.pause', { studyId: 's1' });
    await Promise.all([engine.close(), engine.close()]);
    expect((await answer).ok).toBe(true);
    await engine.close();
    expect(existsSync(engine.endpoint)).toBe(false);
  });

  test('a call after the engine was closed is an error, not a crash', async () => {
    const engine = await createEngine({ root: temporaryFolder(), compose });
    await engine.close();
    const answer = await engine.dispatch('coach.list', {});
    expect(answer.ok).toBe(false);
  });

  test('a workspace path too long for a socket is served all the same', async () => {
    const root = join(temporaryFolder(), 'a'.repeat(60), 'b'.repeat(60));
    mkdirSync(root, { recursive: true });
    const first = await open(root);
    const second = await open(root);
    expect([first.isRemote, second.isRemote]).toEqual([false, true]);
  });

  test('lost to another engine it writes nothing more, ends and says why', async () => {
    const root = temporaryFolder();
    let held: Store | undefined;
    const { transport } = await open(root, (_files, store) => {
      held = store;
      return fakeServices(store);
    });
    const ended = new Promise((resolve) => transport.onClose(resolve));
    const db = new Database(databasePath(root));
    db.exec("UPDATE leases SET token = 'other', pid = 1");
    db.close();
    expect(() => held?.texts.put('x')).toThrow(expect.objectContaining({ code: 'store.locked' }));
    expect(await ended).toMatchObject({
      code: 'store.locked',
      message: expect.stringContaining('process 1'),
    });
  });

  test('closed, it tells those who are connected in process too', async () => {
    const opened = await open(temporaryFolder());
    const ended = new Promise((resolve) => opened.transport.onClose(resolve));
    await opened.close();
    expect(await ended).toMatchObject({ code: 'engine.unavailable' });
  });
});

describe('openReader', () => {
  test('reads beside a live engine and refuses what needs it', async () => {
    const root = temporaryFolder();
    await open(root);
    const reader = await openReader({ root, compose: composeReading });
    expect(await reader.client.runs.list({})).toEqual([studyView]);
    expect((await rejectedBy(reader.client.runs.start({ experimentPath: 'x' }))).code).toBe(
      'engine.unavailable',
    );
    const decision = reader.client.coach.decide({ proposalId: 'p1', verdict: 'accepted' });
    expect((await rejectedBy(decision)).code).toBe('engine.unavailable');
    await reader.close();
  });

  test('leaves a workspace without results untouched', async () => {
    const root = temporaryFolder();
    const reader = await openReader({ root, compose: composeReading });
    expect(await reader.client.coach.list({})).toEqual([]);
    await reader.close();
    expect(existsSync(join(root, '.gymwright'))).toBe(false);
  });

  test.skipIf(process.platform === 'win32')('an unreadable folder is workspace.unreadable', async () => {
    const root = temporaryFolder();
    chmodSync(root, 0o000);
    const opening = asOrdinaryUser(() => openReader({ root, compose: composeReading }));
    expect((await rejectedBy(opening)).code).toBe('workspace.unreadable');
    chmodSync(root, 0o700);
  });
});
