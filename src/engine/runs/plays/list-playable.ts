import { z } from 'zod';
import type { PlayableView } from '../../../shared/contract/policies.ts';
import type { StoreReader } from '../../store/index.ts';
import { type LoopState, readLoopState } from '../loop-state.ts';

const judged = z.object({ objective: z.object({ environment: z.string() }) });

/** What of a run can be watched, from the record. Throws: store.notFound. */
export function listPlayable(store: StoreReader, runId: string): PlayableView {
  const { configuration, loop } = store.runs.get(runId);
  const rounds = store.rounds.listByRun(runId);
  const exported = store.policies.list(runId);
  const policies = [...new Set(exported.map(({ round }) => round))].map((round) => {
    const outcome = rounds.find((each) => each.round === round)?.outcome ?? null;
    const own = exported.filter((policy) => policy.round === round);
    return {
      round,
      groups: own.map(({ group }) => group).sort(),
      chargedSteps: outcome?.chargedSteps ?? null,
      objective: outcome === null || Number.isNaN(outcome.objective) ? null : outcome.objective,
    };
  });
  return {
    runId,
    policies: policies.toSorted((a, b) => b.round - a.round),
    training: segmentsOf(rounds, readLoopState(loop)),
    objective: judged.safeParse(configuration).data?.objective.environment ?? null,
  };
}

/** Rounds one after the other that trained in the same environment, what was fading out in it included. */
function segmentsOf(
  rounds: readonly { readonly round: number; readonly environmentIdentity: string }[],
  { plans }: LoopState,
): PlayableView['training'] {
  const segments: { from: number; to: number; identity: string }[] = [];
  for (const { round, environmentIdentity } of rounds) {
    const identity = plans[round]?.shaping?.identity ?? environmentIdentity;
    const last = segments.at(-1);
    if (last?.identity === identity) last.to = round;
    else segments.push({ from: round, to: round, identity });
  }
  return segments.map(({ from, to }) => ({ from, to }));
}
