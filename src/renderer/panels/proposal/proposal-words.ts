import type { ProposalState, ProposalView } from '../../../shared/contract/coach.ts';
import { couldNotBeApplied, hasNothingToPropose } from '../../../shared/contract/proposal-outcome.ts';
import type { RunView } from '../../../shared/contract/runs.ts';
import { assertNever } from '../../../shared/std/assert-never.ts';
import type { Tone } from '../../components/feedback.tsx';
import { isAwaiting, whyTooLate } from '../../state/proposals-model.ts';

/** Who made the proposal, in words that never pass a rule, chance or memory off as a language model. */
export function providerName(proposal: Pick<ProposalView, 'provider' | 'model' | 'isComposed'>): string {
  switch (proposal.provider) {
    case 'rules':
      return 'Rule coach (written rules, no language model)';
    case 'random':
      return 'Random coach (control arm, no language model)';
    case 'learned':
      return 'Learned ranker (taught by trials of the workspace, no language model)';
    case 'memory':
      return 'Memory of the workspace (a change that helped before, no language model)';
    case 'replay':
      return `Replay of recorded answers${proposal.model ? ` of ${proposal.model}` : ''}`;
    default: {
      const place = proposal.provider === 'http' ? ' behind an endpoint' : '';
      const model = `Language model ${proposal.model ?? 'of unknown name'}${place}`;
      return proposal.isComposed
        ? `${model}, ranked among enumerated edits; the prose is composed from the edit`
        : model;
    }
  }
}

/** The short form for lists. */
export function providerShortName(proposal: Pick<ProposalView, 'provider' | 'model'>): string {
  if (proposal.provider === 'rules') return 'rule coach';
  if (proposal.provider === 'random') return 'random coach';
  if (proposal.provider === 'learned') return 'learned ranker';
  if (proposal.provider === 'memory') return 'memory';
  return proposal.model ?? proposal.provider;
}

/** One line that says what would change. */
export function proposalTitle(proposal: ProposalView): string {
  const changes = proposal.body?.changes ?? [];
  if (hasNothingToPropose(proposal)) return 'No proposal';
  if (changes.length === 0)
    return proposal.failure?.message ?? (proposal.state === 'asked' ? 'Being written' : 'No usable answer');
  const verbs = { add: 'Add', modify: 'Change', remove: 'Remove' } as const;
  return changes.map((change) => `${verbs[change.op]} ${change.target}`).join('; ');
}

/** Its trial did not beat the unchanged environment: whoever accepts it does so against what was measured. */
export function hasLost({ trial }: Pick<ProposalView, 'trial'>): boolean {
  return trial?.state === 'concluded' && trial.verdict === 'notBetter';
}

export interface StateWords {
  readonly label: string;
  readonly tone: Tone;
}

/** State of a proposal in words; `run` is the one it was made for. */
export function stateWords(proposal: ProposalView, run: RunView | undefined): StateWords {
  if (hasNothingToPropose(proposal)) return { label: 'no proposal', tone: 'neutral' };
  if (couldNotBeApplied(proposal)) return { label: 'could not be applied', tone: 'bad' };
  if (isAwaiting(proposal.state) && whyTooLate(run) !== null) return { label: 'too late', tone: 'neutral' };
  return wordsOf(proposal.state);
}

function wordsOf(state: ProposalState): StateWords {
  switch (state) {
    case 'asked':
      return { label: 'being written', tone: 'neutral' };
    case 'unparsed':
      return { label: 'not readable', tone: 'bad' };
    case 'invalid':
      return { label: 'not valid', tone: 'bad' };
    case 'validated':
      return { label: 'valid', tone: 'neutral' };
    case 'trying':
      return { label: 'being tried', tone: 'accent' };
    case 'awaiting':
      return { label: 'waits for you', tone: 'warning' };
    case 'accepted':
      return { label: 'accepted', tone: 'good' };
    case 'edited':
      return { label: 'accepted, edited', tone: 'good' };
    case 'rejected':
      return { label: 'rejected', tone: 'neutral' };
    case 'failed':
      return { label: 'failed', tone: 'bad' };
    default:
      return assertNever(state);
  }
}
