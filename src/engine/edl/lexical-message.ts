import type { ParseResult } from 'langium';
import type { Diagnostic } from '../../shared/contract/edl.ts';
import { lexicalSlip } from './lexical-slips.ts';
import type { LineIndex } from './line-index.ts';
import { makeDiagnostic } from './reporter.ts';

const wordPart = /[A-Za-z0-9_\p{L}\p{M}\p{N}]/u;
const asciiName = /^[A-Za-z_][A-Za-z0-9_]*$/;
/** Letters that Unicode does not take apart into an ASCII letter and a mark. */
const transliterations: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  ø: 'o',
  œ: 'oe',
  đ: 'd',
  ł: 'l',
  þ: 'th',
  ı: 'i',
};
/** A mark that stands far away is another's: names are short. */
const longestWord = 200;

/** What is wrong with the characters that are no part of the language, one diagnostic for each word or run of them. */
export function lexicalDiagnostics(
  text: string,
  lines: LineIndex,
  errors: ParseResult['lexerErrors'],
): Diagnostic[] {
  const found: Diagnostic[] = [];
  let readUntil = -1;
  for (const { offset, length } of errors) {
    if (offset < readUntil) continue;
    const word = wordAround(text, offset);
    const isName = word.end > offset;
    const slip = lexicalSlip(text, offset, offset + length);
    if (slip !== null) {
      readUntil = slip.end;
      found.push(makeDiagnostic('EDL102', lines.range(slip.start, slip.end), slip.message, slip.suggestions));
      continue;
    }
    const [start, end] = isName ? [word.start, word.end] : [offset, offset + length];
    readUntil = end;
    found.push(
      isName
        ? foreignName(text.slice(start, end), lines.range(start, end))
        : strange(text, lines, start, end),
    );
  }
  return found;
}

/** The run of letters, digits and marks of any script around an offset; empty where there is none. */
export function wordAround(text: string, offset: number): { start: number; end: number } {
  let start = offset;
  let end = offset;
  while (end - offset < longestWord) {
    const next = String.fromCodePoint(text.codePointAt(end) ?? 0);
    if (end >= text.length || !wordPart.test(next)) break;
    end += next.length;
  }
  while (end > offset && start > 0 && offset - start < longestWord && wordPart.test(text[start - 1] ?? ''))
    start--;
  return { start, end };
}

function foreignName(name: string, range: Diagnostic['range']): Diagnostic {
  const plain = [...name.normalize('NFKD').replace(/\p{M}/gu, '')]
    .map((letter) => transliterations[letter.toLowerCase()] ?? letter)
    .join('');
  const suggestions = asciiName.test(plain) ? [plain] : [];
  const hint = suggestions.length === 0 ? '' : `; write '${plain}'?`;
  const message = `'${name.slice(0, 40)}' has letters outside ASCII: names are made of a-z, A-Z, 0-9 and _${hint}`;
  return makeDiagnostic('EDL107', range, message, suggestions);
}

function strange(text: string, lines: LineIndex, start: number, end: number): Diagnostic {
  const piece = text.slice(start, Math.min(end, start + 20));
  const message = piece.startsWith('"')
    ? 'the string has no closing quote on its line'
    : `unexpected character ${JSON.stringify(piece)}`;
  return makeDiagnostic('EDL102', lines.range(start, end), message);
}
