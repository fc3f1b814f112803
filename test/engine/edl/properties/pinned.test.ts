import { describe, expect, test } from 'vitest';
import { createVecEnv } from '../../../../src/engine/sim/index.ts';
import type { VecEnv } from '../../../../src/shared/rl/vec-env.ts';
import { specWith } from '../../../support/edl-episodes.ts';
import { Draw } from '../../../support/edl-generator/draw.ts';

/**
 * Where capture puts its units goes by their indices, which room for others shifts: the spread at the start, the row at a
 * base in which the dead return. Without either an episode is made of nothing that goes by index.
 */
const steady = 'set red.spawn = 0 set blue.spawn = 0 set unit.respawn_time = 200 s set episode.length = 40';

const texts: Readonly<Record<string, string>> = {
  'a chance for each pair': `
    event w { every 1 step with chance 50% for a in red for b in blue when a.alive > 0 and b.alive > 0
      disturb wound a by 5 }`,
  'a chance for the whole and an event for a set': `
    event w { every 3 steps with chance 70% disturb wound red by 3 }
    event v { every 4 steps with chance 40% for b in blue_assault disturb wound nearest(red to b) by 2 }`,
  'potentials over mates and enemies': `
    reward p { for a in red for b in ally(a) give 1 * distance(a, b) to a limit 10% of nominal potential }
    reward q { for a in blue give sum over b in red of b.health to a limit 5% of nominal potential }`,
  'a metric, a constraint and a limited reward': `
    event w { every 2 steps with chance 30% for a in red disturb wound a by 20 }
    reward r { for a in red when recent(w, 3 steps) give a.health * count(b in opponent(a)) to a limit 9% of nominal }
    constraint c { for a in red for b in ally(a) never distance(a, b) < 2 m penalty 0.5 limit 7% of nominal }
    metric m { for a in agent distance(a, centroid(ally(a))) unit m over episode max }`,
};

/** By agent name. */
type Rows = Map<string, number[]>;

interface Played {
  readonly rewards: readonly Rows[];
  readonly metrics: Rows;
  readonly fired: number[];
}

const namesOf = (env: VecEnv): string[] => env.manifest.groups.flatMap(({ agents }) => agents);

function play(declarations: string, capacities: Readonly<Record<string, number>>): Played {
  const spec = specWith(`${steady}\n${declarations}`, 'capture', capacities);
  const env = createVecEnv(spec, { numEnvs: 1, seed: 5n, firstEpisode: 3 });
  const names = namesOf(env);
  const table = (values: ArrayLike<number>): Rows => {
    const width = values.length / names.length;
    return new Map(
      names.map((name, a) => [name, Array.from({ length: width }, (_, i) => values[a * width + i] ?? 0)]),
    );
  };
  const rewards: Rows[] = [];
  const fired: number[] = [];
  let isOver = false;
  for (let t = 0; !isOver; t++) {
    env.step(Int32Array.from(names, (name) => new Draw(1000 * t + hashOf(name)).below(6)));
    rewards.push(table(env.components));
    fired.push(...env.takeFireCounts());
    isOver = env.terminated[0] === 1 || env.truncated[0] === 1;
  }
  const metrics = table(env.episodeMetrics);
  env.dispose();
  return { rewards, metrics, fired };
}

const hashOf = (name: string): number => [...name].reduce((sum, c) => 31 * sum + c.charCodeAt(0), 7) % 1009;

describe('room that a run has fixed beyond the counts', () => {
  test.each(Object.entries(texts))('changes no reward, firing or metric: %s', (_, text) => {
    const plain = play(text, {});
    expect(plain.fired.some((count) => count > 0)).toBe(true);
    for (const capacities of [
      { red_assault: 6, blue_assault: 6 },
      { red_support: 3 },
      { blue_support: 5, supply: 4 },
    ]) {
      const pinned = play(text, capacities);
      expect(pinned.fired).toEqual(plain.fired);
      for (const [name, row] of plain.metrics) expect([name, pinned.metrics.get(name)]).toEqual([name, row]);
      for (const [t, rows] of plain.rewards.entries())
        for (const [name, row] of rows)
          expect([t, name, pinned.rewards[t]?.get(name)]).toEqual([t, name, row]);
    }
  });
});
