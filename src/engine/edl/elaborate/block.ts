import type { Condition, Loop } from '../generated/ast.ts';
import { constantCondition } from '../interval.ts';
import type { ExpressionIr, SetIr } from '../ir.ts';
import { alwaysIr } from '../ir-make.ts';
import { type Context, candidatesOf, elaborateCondition } from './context.ts';
import { elaborateSet } from './set.ts';
import { warnUndefined } from './undefined.ts';
import { bindVariable } from './variable.ts';

const maxLoops = 8;

export interface LoopScope {
  readonly context: Context;
  readonly loops: readonly SetIr[];
  /** Most members of each loop's set. */
  readonly sizes: readonly number[];
  /** Warns about variables that were not used; called when the block has been read. */
  readonly finish: () => void;
}

/** Brings the variables of `for` clauses into scope; null with a diagnostic. */
export function elaborateLoops(context: Context, nodes: readonly Loop[]): LoopScope | null {
  const beyond = nodes[maxLoops];
  if (beyond !== undefined) {
    context.reporter.report(
      'EDL105',
      { node: beyond },
      `a block has at most ${maxLoops} loops, not ${nodes.length}`,
    );
    return null;
  }
  let inner = context;
  const sizes: number[] = [];
  const loops: SetIr[] = [];
  const finishers: (() => void)[] = [];
  for (const node of nodes) {
    const set = elaborateSet(inner, node.set);
    if (set === null) return null;
    const bound = bindVariable(inner, node, set);
    if (bound === null) return null;
    if (set.maxSize === 0) {
      const message = `'${node.set.$cstNode?.text ?? node.set.name}' has no members here: the block never happens`;
      context.reporter.report('EDL514', { node, property: 'set' }, message);
    }
    inner = bound.context;
    sizes.push(set.maxSize);
    loops.push(set.ir);
    finishers.push(bound.finish);
  }
  return {
    context: inner,
    loops,
    sizes,
    finish: () => {
      for (const finish of finishers) finish();
    },
  };
}

/** The condition of a block, always where none is written; warns where it cannot change. */
export function elaborateWhen(context: Context, node: Condition | undefined): ExpressionIr | null {
  if (node === undefined) return alwaysIr;
  const condition = elaborateCondition(context, node.expression, "what follows 'when'");
  if (condition === null) return null;
  warnUndefined(context, node.expression, condition.ir);
  const constant = constantCondition(context.index, condition.ir, { variables: candidatesOf(context) });
  if (constant !== null) {
    const message = `the condition ${constant ? 'always' : 'never'} holds within the bounds of the scenario`;
    context.reporter.report('EDL502', { node: node.expression }, message);
  }
  return condition.ir;
}
