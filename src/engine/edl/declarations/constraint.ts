import { elaborateLoops, elaborateWhen } from '../elaborate/block.ts';
import { type Context, candidatesOf, elaborateCondition, elaborateNumber } from '../elaborate/context.ts';
import { elaborateTarget } from '../elaborate/reference.ts';
import { warnUndefined } from '../elaborate/undefined.ts';
import { explainScope, headline, oneLine } from '../explain/words.ts';
import type { Constraint, Demand, Penalty } from '../generated/ast.ts';
import { boundsOf, constantCondition } from '../interval.ts';
import type { ConstraintIr, ExpressionIr, TargetIr } from '../ir.ts';
import { binaryIr, numberIr, unaryIr } from '../ir-make.ts';
import { violationsMetric } from '../lower/measures.ts';
import { heldIndex } from '../manifest-index.ts';
import { formatNumber } from '../number-text.ts';
import type { DeclarationKind } from './kind.ts';
import { isBearable, readLimit, reportNoAgent } from './reward-parts.ts';

/** `constraint NAME { for … when … never … penalty … to … limit … }`: what must not, or must always, be the case. */
export const constraintKind: DeclarationKind<Constraint> = {
  keyword: 'constraint',
  nameOf: (node) => node.name,
  docOf: (node) => node.doc ?? '',
  explain({ ir, index }, node) {
    const constraint = ir.constraints.find((candidate) => candidate.name === node.name);
    if (constraint === undefined) return [];
    const { limitShare } = constraint;
    const nominal = index.manifest.nominalReturn;
    const limit =
      limitShare === null
        ? 'no limit'
        : `limited to ${formatNumber(Number((limitShare * nominal).toPrecision(4)))} per agent and episode`;
    const cost =
      node.penalty === undefined
        ? 'a violation costs nothing'
        : `in each step of a violation: ${oneLine(node.penalty)}; ${limit}`;
    return [
      headline('constraint', node.name, node.doc),
      ...explainScope(node.loops, node.guard),
      `  ${oneLine(node.demand)}`,
      `  ${cost}; counted in the metrics '${node.name}' and '${violationsMetric}'`,
    ];
  },
  dependsOn: [],
  elaborate(draft, node) {
    const { context } = draft;
    const scope = elaborateLoops(context, node.loops);
    if (scope === null) return;
    const guard = elaborateWhen(scope.context, node.guard);
    const violated = elaborateViolation(scope.context, node.demand);
    const penalty = elaboratePenalty(scope.context, node.penalty);
    if (violated !== null) {
      warnUndefined(scope.context, node.demand.expression, violated, guard);
      const broken = guard === null ? violated : binaryIr('and', guard, violated);
      if (node.penalty !== undefined && penalty !== null)
        warnUndefined(scope.context, node.penalty.value, penalty.value, broken);
    }
    scope.finish();
    const limitShare = node.limit === undefined ? null : readLimit(context, node.limit);
    if (guard === null || violated === null || penalty === null) return;
    if (node.limit !== undefined && limitShare === null) return;
    const target = penalty.target ?? firstAgent(scope.context);
    const ir: ConstraintIr = {
      name: node.name,
      loops: scope.loops,
      guard,
      violated,
      penalty: penalty.value,
      target,
      limitShare,
    };
    draft.constraints.push(ir);
    draft.measured.push({
      name: node.name,
      unit: 'none',
      perAgent: true,
      better: 'lower',
      min: 0,
      max: Infinity,
      doc: node.doc ?? '',
    });
  },
};

function elaborateViolation(context: Context, node: Demand): ExpressionIr | null {
  const condition = elaborateCondition(context, node.expression, `what follows '${node.mode}'`);
  if (condition === null) return null;
  const violated = node.mode === 'never' ? condition.ir : unaryIr('not', condition.ir);
  const constant = constantCondition(context.index, violated, { variables: candidatesOf(context) });
  if (constant !== null) {
    const message = `the constraint is ${constant ? 'always' : 'never'} violated within the bounds of the scenario`;
    context.reporter.report('EDL502', { node: node.expression }, message);
  }
  return violated;
}

function elaboratePenalty(
  context: Context,
  node: Penalty | undefined,
): { value: ExpressionIr; target: TargetIr | null } | null {
  if (node === undefined) return { value: numberIr(0), target: null };
  const value = elaborateNumber(context, node.value, 'a penalty');
  const target = node.target === undefined ? null : elaborateTarget(context, node.target);
  if (value === null || (node.target !== undefined && target === null)) return null;
  if (node.target !== undefined && target !== null) {
    if (reportNoAgent(context, node.target, target, 'a penalty')) return null;
  }
  const { min, max } = boundsOf(heldIndex(context.index), value.ir, { variables: candidatesOf(context) });
  if (max < 0 || !isBearable(context, value.ir)) {
    const message =
      max < 0 ? 'a penalty is not negative: what it costs is subtracted' : 'a penalty is a finite number';
    context.reporter.report('EDL505', { node: node.value }, message);
    return null;
  }
  if (min === 0 && max === 0) {
    const message = 'a penalty of 0 changes nothing: leave it out to count violations only';
    context.reporter.report('EDL506', { node }, message);
  }
  return { value: value.ir, target: target?.ir ?? null };
}

/** Without `to` a violation is that of the first agent looped over; null: of every agent. */
function firstAgent(context: Context): TargetIr | null {
  return context.variables.find((variable) => variable.value.kind === 'agent')?.value.ir ?? null;
}
