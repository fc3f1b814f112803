import { describe, expect, test } from 'vitest';
import { measureSpeed } from '../../../src/engine/sim/measure-speed.ts';

const spec = { scenario: 'simple_spread', parameters: {}, program: null, scripted: {} };

describe('measureSpeed', () => {
  test('measures a plausible rate and tells what it measured', () => {
    const speed = measureSpeed({ spec, numEnvs: 64, seconds: 0.05 });
    expect(speed).toMatchObject({ copies: 64, threads: 1 });
    expect(speed.stepsPerSecond).toBeGreaterThan(10_000);
  });

  test('refuses a time that is not positive', () => {
    expect(() => measureSpeed({ spec, numEnvs: 1, seconds: 0 })).toThrow('seconds must be positive');
    expect(() => measureSpeed({ spec, numEnvs: 1, seconds: Number.NaN })).toThrow('seconds must be positive');
  });
});
