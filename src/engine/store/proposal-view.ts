import { z } from 'zod';
import { type ModelCallView, modelSetup, type ProposalView } from '../../shared/contract/coach.ts';
import { readFailure } from './proposal-failure.ts';
import type { StoreReader } from './store.ts';

/** What is shown of the details that the pipeline keeps with a proposal. */
const shownDetails = z.object({
  reason: z.object({ trigger: z.string(), detail: z.string() }),
  repairs: z.string().nullable().default(null),
  promptFile: z.string().nullable().default(null),
  cuts: z.array(z.string()).default([]),
});

/** A proposal with everything that hangs on it, as the contract shows it. Throws store.notFound. */
export function readProposalView(store: StoreReader, proposalId: string): ProposalView {
  const proposal = store.proposals.get(proposalId);
  const run = store.runs.get(proposal.runId);
  const details = shownDetails.safeParse(proposal.details).data;
  return {
    proposalId,
    studyId: run.studyId,
    runId: run.runId,
    arm: run.arm,
    seed: run.seed,
    round: proposal.round,
    provider: proposal.provider,
    model: proposal.model,
    isComposed: proposal.isComposed,
    state: proposal.state,
    body: proposal.body,
    before: store.texts.get(proposal.beforeHash),
    after: proposal.afterHash === null ? null : store.texts.get(proposal.afterHash),
    ...readEdited(store, proposalId),
    validation: store.validations.find(proposalId),
    trial: readTrialView(
      store,
      proposalId,
      proposal.body?.changes.map((change) => change.target).join(', ') ?? '',
    ),
    ...(proposal.untried !== null && { untried: proposal.untried }),
    decision: readDecisionView(store, proposalId),
    ...readRollback(store, run.runId, proposalId),
    reason: details ? `${details.reason.trigger}: ${details.reason.detail}` : '',
    failure: readFailure(proposal.details),
    ...(details?.repairs != null && { repairs: details.repairs }),
    ...(details?.promptFile != null && { prompt: { file: details.promptFile, cuts: details.cuts } }),
    createdAt: proposal.createdAt,
  };
}

function readTrialView(store: StoreReader, proposalId: string, candidate: string): ProposalView['trial'] {
  const trial = store.trials.find(proposalId);
  if (trial === null) return null;
  const { pairs, failure, summary } = trial;
  const tried = {
    candidate,
    pairs: pairs.map((pair) => ({ seed: pair.seed, candidate: pair.candidate, control: pair.control })),
    chargedSteps: pairs.reduce((sum, pair) => sum + pair.chargedSteps, failure?.chargedSteps ?? 0),
  };
  if (failure !== null) return { state: 'brokeDown', ...tried, failure: failure.message };
  if (summary === null) return { state: 'unfinished', ...tried };
  return { state: 'concluded', ...tried, ...summary, wasDecided: store.trials.wasDecided(proposalId) };
}

function readDecisionView(store: StoreReader, proposalId: string): ProposalView['decision'] {
  const decision = store.decisions.find(proposalId);
  if (decision === null) return null;
  const { verdict, author, note, decidedAt, validation } = decision;
  return { verdict, author, note, decidedAt, ...(validation !== undefined && { validation }) };
}

function readEdited(store: StoreReader, proposalId: string): Pick<ProposalView, 'edited'> {
  const decision = store.decisions.find(proposalId);
  if (decision?.verdict !== 'edited' || decision.textHash === null) return {};
  return { edited: store.texts.get(decision.textHash) };
}

/** The rollback that undid the proposal's change, if one did. */
function readRollback(store: StoreReader, runId: string, proposalId: string): Pick<ProposalView, 'rollback'> {
  const undone = store.rollbacks
    .listByRun(runId)
    .findLast(({ proposalIds }) => proposalIds.includes(proposalId));
  if (undone === undefined) return {};
  const { round, measured, incumbent, margin, note, decidedAt } = undone;
  return { rollback: { author: 'rollback', round, measured, incumbent, margin, note, decidedAt } };
}

/** The model calls behind a proposal with their texts. */
export function readModelCallViews(store: StoreReader, proposalId: string): ModelCallView[] {
  return store.modelCalls.listByProposal(proposalId).map((call) => ({
    modelCallId: call.modelCallId,
    model: call.model,
    modelHash: call.modelHash,
    mode: call.mode,
    prompt: store.texts.get(call.promptHash),
    output: store.texts.get(call.outputHash),
    options: call.options,
    promptTokens: call.promptTokens,
    outputTokens: call.outputTokens,
    durationMs: call.durationMs,
    ...setupOf(call.details),
  }));
}

const withSetup = z.object({ setup: modelSetup });

/** Answers that are older than this record, and those of other services, have none. */
function setupOf(details: unknown): Pick<ModelCallView, 'setup'> {
  const setup = withSetup.safeParse(details).data?.setup;
  return setup === undefined ? {} : { setup };
}
