import { describe, expect, test } from 'vitest';
import { FairQueue } from '../../../../src/engine/coach/model/fair-queue.ts';

function drain(queue: FairQueue<string>): string[] {
  const order: string[] = [];
  for (let job = queue.shift(); job !== undefined; job = queue.shift()) order.push(job);
  return order;
}

describe('FairQueue', () => {
  test('takes turns between owners and keeps each owner in order', () => {
    const queue = new FairQueue<string>();
    for (const job of ['a1', 'a2', 'a3']) queue.push('a', job);
    queue.push('b', 'b1');
    queue.push('c', 'c1');
    expect(drain(queue)).toEqual(['a1', 'b1', 'c1', 'a2', 'a3']);
  });

  test('knows how many jobs wait, in all and of an owner', () => {
    const queue = new FairQueue<string>();
    for (const job of ['a1', 'a2']) queue.push('a', job);
    queue.push('b', 'b1');
    queue.shift();
    expect([queue.size, queue.sizeOf('a'), queue.sizeOf('b'), queue.sizeOf('c')]).toEqual([2, 1, 1, 0]);
  });

  test('forgets a job that was removed, and says so only once', () => {
    const queue = new FairQueue<string>();
    queue.push('a', 'a1');
    queue.push('b', 'b1');
    expect(queue.remove('a', 'a1')).toBe(true);
    expect(queue.remove('a', 'a1')).toBe(false);
    expect(queue.size).toBe(1);
    expect(drain(queue)).toEqual(['b1']);
  });
});
