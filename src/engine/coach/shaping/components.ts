import type { ConstraintIr, ExpressionIr, RewardIr } from '../../edl/ir.ts';
import type { CompiledEnvironment } from '../../edl/types.ts';

/** A shaping component of an environment as its text declares it. */
export type DeclaredComponent =
  | { readonly kind: 'reward'; readonly name: string; readonly ir: RewardIr }
  | { readonly kind: 'constraint'; readonly name: string; readonly ir: ConstraintIr };

/** The shaping components in the order of the program: rewards, then the constraints that cost something. */
export function declaredComponents({
  ir,
  spec,
}: Pick<CompiledEnvironment, 'ir' | 'spec'>): DeclaredComponent[] {
  return (spec.program?.components ?? []).map(({ name }, index) => {
    const reward = ir.rewards[index];
    if (reward !== undefined) return { kind: 'reward', name, ir: reward };
    const constraint = ir.constraints.find((each) => each.name === name);
    if (constraint === undefined) throw new RangeError(`component ${name} is of no declaration`);
    return { kind: 'constraint', name, ir: constraint };
  });
}

/** Whether two components pay the same for the same reasons. */
export function isSameComponent(a: DeclaredComponent, b: DeclaredComponent): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** Beyond this a weight says that two components have nothing to do with each other. */
const maxCarried = 1e9;

/**
 * What the weight of `before` is multiplied with, so that `after` pays what `before` did: the two differ by a factor of all
 * that they give, or by their decay (after `trainedSteps` of training). Null where they differ otherwise. A potential with
 * a limit is scaled by its bounds: of those only equal ones are the same.
 */
export function carriedFactor(
  before: DeclaredComponent,
  after: DeclaredComponent,
  trainedSteps: number,
): number | null {
  const factor =
    before.kind === 'reward' && after.kind === 'reward'
      ? rewardFactor(before.ir, after.ir, trainedSteps)
      : before.kind === 'constraint' && after.kind === 'constraint'
        ? penaltyFactor(before.ir, after.ir)
        : null;
  return factor !== null && Math.abs(factor) <= maxCarried ? factor : null;
}

function rewardFactor(before: RewardIr, after: RewardIr, trainedSteps: number): number | null {
  const frame = ({ loops, condition, isPotential, gifts }: RewardIr) =>
    JSON.stringify([loops, condition, isPotential, gifts.map(({ target }) => target)]);
  if (frame(before) !== frame(after)) return null;
  const factors = before.gifts.map(({ value }, i) => {
    const next = after.gifts[i]?.value;
    return next === undefined ? null : quotient(value, next);
  });
  const [factor] = factors;
  if (factor === undefined || factor === null || factors.some((each) => !isClose(each, factor))) return null;
  if (after.isPotential) {
    if (before.limitShare !== after.limitShare) return null;
    if (after.limitShare !== null && factor !== 1) return null;
  }
  // d * (1 / d) need not be 1.
  if (before.halfLifeSteps === after.halfLifeSteps) return factor;
  return factor * decayAt(before, trainedSteps) * (1 / decayAt(after, trainedSteps));
}

function penaltyFactor(before: ConstraintIr, after: ConstraintIr): number | null {
  const frame = ({ loops, guard, violated, target }: ConstraintIr) =>
    JSON.stringify([loops, guard, violated, target]);
  return frame(before) === frame(after) ? quotient(before.penalty, after.penalty) : null;
}

function decayAt({ halfLifeSteps }: RewardIr, trainedSteps: number): number {
  return halfLifeSteps === 0 ? 1 : 2 ** (-trainedSteps / halfLifeSteps);
}

function isClose(a: number | null, b: number): boolean {
  return a !== null && Math.abs(a - b) <= 1e-12 * Math.abs(b);
}

/** a / b where both are numbers times the same expression. */
function quotient(a: ExpressionIr, b: ExpressionIr): number | null {
  const [left, right] = [split(a), split(b)];
  if (JSON.stringify(left.rest) !== JSON.stringify(right.rest)) return null;
  if (left.factor === right.factor) return 1;
  return right.factor === 0 ? null : left.factor / right.factor;
}

/** "-0.5 * distance(a, b)" is -0.5 times the distance; a number is itself times nothing. */
function split(value: ExpressionIr): { readonly factor: number; readonly rest: ExpressionIr | null } {
  switch (value.op) {
    case 'number':
      return { factor: value.value, rest: null };
    case 'neg':
      return scaled(split(value.value), -1);
    case 'mul':
      if (value.left.op === 'number') return scaled(split(value.right), value.left.value);
      if (value.right.op === 'number') return scaled(split(value.left), value.right.value);
      return { factor: 1, rest: value };
    case 'div':
      if (value.right.op === 'number') return scaled(split(value.left), 1 / value.right.value);
      return { factor: 1, rest: value };
    default:
      return { factor: 1, rest: value };
  }
}

function scaled({ factor, rest }: ReturnType<typeof split>, by: number): ReturnType<typeof split> {
  return { factor: factor * by, rest };
}
