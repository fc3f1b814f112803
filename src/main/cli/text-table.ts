import { printable } from '../../shared/std/printable.ts';

/** Width in terminal cells, near enough: combining marks aside, every code point counts as one. */
const widthOf = (text: string) => [...text].length;

const isNumeric = (cell: string) => /^[-+−]?[\d.]/.test(cell);

/** What somebody wrote must not end a row, or move what stands in others. */
const inRow = (cell: string) => printable(cell.replaceAll(/[\r\n\t]+/g, ' '));

/**
 * Lays out rows under headings, two spaces apart; a column whose cells all start with a number is right-aligned.
 * Shape: headings [C], rows [R][C].
 */
export function formatTable(headings: readonly string[], cells: readonly (readonly string[])[]): string {
  const rows = cells.map((row) => row.map(inRow));
  const widths = headings.map((heading, column) =>
    Math.max(widthOf(heading), ...rows.map((row) => widthOf(row[column] ?? ''))),
  );
  const isRight = headings.map(
    (_, column) => rows.length > 0 && rows.every((row) => isNumeric(row[column] ?? '')),
  );
  const layOut = (row: readonly string[]) =>
    row
      .map((cell, column) => {
        const padding = ' '.repeat((widths[column] ?? 0) - widthOf(cell));
        return isRight[column] ? padding + cell : cell + padding;
      })
      .join('  ')
      .trimEnd();
  const rule = widths.map((width) => '─'.repeat(width)).join('  ');
  return [layOut(headings), rule, ...rows.map(layOut)].join('\n');
}

/** A measured figure to three decimals, or a dash where nothing was measured. */
export function formatFigure(value: number | null | undefined, digits = 3): string {
  return value === null || value === undefined || !Number.isFinite(value) ? '–' : value.toFixed(digits);
}

/** "value [low, high]" with a sign on differences; a single value has no brackets. */
export function formatInterval(
  value: number,
  low: number,
  high: number,
  { signed = false }: { readonly signed?: boolean } = {},
): string {
  const show = (each: number) => `${signed && each > 0 ? '+' : ''}${formatFigure(each)}`;
  return low === high ? show(value) : `${show(value)} [${show(low)}, ${show(high)}]`;
}
