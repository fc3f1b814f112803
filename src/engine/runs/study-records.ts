import { randomBytes } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { z } from 'zod';
import { type LearnerConfig, learnerAlgorithms, learnerConfig } from '../../shared/rl/learner-config.ts';
import { AppError } from '../../shared/std/app-error.ts';
import { libraryVersion } from '../../shared/std/library-version.ts';
import { coachEdition } from '../coach/edition.ts';
import type { ShippedPrompts } from '../coach/prompts/frozen-prompts.ts';
import { undisciplined } from '../coach/shaping/discipline.ts';
import { type LearnerCatalogue, learnerCatalogue } from '../learn/index.ts';
import { readUnaltered, type Store, type StoreReader, unbegun } from '../store/index.ts';
import { requireExperiment } from './experiment.ts';
import type { ArmSpec, Experiment } from './experiment-types.ts';
import type { RunIdentity } from './round-context.ts';
import type { RunServices, SupervisorOptions } from './services.ts';
import { rememberFor } from './study-experience.ts';
import { asksWithShipped, freezePromptsFor, shippedOnRecord } from './study-prompts.ts';
import { createRecordedHost, type ReadTexts } from './workspace-host.ts';

const settingsOnRecord = z.looseObject({ algorithm: z.enum(learnerAlgorithms) });

const learnerCatalogueOnRecord = z.object({
  defaults: z.record(z.enum(learnerAlgorithms), settingsOnRecord),
  presets: z.record(z.string(), z.object({ source: z.string(), config: settingsOnRecord })),
});

/** What a study is identified by beside its experiment's text: all it was checked with, by hash. */
const studyConfiguration = z.object({
  library: z.string(),
  /** Versions of the scenarios it uses. */
  scenarios: z.record(z.string(), z.int()),
  /** Path -> hash of every EDL and prompt file it read. */
  files: z.record(z.string(), z.string()),
  learners: learnerCatalogueOnRecord.optional(),
  /** Before there were several algorithms: the defaults of IPPO. */
  learnerDefaults: z.record(z.string(), z.unknown()).optional(),
  /** Restrictions given at the start. */
  arm: z.string().nullable(),
  seed: z.number().nullable(),
  /** Hash of what earlier studies teach it; absent where no arm remembers. */
  experience: z.string().optional(),
  /** Hashes of the shipped prompts; absent where no arm asks with them, and in studies from before they were kept. */
  prompts: shippedOnRecord.optional(),
  /** What an arm inherits of the common coach; absent where it was all of it, whatever the provider. */
  inheritance: z.literal('byProvider').optional(),
  /** Edition of the coaches' rules; absent in studies from before it was kept. */
  coachEdition: z.int().optional(),
});

/** Defaults and presets as they were when the study began. */
function learnersOnRecord({
  learners,
  learnerDefaults,
}: z.output<typeof studyConfiguration>): LearnerCatalogue {
  const { defaults } = learnerCatalogue;
  // Settings that the version of the record did not know yet have their defaults.
  const complete = (settings: z.output<typeof settingsOnRecord>): LearnerConfig =>
    learnerConfig.parse({ ...defaults[settings.algorithm], ...settings });
  if (learners === undefined) {
    return {
      defaults: { ...defaults, ippo: complete({ algorithm: 'ippo', ...learnerDefaults }) },
      presets: {},
    };
  }
  const { ppo, ippo, mappo, vdn, qmix } = learners.defaults;
  return {
    defaults: {
      ppo: complete(ppo),
      ippo: complete(ippo),
      mappo: complete(mappo),
      vdn: complete(vdn),
      qmix: complete(qmix),
    },
    presets: Object.fromEntries(
      Object.entries(learners.presets).map(([name, { source, config }]) => [
        name,
        { source, config: complete(config) },
      ]),
    ),
  };
}

export interface StudySelection {
  readonly arm: string | null;
  readonly seed: number | null;
}

