import { AppError } from '../../../shared/std/app-error.ts';
import { sha256 } from '../../files/index.ts';
import type { ProposalRecord } from '../../store/proposals.ts';
import type { Provider, ProviderRequest } from './provider.ts';

/**
 * Answers what was answered before: the newest proposal on record in another study for the same environment text,
 * seed, round and candidate; second attempts where there were any. It passes validator and what-if again.
 */
export function createReplayProvider({ context, deps }: ProviderRequest): Provider {
  const { store } = deps;
  const beforeHash = sha256(context.text);
  const { candidates } = context.config;
  const fits = (proposal: ProposalRecord, candidate: number): boolean => {
    if (proposal.round !== context.round || proposal.candidate !== candidate) return false;
    if (proposal.beforeHash !== beforeHash || proposal.answerHash === null) return false;
    const run = store.runs.get(proposal.runId);
    return run.studyId !== context.studyId && run.seed === context.seed;
  };
  return {
    name: 'replay',
    model: null,
    prompt: null,
    maxAnswers: candidates,
    canRepair: store.proposals
      .list({})
      .some((proposal) => proposal.candidate >= candidates && fits(proposal, proposal.candidate)),
    async propose({ candidate, rejections }) {
      const attempt = rejections.length === 0 ? candidate : candidates + candidate;
      const earlier = store.proposals.list({}).find((proposal) => fits(proposal, attempt));
      if (earlier?.answerHash == null) {
        const message = `no earlier study has an answer for seed ${context.seed}, round ${context.round + 1}, candidate ${candidate + 1} in this environment: run the study once with the coach to be replayed`;
        throw new AppError('input.notFound', message);
      }
      return { raw: store.texts.get(earlier.answerHash), isComposed: earlier.isComposed, enumerated: null };
    },
  };
}
