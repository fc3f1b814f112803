import { describe, expect, test } from 'vitest';
import { followStudy, type StudyFollower } from '../../../src/main/cli/follow-study.ts';
import type { EventName } from '../../../src/shared/contract/events.ts';
import type { Client } from '../../../src/shared/contract/index.ts';
import type { StudyView } from '../../../src/shared/contract/runs.ts';
import { AppError } from '../../../src/shared/std/app-error.ts';
import { rejectedBy } from '../../support/error-code.ts';
import { makeRun, makeStudy } from '../../support/views.ts';

/** A scripted engine: what it answers, and a way to raise its events. */
class FakeEngine {
  study: StudyView = makeStudy();
  numStops = 0;
  failure: AppError | null = null;
  /** As a process is that was stopped: asked, it says nothing. */
  isStopped = false;
  readonly #waiting: (() => void)[] = [];
  readonly #listeners = new Map<string, Set<(payload: unknown) => void>>();

  readonly client = {
    runs: {
      get: async () => {
        if (this.failure !== null) throw this.failure;
        if (this.isStopped) await new Promise<void>((resolve) => this.#waiting.push(resolve));
        return this.study;
      },
      stop: async () => {
        this.numStops += 1;
        this.study = { ...this.study, state: 'stopped' };
        return this.study;
      },
    },
    coach: { list: async () => [] },
    on: (event: EventName, listener: (payload: unknown) => void) => {
      const listeners = this.#listeners.get(event) ?? new Set();
      this.#listeners.set(event, listeners.add(listener));
      return () => listeners.delete(listener);
    },
  } as unknown as Client;

  raise(event: EventName, payload: unknown): void {
    for (const listener of this.#listeners.get(event) ?? []) listener(payload);
  }

  goOn(): void {
    this.isStopped = false;
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  get numListeners(): number {
    return [...this.#listeners.values()].reduce((sum, each) => sum + each.size, 0);
  }
}

const settle = () => new Promise((resolve) => setTimeout(resolve, 5));

function watch(engine: FakeEngine, start = async () => engine.study) {
  const events: string[] = [];
  const controller = new AbortController();
  const follower: StudyFollower = {
    onStart: () => {},
    onRun: () => {},
    onLine: ({ event }) => events.push(event),
    onStopping: () => events.push('stopping'),
    onSilence: () => events.push('silence'),
  };
  const options = { heartbeatMs: 5, silentAfterMs: 20 };
  return {
    events,
    controller,
    ended: followStudy(
      { client: engine.client, unhurried: engine.client },
      start,
      follower,
      controller.signal,
      options,
    ),
  };
}

describe('followStudy', () => {
  test('tells events that came before start answered, in order', async () => {
    const engine = new FakeEngine();
    const { events, ended } = watch(engine, async () => {
      engine.raise('run.changed', makeRun());
      return engine.study;
    });
    await settle();
    engine.raise('study.changed', { ...engine.study, state: 'finished' });
    await ended;
    expect(events).toEqual(['study.started', 'run.started', 'study.finished']);
  });

  test('ignores other studies', async () => {
    const engine = new FakeEngine();
    const { events, ended } = watch(engine);
    await settle();
    engine.raise('run.changed', makeRun({ studyId: 'study-2', runId: 'other' }));
    engine.raise('study.changed', makeStudy({ studyId: 'study-2', state: 'finished' }));
    engine.raise('study.changed', makeStudy({ state: 'failed', runs: [] }));
    await ended;
    expect(events).toEqual(['study.started', 'study.failed']);
  });

  test('an abort stops the study once and gives its last view', async () => {
    const engine = new FakeEngine();
    const { events, controller, ended } = watch(engine);
    await settle();
    controller.abort();
    expect((await ended).state).toBe('stopped');
    expect(engine.numStops).toBe(1);
    expect(events).toContain('stopping');
  });

  test('ends with the error of an engine that went away', async () => {
    const engine = new FakeEngine();
    engine.failure = new AppError('rpc.disconnected', 'the engine is gone');
    await expect(watch(engine).ended).rejects.toMatchObject({ code: 'rpc.disconnected' });
  });

  test('leaves no listener behind', async () => {
    const engine = new FakeEngine();
    engine.study = makeStudy({ state: 'finished', runs: [] });
    await watch(engine).ended;
    expect(engine.numListeners).toBe(0);
  });

  test('says once that the engine does not answer, waits for it, and ends at once when interrupted meanwhile', async () => {
    const engine = new FakeEngine();
    const { events, controller, ended } = watch(engine);
    await settle();
    engine.isStopped = true;
    await expect.poll(() => events).toContain('silence');
    engine.goOn();
    await settle();
    engine.isStopped = true;
    await expect.poll(() => events.filter((event) => event === 'silence')).toHaveLength(2);
    controller.abort();
    expect(await rejectedBy(ended)).toMatchObject({ code: 'run.cancelled' });
    expect(events).toEqual(['study.started', 'silence', 'silence']);
    expect(engine.numStops).toBe(0);
  });
});
