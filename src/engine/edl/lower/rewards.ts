import type { VmComponent } from '../../../shared/rl/vm-program.ts';
import type { Interval } from '../interval.ts';
import type { ConstraintIr, RewardIr } from '../ir.ts';
import { binaryIr, unaryIr } from '../ir-make.ts';
import type { ManifestIndex } from '../manifest-index.ts';
import { giftBounds, potentialScale } from '../potential.ts';
import {
  concerned,
  declareAction,
  firedAction,
  instanceCondition,
  lowerTarget,
  lowerTargets,
  rootScope,
  unroll,
} from './blocks.ts';
import { lowerExpression } from './expressions.ts';
import type { NodeId, ValueGraph } from './graph.ts';
import type { ProgramTable } from './program-table.ts';
import type { Action } from './schedule.ts';

/**
 * What a reward gives, or adds to a potential: its gifts, once per instance. A limit holds each gift of a potential within
 * its bounds and scales the whole.
 */
export function lowerReward(
  table: ProgramTable,
  graph: ValueGraph,
  reward: RewardIr,
  component: number,
): Action[] {
  const op = reward.isPotential ? 'PHI' : 'GIVE';
  const isHeld = reward.isPotential && reward.limitShare !== null;
  const scale = isHeld ? potentialScale(table.populated, reward) : 1;
  const bounds = isHeld ? giftBounds(table.populated, reward) : [];
  const scopes = unroll(rootScope(table, graph), reward.loops);
  const declaration = table.declare('reward', reward.name, scopes.length);
  const actions: Action[] = [declareAction(declaration)];
  for (const scope of scopes) {
    const condition = instanceCondition(scope, reward.condition);
    actions.push(firedAction(declaration, condition));
    for (const [i, gift] of reward.gifts.entries()) {
      const given = hold(graph, lowerExpression(scope, gift.value), bounds[i]);
      const value = scale === 1 ? given : graph.make('MUL', given, graph.number(scale));
      for (const { entity, when } of lowerTarget(scope, gift.target, condition)) {
        actions.push({ op, dst: component, a: entity, b: value, c: when });
      }
    }
  }
  return actions;
}

function hold(graph: ValueGraph, value: NodeId, bounds: Interval | undefined): NodeId {
  if (bounds === undefined || graph.constantOf(value) !== null) return value;
  return graph.make('MIN', graph.make('MAX', value, graph.number(bounds.min)), graph.number(bounds.max));
}

/** What violations of a constraint cost; whether there are any is counted where they are measured. */
export function lowerPenalty(
  table: ProgramTable,
  graph: ValueGraph,
  constraint: ConstraintIr,
  component: number,
): Action[] {
  const scopes = unroll(rootScope(table, graph), constraint.loops);
  const actions: Action[] = [declareAction(table.declare('constraint', constraint.name, scopes.length))];
  for (const scope of scopes) {
    const broken = instanceCondition(scope, binaryIr('and', constraint.guard, constraint.violated));
    const cost = lowerExpression(scope, unaryIr('neg', constraint.penalty));
    for (const { entity, when } of lowerTargets(scope, concerned(table.index, constraint), broken)) {
      actions.push({ op: 'GIVE', dst: component, a: entity, b: cost, c: when });
    }
  }
  return actions;
}

/** Whether violations of a constraint cost anything; else they are only counted and it is no component. */
export function isPenalised(constraint: ConstraintIr): boolean {
  const { penalty } = constraint;
  return penalty.op !== 'number' || penalty.value !== 0;
}

export function rewardComponent(index: ManifestIndex, reward: RewardIr): VmComponent {
  const { name, halfLifeSteps, isPotential } = reward;
  const episodeLimit = isPotential ? Infinity : limitOf(index, reward.limitShare);
  return { name, halfLifeSteps, episodeLimit, isPotential };
}

export function penaltyComponent(index: ManifestIndex, constraint: ConstraintIr): VmComponent {
  const episodeLimit = limitOf(index, constraint.limitShare);
  return { name: constraint.name, halfLifeSteps: 0, episodeLimit, isPotential: false };
}

function limitOf(index: ManifestIndex, share: number | null): number {
  return share === null ? Infinity : share * index.manifest.nominalReturn;
}
