import { declarationKindNames } from './types.ts';

const markers = /\/\*[\s\S]*?(?:\*\/|$)|\/\/[^\n\r]*|"(?:\\.|[^"\\\n\r])*"|[{}]/g;
const blockStart =
  /(?<![\w.])(environment|rule|reward|constraint|event|npc|regime|schedule|metric|issue|stage)(?:[ \t\r\n]+([A-Za-z_]\w*))?(?![\w.])/g;
const declarationWords: ReadonlySet<string> = new Set(declarationKindNames);

/** A declaration whose block is not closed where the next one begins, or where the text ends. */
export interface Unclosed {
  /** "rule 'tiring'": no line, for a piece of a text that moves is not read again. */
  readonly words: string;
  /** Its last word, after which the brace is missing. */
  readonly start: number;
  readonly end: number;
}

/** What is left open where `word` stands, if that begins a line as declarations do; null: nothing is. */
export function unclosedBefore(text: string, offset: number, word: string): Unclosed | null {
  if (!declarationWords.has(word)) return null;
  const line = text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset);
  return line.trim() === '' ? unclosedAt(text, offset, 2) : null;
}

/** What is left open at an offset, if it is at least so deep; null: nothing is. */
export function unclosedAt(text: string, offset: number, depth: number): Unclosed | null {
  const open: { readonly before: string; readonly offset: number }[] = [];
  let plain = '';
  let from = 0;
  let end = 0;
  for (const { 0: marker, index } of text.matchAll(markers)) {
    if (index >= offset) break;
    plain += text.slice(end, index);
    end = index + marker.length;
    const isBrace = marker === '{' || marker === '}';
    if (!isBrace) plain += marker.replaceAll(/[^\n]/g, ' ');
    if (marker === '{') open.push({ before: plain, offset: from });
    if (marker === '}') open.pop();
    if (isBrace) [plain, from] = ['', end];
  }
  const block = open[depth - 1] === undefined ? undefined : open[Math.min(open.length, 2) - 1];
  const header = block === undefined ? undefined : [...block.before.matchAll(blockStart)].at(-1);
  if (block === undefined || header === undefined) return null;
  const [, keyword = '', name] = header;
  const words = `${keyword}${name === undefined ? '' : ` '${name}'`}`;
  const last = /\S+\s*$/.exec(text.slice(Math.max(0, offset - 200), offset));
  const stop = text.slice(0, offset).trimEnd().length;
  const length = last === null ? 1 : last[0].trimEnd().length;
  return { words, start: Math.max(0, stop - length), end: stop };
}
