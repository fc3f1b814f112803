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

  test('keeps what others wrote within its row, and spells out control characters', () => {
    expect(
      formatTable(['note', 'n'], [['a\r\nb\x1b[1A', '5']])
        .split('\n')
        .slice(2),
    ).toEqual(['a b\\x1b[1A  5']);
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
