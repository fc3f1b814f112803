import { describe, expect, test } from 'vitest';
import { compile } from '../../../src/engine/edl/compile.ts';
import { arenaHost } from '../../support/edl-arena.ts';
import { environmentOf, pointedAt } from '../../support/edl-text.ts';

const near = 'nearest(adversary to a)';

/** What is warned of (as possibly nobody's, where no other code is named), by the text it stands in. */
function warned(declaration: string, warning = 'EDL508'): string[] {
  const text = environmentOf(declaration, 'arena');
  const { diagnostics, environment } = compile(text, arenaHost());
  if (environment === null) throw new Error(JSON.stringify(diagnostics));
  return diagnostics.filter(({ code }) => code === warning).map((diagnostic) => pointedAt(text, diagnostic));
}

const give = (when: string) => `reward r { for a in agent ${when} give ${near}.speed / 1 m/s to a }`;

describe('undefinedReads: attributes', () => {
  test('finds an attribute of a nearest member that nothing guards', () => {
    expect(warned(give(''))).toEqual([`${near}.speed / 1 m/s`]);
    expect(warned(`reward r { for a in agent when ${near}.speed > 1 m/s give 1 to a }`)).toEqual([
      `${near}.speed > 1 m/s`,
    ]);
    expect(warned(`rule r { for a in agent then a.accel = 2 * ${near}.accel }`)).toEqual([
      `2 * ${near}.accel`,
    ]);
    expect(warned(`constraint c { for a in agent never ${near}.speed > 1 m/s }`)).toHaveLength(1);
  });

  test.each([
    'when any(b in adversary)',
    'when any(b in adversary where b.speed >= 0 m/s)',
    'when count(b in adversary) > 0',
    'when 1 <= count(b in adversary where b.speed > 1 m/s)',
    `when distance(a, ${near}) < 2 m`,
    `when time > 3 steps and distance(a, ${near}) <= 2 m`,
    `when not (distance(a, ${near}) > 2 m or time < 3 steps)`,
    `when a.sees(${near})`,
  ])('is content with a guard: %s', (when) => {
    expect(warned(give(when))).toEqual([]);
  });

  test.each([
    'when time > 3 steps',
    'when any(b in adversary where b.speed >= 0 m/s) or time > 3 steps',
    `when distance(a, ${near}) > 2 m`,
    'when any(z in zone where z.radius > 0 m)',
    'when count(b in adversary) < 3',
    'when 0 <= count(b in adversary where b.speed > 1 m/s)',
  ])('is not content with: %s', (when) => {
    expect(warned(give(when))).toHaveLength(1);
  });

  test('a guard counts within the same condition, from left to right', () => {
    const guard = `distance(a, ${near}) < 2 m`;
    const use = `${near}.speed > 1 m/s`;
    const when = (condition: string) => `reward r { for a in agent when ${condition} give 1 to a }`;
    expect(warned(when(`${guard} and ${use}`))).toEqual([]);
    expect(warned(when(`not (${guard}) or ${use}`))).toEqual([]);
    expect(warned(when(`${use} and ${guard}`))).toHaveLength(1);
    expect(warned(when(`${guard} or ${use}`))).toHaveLength(1);
  });

  test('members of a loop or an aggregate are there', () => {
    expect(warned('reward r { for b in adversary give b.speed / 1 m/s to b }')).toEqual([]);
    const text = environmentOf('reward r { for a in agent when any(b in adversary) give 1 to a }', 'arena');
    expect(compile(text, arenaHost()).diagnostics).toEqual([]);
    expect(
      warned('reward r { for a in agent give sum over b in adversary of b.speed / 1 m/s to a }'),
    ).toEqual([]);
  });
});