/** Puts a new study and all its runs on record as queued, in one transaction. Returns the study's id. */
export function recordStudy(
  services: RunServices,
  experiment: Experiment,
  texts: ReadTexts,
  selection: StudySelection,
): string {
  const { store, learners, now } = services;
  const studyId = `${experiment.name}-${randomBytes(4).toString('hex')}`;
  const sources = [experiment.objective, ...experiment.arms, ...experiment.heldOut].map(
    ({ environment }) => environment,
  );
  store.transaction(() => {
    const files = Object.fromEntries([...texts].map(([path, text]) => [path, store.texts.put(text)]));
    const arms = selectArms(experiment, selection);
    const experience = rememberFor(store, arms);
    const prompts = freezePromptsFor(store, arms, services.prompts);
    const configuration: z.input<typeof studyConfiguration> = {
      library: libraryVersion,
      scenarios: Object.fromEntries(
        sources.map(({ compiled }) => [compiled.manifest.name, compiled.manifest.version]),
      ),
      files,
      learners,
      ...selection,
      inheritance: 'byProvider',
      coachEdition,
      ...(experience !== null && { experience }),
      ...(prompts !== null && { prompts }),
    };
    const { metric, group, better } = experiment.objective;
    store.studies.insert({
      studyId,
      name: experiment.name,
      experimentPath: experiment.path,
      experimentHash: store.texts.put(experiment.text),
      configuration,
      objective: { metric, group, better },
      state: 'queued',
      createdAt: now(),
      finishedAt: null,
    });
    for (const arm of arms) {
      for (const seed of selectSeeds(experiment, selection))
        insertRun(services, experiment, arm, seed, { studyId, experience, prompts });
    }
  });
  return studyId;
}

function insertRun(
  { store, now }: RunServices,
  experiment: Experiment,
  arm: ArmSpec,
  seed: number,
  {
    studyId,
    experience,
    prompts,
  }: {
    readonly studyId: string;
    readonly experience: string | null;
    readonly prompts: ShippedPrompts | null;
  },
): void {
  const { budget, objective, evaluateEverySteps, opponents, heldOut } = experiment;
  store.runs.insert({
    runId: `${studyId}.${arm.name}.${seed}`,
    studyId,
    parentRunId: null,
    arm: arm.name,
    seed,
    totalSteps: budget.steps,
    numRounds: budget.rounds,
    configuration: {
      environment: { path: arm.environment.path, identity: arm.environment.compiled.identity },
      learner: arm.learner,
      coach: arm.coach,
      // Part of what the run is: with another memory it is another run.
      ...(arm.coach.memory !== null && experience !== null && { experience }),
      ...(asksWithShipped(arm) && prompts !== null && { prompts }),
      budget,
      evaluate: { every: evaluateEverySteps, episodes: objective.episodes },
      opponents,
      objective: {
        metric: objective.metric,
        group: objective.group,
        better: objective.better,
        environment: objective.environment.path ?? objective.environment.compiled.scenario,
        identity: objective.environment.compiled.identity,
        opponents: objective.opponents,
      },
      ...(heldOut.length > 0 && {
        heldOut: heldOut.map(({ name, environment }) => ({ name, identity: environment.compiled.identity })),
      }),
      seed,
    },
    ...unbegun,
    createdAt: now(),
  });
}

/** Throws: experiment.invalid for a name that no arm has. */
export function selectArms(experiment: Experiment, { arm }: StudySelection): readonly ArmSpec[] {
  if (arm === null) return experiment.arms;
  const found = experiment.arms.filter((each) => each.name === arm);
  if (found.length > 0) return found;
  const names = experiment.arms.map((each) => each.name).join(', ');
  throw new AppError('experiment.invalid', `${experiment.path} has no arm "${arm}"; its arms are ${names}.`);
}

function selectSeeds(experiment: Experiment, { seed }: StudySelection): readonly number[] {
  return seed === null ? experiment.seeds : [seed];
}

/**
 * A study's experiment as it was started, from texts on record; without a `root` its coaches' model files are not looked for.
 * Throws: store.notFound, store.corrupt, experiment.invalid.
 */
