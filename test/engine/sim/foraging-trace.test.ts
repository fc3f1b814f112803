import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { traceCase } from '../../../src/engine/sim/trace-case.ts';

interface ForagingCase {
  name: string;
  parameters: Record<string, number>;
  agents: string[];
  init: { A: number[][]; L: number[][]; levels: number[]; foods: number[]; acts: number[][] };
  steps: { pos: number[][]; vel: number[][]; reward: number[]; obs: Record<string, number[]> }[];
}

/** Written by tools/fixtures/foraging_golden.py. */
const { cases }: { cases: ForagingCase[] } = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../fixtures/foraging-cases.json'), 'utf8'),
);

/** Rewards of the fixture are rounded. */
const rounded = (rewards: readonly number[]) => rewards.map((reward) => Number(reward.toFixed(9)));

describe('traces of foraging', () => {
  test.each(cases.map((each, i) => ({ ...each, name: `${each.name}, ${i}` })))(
    '$name equals the reference trajectory',
    (reference) => {
      const { steps } = traceCase('foraging', reference);
      expect(steps).toHaveLength(reference.steps.length);
      for (const [t, expected] of reference.steps.entries()) {
        const { reward, ...seen } = steps[t] ?? { reward: [] };
        expect(seen, `step ${t}`).toEqual({ pos: expected.pos, vel: expected.vel, obs: expected.obs });
        expect(rounded(reward), `step ${t}`).toEqual(rounded(expected.reward));
      }
    },
  );

  test('the reference trajectories hold loads, failed ones with their penalty, and cells that two wanted', () => {
    const rewards = cases.flatMap(({ steps }) => steps.flatMap(({ reward }) => reward));
    expect(rewards.filter((reward) => reward > 0).length).toBeGreaterThan(50);
    expect(rewards.filter((reward) => reward < 0).length).toBeGreaterThan(20);
    const moved = cases.flatMap(({ init, steps }) =>
      steps.flatMap(({ vel }, t) =>
        vel.map(([x, y], a) => ({ action: init.acts[t]?.[a] ?? 0, isStill: x === 0 && y === 0 })),
      ),
    );
    expect(
      moved.filter(({ action, isStill }) => action >= 1 && action <= 4 && isStill).length,
    ).toBeGreaterThan(50);
  });

  test('a case may name its scenario as the reference does', () => {
    const reference = cases.find(({ name }) => name === 'Foraging-2s-8x8-2p-2f-coop-v3') as ForagingCase;
    const { parameters, ...bare } = reference;
    expect(Object.keys(parameters)).not.toHaveLength(0);
    expect(traceCase(reference.name, bare)).toEqual(traceCase('foraging', reference));
  });

  test('levels that are missing are named', () => {
    const { init } = cases[0] as ForagingCase;
    const { levels, ...rest } = init;
    expect(levels).toHaveLength(2);
    expect(() => traceCase('foraging', { init: rest, parameters: cases[0]?.parameters })).toThrow(
      /levels is missing/,
    );
  });
});
