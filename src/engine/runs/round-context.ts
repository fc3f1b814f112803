import { join } from 'node:path';
import { z } from 'zod';
import { discountingOf, stepsPerIteration } from '../../shared/rl/learner-config.ts';
import { AppError } from '../../shared/std/app-error.ts';
import { bringIntoForce, type RunSetting } from '../coach/in-force.ts';
import type { Recording, RoundContext } from '../coach/types.ts';
import type { RunExperience } from '../coach/validate/validate-edited.ts';
import type { CompiledEnvironment } from '../edl/types.ts';
import type { Store, StoreReader } from '../store/index.ts';
import { type RoundReport, readRecord, stretchesOf } from '../train/index.ts';
import { stageOf } from './curriculum.ts';
import { withFullPaths } from './experiment-coach.ts';
import type { ArmSpec, Experiment } from './experiment-types.ts';
import { readLoopState, type StagePlan } from './loop-state.ts';
import type { RunServices } from './services.ts';
import { shapingAt } from './shaping-plan.ts';
import { readReport, roundStoodAt, seriesUntil } from './standing.ts';
import { readExperience } from './study-experience.ts';
import { readPrompts } from './study-prompts.ts';

/** Which run a driver drives, and by what. */
export interface RunIdentity {
  readonly studyId: string;
  readonly runId: string;
  readonly seed: number;
  readonly arm: ArmSpec;
  readonly experiment: Experiment;
}

/** Where a run's files lie, relative to the workspace. */
export function runDirectory(runId: string): string {
  return join('.gymwright', 'runs', runId);
}

export interface BoundaryState {
  readonly round: number;
  /** Hash of the text that the coach's changes go into. */
  readonly textHash: string;
  readonly trialSteps: number;
  readonly isRequested: boolean;
  /** Where the curriculum stands. */
  readonly stage: StagePlan | null;
}

/**
 * What the coach may look at when a round has ended, from the record alone: a boundary that is gone through again
 * after a kill shows the coach the same. Where the round fell, figures, recorded steps and weights in force are those of the policy that came
 * back; that it fell is told with the changes that it undid.
 */
export function readRoundContext(
  services: RunServices,
  run: RunIdentity,
  boundary: BoundaryState,
): RoundContext {
  const { store, root } = services;
  const { experiment, arm, runId } = run;
  const { chargedSteps } = readReport(store, runId, boundary.round);
  const stood = roundStoodAt(store, runId, boundary.round);
  const report = readReport(store, runId, stood);
  const text = store.texts.get(boundary.textHash);
  const { metric, group, better, words } = experiment.objective;
  const { coach } = arm;
  const setting = settingOf(services, run, boundary.stage);
  const compile = (text: string) => bringIntoForce(compileText(services, text, setting), setting);
  return {
    studyId: run.studyId,
    runId,
    arm: arm.name,
    seed: run.seed,
    round: boundary.round,
    numRounds: experiment.budget.rounds,
    chargedSteps,
    budgetSteps: experiment.budget.steps,
    trialSteps: boundary.trialSteps,
    stepsPerIteration: stepsPerIteration(arm.learner),
    config: withFullPaths(coach, root),
    text,
    environment: compile(text),
    setting,
    discounting: discountingOf(arm.learner),
    objective: { metric, group, better, words },
    report,
    series: seriesUntil(store, runId, boundary.round),
    readRecording: async () => readRecording(join(root, runDirectory(runId), report.record)),
    isRequested: boundary.isRequested,
    best: experiment.objective.best ?? null,
    shaping: shapingOf(services, run, stood, report, compile),
    experience: readExperience(store, run),
    prompts: readPrompts(store, run.studyId, services.prompts),
  };
}

/** What a record file holds, as the validator reads it. Throws: input.notFound, input.invalid. */
export function readRecording(path: string): Recording {
  const record = readRecord(path);
  return { round: record.round, steps: record.steps, stretches: stretchesOf(record) };
}

function shapingOf(
  { store }: RunServices,
  { runId, arm }: RunIdentity,
  round: number,
  report: RoundReport,
  compile: (text: string) => CompiledEnvironment,
): RoundContext['shaping'] {
  const plan = readLoopState(store.runs.get(runId).loop).plans[round];
  return plan === undefined ? null : shapingAt(store, arm, plan, report, compile);
}

const shaped = z.looseObject({
  coach: z
    .looseObject({ shaping: z.looseObject({ term: z.number().nullable().optional() }).optional() })
    .optional(),
});

/**
 * What a run has on record to hold a text against: of the round that it stands at the end of. Throws: store.notFound, store.corrupt
 * where none has, input.notFound, input.invalid.
 */
export function readRunExperience(store: Store, root: string, runId: string): RunExperience {
  const { studyId, configuration } = store.runs.get(runId);
  const termShare = shaped.parse(configuration).coach?.shaping?.term;
  const last = store.rounds.listByRun(runId).findLast(({ outcome }) => outcome !== null);
  const round = last?.round ?? 0;
  const { record } = readReport(store, runId, roundStoodAt(store, runId, round));
  return {
    recording: readRecording(join(root, runDirectory(runId), record)),
    objective: store.studies.get(studyId).objective,
    series: seriesUntil(store, runId, round),
    ...(termShare !== undefined && { termShare }),
  };
}

/** What a run makes of the texts it compiles, where the curriculum stands at `stage`. */
export function settingOf(
  { store }: Pick<RunServices, 'store'>,
  { runId, experiment }: Pick<RunIdentity, 'runId' | 'experiment'>,
  stage: StagePlan | null,
): RunSetting {
  const { capacities } = readLoopState(store.runs.get(runId).loop);
  return {
    opponents: experiment.opponents,
    stage: stage?.name ?? null,
    place: stage?.index ?? 0,
    capacities,
  };
}

const configured = z.object({ opponents: z.record(z.string(), z.string()).default({}) });

/** What a run makes of the texts it compiles where it stands now, all read from the record. Throws: store.notFound. */
export function readRunSetting(store: StoreReader, runId: string): RunSetting {
  const { loop, round, configuration } = store.runs.get(runId);
  const state = readLoopState(loop);
  const { opponents } = configured.parse(configuration);
  const stage = stageOf(state, round);
  return { opponents, stage: stage?.name ?? null, place: stage?.index ?? 0, capacities: state.capacities };
}

/** A text on record, compiled again. Throws: run.failed when this version no longer accepts it. */
export function compileText(
  services: Pick<RunServices, 'edl'>,
  text: string,
  { capacities }: Pick<RunSetting, 'capacities'>,
): CompiledEnvironment {
  const { environment, diagnostics } = services.edl.compile(text, { capacities });
  if (environment !== null) return environment;
  const first = diagnostics.find(({ severity }) => severity === 'error')?.message ?? 'no reason given';
  throw new AppError('run.failed', `an environment on record does not compile in this version: ${first}.`);
}
