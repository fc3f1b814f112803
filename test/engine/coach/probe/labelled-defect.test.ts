import { describe, expect, test } from 'vitest';
import {
  isWorthAnotherPair,
  type LabelledOption,
  repairsOf,
} from '../../../../src/engine/coach/probe/labelled-defect.ts';

const option = (
  name: string,
  differences: readonly number[],
  failure: string | null = null,
): LabelledOption => ({
  kind: 'remove',
  target: name,
  value: '',
  changes: [],
  identity: name,
  label: { differences: [...differences], failure },
});

const repairs = (...options: LabelledOption[]): string[] =>
  repairsOf({ options }).map(({ target }) => target);

/** Differences of all pairs, from those that screen and those that follow. */
const pairs = (screened: readonly number[], later: readonly number[]): number[] => [...screened, ...later];

describe('repairsOf', () => {
  test('every pair that screens has to be better, and there have to be eight', () => {
    expect(
      repairs(
        option('all', pairs([1, 1, 2, 1], [1, 2, 1, 1])),
        option('but one of the first', pairs([4, 4, 4, -0.1], [4, 4, 4, 4])),
        option('few', [9, 9, 9, 9]),
      ),
    ).toEqual(['all']);
  });

  test('a later pair may be lost, as long as all of them together leave no doubt', () => {
    expect(
      repairs(
        option('sure', pairs([2, 2, 3, 2], [2, 3, 2, -0.1])),
        option('lucky', pairs([2, 1, 3, 2], [-2, 1, -3, 0])),
      ),
    ).toEqual(['sure']);
  });

  test('what helps far less than the best one is no repair', () => {
    const always = (gain: number): number[] => Array.from({ length: 8 }, () => gain);
    expect(
      repairs(option('best', always(4)), option('some', always(1)), option('less', always(0.9))),
    ).toEqual(['best', 'some']);
  });

  test('training that broke down repairs nothing, and there may be no repair at all', () => {
    expect(
      repairs(option('lost', pairs([1, 1, 1, 1], [1, 1, 1, 1]), 'not finite'), option('worse', [-1])),
    ).toEqual([]);
  });
});

describe('isWorthAnotherPair', () => {
  const isWorth = (differences: number[], failure: string | null = null): boolean =>
    isWorthAnotherPair({ differences, failure });

  test('until it does worse on one that screens, or all have been played', () => {
    expect([[], [1], [1, 1, 1, 1], [1, 1, 1, 1, -1]].map((differences) => isWorth(differences))).toEqual(
      Array(4).fill(true),
    );
    expect([[0], [1, -1], pairs([1, 1, 1, 1], [1, 1, 1, 1])].map((each) => isWorth(each))).toEqual(
      Array(3).fill(false),
    );
    expect(isWorth([1], 'not finite')).toBe(false);
  });
});
