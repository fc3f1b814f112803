import { describe, expect, test } from 'vitest';
import { type EpisodePlay, playEpisode } from '../../../src/engine/sim/index.ts';

const idle = { act: (actions: Int32Array): void => void actions.fill(0) };

/** Nobody moves through the longest episode that the scenario can have. */
const long: EpisodePlay = {
  spec: { scenario: 'foraging', parameters: { 'episode.length': 5000 }, program: null, scripted: {} },
  seed: 2n,
  episode: 3,
  actors: () => [idle],
};
const short: EpisodePlay = { ...long, spec: { ...long.spec, parameters: { 'episode.length': 20 } } };

async function follow(play: EpisodePlay) {
  const moments: { step: number; isOver: boolean; reward: number }[] = [];
  for await (const { env, step, isOver } of playEpisode(play))
    moments.push({ step, isOver, reward: env.rewards[0] ?? Number.NaN });
  return moments;
}

describe('playEpisode', () => {
  test('shows an episode from its beginning to its end, which comes once', async () => {
    const moments = await follow(short);
    expect(moments.map(({ step }) => step)).toEqual(Array.from({ length: 21 }, (_, step) => step));
    expect(moments.filter(({ isOver }) => isOver)).toEqual([moments.at(-1)]);
    expect(await follow(short)).toEqual(moments);
  });

  test('leaves the thread to others while it plays, and ends when it is told to', async () => {
    const control = new AbortController();
    let step = 0;
    const playing = (async () => {
      for await (const moment of playEpisode({ ...long, signal: control.signal })) {
        step = moment.step;
        // As much work for each step as a policy has.
        const until = performance.now() + 0.2;
        while (performance.now() < until);
      }
    })();
    // A timer fires only where the play gives way.
    setTimeout(() => control.abort(), 20);
    await expect(playing).rejects.toThrow(expect.objectContaining({ code: 'run.cancelled' }));
    expect(step).toBeGreaterThan(0);
    expect(step).toBeLessThan(5000);
  });

  test('who looks no further lets it end', async () => {
    const seen: number[] = [];
    let kept: { dispose(): void } | null = null;
    for await (const { env, step } of playEpisode(long)) {
      kept = env;
      seen.push(step);
      if (step === 2) break;
    }
    expect(seen).toEqual([0, 1, 2]);
    // Disposed already: what it shows is gone.
    expect(() => (kept as unknown as { stateHash(): string }).stateHash()).toThrow();
  });
});
