import type { ProposalBody } from '../../../shared/contract/coach.ts';
import { AppError } from '../../../shared/std/app-error.ts';
import { enumerateEdits } from '../enumerate/enumerate-edits.ts';
import { leadsTo } from '../leads-to.ts';
import { findReminders } from '../memory/remember.ts';
import { memoryTurns } from '../memory/turns.ts';
import { createProvider } from '../providers/create-provider.ts';
import { createMemoryProvider } from '../providers/memory-provider.ts';
import type { Provider, ProviderAnswer, ProviderRequest } from '../providers/provider.ts';
import { buildSnapshot } from '../snapshot/build-snapshot.ts';
import { describeSnapshot } from '../snapshot/describe-snapshot.ts';
import { type Snapshot, snapshotSchema } from '../snapshot/snapshot-schema.ts';
import type { AskReason, CoachDependencies, ProposalDetails, Recording, RoundContext } from '../types.ts';
import { parseProposal } from '../validate/parse-proposal.ts';
import { isPermitted } from '../validate/reason.ts';
import {
  type ValidationInput,
  type ValidationResult,
  validateProposal,
} from '../validate/validate-proposal.ts';
import { coolingIdentities } from './cooling.ts';
import { detailsOf, earlierIdentities } from './excluded.ts';

/** Stops a whole boundary rather than one proposal. */
const interrupts: readonly string[] = ['run.cancelled', 'model.cancelled'];

/** One boundary's questions: snapshot, prompt, provider, parse, validate, each on record before the next. */
export class Asking {
  readonly #deps: CoachDependencies;
  readonly #context: RoundContext;
  readonly #reason: AskReason;
  readonly #signal: AbortSignal;
  #recording: Recording | null = null;
  #cooling: ReadonlyMap<string, string> | null = null;

  constructor(deps: CoachDependencies, context: RoundContext, reason: AskReason, signal: AbortSignal) {
    this.#deps = deps;
    this.#context = context;
    this.#reason = reason;
    this.#signal = signal;
  }

  async run(): Promise<void> {
    const { config } = this.#context;
    const { snapshotId, snapshot } = this.#takeSnapshot();
    const remembered = await this.#remember(snapshot, snapshotId);
    if (remembered === null || remembered === config.candidates) return;
    const provider = await this.#openProvider(snapshot, snapshotId, remembered);
    if (provider === null) return;
    const count = Math.min(config.candidates, remembered + provider.maxAnswers);
    for (let candidate = remembered; candidate < count; candidate++) {
      const proposalId = await this.#askOne(provider, snapshotId, candidate, []);
      const repair = this.#rejections(proposalId);
      if (provider.canRepair && repair.length > 0)
        await this.#askOne(provider, snapshotId, config.candidates + candidate, repair, proposalId);
    }
  }

  #takeSnapshot(): { snapshotId: string; snapshot: Snapshot } {
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

