import { Asking } from './stages/ask.ts';
import { decideProposals } from './stages/decide.ts';
import { proposalsOf } from './stages/excluded.ts';
import { tryOutProposals } from './stages/try-out.ts';
import { findReason } from './triggers.ts';
import type { CoachDependencies, CoachFace } from './types.ts';

/** The coach as the round loop calls it. One serves all runs: what it knows of a run is in the store. */
export function createCoachPipeline(deps: CoachDependencies): CoachFace {
  return {
    shouldAsk: findReason,
    async ask(context, reason, signal) {
      await new Asking(deps, context, reason, signal).run();
      return proposalsOf(deps.store, context.runId, context.round);
    },
    tryOut: (context, askedRound, runTrial, signal) =>
      tryOutProposals(deps, context, askedRound, runTrial, signal),
    decide: (context) => decideProposals(deps, context),
  };
}
