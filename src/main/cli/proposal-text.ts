import type { CoachAnswer, ConcludedTrial, ProposalView, TrialView } from '../../shared/contract/coach.ts';
import { openStates } from '../../shared/contract/open-states.ts';
import { couldNotBeApplied, hasNothingToPropose } from '../../shared/contract/proposal-outcome.ts';
import type { StudyView } from '../../shared/contract/runs.ts';
import { assertNever } from '../../shared/std/assert-never.ts';
import { intervalLabel } from '../../shared/std/statistics.ts';
import { formatInterval, formatTable } from './text-table.ts';

/** One answer of a coach that was asked outside a run. */
export function formatAnswer({ index, body, validation, failure }: CoachAnswer): string {
  if (failure !== null && hasNothingToPropose({ failure }))
    return `${index + 1}. nothing to propose: ${failure.message}`;
  if (failure !== null) return `${index + 1}. no answer: ${failure.message} (${failure.code})`;
  if (body === null) return `${index + 1}. the answer could not be read`;
  const reasons = validation?.reasons.map(({ message }) => `     ${message}`) ?? [];
  return [
    `${index + 1}. ${validation?.isValid === true ? 'valid' : 'refused'}: ${describeChanges(body.changes)}`,
    ...body.changes.flatMap(({ edl, description }) => [
      `   ${description}`,
      ...(edl === '' ? [] : edl.split('\n').map((line) => `   | ${line}`)),
    ]),
    ...reasons,
  ].join('\n');
}

/** What a proposal changes: "remove reward crowding". */
export function describeChanges(
  changes: readonly { readonly op: string; readonly target: string }[],
): string {
  return changes.length === 0 ? '–' : changes.map(({ op, target }) => `${op} ${target}`).join(', ');
}

const signed = { signed: true };

function describeTrial(trial: ProposalView['trial'], without: string): string {
  if (trial === null) return without;
  switch (trial.state) {
    case 'brokeDown':
      return 'broke down';
    case 'unfinished':
      return 'not finished';
    case 'concluded':
      return formatInterval(trial.meanDifference, trial.low, trial.high, signed);
    default:
      return assertNever(trial);
  }
}

function describeState(proposal: ProposalView): string {
  if (hasNothingToPropose(proposal)) return 'nothing to propose';
  if (couldNotBeApplied(proposal)) return 'could not be applied';
  return proposal.state === 'awaiting' ? 'waits for you' : proposal.state;
}

const trialHeading = 'what-if, against no change [range; 95 % from 6 pairs]';

/** Everything that was proposed in a study, oldest first. */
export function formatProposals(proposals: readonly ProposalView[]): string {
  if (proposals.length === 0) return 'No coach was asked.';
  const rows = [...proposals]
    .sort((a, b) => a.createdAt - b.createdAt)
    .map((proposal) => {
      const { proposalId, arm, seed, round, provider, body, trial, decision, rollback } = proposal;
      return [
        proposalId,
        `${arm} ${seed}`,
        String(round + 1),
        provider,
        describeChanges(body?.changes ?? []),
        describeState(proposal),
        describeTrial(trial, '–'),
        decision === null ? '–' : describeDecision(decision, rollback),
      ];
    });
  return formatTable(
    ['proposal', 'run', 'round', 'coach', 'change', 'state', trialHeading, 'decision'],
    rows,
  );
}

/** Proposals that wait for a person. */
export function formatInbox(proposals: readonly ProposalView[]): string {
  if (proposals.length === 0) return 'Nothing waits for a decision.';
  const rows = proposals.map(({ proposalId, arm, seed, round, provider, body, trial }) => [
    proposalId,
    `${arm} ${seed}`,
    String(round + 1),
    provider,
    describeChanges(body?.changes ?? []),
    describeTrial(trial, 'not tried'),
  ]);
  return formatTable(['proposal', 'run', 'round', 'coach', 'change', trialHeading], rows);
}

