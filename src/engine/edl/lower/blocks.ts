import type { ConstraintIr, ExpressionIr, SetIr, TargetIr } from '../ir.ts';
import type { ManifestIndex } from '../manifest-index.ts';
import { isSomebody, type LoweredEntity, type LoweringScope, lowerEntity, lowerSet } from './entities.ts';
import { lowerExpression } from './expressions.ts';
import type { NodeId, ValueGraph } from './graph.ts';
import { presenceOf } from './presence.ts';
import type { ProgramTable } from './program-table.ts';
import type { Action } from './schedule.ts';

/** The instruction that names whose instructions follow. */
export function declareAction(declaration: number): Action {
  return { op: 'DECL', dst: declaration, a: 0, b: 0, c: 0 };
}

/** Counts the copies in which an instance of a declaration holds. */
export function firedAction(declaration: number, condition: NodeId): Action {
  return { op: 'FIRED', dst: declaration, a: condition, b: 0, c: 0 };
}

/** Where the code of a declaration begins: no loop, nobody who could be missing. */
export function rootScope(table: ProgramTable, graph: ValueGraph, isControl = false): LoweringScope {
  return {
    graph,
    table,
    index: table.index,
    isControl,
    variables: [],
    members: [],
    isPresent: graph.number(1),
    lower: lowerExpression,
  };
}

/** One scope per combination of loop members, the first loop outermost. */
export function unroll(scope: LoweringScope, loops: readonly SetIr[]): LoweringScope[] {
  const [first, ...rest] = loops;
  if (first === undefined) return [scope];
  return lowerSet(scope, first).flatMap((member) => {
    scope.graph.visit();
    const isPresent = scope.graph.and(scope.isPresent, presenceOf(scope, member));
    const variables = [...scope.variables, member];
    const members = [...scope.members, nameOf(scope, member) ?? (first.op === 'set' ? first.name : '')];
    return unroll({ ...scope, variables, members, isPresent }, rest);
  });
}

/** What an entity is called; undefined where only the state says who it is. */
export function nameOf({ index }: LoweringScope, entity: LoweredEntity): string | undefined {
  return entity.type === 'fixed' ? index.entitiesByIndex.get(entity.index)?.name : undefined;
}

/** Whether an instance acts: its entities take part, and its condition holds. */
export function instanceCondition(scope: LoweringScope, condition: ExpressionIr): NodeId {
  return scope.graph.and(scope.isPresent, lowerExpression(scope, condition));
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

/** The fixed entities a target reaches, each with the condition under which it does; of a set those that take part. */
export function lowerTarget(
  scope: LoweringScope,
  target: TargetIr,
  condition: NodeId,
): { entity: number; when: NodeId }[] {
  const { graph } = scope;
  return reachedBy(scope, target, condition).flatMap(({ entity, when }) => {
    if (entity.type === 'fixed') return [{ entity: entity.index, when }];
    return entity.candidates.map((candidate) => {
      const isIt = graph.same(entity.node, graph.number(candidate));
      return { entity: candidate, when: graph.and(when, isIt) };
    });
  });
}

/** The entities a target denotes, each with the condition under which it is reached; never nobody. */
export function reachedBy(
  scope: LoweringScope,
  target: TargetIr,
  condition: NodeId,
): { entity: LoweredEntity; when: NodeId }[] {
  const { graph } = scope;
  if (target.op === 'each') {
    return lowerSet(scope, { op: 'set', name: target.set }).map((entity) => {
      return { entity, when: graph.and(condition, presenceOf(scope, entity)) };
    });
  }
  const entity = lowerEntity(scope, target);
  return [{ entity, when: graph.and(condition, isSomebody(scope, entity)) }];
}
