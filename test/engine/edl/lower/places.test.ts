import { describe, expect, test } from 'vitest';
import { compile } from '../../../../src/engine/edl/compile.ts';
import { createVecEnv } from '../../../../src/engine/sim/index.ts';
import { environmentOf, pointedAt } from '../../../support/edl-text.ts';
import { simHost } from '../../../support/sim-host.ts';

const host = simHost();

/** Values of the metrics m0, m1, … for agent_0 at the present state. */
function probe(values: readonly string[], scenario = 'simple_spread'): number[] {
  const metrics = values.map((value, i) => `metric m${i} { for a in agent ${value} unit m }`);
  const text = environmentOf(metrics.join('\n'), scenario);
  const { environment, diagnostics } = compile(text, host);
  if (environment === null) throw new Error(JSON.stringify(diagnostics));
  const env = createVecEnv(environment.spec, { numEnvs: 1, seed: 11n, firstEpisode: 0 });
  env.reset(11n, 0);
  for (let t = 0; t < 5; t++) env.step(new Int32Array(env.numAgents).fill(t % 5));
  const probed = [...env.probe().slice(0, values.length)];
  env.dispose();
  return probed;
}

describe('lowerPlaceDistance', () => {
  test('is the distance to the mean position', () => {
    const [toCentre = -1, x = 0, y = 0, ...mean] = probe([
      'distance(a, centroid(landmark))',
      'a.x',
      'a.y',
      'mean over l in landmark of l.x',
      'mean over l in landmark of l.y',
    ]);
    expect(toCentre).toBeCloseTo(Math.hypot(x - (mean[0] ?? 0), y - (mean[1] ?? 0)), 12);
    expect(toCentre).toBeGreaterThan(0);
  });

  test('is the same from both ends, to relatives, and between two centres', () => {
    const [one, other, between, itself, ...means] = probe([
      'distance(a, centroid(ally(a)))',
      'distance(centroid(ally(a)), a)',
      'distance(centroid(agent), centroid(landmark))',
      'distance(centroid(agent), centroid(agent))',
      'mean over b in agent of b.x',
      'mean over b in agent of b.y',
      'mean over l in landmark of l.x',
      'mean over l in landmark of l.y',
    ]);
    expect(one).toBe(other);
    expect(itself).toBe(0);
    const [ax = 0, ay = 0, lx = 0, ly = 0] = means;
    expect(between).toBeCloseTo(Math.hypot(ax - lx, ay - ly), 12);
  });

  test('a set of one has its centre in its member', () => {
    const [centre, member] = probe(['distance(a, centroid(landmark_1))', 'distance(a, landmark_1)']);
    expect(centre).toBeCloseTo(member ?? -1, 12);
  });

  test('the centre of nobody is infinitely far away', () => {
    // Supplies take part once they have been spawned: none here.
    const value = 'min(distance(a, centroid(supply)), 999 m)';
    expect(probe([value], 'capture')).toEqual([999]);
  });

  test.each([
    ['distance(a, centroid(a.x))', 'EDL301', 'a.x', 'centroid takes a set'],
    ['distance(a, centroid(agnet))', 'EDL205', 'agnet', "did you mean 'agent'?"],
    ['centroid(agent)', 'EDL301', 'centroid(agent)', 'must be a number, not a point'],
    [
      'distance(a, nearest(landmark to centroid(agent)))',
      'EDL301',
      'centroid(agent)',
      'must be an entity, not a point',
    ],
    ['centroid(agent).x / 1 m', 'EDL301', 'x', 'is a point: it has no attribute'],
    ['distance(a, time)', 'EDL301', 'time', 'must be an entity or a point, not a number'],
  ])('%s is refused', (value, code, at, says) => {
    const text = environmentOf(`reward r { for a in agent give ${value} to a }`, 'simple_spread');
    const [found] = compile(text, host).diagnostics;
    expect(found?.code).toBe(code);
    expect(found?.message).toContain(says);
    expect(found === undefined ? '' : pointedAt(text, found)).toBe(at);
  });
});
