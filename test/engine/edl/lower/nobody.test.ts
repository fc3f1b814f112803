import { describe, expect, test } from 'vitest';
import { compile } from '../../../../src/engine/edl/compile.ts';
import { createVecEnv } from '../../../../src/engine/sim/index.ts';
import { environmentOf } from '../../../support/edl-text.ts';
import { simHost } from '../../../support/sim-host.ts';

const numSteps = 4;

/** One copy of capture, where no supply lies on the field: the nearest is nobody, and infinitely far. */
function play(declarations: string) {
  const { environment, diagnostics } = compile(environmentOf(declarations, 'capture'), simHost());
  if (environment === null) throw new Error(JSON.stringify(diagnostics));
  const env = createVecEnv(environment.spec, { numEnvs: 1, seed: 5n, firstEpisode: 0 });
  env.reset(5n, 0);
  const traps: string[] = [];
  for (let t = 0; t < numSteps; t++) {
    env.step(new Int32Array(env.numAgents));
    traps.push(...env.takeTraps().map(({ declaration, step }) => `${declaration} at ${step}`));
  }
  const fired = new Map<string, number>();
  const counts = env.takeFireCounts();
  env.spec.program?.declarations.forEach(({ name }, i) => {
    fired.set(name, (fired.get(name) ?? 0) + (counts[i] ?? 0));
  });
  const numOwn = env.spec.program?.metrics.length ?? 0;
  const [measured = Number.NaN] = env.probe().subarray(0, numOwn);
  env.dispose();
  return { traps, fired, measured };
}

const nearMe = 'a in red where distance(a, red_assault_0) < 1 m';
const toSupply = 'distance(a, nearest(supply))';

describe('the extremum of infinite distances', () => {
  test.each(['min', 'max', 'sum', 'mean'])(
    '%s over some of a set has no value, as over all of it',
    (kind) => {
      for (const members of ['a in red', nearMe])
        expect(play(`metric m { ${kind} over ${members} of ${toSupply} unit m }`).measured).toBeNaN();
    },
  );

  test('who does not hold takes no part in it, and of nobody it is 0', () => {
    const some = 'a in red where a.role == red_support_0.role';
    const mixed = `min(${toSupply}, 7 m + 0 * a.x)`;
    for (const kind of ['min', 'max']) {
      expect(play(`metric m { ${kind} over ${some} of ${mixed} unit m }`).measured).toBe(7);
      expect(play(`metric m { ${kind} over a in red where a.x > 1M m of ${mixed} unit m }`).measured).toBe(0);
    }
  });

  test('an effect of it traps', () => {
    const value = `(min over ${nearMe} of ${toSupply}) / 1 s`;
    expect(play(`rule r { for b in red then b.speed += ${value} }`).traps).toContain('r at 1');
  });
});

describe('an amount that is not finite', () => {
  test.each([
    ['infinite', 'distance(red_assault_0, nearest(supply)) / 1 s'],
    ['infinitely negative', '-distance(red_assault_0, nearest(supply)) / 1 s'],
    ['undefined', '1 m/s * sqrt(-abs(red_assault_0.x / 1 m) - 1)'],
  ])('traps where it is %s, and is not brought within the bounds', (_, amount) => {
    const event = (moment: string) => `event e { ${moment} disturb push red_assault_0 by ${amount} }`;
    expect(play(event('at step 2')).traps).toEqual(['e at 3']);
    expect(play(event('at step 20')).traps).toEqual([]);
  });

  test('one that is finite is brought within them', () => {
    const event = 'event e { at step 2 disturb push red_assault_0 by 1e300 m/s * (1 + red_assault_0.alive) }';
    expect(play(event).traps).toEqual([]);
    expect(play(event).fired.get('e')).toBe(1);
  });
});

describe('conditions of an npc', () => {
  test('behind one that decided they do not matter, also where that is true whatever the state', () => {
    const undecided = 'wander when nearest(supply to self).x > 1 m';
    for (const certain of ['1 < 2', 'time >= 0 steps', 'not (2 < 1)']) {
      const { traps, fired } = play(`npc n { control blue hold when ${certain} ${undecided} }`);
      expect(traps).toEqual([]);
      expect(fired.get('n')).toBe(3 * numSteps);
    }
    expect(play(`npc n { control blue ${undecided} hold when 1 < 2 }`).traps).toContain('n at 1');
  });

  test('otherwise is no decision', () => {
    expect(play('npc n { control blue otherwise hold }').fired.get('n')).toBe(0);
  });
});

describe('nobody', () => {
  const apart = 'nearest(supply to red_assault_0)';
  const other = 'farthest(obstacle to blue_assault_0)';

  test('two nobodies are the same, and nobody is no one else', () => {
    const counts = play(
      `reward same { when ${apart} == ${other} give 1 to red }
       reward different { when ${apart} != ${other} give 1 to red }
       reward someone { when ${apart} == red_base give 1 to red }`,
    ).fired;
    expect([...counts.values()]).toEqual([0, numSteps, 0]);
    expect([...counts.keys()]).toEqual(['different', 'same', 'someone']);
  });

  test('their attributes are undefined all the same: to compare them traps', () => {
    expect(play(`rule r { when ${apart}.x == ${other}.x then red.speed *= 2 }`).traps).toContain('r at 1');
  });
});
