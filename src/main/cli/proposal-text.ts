import type { CoachAnswer, ProposalView } from '../../shared/contract/coach.ts';
import { intervalLabel } from '../../shared/std/statistics.ts';
import { formatInterval, formatTable } from './text-table.ts';

/** One answer of a coach that was asked outside a run. */
export function formatAnswer({ index, body, validation, failure }: CoachAnswer): string {
  if (failure !== null) return `${index + 1}. no answer: ${failure.message} (${failure.code})`;
  if (body === null) return `${index + 1}. the answer could not be read`;
  const reasons = validation?.reasons.map(({ message }) => `     ${message}`) ?? [];
  return [
    `${index + 1}. ${validation?.isValid === true ? 'valid' : 'refused'}: ${body.changes.map(({ op, target }) => `${op} ${target}`).join(', ')}`,
    ...body.changes.flatMap(({ edl, description }) => [
      `   ${description}`,
      ...(edl === '' ? [] : edl.split('\n').map((line) => `   | ${line}`)),
    ]),
    ...reasons,
  ].join('\n');
}

/** Proposals that wait for a person. */
export function formatInbox(proposals: readonly ProposalView[]): string {
  if (proposals.length === 0) return 'Nothing waits for a decision.';
  const rows = proposals.map(({ proposalId, arm, seed, round, provider, body, trial }) => [
    proposalId,
    `${arm} ${seed}`,
    String(round + 1),
    provider,
    body?.changes.map(({ op, target }) => `${op} ${target}`).join(', ') ?? '–',
    trial === null
      ? 'not tried'
      : formatInterval(trial.meanDifference, trial.low, trial.high, { signed: true }),
  ]);
  return formatTable(
    ['proposal', 'run', 'round', 'coach', 'change', 'what-if, against no change [range; 95 % from 6 pairs]'],
    rows,
  );
}

const signed = { signed: true };

function describeDecision({ decision }: ProposalView): string {
  if (decision === null) return '';
  const note = decision.note === '' ? '' : `, "${decision.note}"`;
  return `decision: ${decision.verdict} by ${decision.author}${note}`;
}

function describeEvidence({ validation, trial, failure }: ProposalView): string[] {
  const reasons = validation?.reasons.map(({ message }) => message).join('; ') ?? '';
  return [
    failure === null ? '' : `no proposal: ${failure.message} (${failure.code})`,
    validation === null ? '' : `validation: ${validation.isValid ? 'valid' : reasons}`,
    trial === null
      ? ''
      : `what-if: ${formatInterval(trial.meanDifference, trial.low, trial.high, signed)} (${intervalLabel(trial.numPairs)} of ${trial.numPairs} pairs)`,
  ];
}

/** Everything on record about one proposal, for a person to decide on. */
export function formatProposal(proposal: ProposalView): string {
  const { proposalId, state, reason, body, before, after } = proposal;
  const changes = (body?.changes ?? []).flatMap(({ op, target, description, edl }) => [
    `\n${op} ${target}: ${description}`,
    edl,
  ]);
  const lines = [
    `${proposalId}: ${state}`,
    reason === '' ? '' : `asked because: ${reason}`,
    body?.analysis ?? '',
    ...changes,
    ...describeEvidence(proposal),
    describeDecision(proposal),
    after === null || after === before ? '' : `\nthe environment with it:\n${after}`,
  ];
  return lines.filter((line) => line !== '').join('\n');
}
