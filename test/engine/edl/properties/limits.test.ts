import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { scenarioManifest } from '../../../../src/engine/sim/index.ts';
import { figure, playEpisodes, specWith } from '../../../support/edl-episodes.ts';

/** What an episode is worth goes with its length. */
const nominalOf = (length: number): number =>
  scenarioManifest('simple_spread', { 'episode.length': length }).nominalReturn;
const gift = fc.double({ min: -3, max: 3, noNaN: true }).map((value) => Number(value.toFixed(4)));

function sumAfter(length: number, gives: string, options: string, trainingSteps = 0): number | undefined {
  const spec = specWith(`set episode.length = ${length}\nreward r { ${gives} ${options} }`);
  const [record] = playEpisodes(spec, { trainingSteps: () => trainingSteps });
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
});
