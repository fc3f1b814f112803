import type { ManifestGroup } from '../../shared/rl/manifest.ts';
import { type PolicyMetadata, policyInputWidth } from '../../shared/rl/policy-metadata.ts';
import type { VecEnv } from '../../shared/rl/vec-env.ts';
import { invalidPolicy } from './read-metadata.ts';
import type { Policy } from './types.ts';

/**
 * Plays one group of a batch by a policy: gathers the group's rows, appends what the policy sees beside the observation,
 * keeps last actions and memory per row and forgets them where an episode ends.
 */
export class PolicyPlayer {
  readonly #env: VecEnv;
  readonly #group: ManifestGroup;
  readonly #policy: Policy;
  readonly #width: number;
  /** Rows e·A + a of the group: [R,W] f32, [R,N] u8, [R] i32, [R,H] f32. */
  readonly #input: Float32Array;
  readonly #availActions: Uint8Array;
  readonly #chosen: Int32Array;
  readonly #hidden: Float32Array;
  /** Where in a row of `#input` lastAction begins; -1: the policy does not see it. */
  readonly #lastActionAt: number;

  /** Begins with every copy at the start of an episode. Throws: policy.invalid (reason space). */
  constructor(env: VecEnv, group: ManifestGroup, policy: Policy) {
    const { metadata } = policy;
    checkFit(env, group, metadata);
    const rows = env.numEnvs * group.agents.length;
    this.#env = env;
    this.#group = group;
    this.#policy = policy;
    this.#width = policyInputWidth(metadata);
    this.#input = new Float32Array(rows * this.#width);
    this.#availActions = new Uint8Array(rows * group.numActions);
    this.#chosen = new Int32Array(rows);
    this.#hidden = new Float32Array(rows * metadata.hiddenDim);
    this.#lastActionAt = offsetOf(metadata, 'lastAction');
    this.#writeAgentIds(offsetOf(metadata, 'agentId'));
  }

  /** Chooses greedily for every copy and writes the group's rows of `actions` [E,A]. */
  async act(actions: Int32Array): Promise<void> {
    const env = this.#env;
    const { obsDim, numActions } = this.#group;
    this.#forEachRow((row, i) => {
      const obs = env.obs.subarray(row * env.obsDim, row * env.obsDim + obsDim);
      this.#input.set(obs, i * this.#width);
      const from = row * env.numActions;
      this.#availActions.set(env.availActions.subarray(from, from + numActions), i * numActions);
    });
    await this.#policy.actGreedy(
      {
        rows: this.#chosen.length,
        obs: this.#input,
        availActions: this.#availActions,
        ...(this.#hidden.length > 0 && { hidden: this.#hidden }),
      },
      this.#chosen,
    );
    this.#forEachRow((row, i) => {
      actions[row] = this.#chosen[i] as number;
    });
    if (this.#lastActionAt >= 0) this.#writeLastActions();
  }

  /** To be called after the environment's step: copies whose episode ended begin the next one without a past. */
  endStep(): void {
    const { terminated, truncated, numEnvs } = this.#env;
    for (let e = 0; e < numEnvs; e++) if (terminated[e] || truncated[e]) this.#forget(e);
  }

  #forget(copy: number): void {
    const { agents, numActions } = this.#group;
    const { hiddenDim } = this.#policy.metadata;
    const first = copy * agents.length;
    const end = first + agents.length;
    this.#hidden.fill(0, first * hiddenDim, end * hiddenDim);
    if (this.#lastActionAt < 0) return;
    for (let i = first; i < end; i++) {
      const at = i * this.#width + this.#lastActionAt;
      this.#input.fill(0, at, at + numActions);
    }
  }

  #writeLastActions(): void {
    const { numActions } = this.#group;
    for (const [i, action] of this.#chosen.entries()) {
      const at = i * this.#width + this.#lastActionAt;
      this.#input.fill(0, at, at + numActions);
      this.#input[at + action] = 1;
    }
  }

  #writeAgentIds(offset: number): void {
    if (offset < 0) return;
    const numAgents = this.#group.agents.length;
    for (let i = 0; i < this.#chosen.length; i++) this.#input[i * this.#width + offset + (i % numAgents)] = 1;
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

function checkFit({ manifest }: VecEnv, group: ManifestGroup, metadata: PolicyMetadata): void {
  const found = `${metadata.scenario} with ${metadata.obsDim} observations and ${metadata.numActions} actions`;
  const needed = `${manifest.name} with ${group.obsDim} observations and ${group.numActions} actions`;
  if (found !== needed) {
    throw invalidPolicy(
      'space',
      `The policy was trained for ${found}; group "${group.name}" is of ${needed}.`,
    );
  }
  const { extras, numAgents, scenarioVersion } = metadata;
  if (scenarioVersion !== manifest.version) {
    throw invalidPolicy(
      'space',
      `The policy was trained for version ${scenarioVersion} of ${manifest.name}, which is at version ${manifest.version}: what ` +
        'it sees and does may mean something else now.',
    );
  }
  if (extras.includes('agentId') && numAgents !== group.agents.length) {
    throw invalidPolicy(
      'space',
      `The policy tells ${numAgents} agents apart; group "${group.name}" has ${group.agents.length}.`,
    );
  }
}

/** Where in an input row the extra begins; -1 where the policy does not see it. */
function offsetOf(metadata: PolicyMetadata, extra: PolicyMetadata['extras'][number]): number {
  const place = metadata.extras.indexOf(extra);
  return place < 0 ? -1 : policyInputWidth({ ...metadata, extras: metadata.extras.slice(0, place) });
}
