import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  createSupervisor,
  type SupervisorFace,
  type SupervisorOptions,
} from '../../../src/engine/runs/index.ts';
import { readLoopState } from '../../../src/engine/runs/loop-state.ts';
import { openStore, type Store } from '../../../src/engine/store/index.ts';
import type { EventName } from '../../../src/shared/contract/events.ts';
import { ToyCoach } from './toy-coach.ts';
import { toyEdl, toyText } from './toy-edl.ts';
import { toyLearners } from './toy-learner.ts';

export const toyTrainerPath = join(dirname(fileURLToPath(import.meta.url)), 'toy-trainer.ts');

export interface ToyExperiment {
  readonly steps?: number;
  readonly rounds?: number;
  readonly seeds?: readonly number[];
  readonly coach?: object;
  readonly arms?: readonly object[];
  readonly learner?: object;
}

/** An experiment file as JSON, which is YAML. */
export function toyExperiment(changes: ToyExperiment = {}): string {
  const { steps = 400, rounds = 4, seeds = [1, 2], learner = {} } = changes;
  const coach = changes.coach ?? { provider: 'rules', trigger: { interval: 1 } };
  const arms = changes.arms ?? [{ name: 'fixed', coach: 'none' }, { name: 'coached' }];
  const objective = { metric: 'episode_return', group: 'agent', environment: 'environments/clean.edl' };
  return JSON.stringify(
    {
      name: 'toy',
      environment: 'environments/toy.edl',
      learner,
      budget: { steps, rounds },
      seeds,
      objective,
      coach,
      arms,
    },
    null,
    2,
  );
}

/** A workspace folder with a biased training environment, a clean one, and an experiment. */
export function writeToyWorkspace(
  experiment: string = toyExperiment(),
  training: string = toyText(0.9),
): string {
  const root = mkdtempSync(join(tmpdir(), 'gymwright-toy-'));
  mkdirSync(join(root, 'environments'));
  mkdirSync(join(root, 'experiments'));
  writeFileSync(join(root, 'environments/toy.edl'), training);
  writeFileSync(join(root, 'environments/clean.edl'), toyText(0));
  writeFileSync(join(root, 'experiments/toy.yaml'), experiment);
  return root;
}

export interface ToyEngine {
  readonly root: string;
  readonly store: Store;
  readonly supervisor: SupervisorFace;
  readonly coach: ToyCoach;
  readonly events: { readonly event: EventName; readonly payload: unknown }[];
  close(): Promise<void>;
  /** Ends the engine and removes the workspace. */
  remove(): Promise<void>;
}

/** A supervisor over a real store and real processes, whose trainers play the toy scenario. */
export function openToyEngine(root: string, options: Partial<SupervisorOptions> = {}): ToyEngine {
  const store = openStore(root);
  const events: ToyEngine['events'] = [];
  const coach = options.coach instanceof ToyCoach ? options.coach : new ToyCoach();
  const supervisor = createSupervisor({
    root,
    store,
    emit: (event, payload) => events.push({ event, payload }),
    edl: toyEdl,
    coach,
    learners: toyLearners,
    maxTrainers: 2,
    trainerPath: toyTrainerPath,
    ...options,
  });
  const close = async () => {
    await supervisor.close();
    store.close();
  };
  return {
    root,
    store,
    supervisor,
    coach,
    events,
    close,
    remove: async () => {
      await close();
      rmSync(root, { recursive: true, force: true });
    },
  };
}

/** What must be the same however often a study was interrupted: by arm and seed, every series, hash and round. */
export function studyFigures(store: Store, studyId: string): Record<string, unknown> {
  return Object.fromEntries(
    store.runs.listByStudy(studyId).map((run) => [
      `${run.arm} ${run.seed}`,
      {
        state: run.state,
        ownSteps: run.ownSteps,
        chargedSteps: run.chargedSteps,
        objective: run.objective,
        bestObjective: run.bestObjective,
        parameterHash: run.parameterHash,
        stages: readLoopState(run.loop).plans.map(({ stage, move }) => ({ stage, move })),
        rounds: store.rounds.listByRun(run.runId).map(({ environmentIdentity, outcome }) => ({
          environmentIdentity,
          objective: outcome?.objective,
          parameterHash: outcome?.parameterHash,
        })),
        series: Object.fromEntries(
          store.series.keys([run.runId]).map((key) => [key, [...store.series.points(run.runId, key)]]),
        ),
      },
    ]),
  );
}
