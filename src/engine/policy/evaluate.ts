import type { ManifestGroup, ScenarioManifest } from '../../shared/rl/manifest.ts';
import type { VecEnv } from '../../shared/rl/vec-env.ts';
import { AppError } from '../../shared/std/app-error.ts';
import { EpisodeTable } from './episode-table.ts';
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
    env.reset(seed, 0);
    const actions = new Int32Array(env.numEnvs * env.numAgents);
    let steps = 0;
    while (!table.isComplete) {
      if (signal?.aborted) throw new AppError('run.cancelled', 'The evaluation was cancelled.');
      for (const player of players) await player.act(actions);
      env.step(actions);
      steps += env.numEnvs;
      table.record();
    }
    return { episodes, steps, ...table.summarise() };
  } finally {
    env.dispose();
  }
}

function assignPolicies(env: VecEnv, policies: Readonly<Record<string, Policy>>): GroupPlayer[] {
  return env.manifest.groups
    .filter((group) => env.spec.scripted[group.name] === undefined)
    .map((group) => {
      const policy = policies[group.name];
      if (policy === undefined) {
        throw invalidPolicy('space', `No policy is given for group "${group.name}" of ${env.manifest.name}.`);
      }
      checkFit(env.manifest, group, policy);
      return new GroupPlayer(env, group, policy);
    });
}

function checkFit(manifest: ScenarioManifest, group: ManifestGroup, { metadata }: Policy): void {
  const found = `${metadata.scenario} with ${metadata.obsDim} observations and ${metadata.numActions} actions`;
  const needed = `${manifest.name} with ${group.obsDim} observations and ${group.numActions} actions`;
  if (found !== needed) {
    throw invalidPolicy(
      'space',
      `The policy was trained for ${found}; group "${group.name}" is of ${needed}.`,
    );
  }
}

/** Gathers a group's rows for its policy and puts the actions back. */
class GroupPlayer {
  readonly #env: VecEnv;
  readonly #group: ManifestGroup;
  readonly #policy: Policy;
  readonly #obs: Float32Array;
  readonly #availActions: Uint8Array;
  readonly #chosen: Int32Array;

  constructor(env: VecEnv, group: ManifestGroup, policy: Policy) {
    const rows = env.numEnvs * group.agents.length;
    this.#env = env;
    this.#group = group;
    this.#policy = policy;
    this.#obs = new Float32Array(rows * group.obsDim);
    this.#availActions = new Uint8Array(rows * group.numActions);
    this.#chosen = new Int32Array(rows);
  }

  async act(actions: Int32Array): Promise<void> {
    const env = this.#env;
    const { obsDim, numActions } = this.#group;
    this.#forEachRow((row, i) => {
      this.#obs.set(env.obs.subarray(row * env.obsDim, row * env.obsDim + obsDim), i * obsDim);
      const from = row * env.numActions;
      this.#availActions.set(env.availActions.subarray(from, from + numActions), i * numActions);
    });
    const batch = { rows: this.#chosen.length, obs: this.#obs, availActions: this.#availActions };
    await this.#policy.actGreedy(batch, this.#chosen);
    this.#forEachRow((row, i) => {
      actions[row] = this.#chosen[i] as number;
    });
  }

  /** Calls with the agent's row in the batch of all agents and its row among the group's. */
  #forEachRow(visit: (row: number, groupRow: number) => void): void {
    const { firstAgent, agents } = this.#group;
    for (let e = 0; e < this.#env.numEnvs; e++) {
      for (let a = 0; a < agents.length; a++) {
        visit(e * this.#env.numAgents + firstAgent + a, e * agents.length + a);
      }
    }
  }
}
