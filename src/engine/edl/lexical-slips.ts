/** How other languages write what this one writes otherwise. */
const operators: ReadonlyMap<string, string> = new Map([
  ['&&', 'and'],
  ['&', 'and'],
  ['||', 'or'],
  ['|', 'or'],
  ['!', 'not'],
  ['≤', '<='],
  ['≥', '>='],
  ['≠', '!='],
  ['×', '*'],
  ['·', '*'],
  ['÷', '/'],
  ['−', '-'],
  ['–', '-'],
  ['#', '//'],
]);
const closingQuotes: ReadonlyMap<string, string> = new Map([
  ['“', '”'],
  ['„', '“”'],
  ['”', '”'],
  ['«', '»'],
  ['‘', '’'],
  ["'", "'"],
  ['`', '`'],
]);

/** A stretch of a text that is a known slip, with what was meant. */
export interface Slip {
  readonly start: number;
  readonly end: number;
  readonly message: string;
  readonly suggestions: readonly string[];
}

/** What characters that are no part of the language were probably meant as; null: nothing known. */
export function lexicalSlip(text: string, start: number, end: number): Slip | null {
  const piece = text.slice(start, end);
  return (
    semicolon(piece, start, end) ??
    operator(text, piece, start, end) ??
    power(piece, start, end) ??
    subscript(text, start) ??
    quoted(text, start)
  );
}

function power(piece: string, start: number, end: number): Slip | null {
  if (piece !== '^') return null;
  return { start, end, message: "there is no '^': write x * x, or sqrt(x)", suggestions: [] };
}

/** `landmark[0]`: members have names. */
function subscript(text: string, start: number): Slip | null {
  const match = /^\s*\[\s*(\d+)\s*\]/.exec(text.slice(start, start + 40));
  const set = /[A-Za-z_]\w*$/.exec(text.slice(Math.max(0, start - 80), start))?.[0];
  if (match === null || set === undefined) return null;
  const end = start + match[0].length;
  return { start, end, message: `members have names: ${set}_${match[1]}`, suggestions: [`_${match[1]}`] };
}

function semicolon(piece: string, start: number, end: number): Slip | null {
  if (!/^;+$/.test(piece)) return null;
  return {
    start,
    end,
    message: "no ';' is needed: clauses and declarations end by themselves",
    suggestions: [''],
  };
}

function operator(text: string, piece: string, start: number, end: number): Slip | null {
  const meant = operators.get(piece);
  if (meant === undefined) return null;
  const isWord = /^[a-z]/.test(meant);
  const before = isWord && /[A-Za-z0-9_%)]/.test(text[start - 1] ?? '') ? ' ' : '';
  const after = isWord && !/\s/.test(text[end] ?? ' ') ? ' ' : '';
  return {
    start,
    end,
    message: `write '${meant}' for '${piece}'`,
    suggestions: [`${before}${meant}${after}`],
  };
}

/** A string in other quotes, up to where they close on the line. */
function quoted(text: string, start: number): Slip | null {
  const closing = closingQuotes.get(text[start] ?? '');
  if (closing === undefined) return null;
  const line = /^[^\n\r"\\]*/.exec(text.slice(start + 1))?.[0] ?? '';
  const length = [...line].findIndex((letter) => closing.includes(letter));
  if (length < 0) return null;
  const inner = [...line].slice(0, length).join('');
  const end = start + inner.length + 2;
  return { start, end, message: 'strings stand in straight quotes: "…"', suggestions: [`"${inner}"`] };
}
