import type { EnumeratedEdit } from '../enumerate/enumerate-edits.ts';
import type { SnapshotText } from '../snapshot/describe-snapshot.ts';
import type { Snapshot } from '../snapshot/snapshot-schema.ts';
import type { CoachDependencies, Liking, RoundContext } from '../types.ts';

/** What a provider answers from; the same for all candidates of a boundary. */
export interface ProviderRequest {
  readonly context: RoundContext;
  readonly snapshot: Snapshot;
  readonly text: SnapshotText;
  /** Valid edits of the environment, computed on first use. */
  readonly edits: () => Promise<readonly EnumeratedEdit[]>;
  readonly deps: CoachDependencies;
  readonly signal: AbortSignal;
}

/** One answer as the provider gave it. It is parsed and checked like any other text, whoever wrote it. */
export interface ProviderAnswer {
  /** JSON of a proposal body; from a model possibly malformed. */
  readonly raw: string;
  /** Prose composed from an edit rather than written by a model. */
  readonly isComposed: boolean;
  /** Size of the enumeration it was drawn from; null when written freely. */
  readonly enumerated: number | null;
  /** What a ranking model made of it; left out where none did. */
  readonly liking?: Liking;
}

/** Where to put the model calls of an answer. */
export interface AnswerSlot {
  readonly proposalId: string;
  readonly candidate: number;
  /** Identities that earlier candidates of this boundary lead to. */
  readonly taken: ReadonlySet<string>;
  /** Reasons for which this candidate's first answer was refused; empty at the first attempt. */
  readonly rejections: readonly string[];
  /** Identities that cannot be answered: at a second attempt those that were answered since the first, too. */
  readonly closed: ReadonlySet<string>;
  /** Whether an answer would pass the validator, for providers that choose among several at a second attempt. */
  passes(answer: ProviderAnswer): Promise<boolean>;
}

/** The prompt of a boundary. */
export interface ProviderPrompt {
  readonly fileHash: string;
  readonly rendered: string;
  /** What was left out so that it fits. */
  readonly cuts: readonly string[];
}

/** Someone who proposes environment changes. */
export interface Provider {
  readonly name: 'rules' | 'random' | 'llama' | 'http' | 'learned' | 'memory' | 'replay';
  readonly model: string | null;
  /** Text of the prompt file and of the prompt rendered for this boundary; null where none is used. */
  readonly prompt: ProviderPrompt | null;
  /** Answers it can give at this boundary at most; at least 1, so that having none is on record. */
  readonly maxAnswers: number;
  /** Whether a refused answer is worth a second attempt with the reasons. */
  readonly canRepair: boolean;
  /** Throws: model.* and modelHost.died; coach.badOutput; coach.noProposal where nothing fits; input.notFound where what it answers from is gone. */
  propose(slot: AnswerSlot): Promise<ProviderAnswer>;
}
