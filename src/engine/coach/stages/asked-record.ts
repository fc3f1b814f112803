import type { ProposalBody } from '../../../shared/contract/coach.ts';
import type { AppError } from '../../../shared/std/app-error.ts';
import { leadsTo } from '../leads-to.ts';
import type { Provider, ProviderAnswer } from '../providers/provider.ts';
import { buildSnapshot } from '../snapshot/build-snapshot.ts';
import { type Snapshot, snapshotSchema } from '../snapshot/snapshot-schema.ts';
import type { AskReason, CoachDependencies, ProposalDetails, RoundContext } from '../types.ts';
import { isPermitted } from '../validate/reason.ts';
import type { ValidationResult } from '../validate/validate-proposal.ts';
import { detailsOf } from './excluded.ts';

type Deps = Pick<CoachDependencies, 'store' | 'now' | 'onChange'>;

/** Which question of a boundary, and to whom. */
export interface Question {
  /** Null where nobody could be had to ask. */
  readonly provider: Provider | null;
  readonly snapshotId: string;
  readonly candidate: number;
  /** The refused proposal that this is the second attempt for. */
  readonly repairs?: string | null;
}

/** An answer as the provider gave it, with what it is once it is parsed. */
export interface ParsedAnswer extends Pick<ProviderAnswer, 'isComposed' | 'enumerated' | 'liking'> {
  readonly answerHash: string;
  readonly body: ProposalBody;
}

/** What of one boundary's questions is on record: the snapshot, every proposal before it is asked, and what came of it. */
export class AskedRecord {
  readonly #deps: Deps;
  readonly #context: RoundContext;
  readonly #reason: AskReason;

  constructor(deps: Deps, context: RoundContext, reason: AskReason) {
    this.#deps = deps;
    this.#context = context;
    this.#reason = reason;
  }

  /** The boundary's snapshot, taken once. */
  takeSnapshot(): { snapshotId: string; snapshot: Snapshot } {
    const { store, now } = this.#deps;
    const { runId, round } = this.#context;
    const known = store.snapshots.findByRound(runId, round);
    if (known !== null) {
      return {
        snapshotId: known.snapshotId,
        snapshot: snapshotSchema.parse(JSON.parse(store.texts.get(known.textHash))),
      };
    }
    const snapshot = buildSnapshot(this.#context, this.#reason, store);
    const snapshotId = `${runId}-s${round + 1}`;
    const textHash = store.texts.put(JSON.stringify(snapshot));
    store.snapshots.insert({ snapshotId, runId, round, textHash, createdAt: now() });
    return { snapshotId, snapshot };
  }

  /** Records that somebody is asked, before it is done. Returns the proposal's id, known or new. */
  open({ provider, snapshotId, candidate, repairs = null }: Question): string {
    const { store, now } = this.#deps;
    const { runId, round, config, text } = this.#context;
    // As people count: the first candidate of the first round is p1-1.
    const proposalId = `${runId}-p${round + 1}-${candidate + 1}`;
    if (store.proposals.find(proposalId) !== null) return proposalId;
    const details: ProposalDetails = {
      promptFile: provider?.prompt?.fileHash ?? null,
      cuts: provider?.prompt?.cuts ?? [],
      reason: this.#reason,
      ...{ enumerated: null, identity: null, failure: null, repairs },
    };
    store.proposals.insert({
      proposalId,
      runId,
      round,
      candidate,
      snapshotId,
      provider: provider?.name ?? config.provider,
      model: provider?.model ?? null,
      promptHash: provider?.prompt == null ? null : store.texts.put(provider.prompt.rendered),
      beforeHash: store.texts.put(text),
      details,
      createdAt: now(),
    });
    this.#deps.onChange?.(proposalId);
    return proposalId;
  }

  /** Whether it still waits for its answer. */
  isOpen(proposalId: string): boolean {
    return this.#deps.store.proposals.get(proposalId).state === 'asked';
  }

  /** There is no answer, and why. */
  fail(proposalId: string, state: 'failed' | 'unparsed', error: AppError): void {
    this.#close(proposalId, state, error, { answerHash: null, enumerated: null });
  }

  /** Keeps the text of an answer. Returns its hash. */
  keep({ raw }: ProviderAnswer): string {
    return this.#deps.store.texts.put(raw);
  }

  /** There is an answer, and it is none. */
  refuse(proposalId: string, answer: Pick<ParsedAnswer, 'answerHash' | 'enumerated'>, error: AppError): void {
    this.#close(proposalId, 'unparsed', error, answer);
  }

  /** There is an answer, with what the validator found of it. */
  answer(
    proposalId: string,
    { answerHash, isComposed, enumerated, body, liking }: ParsedAnswer,
    { reasons, text: after, environment: candidate }: ValidationResult,
  ): void {
    const { store, now } = this.#deps;
    const isValid = isPermitted(reasons);
    store.validations.record(proposalId, { isValid, reasons: [...reasons] }, now());
    store.proposals.answer(proposalId, {
      answerHash,
      isComposed,
      body,
      afterHash: after === null ? null : store.texts.put(after),
      details: {
        ...this.#details(proposalId),
        enumerated,
        ...(liking !== undefined && { liking }),
        identity: candidate === null ? null : leadsTo(candidate, this.#context.environment),
      } satisfies ProposalDetails,
      state: isValid ? 'validated' : 'invalid',
    });
    this.#deps.onChange?.(proposalId);
  }

  /** Why a proposal was refused, for one more attempt; empty when it was not. */
  rejections(proposalId: string): string[] {
    const proposal = this.#deps.store.proposals.get(proposalId);
    if (proposal.state === 'invalid') {
      const reasons = this.#deps.store.validations.find(proposalId)?.reasons ?? [];
      return reasons.filter(({ severity }) => severity === 'error').map(({ message }) => message);
    }
    const { failure } = detailsOf(proposal);
    const isRepairable = failure?.code === 'coach.badOutput' || failure?.code === 'model.truncated';
    return failure !== null && isRepairable ? [failure.message] : [];
  }

  #details(proposalId: string): ProposalDetails {
    return detailsOf(this.#deps.store.proposals.get(proposalId));
  }

  #close(
    proposalId: string,
    state: 'failed' | 'unparsed',
    { code, message }: AppError,
    { answerHash, enumerated }: { readonly answerHash: string | null; readonly enumerated: number | null },
  ): void {
    const details = { ...this.#details(proposalId), enumerated, failure: { code, message } };
    const nothing = { isComposed: false, body: null, afterHash: null };
    this.#deps.store.proposals.answer(proposalId, { ...nothing, answerHash, details, state });
    this.#deps.onChange?.(proposalId);
  }
}
