import type { EnvironmentIr, RegimeIr, ScheduleIr } from '../ir.ts';
import { declareAction, firedAction } from './blocks.ts';
import type { LoweringScope } from './entities.ts';
import { lowerExpression } from './expressions.ts';
import type { NodeId } from './graph.ts';
import { stepNode } from './recent.ts';
import { lowerEntry } from './regime-entries.ts';
import { lowerSettings } from './regime-settings.ts';
import type { Action } from './schedule.ts';

/** Later than any step: a regime that is not left by itself. */
const never = 1e15;

/** Which regime holds in a step: its index, and since which step. */
export interface TrueRegime {
  readonly index: NodeId;
  readonly entered: NodeId;
}

/**
 * The regime of the step, remembered from step to step, and what it sets. Its index is its place among the regimes
 * sorted by name.
 */
export function lowerRegimes(scope: LoweringScope, ir: EnvironmentIr): Action[] {
  if (ir.regimes.length === 0) return [];
  const { graph, table } = scope;
  const start = ir.schedule?.start ?? null;
  const first = ir.regimes.findIndex(({ name, isDefault }) => (start === null ? isDefault : name === start));
  table.regimeWord = table.word(`regime of ${namesOf(ir.regimes)}`, Math.max(0, first));
  const isRecognised = ir.regimes.some((regime) => regime.condition !== null);
  const { before, after, regime, holds } = isRecognised
    ? recognise(scope, ir.regimes)
    : follow(scope, ir.regimes, ir.schedule);
  // The default last: of an undefined condition the trap names the regime that has it.
  const order = [...ir.regimes.keys()].sort((a, b) => rank(ir.regimes[a]) - rank(ir.regimes[b]));
  const blocks = order.flatMap((i) => {
    const candidate = ir.regimes[i];
    if (candidate === undefined) return [];
    const isTrue = holds[i] ?? graph.number(0);
    const declaration = table.declare('regime', candidate.name, 1);
    return [
      declareAction(declaration),
      firedAction(declaration, isTrue),
      ...lowerSettings(scope, candidate, regime, isTrue),
    ];
  });
  return [...before, ...blocks, ...after];
}

/** An index says something beside its list only. */
function namesOf(regimes: readonly RegimeIr[]): string {
  return regimes.map(({ name }) => name).join(' ');
}

function rank(regime: RegimeIr | undefined): number {
  return regime?.isDefault === true ? 1 : 0;
}

interface Followed {
  readonly before: Action[];
  readonly after: Action[];
  readonly regime: TrueRegime;
  /** Whether each regime is the true one. */
  readonly holds: readonly NodeId[];
}

/** The first whose condition holds, in order of names; else the default. Under these regimes nothing is set. */
function recognise(scope: LoweringScope, regimes: readonly RegimeIr[]): Followed {
  const { graph, table } = scope;
  let taken = graph.number(0);
  const found = regimes.map(({ condition }) => {
    if (condition === null) return graph.number(0);
    const isIt = graph.and(graph.not(taken), lowerExpression(scope, condition));
    taken = graph.or(taken, isIt);
    return isIt;
  });
  const holds = found.map((isIt, i) => {
    return regimes[i]?.isDefault === true ? graph.or(isIt, graph.not(taken)) : isIt;
  });
  const other = regimes.findIndex((regime) => regime.isDefault);
  const index = found.reduceRight(
    (otherwise, isIt, i) => graph.select(isIt, graph.number(i), otherwise),
    graph.number(Math.max(0, other)),
  );
  const after = [storeAlways(scope, table.regimeWord, index)];
  return { before: [], after, regime: { index, entered: graph.number(0) }, holds };
}

/** What the schedule says: an entry that fires, else the end of a stay, else what held before. */
function follow(scope: LoweringScope, regimes: readonly RegimeIr[], schedule: ScheduleIr | null): Followed {
  const { graph, table } = scope;
  const enteredWord = table.word('regime entered', 0);
  const leaveWord = table.word('regime left', never);
  const holding = (index: NodeId) => regimes.map((_, i) => graph.same(index, graph.number(i)));
  const before = graph.make('RECALL', table.regimeWord);
  const since = graph.make('RECALL', enteredWord);
  if (schedule === null || schedule.entries.length === 0)
    return { before: [], after: [], regime: { index: before, entered: since }, holds: holding(before) };
  const step = stepNode(scope);
  const declaration = table.declare('schedule', 'schedule', 1);
  const isOver = graph.make('LE', graph.make('RECALL', leaveWord), step);
  const fallback = regimes.findIndex((regime) => regime.isDefault);
  let index = graph.select(isOver, graph.number(fallback), before);
  let leaveAt = graph.select(isOver, graph.number(never), graph.make('RECALL', leaveWord));
  let taken = graph.number(0);
  const actions: Action[] = [];
  schedule.entries.forEach((entry, i) => {
    const lowered = lowerEntry(scope, { entry, number: i, declaration, regimes, isTaken: taken });
    index = graph.select(lowered.wins, lowered.target, index);
    leaveAt = graph.select(lowered.wins, lowered.leaveAt ?? graph.number(never), leaveAt);
    taken = graph.or(taken, lowered.wins);
    actions.push(...lowered.actions);
  });
  const entered = graph.select(graph.or(taken, isOver), step, since);
  return {
    before: [
      declareAction(declaration),
      firedAction(declaration, taken),
      ...actions,
      storeAlways(scope, table.regimeWord, index),
      storeAlways(scope, enteredWord, entered),
      storeAlways(scope, leaveWord, leaveAt),
    ],
    after: [],
    regime: { index, entered },
    holds: holding(index),
  };
}

function storeAlways({ graph }: LoweringScope, word: number, value: NodeId): Action {
  return { op: 'STORE', dst: word, a: 0, b: value, c: graph.number(1) };
}
