import { hasNothingToPropose } from '../../../shared/contract/proposal-outcome.ts';
import { AppError } from '../../../shared/std/app-error.ts';
import { sha256 } from '../../files/index.ts';
import { readFailure } from '../../store/proposal-failure.ts';
import type { ProposalRecord } from '../../store/proposals.ts';
import { detailsOf } from '../stages/excluded.ts';
import type { Provider, ProviderRequest } from './provider.ts';

/** What a coach said that had nothing to propose; null where it answered, and where it failed. */
function saidNothing({ details }: ProposalRecord): string | null {
  const failure = readFailure(details);
  return failure !== null && hasNothingToPropose({ failure }) ? failure.message : null;
}

/** Which answer of a boundary a proposal is. */
interface Attempt {
  readonly candidate: number;
  readonly isSecond: boolean;
}

/**
 * Answers what was answered before: the newest proposal on record of the study and arm to be repeated for the same environment
 * text, seed, round and candidate; second attempts where there were any. It passes validator and what-if again. Who had nothing
 * to propose then has nothing now.
 */
export function createReplayProvider({ context, deps }: ProviderRequest): Provider {
  const { store } = deps;
  const beforeHash = sha256(context.text);
  const { candidates, replay } = context.config;
  const isSame = (proposal: ProposalRecord): boolean => {
    if (proposal.round !== context.round || proposal.beforeHash !== beforeHash) return false;
    if (proposal.answerHash === null && saidNothing(proposal) === null) return false;
    const run = store.runs.get(proposal.runId);
    if (run.studyId === context.studyId || run.seed !== context.seed) return false;
    return replay === undefined || replay.arm === null || run.arm === replay.arm;
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
    .list({ studyId: replay?.study })
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
      const asked = earlier
        .filter(({ attempt }) => attempt.candidate === candidate && attempt.isSecond === isSecond)
        .map(({ proposal }) => proposal);
      const found = asked.find(({ answerHash }) => answerHash !== null);
      if (found?.answerHash == null) {
        const [silent] = asked;
        const said = silent === undefined ? null : saidNothing(silent);
        if (said !== null) throw new AppError('coach.noProposal', said);
        const source =
          replay === undefined
            ? 'no earlier study has an answer'
            : `study ${replay.study}${replay.arm === null ? '' : `, arm ${replay.arm},`} has no answer`;
        const message = `${source} for seed ${context.seed}, round ${context.round + 1}, candidate ${candidate + 1} in this environment: run the study once with the coach to be replayed`;
        throw new AppError('input.notFound', message);
      }
      return { raw: store.texts.get(found.answerHash), isComposed: found.isComposed, enumerated: null };
    },
  };
}