export function readStudyExperiment(
  store: StoreReader,
  options: Pick<SupervisorOptions, 'edl'> & { readonly root: string | null },
  studyId: string,
): { experiment: Experiment; warning: string | null } {
  const study = store.studies.get(studyId);
  const configuration = studyConfiguration.parse(study.configuration);
  const { files } = configuration;
  const inheritance = { isAcrossProviders: configuration.inheritance === undefined };
  const host = createRecordedHost(
    options.root,
    { edl: options.edl, learners: learnersOnRecord(configuration), inheritance },
    (path) => {
      const hash = files[path];
      return hash === undefined ? null : readUnaltered(store.texts, hash, `${path} of study ${studyId}`);
    },
  );
  const what = `${study.experimentPath} of study ${studyId}`;
  const text = readUnaltered(store.texts, study.experimentHash, what);
  const experiment = requireExperiment(text, study.experimentPath, host);
  return { experiment, warning: warningOf(studyId, experiment, configuration) };
}

function warningOf(
  studyId: string,
  { arms }: Experiment,
  { library, coachEdition: edition }: z.output<typeof studyConfiguration>,
): string | null {
  if (library !== libraryVersion)
    return `study ${studyId} was started by version ${library}, this is ${libraryVersion}: figures from here on may differ from an uninterrupted run.`;
  if (edition === coachEdition || arms.every(({ coach }) => coach.provider === 'none')) return null;
  const before = edition === undefined ? 'earlier rules' : `edition ${edition} of the rules`;
  return `study ${studyId} was started under ${before} by which coaches choose, this is edition ${coachEdition}: decisions from here on may differ from those of an undisturbed run.`;
}

/** Throws: store.notFound; experiment.invalid when the study was started from another file than the one named beside it. */
export function requireSameExperiment(
  { store, root }: Pick<SupervisorOptions, 'store' | 'root'>,
  studyId: string,
  experimentPath: string,
): void {
  const started = store.studies.get(studyId).experimentPath;
  if (realPath(root, started) === realPath(root, experimentPath)) return;
  throw new AppError(
    'experiment.invalid',
    `study ${studyId} was started from ${started}, not from ${experimentPath}: name ${started} to take it up, or start ` +
      'the other one as a study of its own.',
    { data: { studyId, started, named: experimentPath } },
  );
}

/** Of a file that is gone, as it is spelled. */
function realPath(root: string, path: string): string {
  const full = resolve(root, path);
  try {
    return realpathSync(full);
  } catch {
    return full;
  }
}

/** The study's runs in the order they are worked on: by seed, then by arm, so that pairs finish together. */
export function listRunIdentities(store: Store, experiment: Experiment, studyId: string): RunIdentity[] {
  const arms = new Map(experiment.arms.map((arm, index) => [arm.name, { arm, index }]));
  return store.runs
    .listByStudy(studyId)
    .flatMap((run) => {
      const entry = arms.get(run.arm);
      return entry === undefined ? [] : [{ run, ...entry }];
    })
    .toSorted(
      (a, b) => seedRank(experiment, a.run.seed) - seedRank(experiment, b.run.seed) || a.index - b.index,
    )
    .map(({ run, arm }) => ({
      studyId,
      runId: run.runId,
      seed: run.seed,
      arm: asBegun(arm, run.configuration),
      experiment,
    }));
}

const begunWith = z.object({
  coach: z.object({
    shaping: z.object({}).optional(),
    coolDown: z.int().optional(),
    lag: z.int().optional(),
    replay: z.object({ study: z.string(), arm: z.string().nullable() }).optional(),
  }),
});

/** A run goes on as it began: without a setting of its coach that was not there yet, with the lag and the source of then. */
function asBegun(arm: ArmSpec, configuration: unknown): ArmSpec {
  const { shaping, coolDown, lag, replay } = begunWith.safeParse(configuration).data?.coach ?? {};
  const coach = {
    ...arm.coach,
    ...(shaping === undefined && { shaping: undisciplined }),
    ...(coolDown === undefined && { coolDown: 0 }),
    ...(lag !== undefined && { lag }),
    // What was found at the start, whatever other studies have come since.
    ...(replay !== undefined && { replay }),
  };
  return { ...arm, coach };
}

function seedRank(experiment: Experiment, seed: number): number {
  const rank = experiment.seeds.indexOf(seed);
  return rank < 0 ? experiment.seeds.length : rank;
}
