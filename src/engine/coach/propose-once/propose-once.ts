import type { z } from 'zod';
import type { CoachAnswer, coach } from '../../../shared/contract/coach.ts';
import type { Diagnostic } from '../../../shared/contract/edl.ts';
import { usualDiscounting } from '../../../shared/rl/vec-env.ts';
import { AppError, type ErrorCode } from '../../../shared/std/app-error.ts';
import type { CompiledEnvironment, TextResult } from '../../edl/types.ts';
import { fileError, readUtf8 } from '../../files/index.ts';
import type { ProposalRecord, Store } from '../../store/index.ts';
import type { CoachConfig } from '../config.ts';
import { bringIntoForce, type RunSetting } from '../in-force.ts';
import { readRanker } from '../learned/ranker-file.ts';
import { noExperience } from '../memory/experience.ts';
import { createCoachPipeline } from '../pipeline.ts';
import { findEndpoint } from '../providers/http/endpoint-url.ts';
import { detailsOf } from '../stages/excluded.ts';
import type { CoachDependencies, PromptSource, RoundContext } from '../types.ts';
import { playRandomly } from './random-play.ts';
import { openScratchStore, type ScratchStore } from './scratch-run.ts';

type Result = z.output<typeof coach.propose.result>;

/** Steps that changes with a decay are sized for, since no experiment says how long training would be. */
const assumedBudgetSteps = 1_000_000;

/** What a single question is composed of: the pipeline's parts but for the record, and the files that a text extends. */
export type ProposeDependencies = Omit<CoachDependencies, 'store' | 'onChange'> & {
  /** The text of a file with those it extends put in. */
  flatten(text: string, path: string): TextResult;
  readonly prompts: PromptSource;
  /** Told once the question is found sound, before anything is played for it. */
  readonly onPlay?: () => void;
};

/** What is asked, and who. */
export interface ProposeRequest {
  /** EDL file, with its full path. */
  readonly environment: string;
  /** With full paths. Of its settings those hold that are about answers: trials and memory have no place here. */
  readonly coach: CoachConfig;
  readonly count: number;
  readonly seed: number;
}

/** Questions about one snapshot at most, and snapshots that many questions are spread over at least. */
const mostOfOneSnapshot = 4;
const fewestSnapshots = 5;

/** A snapshot in a run of its own: nothing that was answered elsewhere is known there. */
interface Situation {
  readonly studyId: string;
  readonly runId: string;
  /** Of the random play, and of what is drawn. */
  readonly seed: number;
  readonly count: number;
}

/** How many questions each snapshot gets: what a coach says of a single situation tells little about it. */
export function questionsPerSituation(count: number): readonly number[] {
  const snapshots = Math.min(count, Math.max(fewestSnapshots, Math.ceil(count / mostOfOneSnapshot)));
  const share = Math.floor(count / snapshots);
  return Array.from({ length: snapshots }, (_, i) => share + (i < count % snapshots ? 1 : 0));
}

const atBeginning: RunSetting = { opponents: {}, stage: null, capacities: {} };

/**
 * Asks a coach about an environment that nobody trains in: random play stands in for a round. Validation is the
 * pipeline's own; nothing is tried, decided or kept. Each situation is as the first one of its seed would be.
 *
 * Throws: workspace.notFound, edl.invalid, prompt.invalid, input.invalid, input.notFound, model.*, modelHost.died; run.cancelled once the signal aborts.
 */
export async function proposeOnce(
  deps: ProposeDependencies,
  request: ProposeRequest,
  signal: AbortSignal,
): Promise<Result> {
  requireAnswering(request.coach);
  const text = flattenOrThrow(deps, request.environment);
  const environment = bringIntoForce(compileOrThrow(deps, text), atBeginning);
  deps.onPlay?.();
  const scratch = openScratchStore();
  try {
    const pipeline = createCoachPipeline({ ...deps, store: scratch.store });
    const reason = {
      trigger: 'manual',
      detail: 'asked outside a run; random play stands in for training',
    } as const;
    const proposalIds: string[] = [];
    for (const [index, count] of questionsPerSituation(request.count).entries()) {
      const seed = request.seed + index;
      const situation = { studyId: scratch.studyId, runId: scratch.addRun(seed), seed, count };
      const context = createContext(deps, request.coach, situation, { text, environment });
      const proposals = await pipeline.ask(context, reason, signal);
      proposalIds.push(...proposals.map(({ proposalId }) => proposalId));
    }
    return { provider: request.coach.provider, ...summarize(scratch, proposalIds) };
  } finally {
    scratch.close();
  }
}

function readEnvironment(path: string): string {
  try {
    return readUtf8(path, path);
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    throw fileError(cause, 'read', path);
  }
}

function flattenOrThrow({ flatten }: Pick<ProposeDependencies, 'flatten'>, path: string): string {
  const result = flatten(readEnvironment(path), path);
  if ('text' in result) return result.text;
  throw invalidEnvironment(result.diagnostics);
}

function compileOrThrow({ edl }: Pick<CoachDependencies, 'edl'>, text: string): CompiledEnvironment {
  const { environment, diagnostics } = edl.compile(text);
  if (environment !== null) return environment;
  throw invalidEnvironment(diagnostics);
}

