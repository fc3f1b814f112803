import { type Path, suggest } from '../yaml/index.ts';
import type { Line, Piece, Slot } from './template.ts';
import type { LineFile } from './template-schema.ts';

type Report = (path: Path, message: string) => void;

const tagPattern = /\{\{([^{}]*)\}\}/g;
const namePattern = /^\s*([A-Za-z][A-Za-z0-9_]*)(?:\.([A-Za-z]+))?\s*$/;

/** A line with its tags read; null once what is wrong is reported at `path`. */
export function parseLine(
  file: LineFile,
  slots: ReadonlyMap<string, Slot>,
  path: Path,
  report: Report,
): Line | null {
  const text = typeof file === 'string' ? file : file.text;
  const when = typeof file === 'string' ? {} : (file.when ?? {});
  const at = typeof file === 'string' ? path : [...path, 'text'];
  const pieces = parsePieces(text, slots, (message) => report(at, message));
  const conditions = Object.entries(when).map(([name, levels]) =>
    parseCondition(name, typeof levels === 'string' ? [levels] : levels, slots, (message) =>
      report([...path, 'when', name], message),
    ),
  );
  const found = conditions.filter((condition) => condition !== null);
  if (pieces === null || found.length < conditions.length) return null;
  const names = [
    ...pieces.flatMap((piece) => ('slot' in piece ? [piece.slot] : [])),
    ...found.map(({ slot }) => slot),
  ];
  const loops = new Set(names.flatMap((name) => slots.get(name)?.loop ?? []).map(setOf));
  if (loops.size > 1) {
    report(at, `slots of one line are per agent of one set, not of ${[...loops].join(' and ')}`);
    return null;
  }
  if (loops.size === 0 && pieces.some(({ type }) => type === 'agent')) {
    report(at, '{{agent}} stands in lines that have a slot per agent (one with "for")');
    return null;
  }
  return { pieces, conditions: found, isPerAgent: loops.size > 0 };
}

/** "good" of "a in good". */
function setOf(loop: string): string {
  return loop.slice(loop.indexOf(' in ') + ' in '.length);
}

function parsePieces(
  text: string,
  slots: ReadonlyMap<string, Slot>,
  report: (message: string) => void,
): Piece[] | null {
  const pieces: Piece[] = [];
  let end = 0;
  let isSound = true;
  for (const match of text.matchAll(tagPattern)) {
    if (match.index > end) pieces.push({ type: 'text', text: text.slice(end, match.index) });
    end = match.index + match[0].length;
    const piece = parseTag(match[1] ?? '', slots);
    if (typeof piece === 'string') {
      report(piece);
      isSound = false;
    } else pieces.push(piece);
  }
  const rest = text.slice(end);
  if (rest.includes('{{') || rest.includes('}}')) {
    report('a tag is not closed on its line: write {{slot}}');
    isSound = false;
  }
  if (rest !== '') pieces.push({ type: 'text', text: rest });
  return isSound ? pieces : null;
}

function parseTag(tag: string, slots: ReadonlyMap<string, Slot>): Piece | string {
  const match = namePattern.exec(tag);
  if (match === null) return `"{{${tag}}}" is no tag: write {{slot}}, {{slot.trend}} or {{agent}}`;
  const [, name = '', part] = match;
  const slot = slots.get(name);
  if (slot === undefined) {
    if (name === 'agent' && part === undefined) return { type: 'agent' };
    return `there is no slot "${name}"${suggest(name, [...slots.keys(), 'agent'])}`;
  }
  if (part === undefined) return { type: 'value', slot: name };
  if (part !== 'trend') return `a slot has no "${part}"${suggest(part, ['trend'])}`;
  if (slot.trend === null) return `slot "${name}" has no trend: give it "trend: {step: …}"`;
  return { type: 'trend', slot: name };
}

function parseCondition(
  name: string,
  levels: readonly string[],
  slots: ReadonlyMap<string, Slot>,
  report: (message: string) => void,
): Line['conditions'][number] | null {
  const slot = slots.get(name);
  if (slot === undefined) {
    report(`there is no slot "${name}"${suggest(name, [...slots.keys()])}`);
    return null;
  }
  if (slot.scale.type !== 'level') {
    report(`a line depends on levels, and slot "${name}" has none`);
    return null;
  }
  const known = slot.scale.levels;
  const strange = levels.find((level) => !known.includes(level));
  if (strange === undefined) return { slot: name, levels };
  report(`slot "${name}" has no level "${strange}"${suggest(strange, known)}`);
  return null;
}
