import { describe, expect, test } from 'vitest';
import { argumentsFor, readLabelOptions, shareOut } from '../../../tools/defects/label-options.ts';

describe('readLabelOptions', () => {
  test('reads jobs in one word or two', () => {
    expect(readLabelOptions(['--jobs=3']).jobs).toBe(3);
    expect(readLabelOptions(['--jobs', '3', '--only', 'a', '--only=b', '--again'])).toEqual({
      ...{ jobs: 3, only: ['a', 'b'], again: true },
    });
    expect(readLabelOptions([])).toEqual({ jobs: 1, only: null, again: false });
  });

  test.each(['0', '-1', '1.5', 'all', ''])('refuses %j jobs', (jobs) => {
    expect(() => readLabelOptions([`--jobs=${jobs}`])).toThrow(RangeError);
  });
});

describe('argumentsFor', () => {
  test('a process that was started for one defect starts no others, however jobs were asked for', () => {
    for (const args of [['--jobs=3'], ['--jobs', '3', '--again', '--only', 'b']]) {
      const given = readLabelOptions(args);
      expect(readLabelOptions(argumentsFor('a', given))).toEqual({ ...given, jobs: 1, only: ['a'] });
    }
  });
});

describe('shareOut', () => {
  test('works on so many at a time, on each once, and gives the worst code', async () => {
    const done: string[] = [];
    let atWork = 0;
    let most = 0;
    const code = await shareOut(['a', 'b', 'c', 'd', 'e'], 2, async (item) => {
      most = Math.max(most, ++atWork);
      await new Promise((resolve) => setImmediate(resolve));
      atWork--;
      done.push(item);
      return item === 'b' ? 3 : 0;
    });
    expect([code, most, done.toSorted().join('')]).toEqual([3, 2, 'abcde']);
    expect(await shareOut([], 4, async () => 1)).toBe(0);
  });
});
