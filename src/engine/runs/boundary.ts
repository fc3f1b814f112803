import { bindToRun, bringIntoForce, type RunSetting } from '../coach/in-force.ts';
import type { RoundContext, TrialRunner } from '../coach/types.ts';
import { readProposalView } from '../store/index.ts';
import { findMove, moveOn, stageIn, tellMove } from './curriculum.ts';
import {
  type Incumbent,
  type LoopState,
  type RoundPlan,
  readLoopState,
  type StageMove,
  type StagePlan,
  withPlan,
} from './loop-state.ts';
import { canTakeEffect } from './request-proposal.ts';
import { dropMargin, hasDropped, type Measured, nextIncumbent } from './rollback.ts';
import {
  type BoundaryState,
  compileText,
  type RunIdentity,
  readRoundContext,
  settingOf,
} from './round-context.ts';
import type { RunServices } from './services.ts';
import { nextShaping } from './shaping-plan.ts';
import { readReport, roundStoodAt, seriesUntil } from './standing.ts';

/** What a boundary needs of the driver that stands at it. */
export interface BoundaryTools {
  readonly services: RunServices;
  readonly run: RunIdentity;
  readonly runTrial: TrialRunner;
  /** Puts the policy back to how it stood at the end of a round. */
  takeUp(round: number): Promise<void>;
  readonly signal: AbortSignal;
  /** The answer to a question that was put in the background; asks it now if that was lost. */
  awaitAnswer(question: NonNullable<RoundPlan['question']>): Promise<void>;
  log(message: string): void;
}

/**
 * What happens between two rounds, until the next one's plan is on record: a clear drop goes back to the incumbent; a
 * stage of the curriculum that has reached its end gives way to the next; then the coach is asked (lag 0) or its earlier
 * answer is due (lag ≥ 1), candidates are tried out, and the decision holds from the next round on. A question with lag is put
 * last, about the environment that holds from now on; a run has one question open at a time. Decision and plan are one
 * transaction, and all that comes before it is found on record again: whenever this is interrupted, going through it
 * again ends the same.
 */
export async function crossBoundary(tools: BoundaryTools, round: number): Promise<void> {
  const { services, run } = tools;
  const state = readLoop(tools);
  if (state.plans[round + 1] !== undefined) return;
  const plan = planOf(state, round);
  const isCoached = run.arm.coach.provider !== 'none';
  const judged = isCoached ? judgeRound(tools, plan, round) : null;
  // What a round that fell came to is no reason to go on.
  const { move, stage } =
    judged?.rolledBackRound != null
      ? { move: null, stage: stageGoneBackTo(tools, state, round) }
      : followCurriculum(tools, plan, round);
  if (judged === null) return recordUncoached(tools, plan, { round, stage, move });
  const { trialSteps, question } = plan;
  const { isRequested } = state;
  const boundary = { round, textHash: judged.textHash, trialSteps, isRequested, stage };
  if (judged.rolledBackRound !== null) await tools.takeUp(roundStoodAt(services.store, run.runId, round));
  const context = readRoundContext(services, run, boundary);
  const asked = await takeAnswer(tools, context, plan);
  const isOpen = question !== null && asked === null;
  const charged = trialSteps + (asked === null ? 0 : await tryOut(tools, context, asked));
  tools.signal.throwIfAborted();
  services.store.transaction(() => {
    const decided = services.coach.decide(context);
    const textHash = services.store.texts.put(decided.text);
    // Trials are charged before the next round begins: what is evaluated at its start was learned before it.
    const begins = context.chargedSteps + charged - trialSteps;
    const begun = stage === null || move === null ? stage : { ...stage, sinceStep: begins };
    const kept = stageIn(decided.environment, begun, begins);
    const { identity } = bringIntoForce(decided.environment, stagedSetting(context.setting, kept));
    const coming = { round, isRequested, textHash, trialSteps: charged, stage: kept };
    const next = isOpen ? null : nextQuestion(tools, coming);
    const isPut = next !== null || (asked === round && run.arm.coach.lag === 0);
    const { incumbent, rolledBackRound } = judged;
    const edl = bindToRun(services.edl, stagedSetting(context.setting, kept));
    const shaping = nextShaping(services.store, edl, context.shaping, decided);
    const planned: RoundPlan = {
      textHash,
      identity,
      trialSteps: charged,
      incumbent,
      rolledBackRound,
      question: isOpen ? question : next,
      stage: kept,
      move,
      shaping,
    };
    recordPlan(tools, round, planned, isRequested && isPut);
  });
  if (move !== null) tools.log(tellMove(move));
}

function stagedSetting(setting: RunSetting, stage: StagePlan | null): RunSetting {
  return { ...setting, stage: stage?.name ?? null, place: stage?.index ?? 0 };
}

/** Where the curriculum stands from the next round on, and the move that leads there. */
function followCurriculum(
  { services, run }: BoundaryTools,
  plan: RoundPlan,
  round: number,
): { move: StageMove | null; stage: StagePlan | null } {
  const { stage, textHash } = plan;
  if (stage === null) return { move: null, stage };
  const { store } = services;
  const setting = settingOf(services, run, stage);
  const environment = compileText(services, store.texts.get(textHash), setting);
  const { chargedSteps } = readReport(store, run.runId, round);
  const move = findMove(environment, stage, seriesUntil(store, run.runId, round), round);
  return { move, stage: move === null ? stage : moveOn(environment, move, chargedSteps) };
}

