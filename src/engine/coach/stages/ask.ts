import type { ProposalBody } from '../../../shared/contract/coach.ts';
import { AppError } from '../../../shared/std/app-error.ts';
import {
  type EnumeratedEdit,
  type EnumerationOptions,
  enumerateEdits,
} from '../enumerate/enumerate-edits.ts';
import { findReminders } from '../memory/remember.ts';
import { memoryTurns } from '../memory/turns.ts';
import { createProvider } from '../providers/create-provider.ts';
import { createMemoryProvider } from '../providers/memory-provider.ts';
import type { Provider, ProviderAnswer, ProviderRequest } from '../providers/provider.ts';
import { describeSnapshot } from '../snapshot/describe-snapshot.ts';
import type { Snapshot } from '../snapshot/snapshot-schema.ts';
import type { AskReason, CoachDependencies, Recording, RoundContext } from '../types.ts';
import { findFutileEdits } from '../validate/futile-edits.ts';
import { parseProposal } from '../validate/parse-proposal.ts';
import { isPermitted } from '../validate/reason.ts';
import {
  type ValidationInput,
  type ValidationResult,
  validateProposal,
} from '../validate/validate-proposal.ts';
import { AskedRecord, type Question } from './asked-record.ts';
import { coolingIdentities } from './cooling.ts';
import { earlierIdentities } from './excluded.ts';

/** Stops a whole boundary rather than one proposal. */
const interrupts: readonly string[] = ['run.cancelled', 'model.cancelled'];

/** Ends the run: with what follows it would be another one. It can be taken up again. */
const fatal: readonly string[] = ['internal', 'experiment.invalid'];

const interrupted = (cause?: unknown): AppError =>
  new AppError('run.cancelled', 'the run was ended while the coach was thinking', { cause });

/** One boundary's questions: snapshot, prompt, provider, parse, validate, each on record before the next. */
export class Asking {
  readonly #deps: CoachDependencies;
  readonly #context: RoundContext;
  readonly #signal: AbortSignal;
  readonly #record: AskedRecord;
  #recording: Recording | null = null;
  #cooling: ReadonlyMap<string, string> | null = null;

  constructor(deps: CoachDependencies, context: RoundContext, reason: AskReason, signal: AbortSignal) {
    this.#deps = deps;
    this.#context = context;
    this.#signal = signal;
    this.#record = new AskedRecord(deps, context, reason);
  }

  async run(): Promise<void> {
    const { config } = this.#context;
    const { snapshotId, snapshot } = this.#record.takeSnapshot();
    const remembered = await this.#remember(snapshot, snapshotId);
    if (remembered === null || remembered === config.candidates) return;
    const provider = await this.#openProvider(snapshot, snapshotId, remembered);
    if (provider === null) return;
    const count = Math.min(config.candidates, remembered + provider.maxAnswers);
    for (let candidate = remembered; candidate < count; candidate++) {
      const repairs = await this.#askOne({ provider, snapshotId, candidate }, []);
      const rejections = this.#record.rejections(repairs);
      if (!provider.canRepair || rejections.length === 0) continue;
      const second = { provider, snapshotId, candidate: config.candidates + candidate, repairs };
      await this.#askOne(second, rejections);
    }
  }

