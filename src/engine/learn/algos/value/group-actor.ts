import type { InferenceSession } from 'onnxruntime-node';
import type { VecEnv } from '../../../../shared/rl/vec-env.ts';
import type { CounterRng } from '../../../../shared/std/rng.ts';
import { createSession, type OrtTensor, wrap } from '../../graph/session.ts';
import type { ParameterLayout } from '../../nn/parameters.ts';
import { qNetworkParameters } from '../../nn/q-network.ts';
import { actGraph } from './value-graphs.ts';
import { type TeamGroup, type ValueNetwork, writeInput } from './value-network.ts';

/** Plays one group of E copies: R = E·A rows, row e·A + a, with their memory and last actions. */
export class GroupActor {
  readonly group: TeamGroup;
  readonly #layout: ParameterLayout;
  /** The network's blocks of a parameter vector, as feeds: views, by the vector they look into. */
  readonly #blocks = new WeakMap<Float32Array, Readonly<Record<string, OrtTensor>>>();
  /** [R] i32: what was done before; -1 at the beginning of an episode. */
  readonly lastActions: Int32Array;
  readonly #rows: number;
  readonly #session: InferenceSession;
  readonly #obs: Float32Array;
  readonly #obsTensor: OrtTensor;
  readonly #q: Float32Array;
  readonly #qTensor: OrtTensor;
  /** [H,R], before and after a step; they change places. */
  #hidden: Float32Array;
  #next: Float32Array;
  readonly #hiddenTensors: Map<Float32Array, OrtTensor>;

  static async create(net: ValueNetwork, group: TeamGroup, numEnvs: number): Promise<GroupActor> {
    const rows = numEnvs * group.view.numAgents;
    return new GroupActor(net, group, rows, await createSession(actGraph(group, rows)));
  }

  private constructor({ layout }: ValueNetwork, group: TeamGroup, rows: number, session: InferenceSession) {
    const { inputs, hidden, numActions } = group.net;
    this.group = group;
    this.#layout = layout;
    this.#rows = rows;
    this.#session = session;
    this.lastActions = new Int32Array(rows).fill(-1);
    this.#obs = new Float32Array(rows * (inputs + 1));
    this.#obsTensor = wrap(this.#obs, [rows, inputs + 1]);
    this.#q = new Float32Array(numActions * rows);
    this.#qTensor = wrap(this.#q, [numActions, rows]);
    this.#hidden = new Float32Array(hidden * rows);
    this.#next = new Float32Array(hidden * rows);
    this.#hiddenTensors = new Map(
      [this.#hidden, this.#next].map((array) => [array, wrap(array, [hidden, rows])]),
    );
  }

  /** [H,R] f32. */
  get hidden(): Float32Array {
    return this.#hidden;
  }

  /** All episodes begin. */
  begin(): void {
    this.lastActions.fill(-1);
    this.#hidden.fill(0);
  }

  /**
   * Chooses for every row: the legal action of highest Q (lowest index among equals), or with probability `epsilon` any legal
   * one, and writes the group's part of `actions` [E,A]. Shape: parameters [P], which may change between calls.
   * Seeds: one word of `rng` per row.
   */
  async act(
    env: VecEnv,
    parameters: Float32Array,
    epsilon: number,
    rng: CounterRng,
    actions: Int32Array,
  ): Promise<void> {
    this.#observe(env);
    const { isRecurrent, numActions } = this.group.net;
    const feeds = { ...this.#blocksOf(parameters), obs: this.#obsTensor };
    const hidden = this.#hiddenTensors.get(this.#hidden) as OrtTensor;
    const nextHidden = this.#hiddenTensors.get(this.#next) as OrtTensor;
    if (isRecurrent) {
      await this.#session.run({ ...feeds, hidden }, { q: this.#qTensor, nextHidden });
      [this.#hidden, this.#next] = [this.#next, this.#hidden];
    } else {
      await this.#session.run(feeds, { q: this.#qTensor });
    }
    const { firstAgent, numAgents } = this.group.view;
    for (let row = 0, e = 0; e < env.numEnvs; e++) {
      for (let a = 0; a < numAgents; a++, row++) {
        const index = e * env.numAgents + firstAgent + a;
        const mask = index * env.numActions;
        const draw = rng.nextFloat();
        const action =
          draw < epsilon
            ? randomLegal(env.availActions, mask, numActions, draw / epsilon)
            : this.#greedy(env.availActions, mask, row);
        this.lastActions[row] = action;
        actions[index] = action;
      }
    }
  }

  /** After the environment's step: memory ends with the episode. */
  endEpisodes(env: VecEnv): void {
    const { numAgents } = this.group.view;
    for (let e = 0; e < env.numEnvs; e++) {
      if (env.terminated[e] === 0 && env.truncated[e] === 0) continue;
      for (let row = e * numAgents; row < (e + 1) * numAgents; row++) {
        this.lastActions[row] = -1;
        for (let i = row; i < this.#hidden.length; i += this.#rows) this.#hidden[i] = 0;
      }
    }
  }

  load(hidden: Float32Array, lastActions: Int32Array): void {
    this.#hidden.set(hidden);
    this.lastActions.set(lastActions);
  }

  async dispose(): Promise<void> {
    await this.#session.release();
  }

  #blocksOf(parameters: Float32Array): Readonly<Record<string, OrtTensor>> {
    const known = this.#blocks.get(parameters);
    if (known) return known;
    const blocks = Object.fromEntries(
      qNetworkParameters(this.group.net).map(({ name, shape }) => [
        name,
        wrap(this.#layout.block(parameters, name), shape),
      ]),
    );
    this.#blocks.set(parameters, blocks);
    return blocks;
  }

  #observe(env: VecEnv): void {
    const { firstAgent, numAgents } = this.group.view;
    let to = 0;
    for (let row = 0, e = 0; e < env.numEnvs; e++) {
      for (let a = 0; a < numAgents; a++, row++) {
        const from = (e * env.numAgents + firstAgent + a) * env.obsDim;
        to = writeInput(this.group, env.obs, from, this.lastActions[row] as number, a, this.#obs, to);
      }
    }
  }

  #greedy(availActions: Uint8Array, mask: number, row: number): number {
    let best = -1;
    let highest = Number.NEGATIVE_INFINITY;
    for (let k = 0; k < this.group.net.numActions; k++) {
      const value = this.#q[k * this.#rows + row] as number;
      if (availActions[mask + k] === 1 && (value > highest || best < 0)) {
        best = k;
        highest = value;
      }
    }
    return Math.max(best, 0);
  }
}

/** The legal action at `share` (0 to below 1) of the way through the legal ones. */
function randomLegal(availActions: Uint8Array, mask: number, numActions: number, share: number): number {
  let numLegal = 0;
  for (let k = 0; k < numActions; k++) numLegal += availActions[mask + k] as number;
  let left = Math.min(Math.floor(share * numLegal), numLegal - 1);
  for (let k = 0; k < numActions; k++) {
    if (availActions[mask + k] === 1 && left-- === 0) return k;
  }
  return 0;
}
