import type { AstNode } from 'langium';
import { isPlain, plain } from '../dimension.ts';
import type { Aggregate, Quantifier, SetExpression } from '../generated/ast.ts';
import type { AggregateKind, ExpressionIr } from '../ir.ts';
import { alwaysIr } from '../ir-make.ts';
import { type Context, type ExpressionNode, elaborateCondition, elaborateNumber } from './context.ts';
import { elaborateSet } from './set.ts';
import type { SetValue, Value } from './value.ts';
import { bindVariable } from './variable.ts';

const overNames = ['sum', 'mean', 'min', 'max'] as const satisfies readonly AggregateKind[];
const quantifierNames = ['count', 'any', 'all'] as const satisfies readonly AggregateKind[];

/** `mean over a in agent where … of …`, or null with a diagnostic. */
export function elaborateAggregate(context: Context, node: Aggregate): Value | null {
  const kind = overNames.find((name) => name === node.name);
  if (kind === undefined) {
    context.reporter.reportUnknown(
      'EDL206',
      { node, property: 'name' },
      "aggregate before 'over'",
      node.name,
      overNames,
    );
    return null;
  }
  const bound = bindAggregate(context, node);
  if (bound === null) return null;
  const where = elaborateWhere(bound.context, node.condition);
  const body = elaborateNumber(bound.context, node.body, `what ${kind} is taken of`);
  bound.finish();
  if (where === null || body === null) return null;
  if (kind !== 'sum' && isEmpty(context, bound.set, node.set, kind)) return null;
  const ir: ExpressionIr = { op: 'aggregate', kind, set: bound.set.ir, where, body: body.ir };
  return {
    type: 'number',
    ir,
    measure: body.measure,
    isBare: body.isBare && isPlain(body.measure.dimension),
  };
}

/** `count(l in landmark where …)`, `any(…)`, `all(…)`, or null with a diagnostic. */
export function elaborateQuantifier(context: Context, node: Quantifier): Value | null {
  const kind = quantifierNames.find((name) => name === node.name);
  if (kind === undefined) {
    const known = [...quantifierNames, ...overNames.map((name) => `${name} over`)];
    context.reporter.reportUnknown('EDL206', { node, property: 'name' }, 'aggregate', node.name, known);
    return null;
  }
  const bound = bindAggregate(context, node, kind !== 'all' && node.condition === undefined);
  if (bound === null) return null;
  const where = elaborateWhere(bound.context, node.condition);
  bound.finish();
  if (where === null) return null;
  const ir: ExpressionIr = { op: 'aggregate', kind, set: bound.set.ir, where, body: null };
  return kind === 'count' ? { type: 'number', ir, measure: plain, isBare: false } : { type: 'boolean', ir };
}

function bindAggregate(
  context: Context,
  node: AstNode & { readonly variable: string; readonly set: SetExpression },
  mayBeUnused = false,
) {
  const set = elaborateSet(context, node.set);
  if (set === null) return null;
  if (context.reads === 'metrics' && (set.kind !== 'agent' || set.isDynamic)) {
    const message = `metrics are about agents, and '${node.set.name}' ${set.isDynamic ? 'changes with the state' : 'has none'}`;
    context.reporter.report('EDL308', { node, property: 'set' }, message);
    return null;
  }
  const bound = bindVariable(context, node, set, mayBeUnused);
  return bound === null ? null : { ...bound, set };
}

function elaborateWhere(context: Context, node: ExpressionNode | undefined): ExpressionIr | null {
  if (node === undefined) return alwaysIr;
  return elaborateCondition(context, node, "what follows 'where'")?.ir ?? null;
}

/** True with a diagnostic where a set that needs a member may have none. */
export function isEmpty(context: Context, set: SetValue, node: AstNode, what: string): boolean {
  if (set.minSize > 0) return false;
  context.reporter.report(
    'EDL306',
    { node },
    `${what} needs a member, but ${node.$cstNode?.text ?? 'the set'} can be empty`,
  );
  return true;
}
