import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { measureSpeed } from '../../../src/engine/sim/measure-speed.ts';

const spec = { scenario: 'simple_spread', parameters: {}, program: null, scripted: {} };

describe('measureSpeed', () => {
  test('measures a plausible rate and tells what it measured', async () => {
    const speed = await measureSpeed({ spec, numEnvs: 64, seconds: 0.05 });
    expect(speed).toMatchObject({ copies: 64, threads: 1 });
    expect(speed.stepsPerSecond).toBeGreaterThan(10_000);
  });

  test('refuses a time that is not positive', async () => {
    for (const seconds of [0, Number.NaN]) {
      await expect(measureSpeed({ spec, numEnvs: 1, seconds })).rejects.toThrow('seconds must be positive');
    }
  });

  test('gives other work of the thread its turn', async () => {
    const measured = measureSpeed({ spec, numEnvs: 64, seconds: 0.2 }).then(() => 'measured');
    let turns = 0;
    while ((await Promise.race([measured, nextTurn('turn')])) === 'turn') turns++;
    expect(turns).toBeGreaterThanOrEqual(10);
  });
});
