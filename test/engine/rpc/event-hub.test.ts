import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createEventHub } from '../../../src/engine/rpc/event-hub.ts';
import { runView, studyView } from '../../support/fake-services.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function listen() {
  const hub = createEventHub((error) => {
    throw error;
  });
  const heard: [string, unknown][] = [];
  hub.subscribe((event, payload) => heard.push([event, payload]));
  return { hub, heard };
}

const points = (...steps: number[]) => ({
  runId: 'r1',
  points: steps.map((step) => ({ key: 'k', step, value: step })),
});

describe('createEventHub', () => {
  test('a flood of metrics arrives about ten times per second, with every point', () => {
    const { hub, heard } = listen();
    for (let step = 0; step < 1000; step += 1) {
      hub.emit('metrics.appended', points(step));
      vi.advanceTimersByTime(1);
    }
    vi.advanceTimersByTime(200);
    expect(heard.length).toBeLessThanOrEqual(11);
    const steps = heard.flatMap(([, payload]) =>
      (payload as ReturnType<typeof points>).points.map(({ step }) => step),
    );
    expect(steps).toEqual(Array.from({ length: 1000 }, (_, step) => step));
  });

  test('of the progress of a run the latest is told, its landmarks at once', () => {
    const { hub, heard } = listen();
    hub.emit('run.changed', runView);
    hub.emit('run.changed', { ...runView, step: 20 });
    hub.emit('run.changed', { ...runView, step: 30 });
    expect(heard).toHaveLength(1);
    hub.emit('run.changed', { ...runView, step: 40, state: 'finished' });
    expect(heard.map(([, run]) => (run as typeof runView).step)).toEqual([10, 40]);
  });

  test('keeps the order: what was gathered comes before what is told at once', () => {
    const { hub, heard } = listen();
    hub.emit('metrics.appended', points(1));
    hub.emit('run.changed', { ...runView, state: 'finished' });
    hub.emit('metrics.appended', points(2));
    hub.emit('study.changed', studyView);
    expect(heard.map(([event]) => event)).toEqual([
      'metrics.appended',
      'run.changed',
      'metrics.appended',
      'study.changed',
    ]);
  });

  test('a listener that throws does not keep the others from hearing', () => {
    const failures: unknown[] = [];
    const hub = createEventHub((error) => failures.push(error));
    const heard: string[] = [];
    hub.subscribe(() => {
      throw new Error('window is gone');
    });
    const unsubscribe = hub.subscribe((event) => heard.push(event));
    hub.emit('study.changed', studyView);
    unsubscribe();
    hub.emit('study.changed', studyView);
    expect(heard).toEqual(['study.changed']);
    expect(failures).toHaveLength(2);
  });
});
