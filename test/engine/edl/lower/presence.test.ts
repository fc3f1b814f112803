import { describe, expect, test } from 'vitest';
import { compile } from '../../../../src/engine/edl/compile.ts';
import { createVecEnv } from '../../../../src/engine/sim/index.ts';
import type { VecEnv } from '../../../../src/shared/rl/vec-env.ts';
import { simHost } from '../../../support/sim-host.ts';

/** One copy of capture in which a wound of 1000 at step 2 takes the first red unit out for a while. */
function build(body: string): VecEnv {
  const text = `environment e extends capture {
    set support.heal = 0
    event fall { at step 2 disturb wound red_assault_0 by 1000 }
    ${body}
  }`;
  const { environment, diagnostics } = compile(text, simHost());
  if (environment === null) throw new Error(JSON.stringify(diagnostics));
  const env = createVecEnv(environment.spec, { numEnvs: 1, seed: 5n, firstEpisode: 0 });
  env.reset(5n, 0);
  return env;
}

/** What each red unit was given by the reward `z` in every step. */
function gifts(body: string, steps = 4): number[][] {
  const env = build(`reward z { ${body} }`);
  const component = env.componentNames.indexOf('z');
  const rows = Array.from({ length: steps }, () => {
    env.step(new Int32Array(env.numAgents));
    expect(env.takeTraps()).toEqual([]);
    return [0, 1, 2].map((agent) => env.components[agent * env.numComponents + component] ?? Number.NaN);
  });
  env.dispose();
  return rows;
}

const allAlive = [1, 1, 1];
const twoAlive = [0, 1, 1];

describe('sets range over who takes part', () => {
  test('a loop passes over a unit that is dead', () => {
    expect(gifts('for a in red give 1 to a')).toEqual([allAlive, allAlive, twoAlive, twoAlive]);
  });

  test('a gift to a set reaches the living, one to a unit by name reaches it all the same', () => {
    expect(gifts('give 1 to red')).toEqual([allAlive, allAlive, twoAlive, twoAlive]);
    expect(gifts('give 1 to red_assault_0').map(([first]) => first)).toEqual([1, 1, 1, 1]);
  });

  test('count, all, any and mean are over the living', () => {
    const first = (body: string) => gifts(body).map((row) => row[1]);
    expect(first('give count(a in red) to red_assault_1')).toEqual([3, 3, 2, 2]);
    expect(first('when all(a in red where a.alive == 1) give 1 to red_assault_1')).toEqual([1, 1, 1, 1]);
    expect(first('when any(a in red where a.alive == 0) give 1 to red_assault_1')).toEqual([0, 0, 0, 0]);
    expect(first('give (mean over a in red of a.alive) to red_assault_1')).toEqual([1, 1, 1, 1]);
  });

  test('the nearest is one that is alive; where nobody is, it is infinitely far and nobody at all', () => {
    const far = 'when distance(red_support_0, nearest(red_assault_0)) > 1M m give 1 to red_support_0';
    expect(gifts(far).map((row) => row[2])).toEqual([0, 0, 1, 1]);
    const guarded =
      'when distance(red_support_0, nearest(red_assault_0)) < 1M m and nearest(red_assault_0 to red_support_0).health > 0 give 1 to red_support_0';
    expect(gifts(guarded).map((row) => row[2])).toEqual([1, 1, 0, 0]);
    const found = 'when nearest(red_assault to red_support_0) == red_assault_1 give 1 to red_support_0';
    expect(
      gifts(found)
        .slice(2)
        .map((row) => row[2]),
    ).toEqual([1, 1]);
  });

  test('no relation holds with nobody, and an event at nobody does not happen', () => {
    const related = 'when red_support_0.sees(nearest(red_assault_0)) give 1 to red_support_0';
    expect(gifts(related).map((row) => row[2])).toEqual([1, 1, 0, 0]);
    const env = build('event late { at step 3 for z in zone remove supply nearest(supply to z) }');
    for (let t = 0; t < 5; t++) env.step(new Int32Array(env.numAgents));
    expect(env.takeTraps()).toEqual([]);
    env.dispose();
  });

  test('an npc decides only for the living', () => {
    const env = build('npc n { control red hold when time >= 0 steps otherwise patrol }');
    const at = env.spec.program?.declarations.findIndex(({ name }) => name === 'n') ?? -1;
    const counts = Array.from({ length: 4 }, () => {
      env.step(new Int32Array(env.numAgents));
      return env.takeFireCounts()[at];
    });
    expect(counts).toEqual([3, 3, 3, 2]);
    env.dispose();
  });

  test('a live count brings members in and takes them out again', () => {
    const env = build(
      `capacity blue_assault 4
       regime few default regime many { set blue.assault.count = 4 } schedule { at step 3 enter many leave after 2 steps }
       reward z { give count(b in blue_assault) to red_assault_1 }`,
    );
    const component = env.componentNames.indexOf('z');
    const counts = Array.from({ length: 7 }, () => {
      env.step(new Int32Array(env.numAgents));
      return env.components[env.numComponents + component];
    });
    expect(counts).toEqual([2, 2, 2, 4, 4, 2, 2]);
    env.dispose();
  });
});