/** Where the curriculum stood when the policy that came back was kept, with the move of that boundary: before the change that is undone. */
function stageGoneBackTo(
  { services, run }: BoundaryTools,
  { plans }: LoopState,
  round: number,
): StagePlan | null {
  const { store } = services;
  const stood = roundStoodAt(store, run.runId, round);
  const [kept, next] = [plans[stood], plans[stood + 1]];
  const stage = kept?.stage ?? null;
  const move = next?.move ?? null;
  if (kept === undefined || move === null) return stage;
  const environment = compileText(services, store.texts.get(kept.textHash), settingOf(services, run, stage));
  const begun = next?.stage?.sinceStep ?? readReport(store, run.runId, stood).chargedSteps;
  return moveOn(environment, move, begun);
}

/** The environment stays as it is, but for its stage. */
function recordUncoached(
  tools: BoundaryTools,
  plan: RoundPlan,
  { round, stage, move }: { round: number; stage: StagePlan | null; move: StageMove | null },
): void {
  if (move === null) {
    recordPlan(tools, round, { ...plan, move }, false);
    return;
  }
  const { services, run } = tools;
  const setting = settingOf(services, run, stage);
  const environment = compileText(services, services.store.texts.get(plan.textHash), setting);
  const { identity } = bringIntoForce(environment, setting);
  recordPlan(tools, round, { ...plan, identity, stage, move }, false);
  tools.log(tellMove(move));
}

function readLoop({ services, run }: BoundaryTools): LoopState {
  return readLoopState(services.store.runs.get(run.runId).loop);
}

/** A request that no question answers stays for the next boundary. */
function recordPlan(tools: BoundaryTools, round: number, plan: RoundPlan, isAnswered: boolean): void {
  const state = readLoop(tools);
  const loop = { ...withPlan(state, round + 1, plan), isRequested: state.isRequested && !isAnswered };
  tools.services.store.runs.update(tools.run.runId, { loop });
}

async function tryOut(tools: BoundaryTools, context: RoundContext, askedRound: number): Promise<number> {
  const { coach } = tools.services;
  return (await coach.tryOut(context, askedRound, tools.runTrial, tools.signal)).chargedSteps;
}

/** The round whose proposals are due now, or null. */
async function takeAnswer(
  tools: BoundaryTools,
  context: RoundContext,
  plan: RoundPlan,
): Promise<number | null> {
  const { coach } = tools.services;
  const { lag } = tools.run.arm.coach;
  if (lag === 0) {
    const reason = coach.shouldAsk(context);
    if (reason === null) return null;
    await coach.ask(context, reason, tools.signal);
    return context.round;
  }
  if (plan.question === null || plan.question.askedRound + lag > context.round) return null;
  await tools.awaitAnswer(plan.question);
  return plan.question.askedRound;
}

function nextQuestion(tools: BoundaryTools, boundary: BoundaryState): RoundPlan['question'] {
  const { services, run } = tools;
  const { lag } = run.arm.coach;
  if (lag === 0 || !canTakeEffect(lag, boundary.round, run.experiment.budget.rounds)) return null;
  const context = readRoundContext(services, run, boundary);
  if (services.coach.shouldAsk(context) === null) return null;
  return { askedRound: boundary.round, isRequested: boundary.isRequested };
}

function judgeRound(
  tools: BoundaryTools,
  plan: RoundPlan,
  round: number,
): { incumbent: Incumbent; textHash: string; rolledBackRound: number | null } {
  const { services, run } = tools;
  const report = readReport(services.store, run.runId, round);
  const measured = {
    textHash: plan.textHash,
    round,
    objective: report.objective,
    error: report.objectiveError,
  };
  const { better } = run.experiment.objective;
  const incumbent = nextIncumbent(measured, plan.incumbent, better);
  if (plan.incumbent === null || !hasDropped(measured, plan.incumbent, better)) {
    return { incumbent, textHash: plan.textHash, rolledBackRound: null };
  }
  rollBack(tools, measured, incumbent);
  return { incumbent, textHash: incumbent.textHash, rolledBackRound: round };
}

/**
 * Puts the decision to go back to the incumbent on record, with the proposals that it undoes, before the coach is asked: it
 * is told of it. Measuring the incumbent again on the fixed episodes would give the figure that is on record, bit for bit.
 */
function rollBack({ services, run, log }: BoundaryTools, measured: Measured, incumbent: Incumbent): void {
  const { store, now, emit } = services;
  const { runId } = run;
  const margin = dropMargin(measured, incumbent);
  const note =
    `round ${measured.round + 1} fell to ${measured.objective.toPrecision(5)}, by more than ${margin.toPrecision(3)} below the ` +
    `${incumbent.objective.toPrecision(5)} of round ${incumbent.round + 1}`;
  const undone = new Set(
    store.rollbacks
      .listByRun(runId)
      .filter(({ round }) => round < measured.round)
      .flatMap(({ proposalIds }) => proposalIds),
  );
  const proposalIds = store.decisions
    .listByRun(runId)
    .filter(({ proposalId }) => !undone.has(proposalId))
    .filter(({ appliedRound }) => appliedRound !== null && appliedRound >= incumbent.round)
    .filter(({ appliedRound }) => appliedRound !== null && appliedRound < measured.round)
    .map(({ proposalId }) => proposalId);
  store.rollbacks.record({
    runId,
    round: measured.round,
    fromHash: measured.textHash,
    toHash: incumbent.textHash,
    measured: measured.objective,
    incumbent: incumbent.objective,
    margin,
    proposalIds,
    note,
    decidedAt: now(),
  });
  log(`${note}: back to the environment of round ${incumbent.round + 1} and to the policy of before`);
  for (const proposalId of proposalIds) emit('proposal.changed', readProposalView(store, proposalId));
}

/** The plan of a round that has begun. */
export function planOf(state: LoopState, round: number): RoundPlan {
  const plan = state.plans[round];
  if (plan === undefined) throw new RangeError(`round ${round} has no plan`);
  return plan;
}
