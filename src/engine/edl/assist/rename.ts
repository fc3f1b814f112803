import { checkText } from '../check-text.ts';
import { meaningOf, namedInExpressions, programKinds, reportedAs } from '../elaborate/taken-names.ts';
import type { SourceRange } from '../types.ts';
import type { Position } from './assist-text.ts';
import { grammarGraph } from './grammar-graph.ts';
import type { Step } from './grammar-walk.ts';
import { findMentions } from './navigate.ts';
import { symbolAt } from './resolve-symbol.ts';
import type { Scene } from './scene.ts';
import { variablesAt } from './scope.ts';
import type { Referent } from './symbol.ts';

export interface TextEdit {
  readonly range: SourceRange;
  readonly text: string;
}

/** What a rename changes, or why it is refused, in a sentence for the author. */
export type RenameResult = { readonly edits: readonly TextEdit[] } | { readonly refused: string };

/** The name that would be renamed, or why it cannot be. */
export function prepareRename(
  scene: Scene,
  position: Position,
): { readonly range: SourceRange; readonly name: string } | { readonly refused: string } {
  const found = symbolAt(scene, scene.text.offsetOf(position));
  const refused = found === null ? 'there is no name to rename here' : refusal(scene, found.symbol);
  if (refused !== null || found === null) return { refused: refused ?? '' };
  return { range: scene.text.rangeOf(found), name: found.symbol.name };
}

/** Gives a variable or a declaration another name wherever the text uses it. */
export function rename(scene: Scene, position: Position, name: string): RenameResult {
  const found = symbolAt(scene, scene.text.offsetOf(position));
  if (found === null) return { refused: 'there is no name to rename here' };
  const refused = refusal(scene, found.symbol) ?? clash(scene, found.symbol, name, found.start);
  if (refused !== null) return { refused };
  const mentions = findMentions(scene, found.symbol).filter(({ file }) => file === null);
  const edits = mentions.map(({ range }) => ({ range, text: name }));
  const error = newError(scene, edits);
  return error === null ? { edits } : { refused: error };
}

function refusal(scene: Scene, symbol: Referent): string | null {
  switch (symbol.kind) {
    case 'variable':
      return symbol.variable.token === null ? `'${symbol.name}' is a word of the language` : null;
    case 'environment':
      return null;
    case 'declaration':
      return declarationRefusal(scene, symbol.keyword, symbol.name);
    case 'keyword':
    case 'function':
    case 'unit':
      return `'${symbol.name}' is a word of the language`;
    case 'scenario':
    case 'base':
      return `'${symbol.name}' is what this environment extends: it is not named here`;
    default:
      return `'${symbol.name}' is a name of the scenario${scene.scenario === null ? '' : ` ${scene.scenario}`}: it cannot be renamed`;
  }
}

function declarationRefusal(scene: Scene, keyword: string, name: string): string | null {
  const all = scene.declarations.filter(({ view }) => view.keyword === keyword && view.name === name);
  if (all.length === 0) return `${keyword} '${name}' is not declared`;
  const inherited = all.find(({ file }) => file !== null);
  return inherited === undefined
    ? null
    : `${keyword} '${name}' is declared in ${inherited.file}: rename it there`;
}

function clash(scene: Scene, symbol: Referent, name: string, at: number): string | null {
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name))
    return `'${name}' is no name: names are letters, digits and '_', and begin with no digit`;
  if (name === symbol.name) return `it is called '${name}' already`;
  if (symbol.kind === 'variable') return variableClash(scene, name, at);
  return symbol.kind === 'declaration' ? declarationClash(scene, symbol.keyword, name) : null;
}

function variableClash(scene: Scene, name: string, at: number): string | null {
  const steps = scene.text.declarationAt(at)?.steps ?? [];
  const isVisible = steps.some((step) =>
    variablesAt(steps, step.frame, step.token.start).some((variable) => variable.name === name),
  );
  if (bindsVariable(steps, name) || isVisible) return `'${name}' is already a variable of this declaration`;
  if (grammarGraph().keywords.has(name)) return wordOfLanguage(name);
  if (scene.index === null) return null;
  const named = (keywords: ReadonlySet<string>) =>
    new Set(scene.declarations.filter(({ view }) => keywords.has(view.keyword)).map(({ view }) => view.name));
  const meaning = meaningOf(
    {
      index: scene.index,
      variables: [],
      events: named(new Set(['event'])),
      metrics: named(new Set(['metric', 'constraint'])),
    },
    name,
  );
  return meaning === null ? null : `'${name}' is already ${meaning}`;
}

function wordOfLanguage(name: string): string {
  return `'${name}' is already a word of the language`;
}

function bindsVariable(steps: readonly Step[], name: string): boolean {
  return steps.some((step) => step.role?.feature === 'variable' && step.token.text === name);
}

function declarationClash(scene: Scene, keyword: string, name: string): string | null {
  const programs: ReadonlySet<string> = programKinds;
  const others: ReadonlySet<string> = programs.has(keyword) ? programs : new Set([keyword]);
  const other = scene.declarations.find(({ view }) => view.name === name && others.has(view.keyword));
  if (other !== undefined)
    return `there is a ${other.view.keyword} '${name}' already${other.file === null ? '' : ` in ${other.file}`}`;
  if ((namedInExpressions as ReadonlySet<string>).has(keyword)) {
    if (grammarGraph().keywords.has(name)) return wordOfLanguage(name);
    const isVariable = scene.text.declarations.some((view) => bindsVariable(view.steps, name));
    if (isVariable) return `a variable is called '${name}'`;
  }
  const reported = scene.index === null || !programs.has(keyword) ? null : reportedAs(scene.index, name);
  return reported === null ? null : `'${name}' is ${reported.what}`;
}

/** The first error that a text has once edits are made and has not now; null: none. */
function newError(scene: Scene, edits: readonly TextEdit[]): string | null {
  const errorsOf = (text: string) =>
    checkText(text, scene.host, scene.path ?? undefined)
      .reporter.sorted()
      .filter(({ severity }) => severity === 'error');
  const { text } = scene.text;
  const before = new Set(errorsOf(text).map(({ code, range }) => `${code} ${range.start.line}`));
  // A name has no line breaks: what was wrong in a line still is.
  const found = errorsOf(applyEdits(scene, edits)).find(
    ({ code, range }) => !before.has(`${code} ${range.start.line}`),
  );
  return found === undefined ? null : `line ${found.range.start.line + 1} would be wrong: ${found.message}`;
}

function applyEdits({ text }: Scene, edits: readonly TextEdit[]): string {
  const parts = edits.map((edit) => ({
    start: text.offsetOf(edit.range.start),
    end: text.offsetOf(edit.range.end),
    by: edit.text,
  }));
  return parts
    .sort((a, b) => b.start - a.start)
    .reduce((whole, { start, end, by }) => whole.slice(0, start) + by + whole.slice(end), text.text);
}
