import { describe, expect, test } from 'vitest';
import { compile } from '../../../src/engine/edl/index.ts';
import { createVecEnv } from '../../../src/engine/sim/create-vec-env.ts';
import { simHost } from '../../support/sim-host.ts';

const host = simHost();

function envOf(lines: readonly string[]) {
  const { environment, diagnostics } = compile(
    `environment e extends foraging {\n${lines.join('\n')}\n}`,
    host,
  );
  expect(diagnostics).toEqual([]);
  if (environment === null) throw new Error('it does not compile');
  const env = createVecEnv(environment.spec, { numEnvs: 8, seed: 3n, firstEpisode: 0 });
  env.reset(3n, 0);
  return env;
}

/** What agent 0 of each copy observes the foods to be worth, sorted. */
function worths({ obs, obsDim, numAgents, numEnvs, manifest }: ReturnType<typeof createVecEnv>): number[][] {
  return Array.from({ length: numEnvs }, (_, e) => {
    const row = obs.subarray(e * numAgents * obsDim, (e * numAgents + 1) * obsDim);
    const slots = (manifest.obsDim - 3 * manifest.numAgents) / 4;
    return Array.from({ length: slots }, (_, f) => row[4 * f + 3] ?? Number.NaN).sort((a, b) => a - b);
  });
}

const all = (values: readonly number[]) => Array.from({ length: 8 }, () => values);

describe('goals of foraging that change', () => {
  test('a regime changes what foods are worth while it lasts, and agents observe it', () => {
    const env = envOf([
      'set observation.worth = true',
      'regime even default safe policy even "All foods are worth the same"',
      'regime berries policy berries "Only berries" { set apple.worth = 0 set berry.worth = 3 }',
      'schedule { at step 5 enter berries leave after 10 steps }',
    ]);
    const still = new Int32Array(8 * 2);
    const seen = Array.from({ length: 20 }, () => {
      env.step(still);
      return worths(env);
    });
    const changed = seen.map((now) => now.every((copy) => copy.join() === '0,3'));
    expect(seen[3]).toEqual(all([1, 1]));
    expect(seen[8]).toEqual(all([0, 3]));
    expect(seen[19]).toEqual(all([1, 1]));
    expect(changed.filter((is) => is)).toHaveLength(10);
    env.dispose();
  });

  test('a regime brings foods in up to the capacity, and takes them out again', () => {
    const env = envOf([
      'set observation.worth = true',
      'capacity food 4',
      'regime lean default safe policy lean "Two foods"',
      'regime plenty policy plenty "Four foods" { set food.count = 4 }',
      'schedule { at step 3 enter plenty leave after 4 steps }',
    ]);
    const still = new Int32Array(8 * 2);
    const seen = Array.from({ length: 12 }, () => {
      env.step(still);
      return worths(env).map((copy) => copy.filter((worth) => worth > 0).length);
    });
    expect(seen[1]).toEqual(Array.from({ length: 8 }, () => 2));
    expect(seen[4]).toEqual(Array.from({ length: 8 }, () => 4));
    expect(seen[11]).toEqual(Array.from({ length: 8 }, () => 2));
    env.dispose();
  });

  test('a temper is set by name, and played by the policy of that name', () => {
    const { environment } = compile('environment e extends foraging { set agent.temper = idle }', host);
    expect(environment?.spec.parameters).toEqual({ 'agent.temper': 2 });
    const wrong = compile('environment e extends foraging { set agent.temper = idel }', host);
    expect(wrong.diagnostics.map(({ code, message }) => `${code} ${message}`)).toEqual([
      expect.stringMatching(/^EDL307 agent\.temper is one of team, alone, idle/),
    ]);
  });
});
