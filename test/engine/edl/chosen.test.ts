import { describe, expect, test } from 'vitest';
import { compile, format } from '../../../src/engine/edl/index.ts';
import { createVecEnv } from '../../../src/engine/sim/index.ts';
import { accepted, expectMisuse, type Misuse } from '../../support/edl-checks.ts';
import { specWith } from '../../support/edl-episodes.ts';
import { simHost } from '../../support/sim-host.ts';

/** What a metric over capture measures at the beginning of an episode, by agent; NaN: no sample. */
function measured(expression: string, loop = 'for a in red'): number[] {
  const spec = specWith(`metric m { ${loop} ${expression} over episode last }`, 'capture');
  const env = createVecEnv(spec, { numEnvs: 1, seed: 7n, firstEpisode: 0 });
  const values = [...env.probe()];
  env.dispose();
  return values;
}

function codes(declarations: string): string[] {
  const text = `environment test extends capture { ${declarations} }`;
  return compile(text, simHost()).diagnostics.map(({ code }) => code);
}

describe('the nearest member of which something holds', () => {
  test.each([
    ['p.x > 40 m', 'min', 'nearest'],
    ['p.x < 60 m and p.y < 1k m', 'max', 'farthest'],
  ])('%s: its distance is the %s over those', (where, fold, op) => {
    const chosen = measured(`distance(a, ${op}(p in point where ${where})) unit m`);
    const folded = measured(`(${fold} over p in point where ${where} of (distance(a, p))) unit m`);
    expect(chosen).toEqual(folded);
    expect(chosen.some((value) => value > 0)).toBe(true);
  });

  test('is not the nearest of all', () => {
    const all = measured('nearest(point).x unit m');
    const chosen = measured('nearest(p in point where p.x > 50 m).x unit m');
    const red = chosen.slice(
      0,
      chosen.findIndex(Number.isNaN) < 0 ? undefined : chosen.findIndex(Number.isNaN),
    );
    expect(red.every((x) => x > 50)).toBe(true);
    expect(all).not.toEqual(chosen);
  });

  test('is nobody where it holds of none: infinitely far, no sample', () => {
    expect(measured('distance(a, nearest(p in point where p.x > 1k m)) unit m').every(Number.isNaN)).toBe(
      true,
    );
    expect(
      measured('count(b in red where distance(b, nearest(p in point where p.x > 1k m)) > 1M m)', '')[0],
    ).toBeGreaterThan(0);
  });

  test('is nearest to what `to` says, which does not know the member', () => {
    const text =
      'rule r { for a in red when nearest(p in point where p.owner != 0 to p).x > 1 m then a.vision *= 2 }';
    expect(codes(text)).toContain('EDL202');
    const to = measured('nearest(p in point where p.x > 0 m to red_base).x unit m');
    expect(new Set(to.filter((value) => !Number.isNaN(value))).size).toBe(1);
  });

  test('can be the aim of an npc, and of an event', () => {
    const npc =
      'npc n { control blue goto nearest(p in point where p.owner != 2) when distance > 2 m otherwise hold }';
    expect(codes(npc)).toEqual([]);
    expect(
      codes(
        'event e { every 20 steps remove obstacle nearest(o in obstacle where o.radius > 1 m to red_0) }',
      ),
    ).not.toContain('EDL103');
  });

  test('keeps its meaning inside what is asked of a set', () => {
    const chosen = 'nearest(c in red where c.x > 1 m to a)';
    const short = measured(`count(b in blue where ${chosen}.sees(ally(b)))`);
    const long = measured(`count(b in blue where any(d in ally(b) where ${chosen}.sees(d)))`);
    expect(short).toEqual(long);
    const any = codes(
      'rule r { for a in red when nearest(c in red where c.health < 50%).sees(blue) then a.vision *= 2 }',
    );
    expect(any).toEqual([]);
  });

  test('keeps its meaning where an npc asks how far its aim is, at whatever depth', () => {
    const aim = 'nearest(p in point where p.x > 60 m)';
    const decided = (condition: string): readonly number[] => {
      const spec = specWith(`npc n { control blue goto ${aim} when ${condition} otherwise hold }`, 'capture');
      const env = createVecEnv(spec, { numEnvs: 4, seed: 3n, firstEpisode: 0 });
      env.reset(3n, 0);
      const counts = Array.from({ length: 30 }, () => {
        env.step(new Int32Array(4 * env.numAgents));
        return env.takeFireCounts()[0] ?? 0;
      });
      env.dispose();
      return counts;
    };
    const shallow = decided('distance > 12 m');
    expect(decided(`distance(self, ${aim}) > 12 m`)).toEqual(shallow);
    expect(decided('any(z in zone where any(y in zone where distance > 12 m))')).toEqual(shallow);
    expect(new Set(shallow).size).toBeGreaterThan(1);
  });

  test('is known to be there behind the same question', () => {
    const read = 'nearest(p in point where p.owner == 0).x < 20 m';
    const reward = (condition: string) => codes(`reward r { for a in red when ${condition} give 1 to a }`);
    expect(reward(read)).toEqual(['EDL508']);
    expect(reward(`any(p in point where p.owner == 0) and ${read}`)).toEqual([]);
    expect(reward(`count(p in point where p.owner == 0) > 0 and ${read}`)).toEqual([]);
    expect(reward(`distance(a, nearest(p in point where p.owner == 0)) < 9 m and ${read}`)).toEqual([]);
    expect(reward(`any(p in point where p.owner == 1) and ${read}`)).toEqual(['EDL508']);
    expect(reward(`any(p in point where p.x > 1 m) and ${read}`)).toEqual(['EDL508']);
  });

  test('without a condition, or with one that always holds, is the nearest of all', () => {
    const rule = (place: string) =>
      `rule r { for a in agent when distance(a, ${place}) < 3 m then a.accel *= 2 }`;
    const plain = accepted(rule('nearest(zone)')).identity;
    expect(accepted(rule('nearest(z in zone)')).identity).toBe(plain);
    expect(accepted(rule('nearest(z in zone where 1 < 2)')).identity).toBe(plain);
    expect(accepted(rule('nearest(z in zone where z.x > 1 m)')).identity).not.toBe(plain);
  });

  test('the name of the member is no part of the identity', () => {
    const rule = (name: string) =>
      `rule r { for a in agent when distance(a, nearest(${name} in zone where ${name}.x > 1 m)) < 3 m then a.accel *= 2 }`;
    expect(accepted(rule('z')).identity).toBe(accepted(rule('other_zone')).identity);
  });
});

