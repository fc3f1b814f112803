import { describe, expect, test } from 'vitest';
import type { CoachConfig } from '../../../src/engine/coach/config.ts';
import { findReason, gainOver } from '../../../src/engine/coach/triggers.ts';
import type { RoundContext } from '../../../src/engine/coach/types.ts';
import { coachConfig, failingSeries, roundContext, series } from '../../support/coach-world.ts';

const off: CoachConfig['trigger'] = { interval: null, plateau: null, minDelta: 0, issue: false };
const wellSeries = series({ 'eval/metric/coverage': [0.9, 0.9, 0.9] });

function find(trigger: Partial<CoachConfig['trigger']>, changes: Partial<RoundContext> = {}) {
  return findReason(
    roundContext({ config: { ...coachConfig, trigger: { ...off, ...trigger } }, ...changes }),
  );
}

describe('findReason', () => {
  test('nothing is asked without a trigger', () => {
    expect(find({})).toBeNull();
  });

  test('the interval counts rounds', () => {
    const asked = [0, 1, 2, 3, 4].map(
      (round) => find({ interval: 2 }, { round, numRounds: 6 })?.trigger ?? null,
    );
    expect(asked).toEqual([null, 'interval', null, 'interval', null]);
  });

  test('the last round asks nothing, even when a person wants it', () => {
    expect(find({ interval: 1 }, { round: 3, numRounds: 4, isRequested: true })).toBeNull();
  });

  test('an issue that fires asks and is named', () => {
    expect(find({ issue: true }, { series: failingSeries })).toEqual({
      trigger: 'issue',
      detail: 'firing: uncovered (Landmarks stay uncovered)',
    });
    expect(find({ issue: true }, { series: wellSeries })).toBeNull();
  });

  test('a plateau asks when the best gained no more than minDelta', () => {
    const flat = series({ 'eval/objective': [-30, -20, -20.5, -19.9] });
    expect(find({ plateau: 2, minDelta: 0.5 }, { series: flat })?.trigger).toBe('plateau');
    expect(find({ plateau: 2, minDelta: 0.05 }, { series: flat })).toBeNull();
    expect(find({ plateau: 4, minDelta: 0.5 }, { series: flat })).toBeNull();
  });

  test('a person comes first, then an issue, a plateau, the interval', () => {
    const all = { interval: 1, plateau: 2, minDelta: 100, issue: true };
    expect(find(all, { isRequested: true })?.trigger).toBe('manual');
    expect(find(all)?.trigger).toBe('issue');
    expect(find(all, { series: series({ 'eval/objective': [1, 1, 1] }) })?.trigger).toBe('plateau');
    expect(find(all, { series: wellSeries })?.trigger).toBe('interval');
  });

  test('nobody but a person asks where no budget is left to try what is answered', () => {
    const spent = { chargedSteps: 200_000, trialSteps: 100_000 };
    const whatif = { share: 0.25, seeds: 2, retest: 4, episodes: 2048 };
    const trigger = { ...off, interval: 1 };
    const ask = (config: Partial<CoachConfig>, changes: Partial<RoundContext> = spent) =>
      findReason(roundContext({ config: { ...coachConfig, trigger, whatif, ...config }, ...changes }))
        ?.trigger ?? null;
    expect(ask({})).toBeNull();
    expect(ask({}, { ...spent, isRequested: true })).toBe('manual');
    expect(ask({}, { ...spent, trialSteps: 90_000 })).toBe('interval');
    expect(ask({ mode: 'manual' })).toBe('interval');
    expect(ask({ whatif: { ...whatif, share: 0 } })).toBe('interval');
  });

  test('with a lag it goes by what will have been charged when the answer is due', () => {
    const trigger = { ...off, interval: 1 };
    const whatif = { share: 0.45, seeds: 2, retest: 4, episodes: 64 };
    // The answer comes after round 3 of 4, when a quarter of the budget is left; 100,000 steps: four branches of 25,000.
    const find = (stepsPerIteration: number) =>
      findReason(
        roundContext({
          config: { ...coachConfig, trigger, whatif, lag: 2 },
          stepsPerIteration,
        }),
      )?.trigger ?? null;
    expect(find(25_000)).toBe('interval');
    expect(find(26_000)).toBeNull();
  });

  test('an arm without coach asks nothing', () => {
    expect(findReason(roundContext({ config: { ...coachConfig, provider: 'none' } }))).toBeNull();
  });
});

describe('gainOver', () => {
  test('compares bests, in the direction that is better', () => {
    const history = { steps: [1, 2, 3, 4], values: [5, 3, 4, 2] };
    expect(gainOver(history, 2, 'higher')).toBe(-1);
    expect(gainOver(history, 2, 'lower')).toBe(1);
  });
});
