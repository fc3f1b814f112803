import { readEvaluations } from '../coach/snapshot/evaluations.ts';
import type { RunSeries } from '../coach/types.ts';
import { advanceStreak } from '../edl/issue-state.ts';
import type { CompiledEnvironment } from '../edl/types.ts';
import type { LoopState, StageMove, StagePlan } from './loop-state.ts';

/** The first stage of an environment, begun at a charged step; null where it has none. */
export function firstStage(
  { stages }: Pick<CompiledEnvironment, 'stages'>,
  sinceStep: number,
): StagePlan | null {
  const [first] = stages;
  return first === undefined ? null : { name: first.name, index: 0, count: stages.length, sinceStep };
}

/**
 * The same stage in another text. Stages keep their place by name; where that name is gone, the run goes on with the
 * stage that stands in its place, or with the last, as begun at `step`.
 */
export function stageIn(
  { stages }: Pick<CompiledEnvironment, 'stages'>,
  plan: StagePlan | null,
  step: number,
): StagePlan | null {
  if (plan === null || stages.length === 0) return firstStage({ stages }, step);
  const named = stages.findIndex(({ name }) => name === plan.name);
  if (named >= 0) return { ...plan, index: named, count: stages.length };
  const index = Math.min(plan.index, stages.length - 1);
  return { name: stages[index]?.name ?? '', index, count: stages.length, sinceStep: step };
}

/**
 * The move to the next stage that is due after a round, or null. `until` is asked at every evaluation of the stage; it has
 * to have held in `forEvaluations` of them in a row up to the last one. Pure: the same record gives the same move.
 */
export function findMove(
  { stages }: Pick<CompiledEnvironment, 'stages'>,
  plan: StagePlan | null,
  series: RunSeries,
  round: number,
): StageMove | null {
  const stage = plan === null ? undefined : stages[plan.index];
  const next = plan === null ? undefined : stages[plan.index + 1];
  if (plan === null || stage === undefined || next === undefined || stage.until === null) return null;
  const own = ownEvaluations(series, plan.sinceStep);
  const held = own.reduce((streak, read) => advanceStreak(streak, stage.until?.holds(read) ?? false), 0);
  if (held < stage.forEvaluations) return null;
  const last = own.at(-1);
  const metrics = stage.until.metrics.flatMap((name) => {
    const value = last?.(name);
    return value === undefined ? [] : [[name, value] as const];
  });
  return {
    from: stage.name,
    to: next.name,
    round,
    step: lastStep(series),
    condition: stage.until.text,
    metrics: Object.fromEntries(metrics),
  };
}

/** Evaluations after the stage began; one up to its start is of what was learned in the stage before. */
function ownEvaluations(series: RunSeries, sinceStep: number): ReturnType<typeof readEvaluations> {
  const { steps } = series.history('eval/objective');
  const all = readEvaluations(series);
  return all.filter((_, index) => (steps[index] ?? 0) > sinceStep);
}

function lastStep(series: RunSeries): number {
  const { steps } = series.history('eval/objective');
  return steps[steps.length - 1] ?? 0;
}

/** Where the curriculum stands after a move. The stage begins with the next round, at the charged step `sinceStep`. */
export function moveOn(
  { stages }: Pick<CompiledEnvironment, 'stages'>,
  { to }: StageMove,
  sinceStep: number,
): StagePlan {
  const index = stages.findIndex(({ name }) => name === to);
  return { name: to, index, count: stages.length, sinceStep };
}

/** "easy is over (success > 80%: success 0.84); round 4 begins hard", for the log. */
export function tellMove({ from, to, round, condition, metrics }: StageMove): string {
  const values = Object.entries(metrics).map(([name, value]) => `${name} ${value.toPrecision(3)}`);
  return `stage ${from} is over (${condition}: ${values.join(', ')}); round ${round + 2} begins stage ${to}`;
}

/** The stage that a run's round trains in; null without stages. */
export function stageOf(loop: LoopState, round: number): StagePlan | null {
  return loop.plans[Math.min(round, loop.plans.length - 1)]?.stage ?? null;
}
