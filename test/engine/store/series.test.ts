import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { MetricPoint } from '../../../src/shared/contract/runs.ts';
import { thrownBy } from '../../support/error-code.ts';
import { storeWithRun } from '../../support/store-records.ts';

const ramp = (key: string, count: number, from = 0): MetricPoint[] =>
  Array.from({ length: count }, (_, index) => ({ key, step: from + index, value: Math.sin(from + index) }));

describe('series', () => {
  test('gives back every point when there are fewer than asked for', () => {
    const store = storeWithRun();
    store.series.append('r1', 0, ramp('losses/policy_loss', 3));
    const view = store.series.read({ runId: 'r1', key: 'losses/policy_loss', maxPoints: 100 });
    expect(view.numPoints).toBe(3);
    expect([...view.steps]).toEqual([0, 1, 2]);
    expect([...view.values]).toEqual([Math.sin(0), Math.sin(1), Math.sin(2)]);
    expect([...view.low]).toEqual([...view.values]);
  });

  test('decimates to buckets that hold last step, mean, minimum and maximum', () => {
    const store = storeWithRun();
    const values = [4, 1, 7, 2, 9, 3];
    store.series.append(
      'r1',
      0,
      values.map((value, index) => ({ key: 'k', step: 10 * index, value })),
    );
    const view = store.series.read({ runId: 'r1', key: 'k', maxPoints: 2 });
    expect([...view.steps]).toEqual([20, 50]);
    expect([...view.values]).toEqual([4, 14 / 3]);
    expect([...view.low]).toEqual([1, 2]);
    expect([...view.high]).toEqual([7, 9]);
  });

  test('keeps the extremes of a long series whatever the number of buckets', () => {
    const store = storeWithRun();
    const points = ramp('k', 5000).map((point, index) => (index === 3210 ? { ...point, value: 99 } : point));
    for (let start = 0; start < points.length; start += 700) {
      store.series.append('r1', start, points.slice(start, start + 700));
    }
    for (const maxPoints of [2, 7, 9, 100, 4999]) {
      const view = store.series.read({ runId: 'r1', key: 'k', maxPoints });
      expect(view.steps.length).toBeLessThanOrEqual(maxPoints);
      expect(Math.max(...view.high)).toBe(99);
      expect(view.steps.at(-1)).toBe(4999);
    }
  });

  test('reads a range of steps exactly, across chunks', () => {
    const store = storeWithRun();
    store.series.append('r1', 0, ramp('k', 2000));
    const view = store.series.read({ runId: 'r1', key: 'k', fromStep: 500, toStep: 530, maxPoints: 1000 });
    expect([...view.steps]).toEqual(Array.from({ length: 31 }, (_, index) => 500 + index));
    expect(view.values[7]).toBe(Math.sin(507));
  });

  test('keeps NaN as NaN and leaves it out of the summary', () => {
    const store = storeWithRun();
    store.series.append('r1', 0, [
      { key: 'k', step: 1, value: 5 },
      { key: 'k', step: 2, value: Number.NaN },
    ]);
    expect([...store.series.points('r1', 'k')].map((point) => point.value)).toEqual([5, Number.NaN]);
    expect(store.series.summaries('r1')).toMatchObject([{ min: 5, max: 5, last: Number.NaN, numPoints: 2 }]);
  });

  test('skips points that came twice and refuses a gap', () => {
    const store = storeWithRun();
    store.series.append('r1', 0, ramp('k', 5));
    store.series.append('r1', 3, ramp('k', 4, 3));
    expect([...store.series.points('r1', 'k')].map((point) => point.step)).toEqual([0, 1, 2, 3, 4, 5, 6]);
    expect(thrownBy(() => store.series.append('r1', 9, ramp('k', 1))).code).toBe('store.constraint');
    expect(store.series.nextSequence('r1')).toBe(7);
  });

  test('a run without the key, or no run at all, is store.notFound', () => {
    const store = storeWithRun();
    expect(thrownBy(() => store.series.read({ runId: 'r1', key: 'k', maxPoints: 10 })).code).toBe(
      'store.notFound',
    );
    expect(thrownBy(() => store.series.append('r9', 0, ramp('k', 1))).code).toBe('store.notFound');
  });

  test('cut back to any sequence it holds exactly the points before it, in points and summaries (seeded)', () => {
    const point = fc.record({
      key: fc.constantFrom('a', 'b', 'c'),
      value: fc.double({ noNaN: true, min: -1e6, max: 1e6 }),
    });
    fc.assert(
      fc.property(fc.array(point, { minLength: 1, maxLength: 1500 }), fc.nat(), (drawn, at) => {
        const store = storeWithRun();
        const points = drawn.map((each, step) => ({ ...each, step }));
        store.series.append('r1', 0, points);
        const end = at % (points.length + 1);
        store.series.cutBack('r1', end);
        store.series.append('r1', end, [{ key: 'a', step: end, value: 42 }]);
        const kept = [...points.slice(0, end), { key: 'a', step: end, value: 42 }];
        for (const key of store.series.keys(['r1'])) {
          const expected = kept.filter((each) => each.key === key);
          expect([...store.series.points('r1', key)].map(({ value }) => value)).toEqual(
            expected.map(({ value }) => value),
          );
          const summary = store.series.summaries('r1').find((each) => each.key === key);
          expect(summary).toMatchObject({
            numPoints: expected.length,
            last: expected.at(-1)?.value,
            max: Math.max(...expected.map(({ value }) => value)),
          });
        }
        expect(store.series.keys(['r1'])).toEqual([...new Set(kept.map(({ key }) => key))].sort());
        store.close();
      }),
      { seed: 7, numRuns: 25 },
    );
  });
});
