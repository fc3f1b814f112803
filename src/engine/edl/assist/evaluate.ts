import { type Context, withVariable } from '../elaborate/context.ts';
import { elaborateExpression } from '../elaborate/expression.ts';
import { elaborateSet } from '../elaborate/set.ts';
import type { EntityValue, SetValue, Value } from '../elaborate/value.ts';
import { bindVariable } from '../elaborate/variable.ts';
import type { Expression, SetExpression } from '../generated/ast.ts';
import type { EntityIr } from '../ir.ts';
import { parseText } from '../parse.ts';
import { Reporter } from '../reporter.ts';
import { knownMetrics } from './metrics.ts';
import type { Scene } from './scene.ts';
import type { ScopedVariable } from './scope.ts';

/** Where an expression stands: what its names may mean. */
export interface ExpressionPlace {
  readonly variables: readonly ScopedVariable[];
  readonly reads: Context['reads'];
}

/** What a piece of an expression denotes, by the checker's own rules; null where it makes no sense (yet). */
export function evaluateText(scene: Scene, place: ExpressionPlace, text: string): Value | null {
  const context = contextFor(scene, place);
  if (context === null || text === '') return null;
  const parsed = parseText<Expression>(text, 'Expression');
  if (parsed.ast === null || parsed.diagnostics.length > 0) return null;
  return elaborateExpression(context, parsed.ast);
}

function contextFor(scene: Scene, place: ExpressionPlace): Context | null {
  if (scene.index === null) return null;
  const defaults = scene.index.manifest.parameters.map(
    (parameter) => [parameter.name, parameter.default] as const,
  );
  let context: Context = {
    index: scene.index,
    parameters: new Map([...defaults, ...scene.written]),
    reporter: new Reporter(),
    reads: place.reads,
    metrics: new Map(knownMetrics(scene).map((metric) => [metric.name, metric])),
    variables: [],
    anchor: null,
    self: null,
    aim: null,
    events: new Set(declaredNames(scene, 'event')),
    regimes: new Set(declaredNames(scene, 'regime')),
    depth: 0,
    elaborate: elaborateExpression,
  };
  for (const variable of place.variables) context = bind(context, variable) ?? context;
  return context;
}

function bind(context: Context, { name, set, token }: ScopedVariable): Context | null {
  const parsed = parseText<SetExpression>(set, 'SetExpression');
  if (parsed.ast === null || parsed.diagnostics.length > 0) return null;
  const value = elaborateSet(context, parsed.ast);
  if (value === null) return null;
  if (token === null) return asSelf(context, name, value);
  return bindVariable(context, Object.assign(parsed.ast, { variable: name }), value, true)?.context ?? null;
}

/** `self` of an npc: each of the agents it controls. */
function asSelf(context: Context, name: string, { kind, candidates }: SetValue): Context {
  const ir: EntityIr = { op: 'variable', index: context.variables.length };
  const self: EntityValue = { type: 'entity', ir, kind, candidates, isFixed: true };
  return { ...withVariable(context, { name, value: self, isUsed: true }), self };
}

function declaredNames(scene: Scene, keyword: string): string[] {
  return scene.declarations.filter(({ view }) => view.keyword === keyword).map(({ view }) => view.name);
}
