import type { AstNode } from 'langium';
import type { ManifestMetric } from '../../../shared/rl/manifest.ts';
import type { Expression, Product, Sum } from '../generated/ast.ts';
import type { ManifestIndex } from '../manifest-index.ts';
import { maxNesting } from '../parse.ts';
import type { Place, Reporter } from '../reporter.ts';
import type { BooleanValue, EntityValue, NumberValue, PointValue, Value, Variable } from './value.ts';

/** Surroundings of an expression: what its names mean and where problems go. */
export interface Context {
  readonly index: ManifestIndex;
  /** Values of all parameters, set or default. */
  readonly parameters: ReadonlyMap<string, number>;
  readonly reporter: Reporter;
  /** Rules and rewards read the state; issues read metrics. */
  readonly reads: 'state' | 'metrics';
  /** The scenario's metrics and, once they have been read, those that the text declares. */
  readonly metrics: Map<string, ManifestMetric>;
  /** Outermost first. */
  readonly variables: readonly Variable[];
  /** What `nearest(set)` is nearest to. */
  readonly anchor: EntityValue | null;
  /** In an npc the agent that acts, whose attributes and relations may be written bare. */
  readonly self: EntityValue | null;
  /** In an npc what the behaviour is directed at: bare `distance` is how far that is. */
  readonly aim: EntityValue | null;
  /** Names of the events that the text declares. */
  readonly events: ReadonlySet<string>;
  /** Names of the regimes that the text declares, those in error too. */
  readonly regimes: ReadonlySet<string>;
  readonly depth: number;
  /** The expression elaborator, handed down so that functions and sets can call it without importing it. */
  readonly elaborate: (context: Context, node: ExpressionNode) => Value | null;
}

/** Why something of the state is refused where metrics are read. */
export function stateRefusal(what: string): string {
  return `issues and stages see metrics, not the state: declare a metric with ${what} and read that`;
}

export type ExpressionNode = Expression | Sum | Product;

/** The context one level deeper, or null with a diagnostic where that is too deep. */
export function nested(context: Context, node: AstNode): Context | null {
  if (context.depth >= maxNesting) {
    context.reporter.report('EDL104', { node }, `nested too deeply: at most ${maxNesting} levels are read`);
    return null;
  }
  return { ...context, depth: context.depth + 1 };
}

/** World indices that each variable in scope may stand for, outermost first. */
export function candidatesOf({ variables }: Context): readonly (readonly number[])[] {
  return variables.map(({ value }) => value.candidates);
}

export function withVariable(context: Context, variable: Variable): Context {
  return { ...context, variables: [...context.variables, variable], anchor: variable.value };
}

export function warnUnused(context: Context, variable: Variable, place: Place): void {
  if (variable.isUsed) return;
  const message = `'${variable.name}' is not used: the body is repeated ${variable.value.candidates.length} times alike`;
  context.reporter.report('EDL213', place, message);
}

export function elaborateNumber(context: Context, node: ExpressionNode, what: string): NumberValue | null {
  const value = context.elaborate(context, node);
  return value === null ? null : asNumber(context, value, node, what);
}

export function elaborateCondition(
  context: Context,
  node: ExpressionNode,
  what: string,
): BooleanValue | null {
  const value = context.elaborate(context, node);
  return value === null ? null : asBoolean(context, value, node, what);
}

export function elaborateEntity(context: Context, node: ExpressionNode, what: string): EntityValue | null {
  const value = context.elaborate(context, node);
  if (value === null || value.type === 'entity') return value;
  context.reporter.report('EDL301', { node }, `${what} must be an entity, not ${typeWords[value.type]}`);
  return null;
}

/** An entity, or a point that is nobody's. */
export function elaboratePlace(
  context: Context,
  node: ExpressionNode,
  what: string,
): EntityValue | PointValue | null {
  const value = context.elaborate(context, node);
  if (value === null || value.type === 'entity' || value.type === 'point') return value;
  context.reporter.report(
    'EDL301',
    { node },
    `${what} must be an entity or a point, not ${typeWords[value.type]}`,
  );
  return null;
}

export function asNumber(context: Context, value: Value, node: AstNode, what: string): NumberValue | null {
  if (value.type === 'number') return value;
  context.reporter.report('EDL301', { node }, `${what} must be a number, not ${typeWords[value.type]}`);
  return null;
}

export function asBoolean(context: Context, value: Value, node: AstNode, what: string): BooleanValue | null {
  if (value.type === 'boolean') return value;
  context.reporter.report('EDL301', { node }, `${what} must be a condition, not ${typeWords[value.type]}`);
  return null;
}

const typeWords: Readonly<Record<Value['type'], string>> = {
  number: 'a number',
  boolean: 'a condition',
  entity: 'an entity',
  point: 'a point',
};
