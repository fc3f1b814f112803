import { z } from 'zod';
import type { RunRecord } from '../store/index.ts';

/**
 * The environment to go back to: the text under which the objective was measured best, with that measurement.
 */
const incumbent = z.strictObject({
  textHash: z.string(),
  round: z.int(),
  objective: z.number(),
  /** Standard error of the objective over its fixed episodes. */
  error: z.number(),
});
export type Incumbent = z.infer<typeof incumbent>;

/** Where the curriculum stands. */
const stagePlan = z.strictObject({
  name: z.string(),
  index: z.int(),
  count: z.int(),
  /** Charged step at which it began; later evaluations count for its end. */
  sinceStep: z.number(),
});
export type StagePlan = z.infer<typeof stagePlan>;

/** The end of a stage: after which round, and what was measured. */
const stageMove = z.strictObject({
  from: z.string(),
  to: z.string(),
  /** The round it ended with, from 0. */
  round: z.int(),
  step: z.number(),
  /** As written in the environment. */
  condition: z.string(),
  metrics: z.record(z.string(), z.number()),
});
export type StageMove = z.infer<typeof stageMove>;

/** A shaping component of what trains, and how much of it is in force. */
const componentInForce = z.strictObject({
  name: z.string(),
  weight: z.number(),
  goal: z.number(),
  span: z.number(),
  isCoachMade: z.boolean(),
  fades: z.string().nullable(),
});

/** What trains where changes of rewards are taken up by and by: the text with what fades, and the weights to begin with. */
const shapingPlan = z.strictObject({
  textHash: z.string(),
  identity: z.string(),
  /** In the order of the program. */
  components: z.array(componentInForce),
  /** Training steps at the last change of weights. */
  changedAt: z.number().nullable(),
});
export type ShapingPlan = z.infer<typeof shapingPlan>;

/** What holds while a round trains. Written before the round begins; a round that is taken up again finds it. */
const roundPlan = z.strictObject({
  textHash: z.string(),
  identity: z.string(),
  /** Trial steps charged so far. */
  trialSteps: z.number(),
  /** Null in round 0. */
  incumbent: incumbent.nullable(),
  /** A question that is with the coach while this round trains (lag ≥ 1). */
  question: z.strictObject({ askedRound: z.int(), isRequested: z.boolean() }).nullable(),
  /** The round whose environment was given up for the incumbent's at this round's start. */
  rolledBackRound: z.int().nullable(),
  /** Null where the environment has no stages. */
  stage: stagePlan.nullable().default(null),
  /** The move that led to this stage at this round's start. */
  move: stageMove.nullable().default(null),
  /** Null where changes hold at once. */
  shaping: shapingPlan.nullable().default(null),
});
export type RoundPlan = z.infer<typeof roundPlan>;

const loopState = z.strictObject({
  /** By round; the last one is the round that is, or was last, trained. */
  plans: z.array(roundPlan),
  /** A person asked for a proposal since the last boundary. */
  isRequested: z.boolean(),
  /** Most members that sets may come to have: those of the run's first environment. */
  capacities: z.record(z.string(), z.number()).default({}),
});
/** The round loop's memory of a run, kept in the run's row. */
export type LoopState = z.infer<typeof loopState>;

/** Reads what a run's row holds; a run that never began has an empty memory. */
export function readLoopState(stored: unknown): LoopState {
  if (stored === null || stored === undefined) return { plans: [], isRequested: false, capacities: {} };
  return loopState.parse(stored);
}

/**
 * The round after which a run's next boundary lies: the first whose successor is not planned yet, also while that boundary is crossed. Null
 * where none is left: in the last round, and when the run has finished.
 */
export function nextBoundary({
  loop,
  state,
  numRounds,
}: Pick<RunRecord, 'loop' | 'state' | 'numRounds'>): number | null {
  const round = Math.max(0, readLoopState(loop).plans.length - 1);
  return state === 'finished' || round >= numRounds - 1 ? null : round;
}

/** The memory with the plan of `round` set and later ones forgotten. */
export function withPlan(state: LoopState, round: number, plan: RoundPlan): LoopState {
  return { ...state, plans: [...state.plans.slice(0, round), plan] };
}

/**
 * The round whose end the policy goes back to at the start of `round`: the last one before the change that was rolled back, and
 * before others if that one began by going back, too. Null where it goes on as it is.
 */
export function roundTakenUp({ plans }: Pick<LoopState, 'plans'>, round: number): number | null {
  const dropped = plans[round]?.rolledBackRound ?? null;
  return dropped === null ? null : (roundTakenUp({ plans }, dropped) ?? dropped - 1);
}