  /**
   * Answers candidates from what is remembered, without asking the coach, as many as it is memory's turn for. How many were;
   * null when what similarity is measured by cannot be had.
   */
  async #remember(snapshot: Snapshot, snapshotId: string): Promise<number | null> {
    const { config, runId, round } = this.#context;
    if (config.memory === null || config.memory.reuse === null) return 0;
    const turns = memoryTurns(this.#deps.store, this.#context);
    if (turns === 0) return 0;
    const reminders = await this.#try(snapshotId, 0, () => findReminders(this.#request(snapshot)));
    if (reminders === null) return null;
    let candidate = 0;
    for (const { answer, identity } of reminders) {
      if (candidate === turns) break;
      const closed = earlierIdentities(this.#deps.store, runId, { round, candidate });
      if (closed.has(identity) || !(await this.#passes(answer, closed))) continue;
      await this.#askOne(createMemoryProvider(answer), snapshotId, candidate, []);
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
      const proposalId = this.#open(null, snapshotId, candidate);
      if (this.#isOpen(proposalId)) this.#fail(proposalId, 'failed', null, error);
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
        const excluded = earlierIdentities(this.#deps.store, context.runId, {
          round: context.round,
          candidate: 0,
        });
        for (const identity of this.#coolingDown().keys()) excluded.add(identity);
        const { may, catalogue } = config;
        const { stage } = setting;
        const options = { environment, objective, budgetSteps, text, excluded, may, catalogue, stage };
        edits ??= enumerateEdits(this.#deps.edl, options, signal);
        return edits;
      },
    };
  }

  /** Edits that rest after they failed; as known when the snapshot was taken. */
  #coolingDown(): ReadonlyMap<string, string> {
    this.#cooling ??= coolingIdentities(this.#deps, this.#context);
    return this.#cooling;
  }

  async #askOne(
    provider: Provider,
    snapshotId: string,
    candidate: number,
    rejections: readonly string[],
    repairs: string | null = null,
  ): Promise<string> {
    const proposalId = this.#open(provider, snapshotId, candidate, repairs);
    if (!this.#isOpen(proposalId)) return proposalId;
    const { runId, round } = this.#context;
    const closed = earlierIdentities(this.#deps.store, runId, { round, candidate });
    const asked = repairs === null ? candidate : candidate - this.#context.config.candidates;
    const taken = earlierIdentities(this.#deps.store, runId, { round, candidate: asked });
    const passes = (answer: ProviderAnswer): Promise<boolean> => this.#passes(answer, closed);
    let answer: ProviderAnswer;
    try {
      answer = await provider.propose({ proposalId, candidate: asked, taken, rejections, closed, passes });
    } catch (thrown) {
      const error = this.#translate(thrown);
      this.#fail(proposalId, error.code === 'coach.badOutput' ? 'unparsed' : 'failed', null, error);
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
    this.#recording ??= await this.#context.readRecording();
    const { text, environment, objective, series, config } = this.#context;
    const ceiling = this.#ceiling();
    return validateProposal(this.#deps, {
      ...{ text, environment, body, excluded, ceiling, cooling: this.#coolingDown() },
      ...{ recording: this.#recording, objective, series, may: config.may },
      termShare: config.shaping.term,
    });
  }

  /** Parses and validates an answer. */
  async #take(proposalId: string, answer: ProviderAnswer, excluded: ReadonlySet<string>): Promise<void> {
    const { store, now } = this.#deps;
    const details = { ...this.#details(proposalId), enumerated: answer.enumerated };
    const answerHash = store.texts.put(answer.raw);
    let body: ReturnType<typeof parseProposal>;
    try {
      body = parseProposal(answer.raw);
    } catch (thrown) {
      this.#fail(proposalId, 'unparsed', answerHash, AppError.from(thrown), answer.enumerated);
      return;
    }
    const { reasons, text: after, environment: candidate } = await this.#validate(body, excluded);
    const isValid = isPermitted(reasons);
    store.validations.record(proposalId, { isValid, reasons: [...reasons] }, now());
    store.proposals.answer(proposalId, {
      answerHash,
      isComposed: answer.isComposed,
      body,
      afterHash: after === null ? null : store.texts.put(after),
      details: {
        ...details,
        identity: candidate === null ? null : leadsTo(candidate, this.#context.environment),
      } satisfies ProposalDetails,
      state: isValid ? 'validated' : 'invalid',
    });
    this.#deps.onChange?.(proposalId);
  }

  #ceiling(): NonNullable<ValidationInput['ceiling']> {
    const { objective, report, best, config, shaping, chargedSteps, trialSteps } = this.#context;
    const trainedSteps = shaping?.trainedSteps ?? chargedSteps - trialSteps;
    return { objective, value: report.objective, best, ceiling: config.shaping.ceiling, trainedSteps };
  }

  /** Records that the coach is asked, before it is. */
  #open(
    provider: Provider | null,
    snapshotId: string,
    candidate: number,
    repairs: string | null = null,
  ): string {
    const { store, now } = this.#deps;
    const { runId, round, config, text } = this.#context;
    // As people count: the first candidate of the first round is p1-1.
    const proposalId = `${runId}-p${round + 1}-${candidate + 1}`;
    if (store.proposals.find(proposalId) !== null) return proposalId;
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
      details: this.#newDetails(provider, repairs),
      createdAt: now(),
    });
    this.#deps.onChange?.(proposalId);
    return proposalId;
  }

  #newDetails(provider: Provider | null, repairs: string | null): ProposalDetails {
    const promptFile = provider?.prompt?.fileHash ?? null;
    const cuts = provider?.prompt?.cuts ?? [];
    return {
      promptFile,
      cuts,
      reason: this.#reason,
      enumerated: null,
      identity: null,
      failure: null,
      repairs,
    };
  }

  #details(proposalId: string): ProposalDetails {
    return detailsOf(this.#deps.store.proposals.get(proposalId));
  }

  #isOpen(proposalId: string): boolean {
    return this.#deps.store.proposals.get(proposalId).state === 'asked';
  }

  #fail(
    proposalId: string,
    state: 'failed' | 'unparsed',
    answerHash: string | null,
    error: AppError,
    enumerated: number | null = null,
  ): void {
    const details: ProposalDetails = {
      ...this.#details(proposalId),
      enumerated,
      failure: { code: error.code, message: error.message },
    };
    this.#deps.store.proposals.answer(proposalId, {
      answerHash,
      isComposed: false,
      body: null,
      afterHash: null,
      details,
      state,
    });
    this.#deps.onChange?.(proposalId);
  }

  #translate(thrown: unknown): AppError {
    const error = AppError.from(thrown);
    if (this.#signal.aborted || interrupts.includes(error.code)) {
      throw new AppError('run.cancelled', 'the run was ended while the coach was thinking', {
        cause: thrown,
      });
    }
    if (error.code === 'internal') throw error;
    return error;
  }

  /** Why a proposal was refused, for one more attempt; empty when it was not. */
  #rejections(proposalId: string): string[] {
    const proposal = this.#deps.store.proposals.get(proposalId);
    if (proposal.state === 'invalid') {
      const reasons = this.#deps.store.validations.find(proposalId)?.reasons ?? [];
      return reasons.filter(({ severity }) => severity === 'error').map(({ message }) => message);
    }
    const { failure } = detailsOf(proposal);
    const isRepairable = failure?.code === 'coach.badOutput' || failure?.code === 'model.truncated';
    return failure !== null && isRepairable ? [failure.message] : [];
  }
}
