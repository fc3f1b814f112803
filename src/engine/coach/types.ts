import type { ModelSetup } from '../../shared/contract/model-setup.ts';
import type { Discounting, EnvironmentSpec, VecEnv, VecEnvOptions } from '../../shared/rl/vec-env.ts';
import type { ErrorPayload } from '../../shared/std/app-error.ts';
import type { ChangeResult, CompiledEnvironment, CompileResult, EdlChange } from '../edl/types.ts';
import type { DecisionsWriter } from '../store/decisions.ts';
import type { MemoryWriter } from '../store/memory.ts';
import type { ModelCallsWriter } from '../store/model-calls.ts';
import type { ProposalRecord, ProposalsWriter } from '../store/proposals.ts';
import type { RollbacksReader } from '../store/rollbacks.ts';
import type { RoundsReader } from '../store/rounds.ts';
import type { RunsReader } from '../store/runs.ts';
import type { SnapshotsWriter } from '../store/snapshots.ts';
import type { TextsWriter } from '../store/texts.ts';
import type { TrialsWriter } from '../store/trials.ts';
import type { ValidationsWriter } from '../store/validations.ts';
import type { RoundReport, TrialResult } from '../train/protocol.ts';
import type { CoachConfig, LlamaConfig } from './config.ts';
import type { RunSetting } from './in-force.ts';
import type { Experience } from './memory/experience.ts';
import type { ShapingContext } from './shaping/shaping-context.ts';

/** What a text is compiled with beside the scenarios. */
export interface CompileOptions {
  /** Most members that sets may come to have, by set, where a run has fixed them. */
  readonly capacities?: Readonly<Record<string, number>>;
}

/** The language services the pipeline uses, bound to the scenarios of this build and to the author "coach". */
export interface CoachEdl {
  compile(text: string, options?: CompileOptions): CompileResult;
  /** All of the changes or none. */
  applyChanges(text: string, changes: readonly EdlChange[], options?: CompileOptions): ChangeResult;
}

/** One metric of a run against charged steps, oldest first. */
export interface MetricHistory {
  readonly steps: ArrayLike<number>;
  readonly values: ArrayLike<number>;
}

/** Metrics of a run as the coach reads them; an unknown key gives an empty history. */
export interface RunSeries {
  keys(): readonly string[];
  history(key: string): MetricHistory;
}

/** A step of the round as the trainer recorded it: the whole state of one copy and the actions taken in it. */
export interface RecordedStep {
  readonly snapshot: Uint8Array;
  /** [A] i32 */
  readonly actions: Int32Array;
}

/** Steps that one copy took one after another within one episode. */
export interface RecordedStretch {
  readonly copy: number;
  /** Time of the first step, counted from the first one recorded. */
  readonly time: number;
  readonly steps: readonly RecordedStep[];
}

/** What is kept of a round for the validator. */
export interface Recording {
  /** The round whose steps they are; an earlier one where trials used up a round. */
  readonly round: number;
  /** By time, then by copy. */
  readonly steps: readonly RecordedStep[];
  /** The same steps in their order; single ones where that is not known. */
  readonly stretches: readonly RecordedStretch[];
}

/** What the coach reads of a round's report. */
export type RoundFigures = Pick<
  RoundReport,
  'objective' | 'traps' | 'fireRates' | 'agentMetrics' | 'agentComponents' | 'solved' | 'actionShares'
>;

/** The state of a run at a round boundary: everything the coach may look at. */
export interface RoundContext {
  readonly studyId: string;
  readonly runId: string;
  readonly arm: string;
  readonly seed: number;
  /** The round that just ended, from 0. */
  readonly round: number;
  readonly numRounds: number;
  readonly chargedSteps: number;
  readonly budgetSteps: number;
  /** Charged steps that trials took so far. */
  readonly trialSteps: number;
  /** Own steps of one learner iteration: trials train whole iterations. */
  readonly stepsPerIteration: number;
  readonly config: CoachConfig;
  /** EDL text in force. */
  readonly text: string;
  /** As it is in force: of the curriculum's stage, with the experiment's opponents in `spec.scripted`. */
  readonly environment: CompiledEnvironment;
  /** What the run makes of every text it compiles; `setting.stage` is where the curriculum stands. */
  readonly setting: RunSetting;
  /** With which potentials are valued: the learner's. */
  readonly discounting: Discounting;
  readonly objective: {
    readonly metric: string;
    readonly group: string;
    readonly better: 'higher' | 'lower';
    /** The objective in the person's own words; empty if not given. */
    readonly words: string;
  };
  readonly report: RoundFigures;
  readonly series: RunSeries;
  /** What was recorded of the round, for the validator. Throws: input.notFound, input.invalid for a file that is gone or damaged. */
  readRecording(): Promise<Recording>;
  /** A person asked for a proposal since the last boundary. */
  readonly isRequested: boolean;
  /** The best that the objective can be; null: not known. */
  readonly best: number | null;
  /** How changes of rewards are taken up; null: they hold at once. */
  readonly shaping: ShapingContext | null;
  /** What earlier studies may teach, frozen at the study's start; `noExperience` where `coach.memory` is off. */
  readonly experience: Experience;
  /** Prompt texts as they were when the study began. */
  readonly prompts: PromptSource;
}