describe('undefinedReads: divisors', () => {
  const gap = 'distance(a, agent_0)';
  const close = 'count(b in agent where distance(a, b) < 1 m)';
  const give = (when: string, value: string) => `reward r { for a in agent ${when} give ${value} to a }`;
  const divisors = (declaration: string): string[] => warned(declaration, 'EDL517');

  test('finds what may be 0, where it is written', () => {
    expect(divisors(give('', `1 m / ${gap} + 2 / 4`))).toEqual([gap]);
    expect(divisors(give('', `1 m / ${gap} + 3 / ${close}`))).toEqual([gap, close]);
    expect(divisors(`rule r { for a in agent when 2 m / ${gap} > 1 then a.accel *= 2 }`)).toEqual([gap]);
    expect(divisors(`rule r { for a in agent then a.accel *= 1 m / a.x }`)).toEqual(['a.x']);
    expect(divisors(`constraint c { for a in agent never 2 m / ${gap} > 1 }`)).toEqual([gap]);
    expect(divisors(`constraint c { for a in agent never a.x > 0 m penalty 1 m / ${gap} }`)).toEqual([gap]);
  });

  test.each([
    ['', `1 m / max(${gap}, 0.1 m)`],
    ['', `1 / (1 + ${close})`],
    ['', '1 / agent.count'],
    ['', 'sum over b in other(a) where b.x > 0 m of 1 m / b.x'],
    [`when ${gap} > 0 m`, `1 m / ${gap}`],
    [`when ${gap} != 0 m`, `1 m / (2 * ${gap})`],
    [`when not (${gap} <= 1 m or time < 3 steps)`, `1 m / ${gap}`],
    [`when ${gap} > 0 m and 1 m / ${gap} > 3`, '1'],
    [`when ${gap} <= 0 m or 1 m / ${gap} > 3`, '1'],
    ['when abs(a.x) > 1 m', '1 m / a.x'],
    ['when a.x == 1 m', '1 m / abs(a.x)'],
    ['when a.x < 0 m', '1 m / -a.x'],
    ['when any(b in agent where distance(a, b) < 1 m)', `1 / ${close}`],
    [`when ${close} > 2`, `1 / ${close}`],
  ])('is content with: %s give %s', (when, value) => {
    expect(divisors(give(when, value))).toEqual([]);
  });

  test.each([
    [`when ${gap} >= 0 m`, `1 m / ${gap}`],
    [`when ${gap} < 1 m`, `1 m / ${gap}`],
    [`when ${gap} > 0 m or time > 3 steps`, `1 m / ${gap}`],
    [`when 1 m / ${gap} > 3 and ${gap} > 0 m`, '1'],
    ['when a.x < 1 m', '1 m / a.x'],
    ['when a.x != 1 m', '1 m / a.x'],
    ['when a.y > 0 m', '1 m / a.x'],
    ['', '1 m / (a.x + a.y)'],
    ['when any(b in adversary where b.speed > 1 m/s)', `1 / ${close}`],
  ])('is not content with: %s give %s', (when, value) => {
    expect(divisors(give(when, value))).toHaveLength(1);
  });

  test('says how it is bounded, in its unit, where it is never below 0', () => {
    const suggested = (value: string): string[] => {
      const text = environmentOf(give('', value), 'arena');
      return compile(text, arenaHost()).diagnostics.flatMap(({ suggestions }) => suggestions);
    };
    expect(suggested(`1 m / ${gap}`)).toEqual([`max(${gap}, 0.01 m)`]);
    expect(suggested('1 s / time')).toEqual(['max(time, 1 step)']);
    expect(suggested(`1 / ${close}`)).toEqual([`max(${close}, 1)`]);
    expect(suggested('1 m / a.x')).toEqual([]);
  });

  test('metrics and issues leave out what is undefined: nothing traps', () => {
    expect(divisors(`metric m { for a in agent 1 m / ${gap} }`)).toEqual([]);
  });

  test('a chain of hundreds of conditions is looked through in one go', () => {
    const chain = Array.from({ length: 400 }, (_, i) => `${gap} > ${i + 1} m`).join(' and ');
    const start = performance.now();
    expect(divisors(give(`when ${chain}`, `1 m / ${gap}`))).toEqual([]);
    expect(performance.now() - start).toBeLessThan(2000);
  });
});
