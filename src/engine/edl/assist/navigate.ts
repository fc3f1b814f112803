import type { SourceRange } from '../types.ts';
import type { AssistText, Position } from './assist-text.ts';
import { resolveStep, symbolAt } from './resolve-symbol.ts';
import type { Scene, SceneDeclaration } from './scene.ts';
import { keyOf, type Referent, type SymbolAt } from './symbol.ts';

/** A place in a file; `file` is null for the text that is being edited. */
export interface Location {
  readonly file: string | null;
  readonly range: SourceRange;
}

/** Where what is named at a position is declared: in the text, or in a file it extends. */
export function findDefinition(scene: Scene, position: Position): Location[] {
  const found = symbolAt(scene, scene.text.offsetOf(position));
  return found === null ? [] : definitionsOf(scene, found);
}

function definitionsOf(scene: Scene, { symbol, start }: SymbolAt): Location[] {
  switch (symbol.kind) {
    case 'variable':
      return symbol.variable.token === null ? [] : [here(scene, symbol.variable.token)];
    case 'declaration':
      return declarationsOf(scene, symbol.keyword, symbol.name, start).map(locate);
    case 'parameter':
      return declarationsOf(scene, 'set', symbol.name, start).map(locate);
    case 'base':
      return scene.bases.slice(0, 1).map(({ file }) => ({ file, range: startOfFile }));
    default:
      return [];
  }
}

const startOfFile: SourceRange = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };

/** The nearest declaration; from its own name, the one in a base file that it takes the place of. */
function declarationsOf(scene: Scene, keyword: string, name: string, from: number): SceneDeclaration[] {
  const all = scene.declarations.filter(({ view }) => view.keyword === keyword && view.name === name);
  const others = all.filter(({ view, file }) => file !== null || view.nameTokens[0]?.start !== from);
  return (others.length > 0 ? others : all).slice(0, 1);
}

function locate({ view, text, file }: SceneDeclaration): Location {
  const [first] = view.nameTokens;
  const end = view.nameTokens.at(-1)?.end ?? view.end;
  return { file, range: text.rangeOf({ start: first?.start ?? view.start, end }) };
}

function here(scene: Scene, part: { readonly start: number; readonly end: number }): Location {
  return { file: null, range: scene.text.rangeOf(part) };
}

/** Every place in the text, and in the files it extends, that names the same thing as the one at a position. */
export function findReferences(scene: Scene, position: Position): Location[] {
  const found = symbolAt(scene, scene.text.offsetOf(position));
  if (found === null || found.symbol.kind === 'keyword' || found.symbol.kind === 'unit') return [];
  return findMentions(scene, found.symbol);
}

/** As `findReferences`, for a symbol at hand. */
export function findMentions(scene: Scene, symbol: Referent): Location[] {
  const files = symbol.kind === 'variable' ? [] : scene.bases;
  return [
    ...mentionsIn(scene, scene.text, symbol).map((range) => ({ file: null, range })),
    ...files.flatMap(({ file, text }) =>
      mentionsIn({ ...scene, text }, text, symbol).map((range) => ({ file, range })),
    ),
  ];
}

function mentionsIn(scene: Scene, text: AssistText, symbol: Referent): SourceRange[] {
  const key = keyOf(symbol);
  const word = firstWord(symbol);
  const groups = [text.header, ...text.declarations.map((declaration) => declaration.steps)];
  return groups.flatMap((steps) =>
    steps
      .filter((step) => step.token.text.replaceAll('"', '') === word)
      .map((step) => resolveStep(scene, step, steps))
      .filter((found) => found !== null && keyOf(found.symbol) === key)
      .map((found) => text.rangeOf(found ?? { start: 0, end: 0 })),
  );
}

/** The token by which a mention is found: the first of a dotted name. */
function firstWord({ kind, name }: Referent): string {
  return (kind === 'event' ? name.split(' ').at(-1) : name.split('.')[0]) ?? '';
}
