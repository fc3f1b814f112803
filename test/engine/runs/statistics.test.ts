import { describe, expect, test } from 'vitest';
import {
  type ArmScores,
  bootstrapInterval,
  findWinners,
  interquartileMean,
  mean,
  summarizeArms,
} from '../../../src/engine/runs/statistics.ts';

function arm(
  name: string,
  scores: readonly number[],
  seeds = scores.map((_, index) => index + 1),
): ArmScores {
  return { name, seeds, scores: new Map(scores.map((score, index) => [seeds[index] ?? 0, score])) };
}

describe('interquartileMean', () => {
  test('cuts a quarter at each end, rounded down', () => {
    expect(interquartileMean([100, 2, 1, 3])).toBe(2.5);
    expect(interquartileMean([1, 2, 6])).toBe(3);
    expect(interquartileMean([-100, 1, 2, 3, 4, 5, 6, 1000])).toBe(3.5);
    expect(interquartileMean([7])).toBe(7);
  });
});

describe('bootstrapInterval', () => {
  test('is the same every time and holds the statistic', () => {
    const values = [1, 2, 3, 4, 5, 6, 7, 8];
    const interval = bootstrapInterval(values, mean);
    expect(bootstrapInterval(values, mean)).toEqual(interval);
    expect(interval.low).toBeLessThan(4.5);
    expect(interval.high).toBeGreaterThan(4.5);
    // Normal theory: 4.5 ± 1.96 · 2.291 / √8 = 4.5 ± 1.588.
    expect(interval.low).toBeCloseTo(2.91, 0);
    expect(interval.high).toBeCloseTo(6.09, 0);
  });

  test('of one value is that value', () => {
    expect(bootstrapInterval([3], mean)).toEqual({ low: 3, high: 3 });
  });
});

describe('summarizeArms', () => {
  test('pairs by seed against the first arm', () => {
    const [fixed, coached] = summarizeArms([arm('fixed', [1, 5, 9]), arm('coached', [2, 6, 10])], 'higher');
    expect(fixed).toMatchObject({ name: 'fixed', seeds: [1, 2, 3], vsBaseline: null, objective: { iqm: 5 } });
    // Every pair differs by one, though the arms overlap widely.
    expect(coached?.vsBaseline).toEqual({ difference: 1, low: 1, high: 1, probabilityOfImprovement: 1 });
  });

  test('counts ties half, and turns with the objective', () => {
    const arms = [arm('fixed', [1, 1]), arm('other', [1, 0])];
    expect(summarizeArms(arms, 'higher')[1]?.vsBaseline?.probabilityOfImprovement).toBe(0.25);
    expect(summarizeArms(arms, 'lower')[1]?.vsBaseline?.probabilityOfImprovement).toBe(0.75);
  });

  test('leaves out seeds that are not finished on both sides', () => {
    const open: ArmScores = { name: 'open', seeds: [1, 2], scores: new Map([[2, 8]]) };
    const [, summary] = summarizeArms([arm('fixed', [1, 5]), open], 'higher');
    expect(summary).toMatchObject({ seeds: [1, 2], objective: { iqm: 8 }, vsBaseline: { difference: 3 } });
    const none: ArmScores = { name: 'none', seeds: [1], scores: new Map() };
    expect(summarizeArms([none, none], 'higher')[0]).toMatchObject({ objective: null, vsBaseline: null });
  });
});

describe('findWinners', () => {
  test('an arm wins when its whole interval is on the better side', () => {
    const arms = summarizeArms(
      [arm('fixed', [1, 2, 3]), arm('better', [2, 3, 5]), arm('mixed', [0, 4, 3]), arm('worse', [0, 1, 2])],
      'higher',
    );
    expect(findWinners(arms, 'higher')).toEqual(['better']);
    expect(findWinners(arms, 'lower')).toEqual(['worse']);
  });

  test('one seed is never a win', () => {
    expect(findWinners(summarizeArms([arm('fixed', [1]), arm('coached', [9])], 'higher'), 'higher')).toEqual(
      [],
    );
  });
});
