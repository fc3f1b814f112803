import type { Draw } from '../edl-generator/draw.ts';

const tokenPattern = /"(?:\\.|[^"\\\n\r])*"|[A-Za-z_]\w*|\d[\d_.]*(?:[eE][+-]?\d+)?|\/\/[^\n]*|\s+|[^\s\w]/g;
const numberPattern = /\d[\d_.]*(?:[eE][+-]?\d+)?[kM]?/g;

const extremes = [
  '0',
  '1',
  '1e308',
  '1e-320',
  '9.99e999',
  '9007199254740993',
  '4294967296',
  '2147483648',
  '65536',
  '0.1',
  '100',
  '1e9',
  '5M',
  '1_000_000k',
];

const alphabet = [...' \n\t"\'{}().,=*/+-<>!%_\\\u0000\u00e9\u{1f600}\ud800aZ09'];

/** Some characters dropped, doubled, moved or replaced. */
export function mutateBytes(draw: Draw, text: string): string {
  let result = text;
  for (let i = 1 + draw.below(4); i > 0; i--) {
    const at = draw.below(result.length + 1);
    const length = draw.below(draw.once(4) ? 60 : 4);
    const cut = result.slice(at, at + length);
    const insert = draw.pick([
      '',
      cut + cut,
      draw.pick(alphabet),
      draw.pick(alphabet).repeat(1 + draw.below(9)),
    ]);
    result = result.slice(0, at) + insert + result.slice(at + length);
  }
  return result;
}

/** Some words dropped, doubled, swapped, or replaced by words of the language. */
export function mutateTokens(draw: Draw, text: string, words: readonly string[]): string {
  const tokens = text.match(tokenPattern) ?? [];
  if (tokens.length === 0) return draw.pick(words);
  for (let i = 1 + draw.below(4); i > 0; i--) {
    const at = draw.below(tokens.length);
    const other = draw.below(tokens.length);
    const token = tokens[at] ?? '';
    switch (draw.below(5)) {
      case 0:
        tokens.splice(at, 1);
        break;
      case 1:
        tokens.splice(at, 0, token, ' ');
        break;
      case 2:
        tokens[at] = tokens[other] ?? '';
        tokens[other] = token;
        break;
      case 3:
        tokens[at] = tokens[other] ?? '';
        break;
      default:
        tokens[at] = draw.pick(words);
    }
  }
  return tokens.join('');
}

/** Numbers taken to where arithmetic and bounds are interesting. */
export function mutateNumbers(draw: Draw, text: string): string {
  return text.replace(numberPattern, (number) => (draw.once(3) ? draw.pick(extremes) : number));
}

/** Nests, repeats or chains a piece until some bound of the language is near. */
export function inflate(draw: Draw, text: string): string {
  const at = draw.below(text.length + 1);
  const count = draw.pick([20, 100, 600]);
  const [open, close] = draw.pick([
    ['(', ')'],
    ['not (', ')'],
    ['-', ''],
    ['1 + ', ''],
    ['a.', ''],
    [' or ', ''],
    ['sum over v in agent of (', ')'],
  ] as const);
  const end = at + draw.below(20);
  return text.slice(0, at) + open.repeat(count) + text.slice(at, end) + close.repeat(count) + text.slice(end);
}

export function wordsOf(texts: readonly string[]): string[] {
  const words = texts.flatMap((text) => text.match(tokenPattern) ?? []);
  return [...new Set(words.filter((word) => word.trim() !== ''))];
}
