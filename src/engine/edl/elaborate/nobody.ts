import type { AstNode } from 'langium';
import { nobodyReads } from '../guards.ts';
import type { ExpressionIr, SetIr } from '../ir.ts';
import { type Context, candidatesOf } from './context.ts';

/** Warns where an attribute is read of a nearest member that may be nobody; `given` is what holds beforehand. */
export function warnNobody(
  context: Context,
  node: AstNode,
  ir: ExpressionIr,
  given: ExpressionIr | null = null,
): void {
  const [read] = nobodyReads({ index: context.index, variables: candidatesOf(context) }, ir, given);
  if (read === undefined) return;
  const whom = `${read.of.op}(${spellSet(context, read.of.set)})`;
  const message = `${whom} may be nobody, and '${read.attribute}' is then undefined: ask for any(…) of the set, or for the distance, first`;
  context.reporter.report('EDL508', { node }, message);
}

function spellSet(context: Context, set: SetIr): string {
  if (set.op === 'set') return set.name;
  const { of } = set;
  if (of.op === 'variable') return `${set.op}(${context.variables[of.index]?.name ?? 'a'})`;
  return `${set.op}(${of.op === 'entity' ? of.name : '…'})`;
}
