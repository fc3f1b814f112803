import { describe, expect, test, vi } from 'vitest';
import { createEngineHost } from '../../../src/main/desktop/engine-host.ts';
import type { EngineProcess } from '../../../src/main/engine-process.ts';
import { AppError } from '../../../src/shared/std/app-error.ts';

interface FakeEngine extends EngineProcess {
  readonly root: string;
  emit(name: string): void;
  die(): void;
  readonly close: ReturnType<typeof vi.fn<() => Promise<void>>>;
}

function makeEngine(root: string): FakeEngine {
  let event: (name: string, payload: unknown) => void = () => undefined;
  let closed: (reason: AppError) => void = () => undefined;
  return {
    root,
    pid: 1,
    isRemote: false,
    request: async (call) => `${root} ${call}`,
    onEvent(listener) {
      event = listener;
      return () => undefined;
    },
    onClose(listener) {
      closed = listener;
      return () => undefined;
    },
    close: vi.fn(async () => closed(new AppError('engine.unavailable', 'the engine was closed'))),
    emit: (name) => event(name, null),
    die: () => closed(new AppError('engine.unavailable', 'the engine process ended (SIGKILL)')),
  };
}

function setUp(unopenable: readonly string[] = []) {
  const engines: FakeEngine[] = [];
  const listener = { event: vi.fn(), ended: vi.fn() };
  const host = createEngineHost(async (root) => {
    if (unopenable.includes(root)) throw new AppError('store.newerVersion', `${root} is of a newer version`);
    const engine = makeEngine(root);
    engines.push(engine);
    return engine;
  }, listener);
  return { engines, listener, host };
}

describe('createEngineHost', () => {
  test('tells the window when the engine dies, and answers again after a restart', async () => {
    const { engines, listener, host } = setUp();
    await host.open('/a');
    engines[0]?.die();
    expect(listener.ended).toHaveBeenCalledWith(expect.objectContaining({ code: 'engine.unavailable' }));
    await expect(host.request('runs.list', {})).rejects.toMatchObject({ code: 'engine.unavailable' });
    await host.restart();
    expect(await host.request('runs.list', {})).toBe('/a runs.list');
  });

  test('changing the workspace is no death, and the old engine is heard no more', async () => {
    const { engines, listener, host } = setUp();
    await host.open('/a');
    await host.open('/b');
    expect(engines[0]?.close).toHaveBeenCalledOnce();
    expect(listener.ended).not.toHaveBeenCalled();
    engines[0]?.emit('run.changed');
    expect(listener.event).not.toHaveBeenCalled();
    engines[1]?.emit('run.changed');
    expect(listener.event).toHaveBeenCalledOnce();
  });

  test('a workspace that cannot be opened leaves the open one in place', async () => {
    const { engines, host } = setUp(['/new']);
    await host.open('/a');
    await expect(host.open('/new')).rejects.toMatchObject({ code: 'store.newerVersion' });
    expect(engines[0]?.close).not.toHaveBeenCalled();
    expect(await host.request('runs.list', {})).toBe('/a runs.list');
    await host.restart();
    expect(engines.map((engine) => engine.root)).toEqual(['/a', '/a']);
  });

  test('two restarts at once leave one engine', async () => {
    const { engines, host } = setUp();
    await host.open('/a');
    await Promise.all([host.restart(), host.restart()]);
    expect(engines.map((engine) => engine.close.mock.calls.length)).toEqual([1, 1, 0]);
  });

  test('nothing can be restarted before a workspace was opened', async () => {
    await expect(setUp().host.restart()).rejects.toMatchObject({ code: 'engine.unavailable' });
  });
});