  /**
   * Answers candidates from what is remembered, without asking the coach, as many as it is memory's turn for. How many were;
   * null when what similarity is measured by cannot be had.
   */
  async #remember(snapshot: Snapshot, snapshotId: string): Promise<number | null> {
    const { config } = this.#context;
    if (config.memory === null || config.memory.reuse === null) return 0;
    const turns = memoryTurns(this.#deps.store, this.#context);
    if (turns === 0) return 0;
    const reminders = await this.#try(snapshotId, 0, () => findReminders(this.#request(snapshot)));
    if (reminders === null) return null;
    let candidate = 0;
    for (const { answer, identity } of reminders) {
      if (candidate === turns) break;
      const closed = earlierIdentities(this.#deps.store, this.#context, candidate);
      if (closed.has(identity) || !(await this.#passes(answer, closed))) continue;
      await this.#askOne({ provider: createMemoryProvider(answer), snapshotId, candidate }, []);
      candidate++;
    }
    return candidate;
  }

  /** Null when the provider cannot be had. */
  #openProvider(snapshot: Snapshot, snapshotId: string, candidate: number): Promise<Provider | null> {
    return this.#try(snapshotId, candidate, () => createProvider(this.#request(snapshot)));
  }

  /** What fails before there is anybody to ask is on record as a failed proposal (null), and training goes on. */
  async #try<T>(snapshotId: string, candidate: number, work: () => Promise<T>): Promise<T | null> {
    try {
      return await work();
    } catch (thrown) {
      const error = this.#translate(thrown);
      const proposalId = this.#record.open({ provider: null, snapshotId, candidate });
      if (this.#record.isOpen(proposalId)) this.#record.fail(proposalId, 'failed', error);
      return null;
    }
  }

  #request(snapshot: Snapshot): ProviderRequest {
    const context = this.#context;
    const { environment, objective, budgetSteps, text, config, setting } = context;
    let edits: ReturnType<typeof enumerateEdits> | null = null;
    const signal = this.#signal;
    return {
      context,
      snapshot,
      text: describeSnapshot(snapshot),
      deps: this.#deps,
      signal,
      edits: () => {
        const excluded = earlierIdentities(this.#deps.store, context, 0);
        for (const identity of this.#coolingDown().keys()) excluded.add(identity);
        const { may } = config;
        const { stage } = setting;
        const options = { environment, objective, budgetSteps, text, excluded, may, stage };
        edits ??= this.#enumerate(options);
        return edits;
      },
    };
  }

  async #enumerate(options: Omit<EnumerationOptions, 'isFutile'>): Promise<EnumeratedEdit[]> {
    const { edl, createVecEnv } = this.#deps;
    const { series } = this.#context;
    const recording = await this.#readRecording();
    const isFutile = findFutileEdits(createVecEnv, options.environment, recording, series);
    return enumerateEdits(edl, { ...options, isFutile }, this.#signal);
  }

  async #readRecording(): Promise<Recording> {
    this.#recording ??= await this.#context.readRecording();
    return this.#recording;
  }

  /** Edits that rest after they failed; as known when the snapshot was taken. */
  #coolingDown(): ReadonlyMap<string, string> {
    this.#cooling ??= coolingIdentities(this.#deps, this.#context);
    return this.#cooling;
  }

  async #askOne(
    question: Question & { readonly provider: Provider },
    rejections: readonly string[],
  ): Promise<string> {
    const proposalId = this.#record.open(question);
    if (!this.#record.isOpen(proposalId)) return proposalId;
    this.#requireWanted();
    const { provider, candidate } = question;
    const closed = earlierIdentities(this.#deps.store, this.#context, candidate);
    const asked = rejections.length === 0 ? candidate : candidate - this.#context.config.candidates;
    const taken = earlierIdentities(this.#deps.store, this.#context, asked);
    const passes = (answer: ProviderAnswer): Promise<boolean> => this.#passes(answer, closed);
    let answer: ProviderAnswer;
    try {
      answer = await provider.propose({ proposalId, candidate: asked, taken, rejections, closed, passes });
    } catch (thrown) {
      const error = this.#translate(thrown);
      this.#record.fail(proposalId, error.code === 'coach.badOutput' ? 'unparsed' : 'failed', error);
      return proposalId;
    }
    await this.#take(proposalId, answer, closed);
    return proposalId;
  }

  async #passes({ raw }: ProviderAnswer, excluded: ReadonlySet<string>): Promise<boolean> {
    const { reasons } = await this.#validate(parseProposal(raw), excluded);
    return isPermitted(reasons);
  }

  async #validate(body: ProposalBody, excluded: ReadonlySet<string>): Promise<ValidationResult> {
    this.#requireWanted();
    const recording = await this.#readRecording();
    const { text, environment, objective, series, config } = this.#context;
    const ceiling = this.#ceiling();
    return validateProposal(this.#deps, {
      ...{ text, environment, body, excluded, ceiling, cooling: this.#coolingDown() },
      ...{ recording, objective, series, may: config.may },
      termShare: config.shaping.term,
    });
  }

  /** Parses and validates an answer. */
  async #take(proposalId: string, answer: ProviderAnswer, excluded: ReadonlySet<string>): Promise<void> {
    const answerHash = this.#record.keep(answer);
    let body: ProposalBody;
    try {
      body = parseProposal(answer.raw);
    } catch (thrown) {
      this.#record.refuse(proposalId, { ...answer, answerHash }, AppError.from(thrown));
      return;
    }
    const result = await this.#validate(body, excluded);
    this.#record.answer(proposalId, { ...answer, answerHash, body }, result);
  }

  #ceiling(): NonNullable<ValidationInput['ceiling']> {
    const { objective, report, best, config, shaping, chargedSteps, trialSteps } = this.#context;
    const trainedSteps = shaping?.trainedSteps ?? chargedSteps - trialSteps;
    return { objective, value: report.objective, best, ceiling: config.shaping.ceiling, trainedSteps };
  }

  #translate(thrown: unknown): AppError {
    const error = AppError.from(thrown);
    if (this.#signal.aborted || interrupts.includes(error.code)) throw interrupted(thrown);
    if (fatal.includes(error.code)) throw error;
    return error;
  }

  /** Not every coach waits for something that would end by itself. */
  #requireWanted(): void {
    if (this.#signal.aborted) throw interrupted();
  }
}
