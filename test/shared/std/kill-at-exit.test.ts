import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { killAtExit } from '../../../src/shared/std/kill-at-exit.ts';

class Child extends EventEmitter {
  readonly signals: string[] = [];
  kill(signal: string): void {
    this.signals.push(signal);
  }
}

test('kills the children that are left when the process exits, and only those', () => {
  const self = new EventEmitter();
  const [gone, left] = [new Child(), new Child()];
  killAtExit(gone, self);
  killAtExit(left, self);
  expect(self.listenerCount('exit')).toBe(1);
  gone.emit('exit');
  self.emit('exit');
  expect(gone.signals).toEqual([]);
  expect(left.signals).toEqual(['SIGKILL']);
});
