import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { compile } from '../../../src/engine/edl/index.ts';
import { scenarioManifest, scenarioNames } from '../../../src/engine/sim/catalogue.ts';
import { measureSpeed } from '../../../src/engine/sim/measure-speed.ts';

const spec = { scenario: 'simple_spread', parameters: {}, program: null, scripted: {} };

describe('measureSpeed', () => {
  test('measures a plausible rate and tells what it measured', async () => {
    const speed = await measureSpeed({ spec, numEnvs: 64, seconds: 0.05 });
    expect(speed).toMatchObject({ copies: 64, agents: 3, threads: 1 });
    expect(speed.stepsPerSecond).toBeGreaterThan(10_000);
  });

  test('tells what a program adds, declaration by declaration', async () => {
    const { environment } = compile(
      `environment crowd extends simple_spread {
        rule near { for a in agent for b in other(a) when distance(a, b) < 0.5 m then a.accel *= 0.9 }
        reward apart { for a in agent when distance(a, nearest(other(a))) > 0.5 m give 0.1 to a }
      }`,
      { manifest: scenarioManifest, scenarioNames },
    );
    if (environment === null) throw new Error('it did not compile');
    const { program, stepsPerSecond } = await measureSpeed({
      spec: environment.spec,
      numEnvs: 64,
      seconds: 0.2,
    });
    expect(program?.declarations).toEqual([
      { kind: 'rule', name: 'near', instances: 6, nanoseconds: expect.any(Number) },
      { kind: 'reward', name: 'apart', instances: 3, nanoseconds: expect.any(Number) },
    ]);
    expect(program?.declarations.every(({ nanoseconds }) => nanoseconds > 0)).toBe(true);
    const { addedNanoseconds = 0, plainStepsPerSecond = 0 } = program ?? {};
    expect(addedNanoseconds).toBeCloseTo(1e9 / stepsPerSecond - 1e9 / plainStepsPerSecond, 6);
  });

  test('refuses a time that is not positive', async () => {
    for (const seconds of [0, Number.NaN]) {
      await expect(measureSpeed({ spec, numEnvs: 1, seconds })).rejects.toThrow('seconds must be positive');
    }
  });

  test('gives other work of the thread its turn', async () => {
    const measured = measureSpeed({ spec, numEnvs: 64, seconds: 0.5 }).then(() => 'measured');
    let turns = 0;
    while ((await Promise.race([measured, nextTurn('turn')])) === 'turn') turns++;
    expect(turns).toBeGreaterThanOrEqual(10);
  });
});
