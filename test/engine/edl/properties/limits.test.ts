import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { scenarioManifest } from '../../../../src/engine/sim/index.ts';
import { figure, playEpisodes, specWith } from '../../../support/edl-episodes.ts';

/** What an episode is worth goes with its length. */
const nominalOf = (length: number): number =>
  scenarioManifest('simple_spread', { 'episode.length': length }).nominalReturn;
const gift = fc.double({ min: -3, max: 3, noNaN: true }).map((value) => Number(value.toFixed(4)));

function sumAfter(
  length: number,
  gives: string,
  options: string,
  trainingSteps = 0,
  gamma = 0.99,
): number | undefined {
  const spec = specWith(`set episode.length = ${length}\nreward r { ${gives} ${options} }`);
  const [record] = playEpisodes(spec, { gamma, trainingSteps: () => trainingSteps });
  return record === undefined ? undefined : figure(record.components, 'r')[0];
}

describe('limits and decay', () => {
  test('the sum of a limited component is that of the gifts held within the limit in every step (seed 1)', () => {
    fc.assert(
      fc.property(
        gift,
        fc.integer({ min: 1, max: 60 }),
        fc.integer({ min: 1, max: 12 }),
        (value, percent, length) => {
          const limit = (percent / 100) * nominalOf(length);
          // It turns half way: what was cut off before must not come back.
          const gives = `for a in agent give clamp(6 - time / 1 step, -1, 1) * ${value} to a`;
          let expected = 0;
          for (let t = 1; t <= length; t++) {
            const given = Math.min(Math.max(6 - t, -1), 1) * value;
            expected = Math.min(Math.max(expected + given, -limit), limit);
          }
          expect(sumAfter(length, gives, `limit ${percent}% of nominal`)).toBe(expected);
        },
      ),
      { seed: 1, numRuns: 60 },
    );
  });

  test('a decaying component enters with 2^(-T/h), exactly (seed 2)', () => {
    fc.assert(
      fc.property(gift, fc.integer({ min: 0, max: 30 }), (value, halvings) => {
        const sum = sumAfter(1, `give ${value} to agent_0`, 'decay half every 1000 steps', 1000 * halvings);
        expect(sum).toBe(0 + value * 2 ** -halvings);
      }),
      { seed: 2, numRuns: 40 },
    );
  });

  test('the limit holds for what enters, after the weight', () => {
    const options = 'decay half every 1000 steps limit 10% of nominal';
    const give = (length: number): string => `give ${0.1 * nominalOf(length)} to agent_0`;
    expect(sumAfter(4, give(4), options, 1000)).toBe(0.1 * nominalOf(4));
    expect(sumAfter(1, give(1), options, 1000)).toBe(0.1 * nominalOf(1) * 0.5);
  });

  test('a limited potential is scaled by what is above the limit; nothing of it is cut off (seed 3)', () => {
    fc.assert(
      fc.property(
        gift.filter((value) => Math.abs(value) > 0.01),
        fc.integer({ min: 1, max: 60 }),
        fc.integer({ min: 1, max: 12 }),
        (value, percent, length) => {
          const limit = (percent / 100) * nominalOf(length);
          const phi = (step: number): number => Math.min(Math.max(6 - step, -1), 1) * value;
          const scale = Math.min(1, limit / (2 * Math.abs(value)));
          const gives = `for a in agent give clamp(6 - time / 1 step, -1, 1) * ${value} to a`;
          const sum = sumAfter(length, gives, `limit ${percent}% of nominal potential`, 0, 1);
          expect(sum).toBeCloseTo(scale * (phi(length) - phi(0)), 10);
          expect(Math.abs(sum ?? Number.NaN)).toBeLessThanOrEqual(limit * (1 + 1e-12));
        },
      ),
      { seed: 3, numRuns: 60 },
    );
  });

  test('a limited penalty costs no more than its limit, and goes on being counted (seed 4)', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 300 }).map((hundredths) => hundredths / 100),
        fc.integer({ min: 1, max: 60 }),
        fc.integer({ min: 1, max: 12 }),
        (penalty, percent, length) => {
          const limit = (percent / 100) * nominalOf(length);
          const never = 'for a in agent always a.x > 1000 m';
          const spec = specWith(
            `set episode.length = ${length}
             constraint c { ${never} penalty ${penalty} limit ${percent}% of nominal }`,
          );
          const [record] = playEpisodes(spec);
          if (record === undefined) throw new Error('no episode');
          let expected = 0;
          for (let t = 0; t < length; t++) expected = Math.max(expected - penalty, -limit);
          expect(figure(record.components, 'c')[0]).toBe(expected);
          expect(figure(record.metrics, 'c')[0]).toBe(length);
        },
      ),
      { seed: 4, numRuns: 40 },
    );
  });

  test.each([undefined, { red_assault: 6, blue_support: 6 }])(
    'a limit is the same whatever room a run has fixed: %j',
    (capacities) => {
      const declarations = `
        reward kept { for a in red give 40 to a limit 10% of nominal }
        reward pull { for a in red for b in ally(a) give distance(a, b) / 1 m to a
          limit 10% of nominal potential }
        constraint held { for a in red never a.alive > 0 penalty 40 limit 10% of nominal }`;
      const spec = specWith(`set episode.length = 10\n${declarations}`, 'capture', capacities);
      const [record] = playEpisodes(spec);
      if (record === undefined) throw new Error('no episode');
      const limit = 0.1 * scenarioManifest('capture', {}).nominalReturn;
      expect(figure(record.components, 'kept')[0]).toBe(limit);
      expect(figure(record.components, 'held')[0]).toBe(-limit);
      // Two mates at most, each within the diagonal of the field.
      const scale = limit / (2 * 2 * Math.hypot(100, 60));
      expect([...(spec.program?.constants ?? [])]).toContain(scale);
    },
  );
});
