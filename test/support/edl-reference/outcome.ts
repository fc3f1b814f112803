import type { Constraint, Environment, Gift, Metric, Reward } from '../../../src/engine/edl/generated/ast.ts';
import type { ExpressionEvaluator } from './expressions.ts';
import { and } from './logic.ts';
import { declarationsOf, type FireCounts, finite, holding, isTrue, reached } from './phases.ts';
import { findSet } from './sets.ts';
import { emptyScope, type Scope } from './state-view.ts';

/** What agents are given, by component. */
export type Gifts = Map<string, number[]>;
/** More than this is never given at once. */
export const maxGift = 1e9;

function give(
  evaluator: ExpressionEvaluator,
  gifts: Gifts,
  component: string,
  agent: number,
  value: number,
): void {
  const row = gifts.get(component) ?? new Array<number>(evaluator.at.world.manifest.numAgents).fill(0);
  row[agent] = (row[agent] ?? 0) + value;
  gifts.set(component, row);
}

export const isPotential = (reward: Reward): boolean =>
  reward.options.some((option) => option.$type === 'Potential');

/** How a potential with a limit is kept within it: what each of its gifts is held within, and a factor of the whole. */
export interface HeldPotential {
  readonly bounds: readonly { readonly min: number; readonly max: number }[];
  readonly scale: number;
}

/** Potentials with a limit, by name. */
export type HeldPotentials = ReadonlyMap<string, HeldPotential>;

/** Gifts of rewards of one sort: those given as they are, or the potentials Φ. */
export function runRewards(
  ast: Environment,
  evaluator: ExpressionEvaluator,
  sort: { readonly potential: boolean; readonly held?: HeldPotentials },
  fired: FireCounts,
): Gifts {
  const gifts: Gifts = new Map();
  for (const reward of declarationsOf(ast, 'Reward')) {
    if (isPotential(reward) !== sort.potential) continue;
    const scopes = holding(evaluator, reward);
    fired.set(reward.name, scopes.length);
    for (const scope of scopes) {
      reward.gifts.forEach((gift, i) => {
        giveOne(evaluator, reward, gift, scope, gifts, holder(sort.held?.get(reward.name), i));
      });
    }
  }
  return gifts;
}

type Hold = (value: number) => number;

function holder(held: HeldPotential | undefined, gift: number): Hold {
  const bounds = held?.bounds[gift];
  if (held === undefined || bounds === undefined) return (value) => value;
  return (value) => Math.min(Math.max(value, bounds.min), bounds.max) * held.scale;
}

function giveOne(
  evaluator: ExpressionEvaluator,
  reward: Reward,
  gift: Gift,
  scope: Scope,
  gifts: Gifts,
  hold: Hold,
): void {
  const agents = reached(evaluator, gift.target, scope);
  if (agents.length === 0) return;
  const value = finite(hold(evaluator.sum(gift.value, scope)), reward.name, maxGift);
  for (const agent of agents) give(evaluator, gifts, reward.name, agent, value);
}

function violations(evaluator: ExpressionEvaluator, node: Constraint): Scope[] {
  return evaluator.instances(node.loops).filter((scope) => {
    const stated = evaluator.expression(node.demand.expression, scope);
    const broken = node.demand.mode === 'never' ? stated : 1 - stated;
    return isTrue(and(evaluator.condition(node.guard, scope), broken), node.name);
  });
}

/** One number measured of an agent (agent 0 where the metric is not per agent). */
export interface Sample {
  readonly metric: string;
  readonly agent: number;
  readonly value: number;
}

/** Constraints: what a violation costs, and how many there are. */
export function runConstraints(
  ast: Environment,
  evaluator: ExpressionEvaluator,
  fired: FireCounts,
): { readonly gifts: Gifts; readonly samples: Sample[] } {
  const gifts: Gifts = new Map();
  const samples: Sample[] = [];
  for (const node of declarationsOf(ast, 'Constraint')) {
    const scopes = violations(evaluator, node);
    fired.set(node.name, scopes.length);
    for (const scope of scopes) {
      penalise(evaluator, node, scope, gifts);
      for (const agent of concerned(evaluator, node, scope)) count(samples, node.name, agent, 1);
    }
    for (const agent of mayConcern(evaluator, node)) count(samples, node.name, agent, 0);
  }
  return { gifts, samples };
}

/** Whom a violation concerns: whom its penalty goes to, else the outermost agent looped over, else every agent. */
function concerned(evaluator: ExpressionEvaluator, { penalty }: Constraint, scope: Scope): number[] {
  if (penalty?.target !== undefined) return reached(evaluator, penalty.target, scope);
  const subject = agentIn(evaluator, scope);
  return subject === undefined ? evaluator.present(agentsOf(evaluator)) : [subject];
}

/** Every agent that some violation would concern: those have 0 where there is none. */
function mayConcern(evaluator: ExpressionEvaluator, { loops, penalty }: Constraint): number[] {
  const { target } = penalty ?? {};
  const set = target === undefined ? undefined : findSet(evaluator.at.world.manifest, target.name);
  if (set !== undefined) return [...set.entities];
  const scopes = evaluator.instances(loops, emptyScope, { withAbsent: true });
  const subjects = scopes.flatMap((scope) => {
    if (target !== undefined) return [evaluator.entityNamed(target.name, scope)];
    const subject = agentIn(evaluator, scope);
    return subject === undefined ? agentsOf(evaluator) : [subject];
  });
  return [...new Set(subjects)];
}

const agentsOf = (evaluator: ExpressionEvaluator): number[] =>
  Array.from({ length: evaluator.at.world.manifest.numAgents }, (_, agent) => agent);

function count(samples: Sample[], constraint: string, agent: number, value: number): void {
  for (const metric of [constraint, 'constraint_violations']) samples.push({ metric, agent, value });
}

function penalise(evaluator: ExpressionEvaluator, node: Constraint, scope: Scope, gifts: Gifts): void {
  const { penalty } = node;
  if (penalty === undefined) return;
  const agents = concerned(evaluator, node, scope);
  if (agents.length === 0) return;
  const value = finite(evaluator.sum(penalty.value, scope), node.name, maxGift);
  for (const agent of agents) give(evaluator, gifts, node.name, agent, -value);
}

/** The agent that an instance is about: the outermost loop variable that is one. */
function agentIn(evaluator: ExpressionEvaluator, scope: Scope): number | undefined {
  const { numAgents } = evaluator.at.world.manifest;
  return [...scope.values()].find((entity) => entity < numAgents);
}

export function runMetrics(ast: Environment, evaluator: ExpressionEvaluator, fired: FireCounts): Sample[] {
  return declarationsOf(ast, 'Metric').flatMap((metric) => {
    const samples = evaluator.instances(metric.loops).flatMap((scope) => sampleOf(evaluator, metric, scope));
    fired.set(metric.name, samples.length);
    return samples;
  });
}

function sampleOf(evaluator: ExpressionEvaluator, metric: Metric, scope: Scope): Sample[] {
  const value = evaluator.expression(metric.value, scope);
  if (!Number.isFinite(value)) return [];
  return [{ metric: metric.name, agent: agentIn(evaluator, scope) ?? 0, value }];
}
