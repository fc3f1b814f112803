import { z } from 'zod';
import type { RunView, StudyView } from '../../shared/contract/runs.ts';
import type { RunRecord, StoreReader, StudyRecord } from '../store/index.ts';
import { readArmCoach } from './arm-coach.ts';
import { stageOf } from './curriculum.ts';
import { nextBoundary, readLoopState } from './loop-state.ts';
import { readTraps } from './run-traps.ts';
import { type ArmScores, summarizeArms } from './statistics.ts';

/** A run as it stands on record. Throws: store.notFound. */
export function readRunView(store: StoreReader, runId: string): RunView {
  return toRunView(store, store.runs.get(runId));
}

/** A study with its runs and the figures of its arms. Throws: store.notFound. */
export function readStudyView(store: StoreReader, studyId: string): StudyView {
  return toStudyView(store, store.studies.get(studyId));
}

/** All studies, newest first. */
export function listStudyViews(store: StoreReader): StudyView[] {
  return store.studies.list().map((study) => toStudyView(store, study));
}

function toStudyView(store: StoreReader, study: StudyRecord): StudyView {
  const runs = store.runs.listByStudy(study.studyId).filter((run) => run.parentRunId === null);
  const { studyId, name, experimentPath, state, createdAt, finishedAt, objective } = study;
  return {
    studyId,
    name,
    experimentPath,
    state,
    createdAt,
    finishedAt,
    objective,
    runs: runs.map((run) => toRunView(store, run)),
    arms: summarizeArms(armScores(runs), objective.better),
  };
}

/** Only finished runs have a score: a curve's last point is not a result. */
function armScores(runs: readonly RunRecord[]): ArmScores[] {
  const names = [...new Set(runs.map((run) => run.arm))];
  return names.map((name) => {
    const own = runs.filter((run) => run.arm === name);
    const scores = own.flatMap(({ seed, state, objective }): [number, number][] =>
      state === 'finished' && objective !== null ? [[seed, objective]] : [],
    );
    return { name, coach: readArmCoach(own[0]), seeds: own.map((run) => run.seed), scores: new Map(scores) };
  });
}

/** Where the curriculum stands, with the boundary that began the stage: as it is on record, whenever it is looked at. */
function readStage({ loop, round }: RunRecord): RunView['stage'] {
  const state = readLoopState(loop);
  const stage = stageOf(state, round);
  if (stage === null) return null;
  const { name, index, count, sinceStep } = stage;
  const begun = state.plans.findIndex(
    (plan) => plan.stage?.name === name && plan.stage.sinceStep === sinceStep,
  );
  return { name, index, count, round: begun, sinceStep };
}

const remembering = z.looseObject({ experience: z.string() });

function rememberedBy({ configuration }: RunRecord): Pick<RunView, 'experience'> {
  const found = remembering.safeParse(configuration).data;
  return found === undefined ? {} : { experience: found.experience };
}

function toRunView(store: StoreReader, run: RunRecord): RunView {
  const { runId, studyId, arm, seed, state, ownSteps, totalSteps, round, numRounds } = run;
  const { stepsPerSecond, objective, bestObjective, parameterHash, error } = run;
  return {
    runId,
    studyId,
    arm,
    seed,
    state,
    step: run.chargedSteps,
    ownSteps,
    totalSteps,
    round,
    numRounds,
    nextBoundary: nextBoundary(run),
    stage: readStage(run),
    traps: readTraps(store, runId),
    stepsPerSecond: state === 'running' ? stepsPerSecond : null,
    objective,
    bestObjective,
    parameterHash,
    ...rememberedBy(run),
    error,
  };
}
