import type { FunnelRow, ReportView } from '../../../shared/contract/report.ts';
import { type AnswerOutcome, findUnusable } from '../../../shared/contract/unusable-answers.ts';
import { wasRolledBack } from '../../coach/export/rolled-back.ts';
import type { ProposalDetails } from '../../coach/types.ts';
import {
  type DecisionRecord,
  type ProposalRecord,
  readFailure,
  type StoreReader,
} from '../../store/index.ts';
import { roundStoodAt } from '../standing.ts';
import type { ReportedArm, ReportedStudy } from './study-record.ts';

/** A proposal with the arm it was made in. */
export interface ArmProposal {
  readonly arm: ReportedArm;
  readonly proposal: ProposalRecord;
  readonly decision: DecisionRecord | null;
}

/** All proposals of a study, by arm, run, round and candidate. */
export function listProposals(store: StoreReader, { arms }: ReportedStudy): ArmProposal[] {
  return arms.flatMap((arm) =>
    arm.runs.flatMap(({ runId }) =>
      store.proposals
        .list({ runId })
        .sort((a, b) => a.round - b.round || a.candidate - b.candidate)
        .map((proposal) => ({ arm, proposal, decision: store.decisions.find(proposal.proposalId) })),
    ),
  );
}

/**
 * How far questions came, by arm, provider, model and prompt. A refused answer and the second attempt at it are one
 * question, which came as far as the better of the two.
 */
export function reportFunnel(
  store: StoreReader,
  { better }: ReportedStudy,
  proposals: readonly ArmProposal[],
): FunnelRow[] {
  const questions = new Map<string, ArmProposal[]>();
  for (const each of proposals) {
    const question = detailsOf(each)?.repairs ?? each.proposal.proposalId;
    questions.set(question, [...(questions.get(question) ?? []), each]);
  }
  const rows = new Map<string, FunnelRow>();
  const answers = new Map<string, AnswerOutcome[]>();
  for (const attempts of questions.values()) {
    const [first] = attempts;
    if (first === undefined) continue;
    const { provider, model } = first.proposal;
    const prompt = detailsOf(first)?.promptFile ?? null;
    const key = JSON.stringify([first.arm.name, provider, model, prompt]);
    const before = rows.get(key) ?? { ...none, arm: first.arm.name, provider, model, prompt };
    const passed = attempts.map((each) => stagesOf(store, each, better));
    rows.set(
      key,
      addTo(before, (stage) => passed.some((each) => each[stage])),
    );
    answers.set(key, [...(answers.get(key) ?? []), ...attempts.map((each) => outcomeOf(store, each))]);
  }
  return [...rows].map(([key, row]) => {
    const unusable = findUnusable(answers.get(key) ?? []);
    return { ...row, ...(unusable !== null && { unusable }) };
  });
}

const detailsOf = ({ proposal }: ArmProposal) => proposal.details as Partial<ProposalDetails> | null;

function outcomeOf(store: StoreReader, { proposal }: ArmProposal): AnswerOutcome {
  const { proposalId, state, details } = proposal;
  return {
    state,
    failure: readFailure(details),
    validation: store.validations.find(proposalId),
  };
}

type Stages = Pick<FunnelRow, 'parsed' | 'valid' | 'tried' | 'accepted' | 'improved'>;

const none = { asked: 0, parsed: 0, valid: 0, tried: 0, accepted: 0, improved: 0 };

function addTo(row: FunnelRow, hasPassed: (stage: keyof Stages) => boolean): FunnelRow {
  const add = (stage: keyof Stages): number => row[stage] + (hasPassed(stage) ? 1 : 0);
  return {
    ...row,
    asked: row.asked + 1,
    parsed: add('parsed'),
    valid: add('valid'),
    tried: add('tried'),
    accepted: add('accepted'),
    improved: add('improved'),
  };
}

function stagesOf(
  store: StoreReader,
  { proposal, decision }: ArmProposal,
  better: 'higher' | 'lower',
): Record<keyof Stages, boolean> {
  const trial = store.trials.find(proposal.proposalId);
  return {
    parsed: proposal.body !== null,
    valid: store.validations.find(proposal.proposalId)?.isValid === true,
    tried: trial !== null && (trial.pairs.length > 0 || trial.failure !== null),
    accepted: decision !== null && decision.verdict !== 'rejected',
    improved: hasImproved(store, proposal.runId, decision, better),
  };
}

/** Whether the first round with the change ended better than the one that it went on from, and the change was not undone later. */
function hasImproved(
  store: StoreReader,
  runId: string,
  decision: DecisionRecord | null,
  better: 'higher' | 'lower',
): boolean {
  const applied = decision?.appliedRound ?? null;
  if (applied === null) return false;
  const before = store.rounds.find(runId, roundStoodAt(store, runId, applied))?.outcome?.objective;
  const after = store.rounds.find(runId, applied + 1)?.outcome?.objective;
  if (before === undefined || after === undefined || wasRolledBack(store, runId, decision)) return false;
  return better === 'higher' ? after > before : after < before;
}

/** What coaches missed in the language, the most wanted first. */
export function reportWishes(proposals: readonly ArmProposal[]): ReportView['wishes'] {
  const wishes = new Map<string, ReportView['wishes'][0]>();
  for (const { proposal } of proposals) {
    const { provider, model } = proposal;
    for (const wish of proposal.body?.wishes ?? []) {
      const text = wish.trim();
      const key = JSON.stringify([text.toLowerCase(), provider, model]);
      if (text !== '') wishes.set(key, { text, provider, model, count: (wishes.get(key)?.count ?? 0) + 1 });
    }
  }
  return [...wishes.values()].sort((a, b) => b.count - a.count);
}