/** Why the coach is asked, on record with every proposal. */
export interface AskReason {
  readonly trigger: 'interval' | 'plateau' | 'issue' | 'manual';
  readonly detail: string;
}

/** What the pipeline keeps with a proposal beside the store's own columns (its JSON `details`). */
export interface ProposalDetails {
  /** SHA-256 of the prompt file; null where no prompt was used. */
  readonly promptFile: string | null;
  /** What was left out so that the prompt fits, as in "past: 4 of 6 lines"; absent on older records. */
  readonly cuts?: readonly string[];
  readonly reason: AskReason;
  /** Size of the enumeration the change was drawn from; null when written freely. */
  readonly enumerated: number | null;
  /** Identity of the environment it leads to; null until it compiles. */
  readonly identity: string | null;
  /** Why there is no body, e.g. model.truncated or coach.badOutput. */
  readonly failure: ErrorPayload | null;
  /** The refused proposal that this one is the second attempt for; absent on older records. */
  readonly repairs?: string | null;
  /** Absent where no model ranked it, and on older records. */
  readonly liking?: Liking;
}

/** How much better than the other options that it was shown a ranking model liked an edit. */
export interface Liking {
  /** SHA-256, as `ModelIdentity` has it. */
  readonly model: string;
  /** Scores above the mean of a question's options, summed over the stages of the choice. */
  readonly value: number;
}

/** The part of the store the pipeline writes; `engine/store` provides it. */
export interface CoachStore {
  readonly texts: TextsWriter;
  /** For `replay`, which looks into earlier runs. */
  readonly runs: Pick<RunsReader, 'get' | 'listByStudy'>;
  /** For what has held before in a run. */
  readonly rounds: RoundsReader;
  readonly snapshots: SnapshotsWriter;
  readonly proposals: ProposalsWriter;
  readonly validations: ValidationsWriter;
  readonly trials: TrialsWriter;
  readonly decisions: DecisionsWriter;
  /** The round loop writes them. */
  readonly rollbacks: RollbacksReader;
  readonly modelCalls: ModelCallsWriter;
  /** Vectors of situations, by model. */
  readonly memory: Pick<MemoryWriter, 'findEmbedding' | 'putEmbedding'>;
  /** Several writes as one: all or nothing. */
  transaction<T>(work: () => T): T;
}

export interface TrialRequest {
  /** The unchanged environment first, then the candidates. */
  readonly environments: readonly EnvironmentSpec[];
  readonly seed: number;
  readonly steps: number;
  readonly episodes: number;
}

/** Runs one paired trial in the run's own trainer process. */
export type TrialRunner = (request: TrialRequest, signal: AbortSignal) => Promise<TrialResult>;

/** Where prompt texts come from: the workspace's file, or the shipped one. */
export interface PromptSource {
  read(path: string | null, mode: 'rank' | 'generate'): { readonly path: string; readonly text: string };
}

/** What the pipeline is composed of. */
export interface CoachDependencies {
  readonly store: CoachStore;
  readonly edl: CoachEdl;
  readonly createVecEnv: (spec: EnvironmentSpec, options: VecEnvOptions) => VecEnv;
  /** Needed by `llama`; null where no model host exists. `ModelHost` is one. */
  readonly models: ModelClients | null;
  /** Clock of `createdAt` and `decidedAt`; decides nothing. */
  readonly now: () => number;
  readonly onChange?: (proposalId: string) => void;
}

export interface ModelIdentity {
  readonly path: string;
  readonly name: string;
  /** Of its file; where adapters are loaded with it, over them and their scales, too. */
  readonly sha256: string;
  readonly parameters: number | null;
  /** Default for its size: below 1B rank, else generate. */
  readonly mode: 'rank' | 'generate';
  readonly contextLength: number;
  /** What it was loaded with; absent where nobody knows. */
  readonly setup?: ModelSetup;
}

export interface OptionScore {
  /** Sum of log p over the option's tokens. */
  readonly logProb: number;
  readonly numTokens: number;
}

