import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { scenarioManifest } from '../../../../src/engine/sim/index.ts';
import { figure, playEpisodes, specWith } from '../../../support/edl-episodes.ts';

const base = 5;
const attribute = scenarioManifest('simple_spread', {}).attributes.find(({ name }) => name === 'accel');
const bounds = { min: attribute?.min ?? 0, max: attribute?.max ?? 0 };
const held = (value: number): number => Math.min(Math.max(value, bounds.min), bounds.max);
const factor = fc.double({ min: 0, max: 3, noNaN: true }).map((value) => Number(value.toFixed(6)));

/** Smallest, largest and last effective acceleration of agent 0 in an episode. */
function accelUnder(rules: string, length = 12) {
  const metrics = ['min', 'max', 'last'].map(
    (fold) => `metric ${fold}_accel { for a in agent a.accel unit m/s^2 over episode ${fold} }`,
  );
  const spec = specWith(
    `set episode.length = ${length}\nset agent.accel = ${base}\n${rules}\n${metrics.join('\n')}`,
  );
  const [record] = playEpisodes(spec);
  if (record === undefined) throw new Error('no episode');
  const of = (fold: string): number | undefined => figure(record.metrics, `${fold}_accel`)[0];
  return { min: of('min'), max: of('max'), last: of('last') };
}

describe('effects on attributes', () => {
  test('scaling rules never accumulate: every step starts from the base (seed 1)', () => {
    fc.assert(
      fc.property(factor, factor, (first, second) => {
        const rules = `rule one { for a in agent then a.accel *= ${first} }
          rule two { then agent_0.accel *= ${second} then agent_0.accel += 0.25 }`;
        const expected = held(base * (first * second) + 0.25);
        expect(accelUnder(rules)).toEqual({ min: expected, max: expected, last: expected });
      }),
      { seed: 1, numRuns: 60 },
    );
  });

  test('a lasting one does, from the next step on and within the bounds (seed 2)', () => {
    fc.assert(
      fc.property(factor, fc.integer({ min: 1, max: 15 }), (scale, length) => {
        let expected = base;
        for (let t = 1; t < length; t++) expected = held(expected * scale);
        expect(accelUnder(`rule grow { for a in agent then a.accel *= ${scale} lasting }`, length).last).toBe(
          expected,
        );
      }),
      { seed: 2, numRuns: 60 },
    );
  });

  test('a lasting effect ends with the episode', () => {
    const spec = specWith(`set episode.length = 4
      rule grow { when time < 1 steps then agent_0.accel = 9 m/s^2 lasting }
      metric first_accel { for a in agent a.accel unit m/s^2 over episode min }`);
    const firsts = playEpisodes(spec, { numEnvs: 3 }).map(
      (record) => figure(record.metrics, 'first_accel')[0],
    );
    expect(firsts).toEqual([base, base, base]);
  });

  test('effects of the step fold over the lasting base, each within the bounds', () => {
    const rules = `rule keep { when time == 0 steps then agent_0.accel *= 2 lasting }
      rule now { when time == 2 steps then agent_0.accel *= 0.5 }`;
    expect(accelUnder(rules, 4)).toEqual({ min: 5, max: 10, last: 10 });
  });
});
