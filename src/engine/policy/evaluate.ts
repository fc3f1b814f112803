import type { ManifestGroup } from '../../shared/rl/manifest.ts';
import type { VecEnv } from '../../shared/rl/vec-env.ts';
import { AppError } from '../../shared/std/app-error.ts';
import { ActionCounts } from './action-counts.ts';
import { EpisodeTable } from './episode-table.ts';
import { PolicyPlayer } from './policy-player.ts';
import { invalidPolicy } from './read-metadata.ts';
import type { Evaluation, EvaluationOptions, Policy } from './types.ts';

const defaultNumEnvs = 256;

/**
 * Plays episodes 0..episodes-1 of the stream `seed` greedily and reports every one of them.
 * Every figure is a function of (environment, policies, episodes, seed): the number of copies does not enter.
 * Throws: policy.invalid (reason space) when a policy is missing or does not fit its group; run.cancelled.
 */
export async function evaluatePolicies(options: EvaluationOptions): Promise<Evaluation> {
  const { createEnv, policies, episodes, seed, signal } = options;
  if (!Number.isInteger(episodes) || episodes < 1) {
    throw new RangeError(`an evaluation needs a whole number of episodes from 1 on, got ${episodes}`);
  }
  const env = createEnv(Math.min(options.numEnvs ?? defaultNumEnvs, episodes));
  try {
    const players = assignPolicies(env, policies);
    const table = new EpisodeTable(env, episodes);
    const chosen = learningGroups(env).map((group) => new ActionCounts(env, group));
    env.reset(seed, 0);
    const actions = new Int32Array(env.numEnvs * env.numAgents);
    let steps = 0;
    while (!table.isComplete) {
      if (signal?.aborted) throw new AppError('run.cancelled', 'The evaluation was cancelled.');
      for (const player of players) await player.act(actions);
      for (const counts of chosen) counts.add(actions);
      env.step(actions);
      for (const player of players) player.endStep();
      steps += env.numEnvs;
      table.record((copy, isCounted) => {
        for (const counts of chosen) counts.end(copy, isCounted);
      });
    }
    const actionShares = Object.fromEntries(chosen.map((counts) => [counts.group, counts.shares()]));
    return { episodes, steps, ...table.summarise(), actionShares };
  } finally {
    env.dispose();
  }
}

function learningGroups({ manifest, spec }: VecEnv): readonly ManifestGroup[] {
  return manifest.groups.filter((group) => spec.scripted[group.name] === undefined);
}

/** A player for every group that is not scripted. Throws: policy.invalid where one is missing or does not fit. */
export function assignPolicies(env: VecEnv, policies: Readonly<Record<string, Policy>>): PolicyPlayer[] {
  return learningGroups(env).map((group) => {
    const policy = policies[group.name];
    if (policy === undefined) {
      throw invalidPolicy('space', `No policy is given for group "${group.name}" of ${env.manifest.name}.`);
    }
    return new PolicyPlayer(env, group, policy);
  });
}
