import { describe, expect, test } from 'vitest';
import { EpisodeWindow } from '../../../src/engine/train/episode-window.ts';
import type { VecEnv } from '../../../src/shared/rl/vec-env.ts';

const shape = { agents: ['a', 'b'], metrics: ['hits'], components: ['base', 'shaped'] };

/** One copy whose episode ended with the given hits per agent; components are 10× and 100× of it. */
function ended(a: number, b: number): VecEnv {
  return {
    numEnvs: 1,
    terminated: Uint8Array.of(1),
    truncated: Uint8Array.of(0),
    episodeMetrics: Float64Array.of(a, b),
    episodeComponents: Float64Array.of(10 * a, 100 * a, 10 * b, 100 * b),
  } as VecEnv;
}

describe('EpisodeWindow', () => {
  test('means are per agent over metrics and components', () => {
    const window = new EpisodeWindow(shape);
    window.observe(ended(1, 2));
    window.observe(ended(3, 6));
    expect(window.means()).toEqual({
      metrics: { hits: { a: 2, b: 4 } },
      components: { base: { a: 20, b: 40 }, shaped: { a: 200, b: 400 } },
    });
  });

  test('episodes and agents without a value of a metric do not count', () => {
    const window = new EpisodeWindow(shape);
    window.observe(ended(1, Number.NaN));
    window.observe(ended(Number.NaN, Number.NaN));
    window.observe(ended(5, Number.NaN));
    expect(window.means().metrics).toEqual({ hits: { a: 3 } });
    window.clear();
    window.observe(ended(Number.NaN, Number.NaN));
    expect(window.means().metrics).toEqual({});
  });

  test('is empty until an episode ends, and after clear', () => {
    const window = new EpisodeWindow(shape);
    window.observe({ ...ended(1, 1), terminated: Uint8Array.of(0) });
    expect(window.means()).toEqual({ metrics: {}, components: {} });
    window.observe(ended(1, 1));
    window.clear();
    expect(window.means()).toEqual({ metrics: {}, components: {} });
  });

  test('keeps the last episodes only, and a loaded one goes on like the saved one', () => {
    const window = new EpisodeWindow(shape);
    for (let episode = 0; episode < EpisodeWindow.capacity + 10; episode++) window.observe(ended(episode, 0));
    const lowest = 10;
    const highest = EpisodeWindow.capacity + 9;
    expect(window.means().metrics.hits?.a).toBe((lowest + highest) / 2);
    const loaded = new EpisodeWindow(shape);
    loaded.load(window.save());
    for (const each of [window, loaded]) each.observe(ended(1000, 5));
    expect(loaded.means()).toEqual(window.means());
  });
});