/** Continuations to be scored after a shared prefix; what a request answers depends on the request alone. */
export interface ScoreRequest {
  /** Evaluated once for all variants. */
  readonly prefix: string;
  /** The prompt of a variant is prefix + suffix; its options follow. */
  readonly variants: readonly { readonly suffix: string; readonly options: readonly string[] }[];
}

export interface ScoreAnswer {
  /** Per variant, per option. */
  readonly variants: readonly (readonly OptionScore[])[];
  /** Of the longest prompt. */
  readonly promptTokens: number;
  /** Option tokens scored, over all variants. */
  readonly scoredTokens: number;
  readonly durationMs: number;
}

export interface GenerateRequest {
  readonly prompt: string;
  /** Grammar (GBNF, starting at `root`) that the answer is held to; null: free text. */
  readonly grammar: string | null;
  /** JSON schema, for services that hold answers to one; it is asked for and not relied on. */
  readonly schema?: object;
  readonly temperature: number;
  readonly seed: number;
  readonly maxTokens: number;
}

export interface GenerateAnswer {
  readonly text: string;
  /** log p of each generated token as it was sampled: after temperature, given what the grammar allowed. */
  readonly logProbs: readonly number[];
  readonly promptTokens: number;
  readonly outputTokens: number;
  readonly stopReason: 'end' | 'maxTokens';
  readonly durationMs: number;
}

/** Several answers to one prompt: one per seed. */
export interface SampleRequest extends Omit<GenerateRequest, 'seed'> {
  readonly seeds: readonly number[];
  /** Answers generated at a time, in one batch; the last bits of a batch may depend on its size. */
  readonly parallel: number;
}

export interface SampleAnswer {
  /** In the order of the seeds. */
  readonly answers: readonly GenerateAnswer[];
}

/** Texts to be turned into vectors, for telling how alike they are. */
export interface EmbedRequest {
  readonly texts: readonly string[];
}

export interface EmbedAnswer {
  /** Of unit length (zeros where the model gives zeros), in the order of the texts; one dimension for all. */
  readonly vectors: readonly (readonly number[])[];
  readonly promptTokens: number;
  readonly durationMs: number;
}

/** The model host as the engine sees it: one loaded model, a fair queue, never a hang. */
export interface ModelService {
  /** `settings`: default as the host loads a model by itself. */
  load(path: string, signal?: AbortSignal, settings?: LlamaConfig): Promise<ModelIdentity>;
  /** log p of each option as the continuation of its prompt. */
  score(request: ScoreRequest, signal?: AbortSignal): Promise<ScoreAnswer>;
  generate(request: GenerateRequest, signal?: AbortSignal): Promise<GenerateAnswer>;
  /** Many answers at once, for measuring what a model writes; a coach asks with `generate`. */
  sample(request: SampleRequest, signal?: AbortSignal): Promise<SampleAnswer>;
  /** A vector for each text; it depends on the text alone. */
  embed(request: EmbedRequest, signal?: AbortSignal): Promise<EmbedAnswer>;
}

/** What a coach asks of a model, wherever it runs. */
export type AnsweringService = Pick<ModelService, 'generate' | 'score'>;

/** Gives every run its own place in the model host's line. */
export interface ModelClients {
  client(owner: string): ModelService;
}

/** What holds from the next round on. */
export interface DecisionOutcome {
  readonly text: string;
  readonly environment: CompiledEnvironment;
  /** Proposals that took effect at this boundary, in order. */
  readonly applied: readonly ProposalRecord[];
}

/** What trying out came to; what became of the proposals is on record. */
export interface TryOutOutcome {
  /** Of all trials of this boundary. */
  readonly chargedSteps: number;
}

/**
 * What the round loop calls at a boundary, in this order: `shouldAsk`, `ask`, `tryOut`, `decide`. With lag 1 the
 * answer of `ask` is awaited one boundary later, and `tryOut` takes the earlier round's proposals.
 * Each call is idempotent: what is on record for (run, round) is not done again, and model answers are reused.
 */
export interface CoachFace {
  /** Null: nothing to ask at this boundary. The last round asks nothing. Pure. */
  shouldAsk(context: RoundContext): AskReason | null;
  /** Snapshot, prompt, provider, parse, validate. Proposals that fail are returned too, with their reasons. */
  ask(context: RoundContext, reason: AskReason, signal: AbortSignal): Promise<readonly ProposalRecord[]>;
  /** What-if branches for the valid proposals that were asked at round `askedRound`. */
  tryOut(
    context: RoundContext,
    askedRound: number,
    runTrial: TrialRunner,
    signal: AbortSignal,
  ): Promise<TryOutOutcome>;
  /**
   * Decides what was tried (automatic) and applies what a person decided; gives the environment of the next round.
   * Its writes belong into one transaction with the record of what it returns.
   */
  decide(context: RoundContext): DecisionOutcome;
}
