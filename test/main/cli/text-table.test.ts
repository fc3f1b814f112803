import { describe, expect, test } from 'vitest';
import { formatFigure, formatTable } from '../../../src/main/cli/text-table.ts';

describe('formatTable', () => {
  test('aligns numbers right and words left', () => {
    const text = formatTable(
      ['name', 'steps'],
      [
        ['a', '5'],
        ['longer', '1200'],
      ],
    );
    expect(text.split('\n')).toEqual(['name    steps', '──────  ─────', 'a           5', 'longer   1200']);
  });

  test('keeps headings when there are no rows', () => {
    expect(formatTable(['a', 'b'], [])).toBe('a  b\n─  ─');
  });
});

describe('formatFigure', () => {
  test.each([[null], [undefined], [Number.NaN], [Number.POSITIVE_INFINITY]])(
    'shows %s as a dash',
    (value) => {
      expect(formatFigure(value)).toBe('–');
    },
  );

  test('does not show a missing figure as zero', () => {
    expect(formatFigure(0)).toBe('0.000');
  });
});
