import { describe, expect, test } from 'vitest';
import {
  type ArmScores,
  improvementOver,
  interquartileMean,
  summarizeArms,
} from '../../../src/engine/runs/statistics.ts';

function arm(
  name: string,
  scores: readonly number[],
  seeds = scores.map((_, index) => index + 1),
): ArmScores {
  return {
    name,
    coach: null,
    seeds,
    scores: new Map(scores.map((score, index) => [seeds[index] ?? 0, score])),
  };
}

describe('interquartileMean', () => {
  test('cuts a quarter at each end, rounded down', () => {
    expect(interquartileMean([100, 2, 1, 3])).toBe(2.5);
    expect(interquartileMean([1, 2, 6])).toBe(3);
    expect(interquartileMean([-100, 1, 2, 3, 4, 5, 6, 1000])).toBe(3.5);
    expect(interquartileMean([7])).toBe(7);
  });
});

describe('summarizeArms', () => {
  test('pairs by seed against the first arm', () => {
    const [fixed, coached] = summarizeArms([arm('fixed', [1, 5, 9]), arm('coached', [2, 6, 10])], 'higher');
    expect(fixed).toMatchObject({ name: 'fixed', seeds: [1, 2, 3], vsBaseline: null, objective: { iqm: 5 } });
    // Every pair differs by one, though the arms overlap widely.
    expect(coached?.vsBaseline).toEqual({
      difference: 1,
      low: 1,
      high: 1,
      numPairs: 3,
      probabilityOfImprovement: 1,
    });
  });

  test('counts ties half, and turns with the objective', () => {
    const arms = [arm('fixed', [1, 1]), arm('other', [1, 0])];
    expect(summarizeArms(arms, 'higher')[1]?.vsBaseline?.probabilityOfImprovement).toBe(0.25);
    expect(summarizeArms(arms, 'lower')[1]?.vsBaseline?.probabilityOfImprovement).toBe(0.75);
  });

  test('with few seeds the interval of the difference is the range of the pairs', () => {
    const [, other] = summarizeArms([arm('fixed', [0, 0, 0]), arm('other', [2, -1, 4])], 'higher');
    expect(other?.vsBaseline).toMatchObject({ low: -1, high: 4 });
    expect(other?.vsBaseline?.probabilityOfImprovement).toBeCloseTo(2 / 3, 12);
  });

  test('one seed has no spread to show', () => {
    const [fixed, other] = summarizeArms([arm('fixed', [1]), arm('other', [9])], 'higher');
    expect(fixed?.objective).toEqual({ iqm: 1, low: 1, high: 1, numSeeds: 1 });
    expect(other?.vsBaseline).toMatchObject({ difference: 8, low: 8, high: 8 });
  });

  test('the same scores give the same figures', () => {
    const arms = [arm('fixed', [1, 2, 3, 4, 5, 6, 7]), arm('other', [3, 1, 4, 1, 5, 9, 2])];
    expect(summarizeArms(arms, 'higher')).toEqual(summarizeArms(arms, 'higher'));
  });

  test('a file that names its seeds in another order gives the same figures', () => {
    const [first, second] = [
      [1, 2, 3, 4, 5, 6, 7],
      [3, 1, 4, 1, 5, 9, 2],
    ] as const;
    const seeds = [1, 2, 3, 4, 5, 6, 7];
    const given = summarizeArms([arm('fixed', first), arm('other', second)], 'higher');
    const turned = summarizeArms(
      [
        arm('fixed', first.toReversed(), seeds.toReversed()),
        arm('other', second.toReversed(), seeds.toReversed()),
      ],
      'higher',
    );
    expect(turned.map(({ objective, vsBaseline }) => [objective, vsBaseline])).toEqual(
      given.map(({ objective, vsBaseline }) => [objective, vsBaseline]),
    );
  });

  test('leaves out seeds that are not finished on both sides', () => {
    const open: ArmScores = { name: 'open', coach: null, seeds: [1, 2], scores: new Map([[2, 8]]) };
    const [, summary] = summarizeArms([arm('fixed', [1, 5]), open], 'higher');
    expect(summary).toMatchObject({ seeds: [1, 2], objective: { iqm: 8 }, vsBaseline: { difference: 3 } });
    const none: ArmScores = { name: 'none', coach: null, seeds: [1], scores: new Map() };
    expect(summarizeArms([none, none], 'higher')[0]).toMatchObject({ objective: null, vsBaseline: null });
  });
});

describe('improvementOver', () => {
  test('every environment counts alike, however many pairs it has', () => {
    const { probability, numPairs } = improvementOver(
      [
        [1, 1, 1, 1],
        [-1, -1, -1, 1, -1, -1, -1, -1],
      ],
      'higher',
    );
    expect(probability).toBeCloseTo((1 + 1 / 8) / 2, 12);
    expect(numPairs).toBe(12);
    expect(improvementOver([[1], [-1]], 'lower').probability).toBe(0.5);
  });

  test('has an interval only where every environment has three pairs and all have seven', () => {
    expect(
      improvementOver(
        [
          [1, 1, 1],
          [1, 1, 1],
        ],
        'higher',
      ).interval,
    ).toBeNull();
    expect(
      improvementOver(
        [
          [1, 1, 1, 1, 1],
          [1, -1],
        ],
        'higher',
      ).interval,
    ).toBeNull();
    const { interval } = improvementOver(
      [
        [1, -1, 1, 1],
        [1, 1, -1],
      ],
      'higher',
    );
    expect(interval?.low).toBeLessThan(0.7);
    expect(interval?.high).toBe(1);
  });

  test('what is won everywhere is won in every resample', () => {
    const strata = [
      [1, 2, 3, 4],
      [5, 6, 7],
    ];
    expect(improvementOver(strata, 'higher').interval).toEqual({ low: 1, high: 1 });
    expect(improvementOver(strata, 'higher')).toEqual(improvementOver(strata, 'higher'));
  });
});
