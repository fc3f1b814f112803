import type { ManifestGroup } from '../../shared/rl/manifest.ts';
import type { VecEnv } from '../../shared/rl/vec-env.ts';

/**
 * How often the agents of a group chose each action, over whole episodes: an episode counts once it is over and asked for, so
 * that the figures do not depend on the number of copies. Agents that cannot act choose nothing.
 */
export class ActionCounts {
  readonly #env: VecEnv;
  readonly #group: ManifestGroup;
  /** [E,N] in the episode under way, and [N] in those that count. */
  readonly #current: Float64Array;
  readonly #total: Float64Array;

  constructor(env: VecEnv, group: ManifestGroup) {
    this.#env = env;
    this.#group = group;
    this.#current = new Float64Array(env.numEnvs * group.numActions);
    this.#total = new Float64Array(group.numActions);
  }

  get group(): string {
    return this.#group.name;
  }

  /** Before a step. Shape: actions [E,A] i32. Cost: E × agents of the group. */
  add(actions: Int32Array): void {
    const { numEnvs, numAgents, active } = this.#env;
    const { firstAgent, agents, numActions } = this.#group;
    for (let e = 0; e < numEnvs; e++) {
      for (let a = 0; a < agents.length; a++) {
        const row = e * numAgents + firstAgent + a;
        if (active[row] === 0) continue;
        const cell = e * numActions + (actions[row] as number);
        this.#current[cell] = (this.#current[cell] as number) + 1;
      }
    }
  }

  /** A copy's episode is over. */
  end(copy: number, isCounted: boolean): void {
    const { numActions } = this.#group;
    const counts = this.#current.subarray(copy * numActions, (copy + 1) * numActions);
    if (isCounted)
      for (let i = 0; i < numActions; i++)
        this.#total[i] = (this.#total[i] as number) + (counts[i] as number);
    counts.fill(0);
  }

  /** Share of each action, by its name, in the manifest's order; empty where nobody could act. */
  shares(): Record<string, number> {
    const sum = this.#total.reduce((total, count) => total + count, 0);
    if (sum === 0) return {};
    const named = this.#group.actionNames.map((name, i) => [name, (this.#total[i] ?? 0) / sum] as const);
    return Object.fromEntries(named);
  }
}