function describeDecision(
  { verdict, author, note }: NonNullable<ProposalView['decision']>,
  rollback: ProposalView['rollback'],
): string {
  const undone = rollback === undefined ? '' : `; rolled back: ${rollback.note}`;
  return `${verdict} by ${author}${note === '' ? '' : `, "${note}"`}${undone}`;
}

function describeFailure(proposal: ProposalView): string {
  const { failure } = proposal;
  if (failure === null) return '';
  if (hasNothingToPropose(proposal)) return `nothing to propose: ${failure.message}`;
  const what = couldNotBeApplied(proposal) ? 'could not be applied' : 'no proposal';
  return `${what}: ${failure.message} (${failure.code})`;
}

function describeEvidence(proposal: ProposalView): string[] {
  const { validation, trial } = proposal;
  const reasons = validation?.reasons.map(({ message }) => message).join('; ') ?? '';
  return [
    describeFailure(proposal),
    validation === null ? '' : `validation: ${describeVerdict(validation.isValid, reasons)}`,
    proposal.untried === undefined ? '' : `not tried: ${proposal.untried}`,
    trial === null ? '' : `what-if: ${describeOutcome(trial)}`,
  ];
}

/** What came of a trial; of one without a conclusion, what was tried and charged. */
function describeOutcome(trial: TrialView): string {
  if (trial.state === 'concluded') {
    const { meanDifference, low, high, numPairs } = trial;
    return `${formatInterval(meanDifference, low, high, signed)} (${intervalLabel(numPairs)} of ${numPairs} pairs${trial.wasDecided ? '' : ' that screened it out'}${describeLeast(trial)})`;
  }
  const { pairs, chargedSteps } = trial;
  const cost = `${pairs.length} pair${pairs.length === 1 ? '' : 's'} scored, ${chargedSteps} steps charged`;
  return trial.state === 'brokeDown' ? `${trial.failure} (${cost})` : `not finished (${cost})`;
}

/** Below which a difference counts as none. */
function describeLeast({ leastGain }: ConcludedTrial): string {
  return leastGain === undefined
    ? ''
    : `; up to ±${leastGain.toPrecision(2)} may be the episodes it was scored on`;
}

/** Of a valid proposal, reasons are doubts. */
function describeVerdict(isValid: boolean, reasons: string): string {
  if (!isValid) return reasons;
  return reasons === '' ? 'valid' : `valid, in doubt: ${reasons}`;
}

/** Everything on record about one proposal, for a person to decide on. */
export function formatProposal(proposal: ProposalView): string {
  const { proposalId, reason, body, before, after, decision, rollback } = proposal;
  const changes = (body?.changes ?? []).flatMap(({ op, target, description, edl }) => [
    `\n${op} ${target}: ${description}`,
    edl,
  ]);
  const lines = [
    `${proposalId}: ${describeState(proposal)}`,
    reason === '' ? '' : `asked because: ${reason}`,
    proposal.repairs === undefined ? '' : `second attempt for: ${proposal.repairs}`,
    body?.analysis ?? '',
    ...changes,
    ...describeEvidence(proposal),
    decision === null ? '' : `decision: ${describeDecision(decision, rollback)}`,
    after === null || after === before ? '' : `\nthe environment with it:\n${after}`,
  ];
  return lines.filter((line) => line !== '').join('\n');
}

/** A person's decision as it was taken, and when it takes effect in its run; a rejection changes nothing. */
export function describeDecided(
  { proposalId, runId, state }: Pick<ProposalView, 'proposalId' | 'runId' | 'state'>,
  { studyId, state: ofStudy, runs }: Pick<StudyView, 'studyId' | 'state' | 'runs'>,
): string {
  const decided = `${proposalId}: ${state}`;
  if (state === 'rejected') return decided;
  const ofRun = runs.find((run) => run.runId === runId)?.state ?? ofStudy;
  if (openStates.includes(ofRun)) return `${decided}; it takes effect at the next round boundary`;
  const moment = openStates.includes(ofStudy)
    ? 'when the study has ended and is resumed'
    : 'when the study is resumed';
  return `${decided}; its run is ${ofRun}: it takes effect ${moment} (--resume ${studyId})`;
}