function invalidEnvironment(diagnostics: readonly Diagnostic[]): AppError {
  const first = diagnostics.find(({ severity }) => severity === 'error');
  const where = first === undefined ? '' : ` (line ${first.range.start.line + 1}: ${first.message})`;
  return new AppError('edl.invalid', `the environment does not compile${where}`, { data: { diagnostics } });
}

/** Before anything is played. Who repeats another study has nothing to say about a situation that is in none. */
function requireAnswering({ provider, http, model }: CoachConfig): void {
  if (provider === 'http' && http !== undefined) findEndpoint(http);
  if (provider === 'learned' && model !== null) readRanker(model);
  if (provider !== 'none' && provider !== 'replay') return;
  const message =
    provider === 'none'
      ? 'there is no coach to ask'
      : 'provider replay repeats what another study was answered: there is nothing to repeat outside a study';
  throw new AppError('input.invalid', message);
}

function configFor(coach: CoachConfig, count: number): CoachConfig {
  return {
    ...coach,
    trigger: { interval: null, plateau: null, minDelta: 0, issue: false },
    mode: 'automatic',
    lag: 0,
    coolDown: 0,
    candidates: count,
    whatif: { share: 0, seeds: 0, retest: 0, episodes: 0 },
    memory: null,
  };
}

function createContext(
  { createVecEnv, prompts }: Pick<ProposeDependencies, 'createVecEnv' | 'prompts'>,
  coach: CoachConfig,
  { studyId, runId, seed, count }: Situation,
  { text, environment }: Pick<RoundContext, 'text' | 'environment'>,
): RoundContext {
  const learned = environment.manifest.groups.filter(
    ({ name }) => environment.spec.scripted[name] === undefined,
  );
  const group = learned[0]?.name ?? '';
  const { report, steps, series, recording } = playRandomly(createVecEnv, environment, group, seed);
  return {
    studyId,
    runId,
    arm: 'scratch',
    seed,
    round: 0,
    numRounds: 2,
    chargedSteps: steps,
    budgetSteps: assumedBudgetSteps,
    trialSteps: 0,
    stepsPerIteration: steps,
    config: configFor(coach, count),
    text,
    environment,
    setting: atBeginning,
    discounting: usualDiscounting,
    objective: { metric: 'episode_return', group, better: 'higher', words: '' },
    report,
    series,
    readRecording: async () => recording,
    isRequested: true,
    best: null,
    shaping: null,
    experience: noExperience,
    prompts,
  };
}

/** Failures that are told as answers though every question met one; all others end the call. */
const tellable: readonly ErrorCode[] = ['coach.noProposal', 'input.notFound', 'model.truncated'];

function summarize({ store }: ScratchStore, proposalIds: readonly string[]): Omit<Result, 'provider'> {
  const proposals = proposalIds.map((proposalId, index): CoachAnswer => {
    const proposal = store.proposals.get(proposalId);
    const { failure } = detailsOf(proposal);
    return {
      index,
      body: proposal.body,
      isComposed: proposal.isComposed,
      after: proposal.afterHash === null ? null : store.texts.get(proposal.afterHash),
      validation: store.validations.find(proposalId),
      failure: failure === null ? null : { code: failure.code, message: failure.message },
    };
  });
  const isFatal =
    proposals.length > 0 &&
    proposals.every(({ failure }) => failure !== null && failure.code !== 'coach.badOutput');
  const fatal = isFatal ? detailsOf(store.proposals.get(proposalIds[0] ?? '')).failure : null;
  if (fatal !== null && !tellable.includes(fatal.code)) throw AppError.fromPayload(fatal);
  return {
    proposals,
    funnel: countFunnel(store, proposalIds),
  };
}

/** By question: one that was answered soundly at the second attempt counts as answered. */
function countFunnel(
  { proposals, validations, snapshots }: Store,
  proposalIds: readonly string[],
): Result['funnel'] {
  const asked = new Map<string, ProposalRecord[]>();
  for (const proposal of proposalIds.map((proposalId) => proposals.get(proposalId))) {
    const question = detailsOf(proposal).repairs ?? proposal.proposalId;
    asked.set(question, [...(asked.get(question) ?? []), proposal]);
  }
  const count = (holds: (attempt: ProposalRecord) => boolean): number =>
    [...asked.values()].filter((attempts) => attempts.some(holds)).length;
  const seen = [...asked.values()].flatMap(([first]) =>
    first === undefined ? [] : (snapshots.findByRound(first.runId, first.round)?.textHash ?? []),
  );
  return {
    asked: asked.size,
    parsed: count(({ body }) => body !== null),
    valid: count(({ proposalId }) => validations.find(proposalId)?.isValid === true),
    repaired: count((attempt) => detailsOf(attempt).repairs != null),
    snapshots: new Set(seen).size,
    distinct: new Set(
      proposalIds
        .filter((proposalId) => validations.find(proposalId)?.isValid === true)
        .map((proposalId) => proposals.get(proposalId).afterHash),
    ).size,
  };
}
