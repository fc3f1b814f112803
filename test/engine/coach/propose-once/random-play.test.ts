import { describe, expect, test } from 'vitest';
import { playRandomly } from '../../../../src/engine/coach/propose-once/random-play.ts';
import { createVecEnv } from '../../../../src/engine/sim/index.ts';
import { compiled } from '../../../support/coach-world.ts';

describe('playRandomly', () => {
  const { report, series, steps, recording } = playRandomly(createVecEnv, compiled(), 'agent', 3);

  test('reports what was played and nothing that was not', () => {
    expect(Object.keys(report).sort()).toEqual([
      'agentComponents',
      'agentMetrics',
      'fireRates',
      'objective',
      'traps',
    ]);
    const { values, steps: at } = series.history('eval/objective');
    expect(report.objective).toBe(values[values.length - 1]);
    expect(at[at.length - 1]).toBe(steps);
    expect(report.fireRates['reward crowding']).toBeGreaterThan(0);
    expect(Object.keys(report.agentComponents.crowding ?? {})).toEqual(['agent_0', 'agent_1', 'agent_2']);
    expect(recording.steps.length).toBeGreaterThan(1000);
  });

  test('follows copies through parts of four episodes', () => {
    const { stretches } = recording;
    expect(stretches).toHaveLength(16 * 4);
    expect(new Set(stretches.map(({ copy }) => copy)).size).toBe(16);
    expect(stretches.every((stretch) => stretch.steps.length === 25)).toBe(true);
  });

  test('is a function of its seed', () => {
    const again = playRandomly(createVecEnv, compiled(), 'agent', 3);
    expect(again.report).toEqual(report);
    expect(playRandomly(createVecEnv, compiled(), 'agent', 4).report).not.toEqual(report);
  });
});
