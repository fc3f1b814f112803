import { unitFromText } from '../dimension.ts';
import { functionNames } from '../function-names.ts';
import type { SourceRange } from '../types.ts';
import type { Position } from './assist-text.ts';
import { grammarGraph } from './grammar-graph.ts';
import type { Step } from './grammar-walk.ts';
import { knownMetrics } from './metrics.ts';
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
  return { edits: mentions.map(({ range }) => ({ range, text: name })) };
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
  const { index } = scene;
  const meanings: readonly (readonly [isTaken: boolean | undefined, what: string])[] = [
    [name === 'self', 'the agent that an npc plays'],
    [grammarGraph().keywords.has(name), 'a word of the language'],
    [unitFromText(name) !== undefined, 'a unit'],
    [functionNames.has(name), 'a function of the language'],
    [index?.sets.has(name), 'a set of the scenario'],
    [index?.entities.has(name), 'an entity of the scenario'],
    [index?.signals.has(name), 'a signal of the scenario'],
    [knownMetrics(scene).some((metric) => metric.name === name), 'a metric'],
    [scene.declarations.some(({ view }) => view.keyword === 'event' && view.name === name), 'an event'],
    [bindsVariable(steps, name) || isVisible, 'a variable of this declaration'],
  ];
  const taken = meanings.find(([isTaken]) => isTaken === true);
  return taken === undefined ? null : `'${name}' is already ${taken[1]}`;
}

function bindsVariable(steps: readonly Step[], name: string): boolean {
  return steps.some((step) => step.role?.feature === 'variable' && step.token.text === name);
}

/** Kinds whose names are one space: what happens in a run is recorded by them. */
const programKinds: ReadonlySet<string> = new Set(['rule', 'reward', 'event', 'npc', 'constraint', 'metric']);

function declarationClash(scene: Scene, keyword: string, name: string): string | null {
  const isProgram = programKinds.has(keyword);
  const other = scene.declarations.find(
    ({ view }) =>
      view.name === name && (isProgram ? programKinds.has(view.keyword) : view.keyword === keyword),
  );
  if (other !== undefined)
    return `there is a ${other.view.keyword} '${name}' already${other.file === null ? '' : ` in ${other.file}`}`;
  const isVariable = scene.text.declarations.some((view) => bindsVariable(view.steps, name));
  if (isVariable && (keyword === 'event' || keyword === 'metric')) return `a variable is called '${name}'`;
  if (!isProgram) return null;
  if (scene.index?.manifest.components.some((component) => component.name === name))
    return `'${name}' is a component of the base reward`;
  return knownMetrics(scene).some((metric) => metric.name === name)
    ? `'${name}' is a metric of the scenario`
    : null;
}
