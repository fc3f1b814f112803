import { describe, expect, test } from 'vitest';
import { compile } from '../../../src/engine/edl/compile.ts';
import { boundsOf, constantCondition } from '../../../src/engine/edl/interval.ts';
import { indexManifest } from '../../../src/engine/edl/manifest-index.ts';
import { arenaHost, arenaManifest } from '../../support/edl-arena.ts';
import { testHost, testManifest } from '../../support/edl-manifests.ts';
import { environmentOf } from '../../support/edl-text.ts';

const spread = indexManifest(testManifest('spread', 3));
const arena = indexManifest(arenaManifest());

function bounds(value: string, scenario: 'spread' | 'arena' = 'spread'): [number, number] {
  const host = scenario === 'spread' ? testHost() : arenaHost();
  const text = environmentOf(`reward r { for a in agent give ${value} to a }`, scenario);
  const { environment, diagnostics } = compile(text, host);
  const [gift] = environment?.ir.rewards[0]?.gifts ?? [];
  if (gift === undefined) throw new Error(JSON.stringify(diagnostics));
  const { min, max } = boundsOf(scenario === 'spread' ? spread : arena, gift.value);
  return [min, max];
}

function verdict(condition: string, scenario: 'spread' | 'arena' = 'spread'): boolean | null {
  const host = scenario === 'spread' ? testHost() : arenaHost();
  const text = environmentOf(`reward r { for a in agent when ${condition} give 1 to a }`, scenario);
  const { environment, diagnostics } = compile(text, host);
  const [reward] = environment?.ir.rewards ?? [];
  if (reward === undefined) throw new Error(JSON.stringify(diagnostics));
  return constantCondition(scenario === 'spread' ? spread : arena, reward.condition);
}

const farthest = Math.hypot(20, 20);

describe('boundsOf', () => {
  test.each<[string, [number, number]]>([
    ['time', [0, 25]],
    ['time / 2', [0, 12.5]],
    ['-time + 3 steps', [-22, 3]],
    ['abs(a.x)', [0, 10]],
    ['a.x * a.y', [-100, 100]],
    ['sqrt(a.speed / 1 m/s)', [0, 10]],
    ['min(time, 3 steps)', [0, 3]],
    ['clamp(a.x, -1 m, 2 m)', [-1, 2]],
    ['distance(a, nearest(landmark))', [0, farthest]],
    ['distance(a, centroid(agent))', [0, farthest]],
    ['count(b in ally(a))', [2, 2]],
    ['count(b in ally(a) where b.speed > 1 m/s)', [0, 2]],
    ['count(b in agent where b.speed < 0 m/s)', [0, 0]],
    ['sum over b in agent of b.speed', [0, 300]],
    ['sum over b in agent where b.speed > 1 m/s of (b.x + 12 m)', [0, 66]],
    ['sum over b in agent of (b.x + 12 m)', [6, 66]],
    ['mean over b in agent of (b.x + 12 m)', [2, 22]],
    ['max over b in agent where b.speed > 1 m/s of (b.x + 12 m)', [0, 22]],
    ['1 / (1 + time / 1 steps)', [1 / 26, 1]],
    ['1 / (time / 1 steps)', [-Infinity, Infinity]],
  ])('%s lies within %j', (value, expected) => {
    const [min, max] = bounds(value);
    expect(min).toBeCloseTo(expected[0], 12);
    expect(max).toBeCloseTo(expected[1], 12);
  });

  test('where nobody may take part, distances have no end and counts begin at 0', () => {
    expect(bounds('distance(a, nearest(zone))', 'arena')).toEqual([0, Infinity]);
    expect(bounds('min(distance(a, nearest(zone)), 2 m)', 'arena')).toEqual([0, 2]);
    expect(bounds('distance(a, zone_0)', 'arena')).toEqual([0, farthest]);
    expect(bounds('count(z in zone)', 'arena')).toEqual([0, 2]);
    expect(bounds('mean over z in zone of (z.x + 12 m)', 'arena')).toEqual([0, 22]);
  });
});

describe('constantCondition', () => {
  test.each([
    ['distance(a, nearest(landmark)) < 100 m', true],
    ['distance(a, nearest(landmark)) < 0 m', false],
    ['any(b in agent where b.speed >= 0 m/s)', true],
    ['any(b in agent where b.speed < 0 m/s)', false],
    ['all(b in agent where b.speed >= 0 m/s)', true],
    ['all(b in agent where b.speed < 0 m/s)', false],
    ['count(b in agent) == 3', true],
    ['time > 3 steps and a.speed < 0 m/s', false],
    ['time > 3 steps or a.speed >= 0 m/s', true],
    ['not (time < 0 steps)', true],
    ['time > 3 steps', null],
    ['a.x * a.x < 1 m * 1 m', null],
  ])('%s is %j', (condition, expected) => {
    expect(verdict(condition)).toBe(expected);
  });

  test('a set that may be empty decides nothing', () => {
    expect(verdict('any(z in zone where z.radius >= 0 m)', 'arena')).toBeNull();
    expect(verdict('distance(a, nearest(zone)) < 100 m', 'arena')).toBeNull();
    expect(verdict('all(z in zone where z.radius >= 0 m)', 'arena')).toBe(true);
  });
});
