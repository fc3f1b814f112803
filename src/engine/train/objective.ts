import type { ExportedPolicy } from '../../shared/rl/learner.ts';
import type { Discounting } from '../../shared/rl/vec-env.ts';
import { AppError } from '../../shared/std/app-error.ts';
import { mean, standardError } from '../../shared/std/statistics.ts';
import type { Evaluation, Policy } from '../policy/types.ts';
import type { TrainerDependencies } from './dependencies.ts';
import type { ObjectiveConfig, SeriesPoint } from './protocol.ts';

/** A score on the objective's own environment: mean over fixed episodes with its standard error. */
export interface Score {
  readonly mean: number;
  readonly error: number;
  readonly evaluation: Evaluation;
}

export interface ScoreOptions {
  readonly objective: ObjectiveConfig;
  readonly policies: readonly ExportedPolicy[];
  readonly episodes: number;
  readonly seed: bigint;
  /** With which potentials of the environment are told as components. */
  readonly discounting: Discounting;
  readonly signal?: AbortSignal;
}

/** Plays fixed greedy episodes of the objective's environment. The objective's direction plays no part here. */
export async function scorePolicies(deps: TrainerDependencies, options: ScoreOptions): Promise<Score> {
  const { objective, episodes, seed, discounting, signal } = options;
  const learned = options.policies.filter(
    ({ group }) => !Object.hasOwn(objective.environment.scripted, group),
  );
  const opened: Policy[] = [];
  try {
    const policies: Record<string, Policy> = {};
    for (const { group, onnx } of learned) {
      const policy = await deps.openPolicy(onnx);
      opened.push(policy);
      policies[group] = policy;
    }
    const createEnv = (numEnvs: number) =>
      deps.createVecEnv(objective.environment, { numEnvs, seed, firstEpisode: 0, ...discounting });
    const evaluation = await deps.evaluate({
      createEnv,
      policies,
      episodes,
      seed,
      ...(signal !== undefined && { signal }),
    });
    const values = objectiveValues(evaluation, objective);
    return { mean: mean(values), error: standardError(values), evaluation };
  } finally {
    for (const policy of opened) await policy.dispose();
  }
}

/** The objective in each episode that has a value of it. */
function objectiveValues({ groups, episodes }: Evaluation, objective: ObjectiveConfig): Float64Array {
  const { metric, group } = objective;
  const series = metric === 'episode_return' ? groups[group]?.episodeReturn : groups[group]?.metrics[metric];
  if (series !== undefined) return series.values.filter((value) => !Number.isNaN(value));
  throw new AppError(
    'run.failed',
    `the objective "${metric}" of group "${group}" has no value in any of ${episodes} evaluation episodes: choose a metric ` +
      'that every episode measures.',
  );
}

/** Metrics of all agents; those that are not per agent from the side of the objective's group. */
function metricsOfObjective(
  { metrics, agentMetrics, groups }: Evaluation,
  group: string,
): Evaluation['metrics'] {
  const own = Object.entries(groups[group]?.metrics ?? {}).filter(
    ([name]) => agentMetrics[name] === undefined,
  );
  return { ...metrics, ...Object.fromEntries(own) };
}

/** The series points of an evaluation: `eval/objective`, and returns, components and metrics by name, those of single agents too. */
export function evaluationPoints(score: Score, objective: ObjectiveConfig, step: number): SeriesPoint[] {
  const { evaluation } = score;
  const points: SeriesPoint[] = [{ key: 'eval/objective', step, value: score.mean }];
  for (const [name, group] of Object.entries(evaluation.groups)) {
    points.push({ key: `eval/episodic_return/${name}`, step, value: group.episodeReturn.mean });
  }
  for (const [name, series] of Object.entries(evaluation.groups[objective.group]?.components ?? {})) {
    points.push({ key: `eval/component/${name}`, step, value: series.mean });
  }
  for (const [name, series] of Object.entries(metricsOfObjective(evaluation, objective.group))) {
    points.push({ key: `eval/metric/${name}`, step, value: series.mean });
  }
  return [...points, ...agentPoints('eval', evaluation.agentMetrics, step)];
}

/** Points `<prefix>/metric/<metric>/<agent>`. */
export function agentPoints(
  prefix: 'eval' | 'charts',
  values: Evaluation['agentMetrics'],
  step: number,
): SeriesPoint[] {
  return Object.entries(values).flatMap(([metric, byAgent]) =>
    Object.entries(byAgent).map(([agent, value]) => ({
      key: `${prefix}/metric/${metric}/${agent}`,
      step,
      value,
    })),
  );
}
