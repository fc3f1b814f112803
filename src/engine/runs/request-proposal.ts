import { z } from 'zod';
import { AppError } from '../../shared/std/app-error.ts';
import type { RunRecord, Store } from '../store/index.ts';
import { nextBoundary, readLoopState } from './loop-state.ts';

/** What a run's configuration says about its coach. */
const coached = z.object({ coach: z.object({ provider: z.string(), lag: z.int() }) });

/** Whether a question that is put at the boundary after `askedRound` is answered at one that comes before the end. */
export function canTakeEffect(lag: number, askedRound: number, numRounds: number): boolean {
  return askedRound + lag < numRounds - 1;
}

/**
 * Puts on record that a person wants the coach to be asked at the run's next boundary; it stays there until a question
 * is put.
 *
 * Throws: store.notFound; input.invalid where nothing can come of it: no coach, or no boundary left from which an
 * answer could still take effect.
 */
export function requestProposal(store: Store, runId: string): void {
  const run = store.runs.get(runId);
  const { provider, lag } = coached.parse(run.configuration).coach;
  if (provider === 'none') {
    throw refused(runId, `arm "${run.arm}" has no coach. Give it one in the experiment file`, 'noCoach');
  }
  const asked = nextQuestionRound(store, run, lag);
  if (asked === null || !canTakeEffect(lag, asked, run.numRounds)) {
    const why = lag === 0 ? '' : `, with answers due ${lag} round${lag === 1 ? '' : 's'} later`;
    throw refused(
      runId,
      `there is no round boundary left at which the coach could be asked${why}`,
      'tooLate',
    );
  }
  const loop = { ...readLoopState(run.loop), isRequested: true };
  store.runs.update(runId, { loop });
}

/** The first round after which a question can be put; null: none. */
function nextQuestionRound(store: Store, run: RunRecord, lag: number): number | null {
  const boundary = nextBoundary(run);
  if (boundary === null) return null;
  const isOver = store.rounds.find(run.runId, boundary)?.outcome != null;
  // The coach is at work at this boundary, or held there, and has read its requests; a run at rest reads them when it is taken up.
  const isAtWork = run.state === 'running' || run.state === 'paused';
  const next = isAtWork && isOver ? boundary + 1 : boundary;
  const open = readLoopState(run.loop).plans[boundary]?.question ?? null;
  return open === null ? next : Math.max(next, open.askedRound + lag);
}

function refused(runId: string, why: string, reason: 'noCoach' | 'tooLate'): AppError {
  return new AppError('input.invalid', `run ${runId} cannot be asked for a proposal: ${why}.`, {
    data: { runId, reason },
  });
}
