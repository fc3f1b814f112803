import type { ConstraintIr, ExpressionIr, SetIr, TargetIr } from '../ir.ts';
import type { ManifestIndex } from '../manifest-index.ts';
import { type LoweredEntity, type LoweringScope, lowerEntity, lowerSet } from './entities.ts';
import { lowerExpression } from './expressions.ts';
import type { NodeId } from './graph.ts';
import type { Action } from './schedule.ts';

/** The instruction that names whose instructions follow. */
export function declareAction(declaration: number): Action {
  return { op: 'DECL', dst: declaration, a: 0, b: 0, c: 0 };
}

/** Counts the copies in which an instance of a declaration holds. */
export function firedAction(declaration: number, condition: NodeId): Action {
  return { op: 'FIRED', dst: declaration, a: condition, b: 0, c: 0 };
}

/** One scope per combination of loop members, the first loop outermost. */
export function unroll(scope: LoweringScope, loops: readonly SetIr[]): LoweringScope[] {
  const [first, ...rest] = loops;
  if (first === undefined) return [scope];
  return lowerSet(scope, first).flatMap((member) => {
    scope.graph.visit();
    return unroll({ ...scope, variables: [...scope.variables, member] }, rest);
  });
}

/** Whether an instance acts: its condition. */
export function instanceCondition(scope: LoweringScope, condition: ExpressionIr): NodeId {
  return lowerExpression(scope, condition);
}

/** Whom the violations of a constraint concern: its target, or every agent. */
export function concerned(index: ManifestIndex, constraint: ConstraintIr): readonly TargetIr[] {
  if (constraint.target !== null) return [constraint.target];
  return index.manifest.groups.map((group) => ({ op: 'each', set: group.name }));
}

export function lowerTargets(
  scope: LoweringScope,
  targets: readonly TargetIr[],
  condition: NodeId,
): { entity: number; when: NodeId }[] {
  return targets.flatMap((target) => lowerTarget(scope, target, condition));
}

/** The fixed entities a target reaches, each with the condition under which it does. */
export function lowerTarget(
  scope: LoweringScope,
  target: TargetIr,
  condition: NodeId,
): { entity: number; when: NodeId }[] {
  const { graph } = scope;
  const reached: readonly LoweredEntity[] =
    target.op === 'each' ? lowerSet(scope, { op: 'set', name: target.set }) : [lowerEntity(scope, target)];
  return reached.flatMap((entity) => {
    if (entity.type === 'fixed') return [{ entity: entity.index, when: condition }];
    return entity.candidates.map((candidate) => {
      const isIt = graph.same(entity.node, graph.number(candidate));
      return { entity: candidate, when: graph.and(condition, isIt) };
    });
  });
}
