import type { ExportedPolicy } from '../../shared/rl/learner.ts';
import { discountingOf } from '../../shared/rl/learner-config.ts';
import type { TrainerDependencies } from './dependencies.ts';
import { scorePolicies } from './objective.ts';
import type { SeriesPoint, TrainerInit } from './protocol.ts';
import { streamSeed } from './seeds.ts';

/** Key of the series of a held-out environment's scores. */
export const heldOutKey = (name: string): string => `eval/held_out/${name}`;

/**
 * Scores policies by the objective's metric in environments that no arm trains in and no coach is told of: one point
 * each, over as many greedy episodes as an evaluation has, the same ones every time.
 */
export async function scoreHeldOut(
  deps: TrainerDependencies,
  { heldOut = [], objective, seed, learner }: TrainerInit,
  policies: readonly ExportedPolicy[],
  step: number,
): Promise<{ readonly points: readonly SeriesPoint[]; readonly steps: number }> {
  const points: SeriesPoint[] = [];
  let steps = 0;
  for (const { name, environment } of heldOut) {
    const { mean, evaluation } = await scorePolicies(deps, {
      objective: { ...objective, environment },
      policies,
      episodes: objective.episodes,
      seed: streamSeed(seed, 'heldOut'),
      discounting: discountingOf(learner),
    });
    points.push({ key: heldOutKey(name), step, value: mean });
    steps += evaluation.steps;
  }
  return { points, steps };
}
