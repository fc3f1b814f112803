import { AppError } from '../../../shared/std/app-error.ts';
import { assertNever } from '../../../shared/std/assert-never.ts';
import type { DecisionRecord } from '../../store/decisions.ts';
import type { ProposalRecord } from '../../store/proposals.ts';
import type { CoachDependencies } from '../types.ts';
import { type RunExperience, refusedEdit, validateEdited } from '../validate/validate-edited.ts';

type Deps = Pick<CoachDependencies, 'store' | 'edl' | 'createVecEnv' | 'now' | 'onChange'> & {
  /** What the proposal's run has on record by now. */
  readonly experience: () => RunExperience;
  /** Whether its run has a boundary before it. */
  readonly hasBoundary: () => boolean;
};

export interface PersonalDecision {
  readonly proposalId: string;
  readonly verdict: 'accepted' | 'edited' | 'rejected';
  /** The whole EDL text, for `edited`. */
  readonly text?: string | undefined;
  readonly note: string;
  /** Takes an edited text although what was recorded speaks against it. Default false. */
  readonly overrule?: boolean | undefined;
}

/**
 * Records what a person decided about a proposal that waits for it. It takes effect at the run's next boundary. An edited
 * text is held against what was recorded, as a coach's is; what was found stands on record with the decision.
 *
 * Throws: store.notFound; store.constraint where nothing waits (decided already, still tried, refused by the
 * validator) or nothing is left to train; edl.invalid for an edited text that does not compile or belongs to another
 * scenario; coach.refused for one that recorded experience speaks against, unless it is overruled; input.notFound,
 * input.invalid where that experience cannot be read any more.
 */
export function decideByPerson(deps: Deps, decision: PersonalDecision): void {
  const { store, now, onChange } = deps;
  const { proposalId, verdict, note } = decision;
  const proposal = store.proposals.get(proposalId);
  requireWaiting(deps, proposal);
  requireBoundary(deps, proposal);
  const decided = takeText(deps, proposal, decision);
  store.transaction(() => {
    store.decisions.record({ proposalId, verdict, author: 'person', note, decidedAt: now(), ...decided });
    store.proposals.setState(proposalId, verdict);
  });
  onChange?.(proposalId);
}

function requireWaiting({ store }: Pick<Deps, 'store'>, { proposalId, state }: ProposalRecord): void {
  if (state === 'awaiting') return;
  const message = `proposal "${proposalId}" ${whyNotWaiting(state, store.decisions.find(proposalId))}`;
  throw new AppError('store.constraint', message, { data: { proposalId, state } });
}

function whyNotWaiting(state: ProposalRecord['state'], decision: DecisionRecord | null): string {
  if (decision !== null) {
    const { verdict, author, decidedAt, note } = decision;
    const who = author === 'person' ? 'by a person' : 'automatically';
    const why = note === '' ? '' : ` (${note})`;
    const then = state === 'failed' ? ', and could not be applied since' : '';
    return `is decided already: it was ${verdict} ${who} at ${new Date(decidedAt).toISOString()}${why}${then}`;
  }
  switch (state) {
    case 'asked':
      return 'is not answered yet: there is nothing to decide on';
    case 'unparsed':
    case 'invalid':
      return 'was refused by the validator: there is nothing to decide on';
    case 'validated':
    case 'trying':
      return "is not tried out yet: it is decided on behind that, by a person where the coach's mode is manual or semi-automatic";
    default:
      return `is ${state}, and waits for nobody`;
  }
}

/** A stopped or failed run has its boundaries still before it; a finished one, or one in its last round, has none. */
function requireBoundary({ store, hasBoundary }: Deps, { proposalId, runId }: ProposalRecord): void {
  if (hasBoundary()) return;
  const { state } = store.runs.get(runId);
  const where = state === 'finished' ? 'has finished' : 'is in its last round';
  const message = `proposal "${proposalId}" can no longer take effect: its run ${where}, and a decision holds from the next round on`;
  throw new AppError('store.constraint', message, { data: { proposalId, runId, state } });
}

type DecidedText = Pick<DecisionRecord, 'textHash' | 'validation'>;

function takeText(
  deps: Deps,
  proposal: ProposalRecord,
  { verdict, text, overrule = false }: PersonalDecision,
): DecidedText {
  switch (verdict) {
    case 'rejected':
      return { textHash: null };
    case 'accepted':
      return { textHash: proposal.afterHash };
    case 'edited':
      return takeEdited(deps, proposal, text, overrule);
    default:
      return assertNever(verdict);
  }
}

function takeEdited(
  deps: Deps,
  { beforeHash }: ProposalRecord,
  text: string | undefined,
  isOverruled: boolean,
): DecidedText {
  if (text === undefined)
    throw new AppError('edl.invalid', 'an edited decision needs the whole EDL text in "text"');
  const { texts } = deps.store;
  const experience = deps.experience();
  const validation = validateEdited(deps, { before: texts.get(beforeHash), text, experience });
  if (!validation.isValid && !isOverruled) throw refusedEdit(validation, experience.recording.round);
  return { textHash: texts.put(text), validation };
}
