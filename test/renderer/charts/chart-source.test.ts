import { describe, expect, test, vi } from 'vitest';
import { createChartSource } from '../../../src/renderer/charts/chart-source.ts';
import { createFakeClient } from '../support/fake-client.ts';

function setUp() {
  const fake = createFakeClient({
    runs: {
      series: async ({ runId, key, fromStep, toStep }) => {
        const steps =
          fromStep === undefined ? [0, 1000] : [fromStep, ((fromStep ?? 0) + (toStep ?? 0)) / 2, toStep ?? 0];
        const column = Float64Array.from(steps, () => 1);
        return {
          runId,
          key,
          numPoints: steps.length,
          steps: Float64Array.from(steps),
          values: column,
          low: column,
          high: column,
        };
      },
    },
  });
  const source = createChartSource(fake.client, 'eval/objective');
  return { fake, source };
}

const settle = () => new Promise((resolve) => setTimeout(resolve, 0));

describe('createChartSource', () => {
  test('follows points of its metric and its runs only', async () => {
    const { fake, source } = setUp();
    source.setRuns(['a']);
    await settle();
    const changed = vi.fn();
    source.onChange(changed);
    fake.emit('metrics.appended', { runId: 'b', points: [{ key: 'eval/objective', step: 2000, value: 1 }] });
    fake.emit('metrics.appended', {
      runId: 'a',
      points: [{ key: 'losses/policy_loss', step: 2000, value: 1 }],
    });
    expect(changed).not.toHaveBeenCalled();
    fake.emit('metrics.appended', { runId: 'a', points: [{ key: 'eval/objective', step: 2000, value: 5 }] });
    expect(changed).toHaveBeenCalledOnce();
    expect(Array.from(source.columnsOf('a')?.steps ?? [])).toEqual([0, 1000, 2000]);
  });

  test('refines the range looked at and goes back to the whole', async () => {
    const { source } = setUp();
    source.setRuns(['a']);
    await settle();
    source.setRange({ from: 100, to: 200 });
    await settle();
    expect(Array.from(source.columnsOf('a')?.steps ?? [])).toEqual([100, 150, 200]);
    source.setRange(null);
    expect(Array.from(source.columnsOf('a')?.steps ?? [])).toEqual([0, 1000]);
  });

  test('forgets runs that are no longer shown and asks again for none it has', async () => {
    const { fake, source } = setUp();
    source.setRuns(['a', 'b']);
    source.setRuns(['b']);
    await settle();
    expect(source.columnsOf('a')).toBeNull();
    source.setRuns(['b']);
    expect(fake.calls).toHaveLength(2);
  });

  test('says nothing after it was disposed', async () => {
    const { fake, source } = setUp();
    const changed = vi.fn();
    source.setRuns(['a']);
    source.onChange(changed);
    source.dispose();
    await settle();
    fake.emit('metrics.appended', { runId: 'a', points: [{ key: 'eval/objective', step: 1, value: 1 }] });
    expect(changed).not.toHaveBeenCalled();
  });
});
