import { describe, expect, test } from 'vitest';
import { type LabelledOption, repairsOf } from '../../../../src/engine/coach/probe/labelled-defect.ts';

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

describe('repairsOf', () => {
  test('every pair has to be better, and there have to be four', () => {
    expect(
      repairs(option('all', [1, 1, 2, 1]), option('but one', [4, 4, 4, -0.1]), option('few', [9, 9, 9])),
    ).toEqual(['all']);
  });

  test('what helps far less than the best one is no repair', () => {
    expect(
      repairs(option('best', [4, 4, 4, 4]), option('some', [1, 1, 1, 1]), option('less', [1, 1, 1, 0.9])),
    ).toEqual(['best', 'some']);
  });

  test('training that broke down repairs nothing, and there may be no repair at all', () => {
    expect(repairs(option('lost', [1, 1, 1, 1], 'not finite'), option('worse', [-1]))).toEqual([]);
  });
});
