import { bindToLearner, bindToRun } from './in-force.ts';
import { Asking } from './stages/ask.ts';
import { decideProposals } from './stages/decide.ts';
import { proposalsOf } from './stages/excluded.ts';
import { tryOutProposals } from './stages/try-out.ts';
import { findReason } from './triggers.ts';
import type { CoachDependencies, CoachFace, RoundContext } from './types.ts';

/** The coach as the round loop calls it. One serves all runs: what it knows of a run is in the store. */
export function createCoachPipeline(deps: CoachDependencies): CoachFace {
  return {
    shouldAsk: findReason,
    async ask(context, reason, signal) {
      await new Asking(depsOf(deps, context), context, reason, signal).run();
      return proposalsOf(deps.store, context.runId, context.round);
    },
    tryOut: (context, askedRound, runTrial, signal) =>
      tryOutProposals(depsOf(deps, context), context, { askedRound, runTrial, signal }),
    decide: (context) =>
      decideProposals({ ...depsOf(deps, context), onChange: later(deps.onChange) }, context),
  };
}

/** The caller decides within a transaction: what changed is told once that is over, as it came out. */
function later(onChange: CoachDependencies['onChange']): (proposalId: string) => void {
  return (proposalId) => queueMicrotask(() => onChange?.(proposalId));
}

/** Candidates are compiled, played and valued as the environment in force is, in validation and trials alike. */
function depsOf(deps: CoachDependencies, { setting, discounting }: RoundContext): CoachDependencies {
  return {
    ...deps,
    edl: bindToRun(deps.edl, setting),
    createVecEnv: bindToLearner(deps.createVecEnv, discounting),
  };
}
