import { AppError } from '../../../shared/std/app-error.ts';
import { assertNever } from '../../../shared/std/assert-never.ts';
import type { ProposalRecord } from '../../store/proposals.ts';
import { shapesOf } from '../shapes.ts';
import type { CoachDependencies } from '../types.ts';

type Deps = Pick<CoachDependencies, 'store' | 'edl' | 'now' | 'onChange'>;

export interface PersonalDecision {
  readonly proposalId: string;
  readonly verdict: 'accepted' | 'edited' | 'rejected';
  /** The whole EDL text, for `edited`. */
  readonly text?: string | undefined;
  readonly note: string;
}

/**
 * Records what a person decided about a proposal that waits for it. It takes effect at the run's next boundary.
 *
 * Throws: store.notFound; store.constraint where nothing waits (decided already, still tried, refused by the
 * validator) or nothing is left to train; edl.invalid for an edited text that does not compile or belongs to another scenario.
 */
export function decideByPerson(deps: Deps, { proposalId, verdict, text, note }: PersonalDecision): void {
  const { store, now, onChange } = deps;
  const proposal = store.proposals.get(proposalId);
  requireWaiting(proposal);
  requireBoundary(deps, proposal);
  const textHash = textOf(deps, proposal, verdict, text);
  store.decisions.record({ proposalId, verdict, author: 'person', note, textHash, decidedAt: now() });
  store.proposals.setState(proposalId, verdict);
  onChange?.(proposalId);
}

function requireWaiting({ proposalId, state }: ProposalRecord): void {
  if (state === 'awaiting') return;
  const message = `proposal "${proposalId}" is ${state}: a person decides about proposals that are awaiting (review mode "manual")`;
  throw new AppError('store.constraint', message, { data: { proposalId, state } });
}

/** A stopped or failed run has its boundaries still before it; a finished one, or one in its last round, has none. */
function requireBoundary({ store }: Deps, { proposalId, runId }: ProposalRecord): void {
  const { state, numRounds } = store.runs.get(runId);
  if (state !== 'finished' && store.rounds.find(runId, numRounds - 1) === null) return;
  const where = state === 'finished' ? 'has finished' : 'is in its last round';
  const message = `proposal "${proposalId}" can no longer take effect: its run ${where}, and a decision holds from the next round on`;
  throw new AppError('store.constraint', message, { data: { proposalId, runId, state } });
}

function textOf(
  deps: Deps,
  proposal: ProposalRecord,
  verdict: PersonalDecision['verdict'],
  text: string | undefined,
): string | null {
  switch (verdict) {
    case 'rejected':
      return null;
    case 'accepted':
      return proposal.afterHash;
    case 'edited':
      return deps.store.texts.put(checkEdited(deps, proposal, text));
    default:
      return assertNever(verdict);
  }
}

function checkEdited({ edl, store }: Deps, proposal: ProposalRecord, text: string | undefined): string {
  if (text === undefined)
    throw new AppError('edl.invalid', 'an edited decision needs the whole EDL text in "text"');
  const { environment, diagnostics } = edl.compile(text);
  if (environment === null) {
    const errors = diagnostics.filter(({ severity }) => severity === 'error');
    const first = errors[0];
    const where =
      first === undefined ? '' : ` line ${first.range.start.line + 1}: ${first.message} (${first.code})`;
    throw new AppError('edl.invalid', `the edited text has ${errors.length} error(s);${where}`, {
      data: { diagnostics: errors },
    });
  }
  const before = edl.compile(store.texts.get(proposal.beforeHash)).environment;
  if (before !== null && shapesOf(before) !== shapesOf(environment)) {
    throw new AppError(
      'edl.invalid',
      'the edited text has another scenario, other numbers of agents or other players of a group (npc declarations): they are fixed for a study',
    );
  }
  return text;
}