const rule = (condition: string): string => `rule r { for a in agent when ${condition} then a.accel *= 2 }`;

const misuses: Misuse[] = [
  ['EDL211', rule('distance(a, nearest(a in zone where a.x > 1 m)) < 3 m'), "'a' is already"],
  ['EDL304', rule('count(b in agent where b.x > 1 m to a) > 2'), "'to' belongs to nearest and farthest"],
  ['EDL301', rule('count(b in agent where b.x > 1 m).x > 2 m'), "it has no attribute 'x'"],
  ['EDL301', rule('any(b in agent where b.x > 1 m).x > 2 m'), 'any is a condition'],
  ['EDL301', rule('nearest(z in zone where z.x).x > 2 m'), 'must be a condition'],
  ['EDL208', 'issue i { when nearest(a in agent where a.x > 1 m).x > 1 m }', 'issues and stages see metrics'],
];

describe('elaborateBound', () => {
  test.each(misuses)('refuses with %s: %s', (...misuse) => {
    expectMisuse(misuse);
  });
});

test('the layout of a choice is that of a quantifier', () => {
  const text =
    'environment e extends arena { rule r { for b in agent when distance(b,nearest( z in zone where z.x>0 m to b ))<3 m then b.accel = 1 } }';
  const formatted = format(text);
  expect('text' in formatted && formatted.text).toContain(
    'distance(b, nearest(z in zone where z.x > 0 m to b)) < 3 m',
  );
});
