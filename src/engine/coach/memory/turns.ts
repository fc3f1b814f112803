import type { CoachStore, RoundContext } from '../types.ts';

type Question = Pick<RoundContext, 'runId' | 'round'> & {
  readonly config: Pick<RoundContext['config'], 'candidates'>;
};

/**
 * Candidates of a question that may be answered from memory: half of them. Memory and coach take turns at the odd one, memory first,
 * so that a coach that is asked for one candidate answers every other question at least. From the questions before alone.
 */
export function memoryTurns(
  { proposals }: Pick<CoachStore, 'proposals'>,
  { runId, round, config: { candidates } }: Question,
): number {
  const half = Math.floor(candidates / 2);
  if (candidates % 2 === 0) return half;
  const earlier = proposals.list({ runId }).filter((proposal) => proposal.round < round);
  const last = Math.max(...earlier.map((proposal) => proposal.round));
  const remembered = earlier.filter(
    (proposal) => proposal.round === last && proposal.provider === 'memory',
  ).length;
  return remembered > half ? half : half + 1;
}
