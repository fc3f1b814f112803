import { z } from 'zod';
import type { EnvironmentSpec } from '../../../shared/rl/vec-env.ts';
import { AppError } from '../../../shared/std/app-error.ts';
import { bindToRun } from '../../coach/in-force.ts';
import { undisciplined } from '../../coach/shaping/discipline.ts';
import { specInForce } from '../../coach/shaping/follow-change.ts';
import type { CompiledEnvironment } from '../../edl/types.ts';
import type { StoreReader } from '../../store/index.ts';
import { stageOf } from '../curriculum.ts';
import { specWithPlayers } from '../experiment-players.ts';
import { readLoopState, type ShapingPlan } from '../loop-state.ts';
import { readRunSetting } from '../round-context.ts';
import type { EdlServices } from '../services.ts';
import { readStudyExperiment } from '../study-records.ts';

/** An environment of a run as its policies met it: with the stage and the players of its time. */
export interface PlayedEnvironment {
  readonly kind: 'training' | 'objective';
  /** That it was trained in; null for the objective's. */
  readonly round: number | null;
  readonly identity: string;
  readonly spec: EnvironmentSpec;
  readonly manifest: CompiledEnvironment['manifest'];
}

export interface EnvironmentSources {
  readonly root: string;
  readonly store: StoreReader;
  readonly edl: EdlServices;
}

/**
 * What a run trained in in a round, with what was fading out; null: what is in force.
 * Throws: input.notFound for a round that has not begun; input.invalid where it means something else in this version.
 */
export function readTrainingEnvironment(
  { store, edl }: EnvironmentSources,
  runId: string,
  wanted: number | null,
): PlayedEnvironment {
  const rounds = store.rounds.listByRun(runId);
  const found = wanted === null ? rounds.at(-1) : rounds.find(({ round }) => round === wanted);
  if (found === undefined) {
    const which = wanted === null ? 'its first round' : `round ${wanted + 1}`;
    throw new AppError('input.notFound', `run ${runId} has not begun ${which}: there is no environment yet`);
  }
  const { round, environmentHash, environmentIdentity } = found;
  const loop = readLoopState(store.runs.get(runId).loop);
  const stage = stageOf(loop, round);
  const setting = {
    ...readRunSetting(store, runId),
    stage: stage?.name ?? null,
    place: stage?.index ?? 0,
  };
  const shaping = loop.plans[round]?.shaping ?? null;
  const environment = requireSame(
    bindToRun(edl, setting).compile(store.texts.get(shaping?.textHash ?? environmentHash)).environment,
    shaping?.identity ?? environmentIdentity,
    `the environment of round ${round + 1}`,
  );
  const { identity, manifest } = environment;
  const spec = shaping === null ? environment.spec : specBegunWith(environment, shaping);
  return { kind: 'training', round, identity, spec, manifest };
}

/** With the weights that the round began with. Their course and bounds say nothing of what a step pays before them. */
function specBegunWith(environment: CompiledEnvironment, shaping: ShapingPlan): EnvironmentSpec {
  const { components, changedAt } = shaping;
  return specInForce({ environment, components, changedAt }, undisciplined);
}

const judgedBy = z.object({ objective: z.object({ identity: z.string() }) });

/**
 * What a run is scored in, as the study was started with it.
 * Throws: experiment.invalid where this version no longer takes the experiment; input.invalid where the environment means
 * something else in it. Cost: compiles the study's environments.
 */
export function readObjectiveEnvironment(sources: EnvironmentSources, runId: string): PlayedEnvironment {
  const { store, edl } = sources;
  const { studyId, configuration } = store.runs.get(runId);
  const { objective } = readStudyExperiment(store, { edl, root: null }, studyId).experiment;
  const { identity, manifest, ...rest } = requireSame(
    objective.environment.compiled,
    judgedBy.safeParse(configuration).data?.objective.identity ?? null,
    "the objective's environment",
  );
  const spec = specWithPlayers({ ...rest, manifest }, objective.opponents);
  return { kind: 'objective', round: null, identity, spec, manifest };
}

/** A policy sees and does what its environment meant then: under another version of the scenario it would be another one. */
function requireSame(
  environment: CompiledEnvironment | null,
  identity: string | null,
  what: string,
): CompiledEnvironment {
  // Where the record does not say, the policy still does: it names the version of its scenario.
  if (environment !== null && (identity === null || environment.identity === identity)) return environment;
  const reason = environment === null ? 'does not compile' : 'means something else';
  throw new AppError('input.invalid', `${what} ${reason} in this version: it cannot be played as it was`, {
    data: { identity, found: environment?.identity ?? null },
  });
}
