import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { traceCase } from '../../../src/engine/sim/trace-case.ts';

interface GoldenStep {
  actions: number[];
  pos: number[][];
  alive: number[];
  reward_ally: number;
  reward_enemy: number;
  obs: number[][];
}
interface GoldenCase {
  types: number[];
  n_allies: number;
  init_pos: number[][];
  steps: GoldenStep[];
}
const fixture = join(import.meta.dirname, '../../fixtures/smax-golden.json');
const { cases }: { cases: Record<string, GoldenCase> } = JSON.parse(readFileSync(fixture, 'utf8'));

function golden(name: string): GoldenCase {
  const found = cases[name];
  if (found === undefined) throw new Error(`no golden case ${name}`);
  return found;
}

const caseOf = (map: string, { init_pos, types, steps }: GoldenCase) => ({
  parameters: { map, 'cooldown.noise': 0 },
  init: { A: init_pos, L: [], types, acts: steps.map(({ actions }) => actions) },
});

const furthest = (got: readonly number[], wanted: readonly number[]): number => {
  expect(got).toHaveLength(wanted.length);
  return Math.max(...got.map((value, i) => Math.abs(value - (wanted[i] ?? Number.NaN))));
};

describe('traceCase of skirmish', () => {
  test.each(['3m', '2s3z'])('%s equals the reference trajectory within 1e-8', (map) => {
    const reference = golden(map);
    const { steps } = traceCase('skirmish', caseOf(map, reference));
    expect(steps).toHaveLength(reference.steps.length);
    for (const [t, step] of steps.entries()) {
      const wanted = reference.steps[t];
      if (wanted === undefined) throw new Error(`no step ${t}`);
      // Where the dead lie is nobody's business: they neither act nor are seen.
      const isAlive = (_: unknown, unit: number) => wanted.alive[unit] === 1;
      expect(furthest(step.pos.filter(isAlive).flat(), wanted.pos.filter(isAlive).flat())).toBeLessThan(1e-8);
      const rewards = wanted.alive.map((_, unit) =>
        unit < reference.n_allies ? wanted.reward_ally : wanted.reward_enemy,
      );
      expect(furthest(step.reward, rewards)).toBeLessThan(1e-8);
      expect(furthest(Object.values(step.obs).flat(), wanted.obs.flat())).toBeLessThan(1e-8);
    }
  });

  test.each([
    ['an unknown map', { parameters: { map: '4m' } }, 'one of 3m, 8m'],
    ['a word for a number', { parameters: { 'cooldown.noise': 'none' } }, 'it is no choice'],
    ['another number of units', { init: { ...caseOf('3m', golden('3m')).init, A: [[1, 1]] } }, 'needs 6'],
    [
      'a type that is none',
      { init: { ...caseOf('3m', golden('3m')).init, types: [9, 0, 0, 0, 0, 0] } },
      'types',
    ],
    [
      'places for what has none',
      { init: { ...caseOf('3m', golden('3m')).init, L: [[1, 1]] } },
      'leave it empty',
    ],
  ])('%s is refused', (_, change, message) => {
    expect(() => traceCase('skirmish', { ...caseOf('3m', golden('3m')), ...change })).toThrowError(message);
  });
});
