import { z } from 'zod';
import type { AblationView } from '../../../shared/contract/ablation.ts';
import { AppError } from '../../../shared/std/app-error.ts';
import type { RunRecord, StoreReader, StudyRecord } from '../../store/index.ts';
import { requireExperiment } from '../experiment.ts';
import type { Experiment } from '../experiment-types.ts';
import { planExperiment } from '../plan/plan-experiment.ts';
import type { SupervisorOptions } from '../services.ts';
import { comparePaired } from '../statistics.ts';
import { readStudyExperiment } from '../study-records.ts';
import { createRecordedHost } from '../workspace-host.ts';
import { edlOfRun, hasChanged, readEvolution } from './applied-changes.ts';
import {
  type AblationArm,
  type AblationFiles,
  type AblationPart,
  ablationFolder,
  armsOf,
  designAblation,
  writeAblation,
} from './design-ablation.ts';

export interface AblationTools extends Pick<SupervisorOptions, 'root' | 'edl' | 'learners' | 'checkPrompt'> {
  readonly store: StoreReader;
  /** Runs at work at the same time. */
  readonly trainers: number;
}

export interface AblationRequest {
  readonly studyId: string;
  /** Null: of finished runs with changes in force, the one with the best final objective. */
  readonly runId: string | null;
  /** Null: as many as the study has, none of which a change was chosen on. */
  readonly seeds: readonly number[] | null;
  /** Whether each change is also trained alone. */
  readonly isAddOne: boolean;
}

/**
 * The ablation of a run as it stands: its changes, what is measured of them so far over all its studies, and what is missing
 * of the seeds asked for, with the files that would train it. Starts nothing, writes nothing.
 *
 * Throws: store.notFound; input.invalid where no run has changes, or the run is not of the study.
 */
export function readAblation(tools: AblationTools, request: AblationRequest): AblationView {
  const { store } = tools;
  const { experiment } = readStudyExperiment(store, tools, request.studyId);
  const run = chooseRun(tools, request);
  const arm = experiment.arms.find(({ name }) => name === run.arm);
  if (arm === undefined)
    throw new AppError('store.corrupt', `the experiment of ${request.studyId} has no arm ${run.arm}.`);
  const edl = edlOfRun(tools.edl, run);
  const ablation = designAblation(edl, readEvolution(store, edl, run), request.isAddOne);
  const arms = armsOf(ablation);
  const studies = studiesOf(store, run.runId);
  const scores = new Map(arms.map((each) => [each.name, scoresOf(store, studies, each, run)]));
  const { better } = experiment.objective;
  const compare = (a: AblationArm | null, b: AblationArm | null) =>
    a === null || b === null
      ? null
      : comparePaired(scores.get(a.name) ?? new Map(), scores.get(b.name) ?? new Map(), better);
  const wanted = request.seeds ?? freshSeeds(experiment);
  const missing = findMissing(store, studies, arms, wanted);
  const written =
    missing === null ? null : writeAblation(ablation, { experiment, arm, runId: run.runId }, missing);
  const unfinished = studies.find(({ state }) => state !== 'finished') ?? null;
  return {
    studyId: request.studyId,
    runId: run.runId,
    arm: run.arm,
    seed: run.seed,
    objective: { metric: experiment.objective.metric, group: experiment.objective.group, better },
    folder: ablationFolder(run.runId),
    changes: ablation.changes.map(({ index, label, proposalId, round, skipped, without, only }) => ({
      index,
      label,
      proposalId,
      round,
      skipped,
      contribution: compare(ablation.all, without),
      alone: compare(only, ablation.none),
    })),
    together: compare(ablation.all, ablation.none),
    numArms: arms.length,
    finishedSeeds: [...(scores.get('all')?.keys() ?? [])]
      .filter((seed) => arms.every(({ name }) => scores.get(name)?.has(seed)))
      .sort((a, b) => a - b),
    unfinished:
      unfinished === null ? null : { studyId: unfinished.studyId, experimentPath: unfinished.experimentPath },
    missingSeeds: missing === null ? [] : [...missing.seeds],
    experimentPath: written?.experimentPath ?? null,
    files: written === null ? [] : [...written.files],
    plan: written === null ? null : planWritten(tools, written),
  };
}

