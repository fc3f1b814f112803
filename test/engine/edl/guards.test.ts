import { describe, expect, test } from 'vitest';
import { compile } from '../../../src/engine/edl/compile.ts';
import { arenaHost } from '../../support/edl-arena.ts';
import { environmentOf, pointedAt } from '../../support/edl-text.ts';

const near = 'nearest(adversary to a)';

/** What is warned of as possibly nobody's, by the text it stands in. */
function warned(declaration: string): string[] {
  const text = environmentOf(declaration, 'arena');
  const { diagnostics, environment } = compile(text, arenaHost());
  if (environment === null) throw new Error(JSON.stringify(diagnostics));
  return diagnostics.filter(({ code }) => code === 'EDL508').map((diagnostic) => pointedAt(text, diagnostic));
}

const give = (when: string) => `reward r { for a in agent ${when} give ${near}.speed / 1 m/s to a }`;

describe('nobodyReads', () => {
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
