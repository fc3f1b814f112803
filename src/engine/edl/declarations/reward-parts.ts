import type { Context } from '../elaborate/context.ts';
import { percentToFraction } from '../elaborate/quantity.ts';
import type { TargetValue } from '../elaborate/reference.ts';
import type { Limit, Target } from '../generated/ast.ts';
import { boundsOf } from '../interval.ts';
import type { ExpressionIr } from '../ir.ts';
import { parseNumber } from '../number-text.ts';

const maxLimitPercent = 1000;

/** Whether a constant stays finite as a reward, which is kept in 32 bits; what depends on the state is not known yet. */
export function isBearable({ index }: Context, value: ExpressionIr): boolean {
  const { min, max } = boundsOf(index, value);
  return min !== max || Number.isFinite(Math.fround(min));
}

/** True with a diagnostic where what a reward or penalty goes to is no agent. */
export function reportNoAgent(context: Context, node: Target, target: TargetValue, what: string): boolean {
  if (node.path.length > 0) {
    const message = `${what} goes to an agent, not to its attribute '${node.path.join('.')}'`;
    context.reporter.report('EDL308', { node }, message);
    return true;
  }
  if (target.kind === 'agent') return false;
  const known = [
    ...context.variables.map((variable) => variable.name),
    ...context.index.manifest.groups.map((group) => group.name),
  ];
  context.reporter.report(
    'EDL308',
    { node },
    `'${node.name}' is no agent: ${what} goes to agents (${known.join(', ')})`,
  );
  return true;
}

/** `limit N% of nominal` as a share, or null with a diagnostic. */
export function readLimit(context: Context, node: Limit): number | null {
  const percent = parseNumber(node.value);
  if (percent > 0 && percent <= maxLimitPercent) return percentToFraction(percent);
  const message = `the limit lies above 0% and at most at ${maxLimitPercent}% of the scenario's nominal return`;
  context.reporter.report('EDL505', { node }, message);
  return null;
}
