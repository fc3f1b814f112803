import { AppError } from '../../../shared/std/app-error.ts';
import { sha256 } from '../../files/index.ts';
import type { ProposalRecord } from '../../store/proposals.ts';
import { detailsOf } from '../stages/excluded.ts';
import type { Provider, ProviderRequest } from './provider.ts';

/** Which answer of a boundary a proposal is. */
interface Attempt {
  readonly candidate: number;
  readonly isSecond: boolean;
}

/**
 * Answers what was answered before: the newest proposal on record in another study for the same environment text,
 * seed, round and candidate; second attempts where there were any. It passes validator and what-if again.
 */
export function createReplayProvider({ context, deps }: ProviderRequest): Provider {
  const { store } = deps;
  const beforeHash = sha256(context.text);
  const { candidates } = context.config;
  const isSame = (proposal: ProposalRecord): boolean => {
    if (proposal.round !== context.round || proposal.answerHash === null) return false;
    if (proposal.beforeHash !== beforeHash) return false;
    const run = store.runs.get(proposal.runId);
    return run.studyId !== context.studyId && run.seed === context.seed;
  };
  const attemptOf = (proposal: ProposalRecord): Attempt => {
    const { repairs } = detailsOf(proposal);
    const { candidate } = proposal;
    if (typeof repairs === 'string') {
      return { candidate: store.proposals.get(repairs).candidate, isSecond: true };
    }
    // Before it was kept what a second attempt repairs, it came as many candidates later.
    const isSecond = repairs === undefined && candidate >= candidates;
    return { candidate: isSecond ? candidate - candidates : candidate, isSecond };
  };
  const earlier = store.proposals
    .list({})
    .filter(isSame)
    .map((proposal) => ({ proposal, attempt: attemptOf(proposal) }));
  return {
    name: 'replay',
    model: null,
    prompt: null,
    maxAnswers: candidates,
    canRepair: earlier.some(({ attempt }) => attempt.isSecond),
    async propose({ candidate, rejections }) {
      const isSecond = rejections.length > 0;
      const found = earlier.find(
        ({ attempt }) => attempt.candidate === candidate && attempt.isSecond === isSecond,
      )?.proposal;
      if (found?.answerHash == null) {
        const message = `no earlier study has an answer for seed ${context.seed}, round ${context.round + 1}, candidate ${candidate + 1} in this environment: run the study once with the coach to be replayed`;
        throw new AppError('input.notFound', message);
      }
      return { raw: store.texts.get(found.answerHash), isComposed: found.isComposed, enumerated: null };
    },
  };
}