function planWritten(tools: AblationTools, { files, experimentPath }: AblationFiles): AblationView['plan'] {
  const texts = new Map(files.map(({ path, text }) => [path, text]));
  const host = createRecordedHost(tools.root, tools, (path) => texts.get(path) ?? null);
  return planExperiment(tools, requireExperiment(texts.get(experimentPath) ?? '', experimentPath, host));
}

function chooseRun({ store, edl }: AblationTools, { studyId, runId }: AblationRequest): RunRecord {
  const runs = store.runs.listByStudy(studyId);
  if (runId !== null) {
    const run = runs.find((each) => each.runId === runId);
    if (run !== undefined) return run;
    throw new AppError(
      'store.notFound',
      `study ${studyId} has no run ${runId}; \`gymwright runs show ${studyId}\` lists them.`,
    );
  }
  const sign = store.studies.get(studyId).objective.better === 'higher' ? 1 : -1;
  const changed = runs
    .filter(({ state, objective }) => state === 'finished' && objective !== null)
    .filter((run) => hasChanged(store, edlOfRun(edl, run), run))
    .sort((a, b) => sign * ((b.objective ?? 0) - (a.objective ?? 0)));
  const [best] = changed;
  if (best !== undefined) return best;
  throw new AppError(
    'input.invalid',
    `no finished run of ${studyId} ended in another environment than it began with: there is no change to attribute anything to.`,
  );
}

/** Changes were chosen on the study's own seeds, which flatters them there. */
function freshSeeds({ seeds }: Experiment): number[] {
  const first = Math.max(...seeds) + 1;
  return seeds.map((_, index) => first + index);
}

/** Ablations of a run, oldest first. */
function studiesOf(store: StoreReader, runId: string): StudyRecord[] {
  const folder = `${ablationFolder(runId)}/`;
  return store.studies
    .list()
    .filter(({ experimentPath }) => experimentPath.startsWith(folder))
    .reverse();
}

const configured = z.looseObject({ environment: z.looseObject({ identity: z.string() }) });

/** Whether a run trains in the environment of an arm, and no other that was once called so. */
const isOf =
  (arm: AblationArm) =>
  (run: RunRecord): boolean =>
    run.arm === arm.name &&
    configured.safeParse(run.configuration).data?.environment.identity === arm.identity;

/** What is in no ablation yet: of the first such seed the arms, with all seeds that lack the same; null: nothing. */
function findMissing(
  store: StoreReader,
  studies: readonly StudyRecord[],
  arms: readonly AblationArm[],
  wanted: readonly number[],
): AblationPart | null {
  const runs = studies.flatMap(({ studyId }) => store.runs.listByStudy(studyId));
  const lacking = wanted.map((seed) => ({
    seed,
    arms: arms.filter((arm) => !runs.some((run) => run.seed === seed && isOf(arm)(run))),
  }));
  const first = lacking.find((each) => each.arms.length > 0);
  if (first === undefined) return null;
  const isAlike = (each: typeof first): boolean =>
    each.arms.length === first.arms.length && each.arms.every((arm) => first.arms.includes(arm));
  return { seeds: lacking.filter(isAlike).map(({ seed }) => seed), arms: first.arms };
}

/** Final scores of an arm by seed, over all ablations with the budget of the run. */
function scoresOf(
  store: StoreReader,
  studies: readonly StudyRecord[],
  arm: AblationArm,
  { totalSteps }: RunRecord,
): Map<number, number> {
  const runs = studies.flatMap(({ studyId }) => store.runs.listByStudy(studyId)).filter(isOf(arm));
  return new Map(
    runs.flatMap((run): [number, number][] =>
      run.state === 'finished' && run.objective !== null && run.totalSteps === totalSteps
        ? [[run.seed, run.objective]]
        : [],
    ),
  );
}
