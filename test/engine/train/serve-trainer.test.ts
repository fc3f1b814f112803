import { describe, expect, test, vi } from 'vitest';
import {
  serveTrainer,
  type TrainerCommand,
  type TrainerEvent,
  type TrainerPort,
} from '../../../src/engine/train/index.ts';
import { toyDependencies } from '../../support/toy/toy-learner.ts';

class FakePort implements TrainerPort {
  ppid = 100;
  connected = true;
  readonly sent: TrainerEvent[] = [];
  readonly exits: number[] = [];
  readonly #listeners = new Map<string, (message: TrainerCommand) => void>();

  send(message: TrainerEvent): boolean {
    this.sent.push(message);
    return true;
  }
  on(event: 'message' | 'disconnect', listener: (message: TrainerCommand) => void): void {
    this.#listeners.set(event, listener);
  }
  exit(code: number): void {
    this.exits.push(code);
  }
  fire(event: 'message' | 'disconnect', message: TrainerCommand = { type: 'pause', id: 1 }): void {
    this.#listeners.get(event)?.(message);
  }
}

describe('serveTrainer', () => {
  test('answers messages, and says nothing into a closed channel', () => {
    const port = new FakePort();
    serveTrainer(port, toyDependencies);
    port.fire('message');
    expect(port.sent).toEqual([{ type: 'done', id: 1, result: null }]);
    port.connected = false;
    port.fire('message');
    expect(port.sent).toHaveLength(1);
  });

  test('ends when the channel closes', () => {
    const port = new FakePort();
    serveTrainer(port, toyDependencies);
    port.fire('disconnect');
    expect(port.exits).toEqual([0]);
  });

  test('ends when it was given to another parent', () => {
    vi.useFakeTimers();
    try {
      const port = new FakePort();
      serveTrainer(port, toyDependencies);
      vi.advanceTimersByTime(3000);
      expect(port.exits).toEqual([]);
      port.ppid = 1;
      vi.advanceTimersByTime(1000);
      expect(port.exits).toEqual([0]);
    } finally {
      vi.useRealTimers();
    }
  });
});
