import type { ExampleLabel, ExportExample, ExportSummary } from '../../../shared/contract/coach-export.ts';
import type { DecisionRecord, ProposalRecord, RunRecord, StoreReader } from '../../store/index.ts';
import { measuredBy, trialAsDecided } from '../measured.ts';
import { snapshotSchema } from '../snapshot/snapshot-schema.ts';
import { detailsOf } from '../stages/excluded.ts';
import type { CoachEdl } from '../types.ts';
import { editPrompt } from './edit-prompt.ts';
import { editedChanges } from './edited-changes.ts';
import { wasRolledBack } from './rolled-back.ts';

export type LeftOut = keyof ExportSummary['leftOut'];

/** An example before it is known where its study goes. */
export type Example = Omit<ExportExample, 'source'> & {
  readonly source: Omit<ExportExample['source'], 'family'>;
};

export interface ExportTools {
  readonly store: StoreReader;
  readonly edl: Pick<CoachEdl, 'compile' | 'applyChanges'>;
}

/** What a proposal teaches, or why it teaches nothing. */
export function collectExample(
  tools: ExportTools,
  { run, experiment }: { readonly run: RunRecord; readonly experiment: string },
  proposal: ProposalRecord,
): Example | LeftOut {
  const { store } = tools;
  const decision = store.decisions.find(proposal.proposalId);
  const label = labelOf(proposal, decision);
  if (label === 'undecided' || label === 'noAnswer') return label;
  const told = tellAnswer(tools, proposal, decision, label);
  if (typeof told === 'string') return told;
  const isUndone = wasRolledBack(store, proposal.runId, decision);
  const wasInForce = decision?.appliedRound != null;
  const weight = wasInForce && !isUndone ? 1 : 0;
  const { studyId, runId, arm, seed } = run;
  const { round, proposalId, provider, model } = proposal;
  return {
    messages: [...told.prompt, { role: 'assistant', content: told.content, weight }],
    task: told.task,
    label,
    reasons: reasonsOf(store, proposal, decision, isUndone),
    measured: measuredBy(trialAsDecided(store, proposal, decision)),
    source: {
      study: studyId,
      experiment,
      run: runId,
      arm,
      seed,
      round,
      proposal: proposalId,
      provider,
      model,
      author: decision?.author ?? null,
    },
  };
}

/** A decision says most; without one it is the state that does. */
function labelOf(
  { state, answerHash }: ProposalRecord,
  decision: DecisionRecord | null,
): ExampleLabel | 'undecided' | 'noAnswer' {
  if (answerHash === null) return state === 'asked' ? 'undecided' : 'noAnswer';
  if (decision !== null) return decision.verdict;
  if (state === 'invalid') return 'screened';
  if (state === 'unparsed') return 'unparsed';
  return state === 'failed' ? 'noAnswer' : 'undecided';
}

interface Told {
  readonly task: ExportExample['task'];
  readonly prompt: ExportExample['messages'];
  readonly content: string;
}

/** Prompt and answer. Prose that was composed, and prose about what a person wrote otherwise, is not in it. */
function tellAnswer(
  tools: ExportTools,
  proposal: ProposalRecord,
  decision: DecisionRecord | null,
  label: ExampleLabel,
): Told | LeftOut {
  const { store, edl } = tools;
  const { answerHash, isComposed, body, beforeHash } = proposal;
  if (label === 'edited') {
    if (decision === null || decision.textHash === null) return 'notChanges';
    const changes = editedChanges(edl, store.texts.get(beforeHash), store.texts.get(decision.textHash));
    return changes === null ? 'notChanges' : tellEdit(store, proposal, changes);
  }
  const prompt = isComposed ? null : promptOf(store, proposal);
  if (prompt !== null && answerHash !== null)
    return {
      task: 'proposal',
      prompt: [{ role: 'user', content: prompt }],
      content: store.texts.get(answerHash),
    };
  return body === null ? 'noAnswer' : tellEdit(store, proposal, body.changes);
}

function tellEdit(
  store: StoreReader,
  { snapshotId, beforeHash }: ProposalRecord,
  changes: readonly { readonly op: string; readonly target: string; readonly edl: string }[],
): Told | LeftOut {
  const { success, data: snapshot } = snapshotSchema.safeParse(
    JSON.parse(store.texts.get(store.snapshots.get(snapshotId).textHash)),
  );
  if (!success) return 'otherVersion';
  const bare = changes.map(({ op, target, edl }) => ({ op, target, edl }));
  return {
    task: 'edit',
    prompt: editPrompt(snapshot, store.texts.get(beforeHash)),
    content: JSON.stringify({ changes: bare }),
  };
}

/** As the model was asked last: a second attempt has the reasons in it. */
function promptOf(store: StoreReader, { proposalId, promptHash }: ProposalRecord): string | null {
  const asked = store.modelCalls.listByProposal(proposalId).findLast(({ mode }) => mode === 'generate');
  const hash = asked?.promptHash ?? promptHash;
  return hash === null ? null : store.texts.get(hash);
}

function reasonsOf(
  store: StoreReader,
  proposal: ProposalRecord,
  decision: DecisionRecord | null,
  isUndone: boolean,
): ExportExample['reasons'] {
  const { failure } = detailsOf(proposal);
  const validation = store.validations.find(proposal.proposalId);
  return [
    ...(validation?.reasons ?? []).map(({ code, message }) => ({ code, message })),
    ...(failure === null || failure === undefined ? [] : [{ code: failure.code, message: failure.message }]),
    ...(decision === null || decision.note === '' ? [] : [{ code: 'note', message: decision.note }]),
    ...(isUndone
      ? [{ code: 'rolledBack', message: 'the environment from before it came back in a later round' }]
      : []),
  ];
}
