import type { InferenceSession } from 'onnxruntime-node';
import type { CounterRng } from '../../../../shared/std/rng.ts';
import { sampleColumns } from '../../data/sampling.ts';
import { createSession, type OrtTensor, wrap } from '../../graph/session.ts';
import { actGraph } from './graphs.ts';
import type { ActorCritic } from './networks.ts';

/**
 * Place among the critic's values (and memories) of a step, of an agent of a copy: copy by copy for critics that see
 * observations, agent by agent for those that see the state, one per copy where agents share it.
 */
export function criticRow(
  { config, numAgents }: ActorCritic,
  numEnvs: number,
  copy: number,
  agent: number,
): number {
  if (config.critic === 'observation') return copy * numAgents + agent;
  return config.critic === 'state' ? copy : agent * numEnvs + copy;
}

/** A recurrent network's memory: what is read, and what the last run wrote. */
interface Memory {
  current: Float32Array;
  next: Float32Array;
}

/**
 * Actor and critic over E copies, R = E·A rows: what a rollout runs at every step. Nothing is allocated per run.
 * Memories stay as they are until `advance` takes over what the last run wrote.
 */
export class ActSession {
  /** [N,R] f32: to be filled before `run`. */
  readonly logitBias: Float32Array;
  readonly #net: ActorCritic;
  readonly #rows: number;
  readonly #numActions: number;
  readonly #session: InferenceSession;
  readonly #probs: Float32Array;
  readonly #logProbs: Float32Array;
  readonly #values: Float32Array;
  /** Where each row's value lies in `#values`. */
  readonly #valueRows: Uint32Array;
  readonly #actions: Int32Array;
  readonly #logitBiasTensor: OrtTensor;
  readonly #fetches: Readonly<Record<string, OrtTensor>>;
  readonly #actorMemory: Memory;
  readonly #criticMemory: Memory;

  static async create(net: ActorCritic, numEnvs: number): Promise<ActSession> {
    return new ActSession(net, numEnvs, await createSession(actGraph(net, numEnvs)));
  }

  private constructor(net: ActorCritic, numEnvs: number, session: InferenceSession) {
    const rows = numEnvs * net.numAgents;
    const perAction = [net.numActions, rows];
    const numValues = net.config.critic === 'state' ? numEnvs : rows;
    this.#net = net;
    this.#rows = rows;
    this.#numActions = net.numActions;
    this.#session = session;
    this.logitBias = new Float32Array(rows * net.numActions);
    this.#probs = new Float32Array(rows * net.numActions);
    this.#logProbs = new Float32Array(rows * net.numActions);
    // A shared value comes once per agent all the same.
    this.#values = new Float32Array(rows);
    this.#valueRows = Uint32Array.from({ length: rows }, (_, row) => valueRow(net, numEnvs, row));
    this.#actions = new Int32Array(rows);
    this.#logitBiasTensor = wrap(this.logitBias, perAction);
    this.#fetches = {
      probs: wrap(this.#probs, perAction),
      logProbs: wrap(this.#logProbs, perAction),
      values: wrap(this.#values, [1, rows]),
    };
    const memory = (count: number): Memory => {
      const size = net.config.recurrent ? count * net.config.hidden : 0;
      return { current: new Float32Array(size), next: new Float32Array(size) };
    };
    this.#actorMemory = memory(rows);
    this.#criticMemory = memory(numValues);
  }

  /** [R,H] and [k·E,H] f32: what the next run reads; empty without memory. */
  get actorHidden(): Float32Array {
    return this.#actorMemory.current;
  }

  get criticHidden(): Float32Array {
    return this.#criticMemory.current;
  }

  /** Shape: parameters [1,P]; obs [R,O+1]; state [E,S+1] for critics that see it. */
  async run(parameters: OrtTensor, obs: OrtTensor, state: OrtTensor | null): Promise<void> {
    const feeds = { parameters, obs, logitBias: this.#logitBiasTensor, ...(state && { state }) };
    if (!this.#net.config.recurrent) {
      await this.#session.run(feeds, this.#fetches);
      return;
    }
    const { hidden } = this.#net.config;
    const rowsOf = (memory: Float32Array): OrtTensor => wrap(memory, [memory.length / hidden, hidden]);
    const memories = {
      actorHidden: rowsOf(this.#actorMemory.current),
      criticHidden: rowsOf(this.#criticMemory.current),
    };
    await this.#session.run(
      { ...feeds, ...memories },
      {
        ...this.#fetches,
        nextActorHidden: rowsOf(this.#actorMemory.next),
        nextCriticHidden: rowsOf(this.#criticMemory.next),
      },
    );
  }

  /** The memories after the last run become those before the next. */
  advance(): void {
    for (const memory of [this.#actorMemory, this.#criticMemory]) {
      [memory.current, memory.next] = [memory.next, memory.current];
    }
  }

  /** Forgets what a copy's agents remember. */
  forget(copy: number): void {
    const { config, numAgents } = this.#net;
    if (!config.recurrent) return;
    const { hidden } = config;
    const numEnvs = this.#rows / numAgents;
    const first = copy * numAgents * hidden;
    this.actorHidden.fill(0, first, first + numAgents * hidden);
    for (let a = 0; a < numAgents; a++) {
      const row = criticRow(this.#net, numEnvs, copy, a);
      this.criticHidden.fill(0, row * hidden, (row + 1) * hidden);
    }
  }

  forgetAll(): void {
    this.actorHidden.fill(0);
    this.criticHidden.fill(0);
  }

  /** Value of row e·A + a in the last run, in the critic's units. */
  valueOf(row: number): number {
    return this.#values[this.#valueRows[row] as number] as number;
  }

  /** Draws an action per row of the last run. Shape: actions [R] i32 (valid until the next call), logProbs [R] f32. */
  sample(rng: CounterRng, logProbs: Float32Array): Int32Array {
    sampleColumns(this.#probs, this.#numActions, rng, this.#actions);
    for (let i = 0; i < this.#rows; i++) {
      logProbs[i] = this.#logProbs[(this.#actions[i] as number) * this.#rows + i] as number;
    }
    return this.#actions;
  }

  async dispose(): Promise<void> {
    await this.#session.release();
  }
}

/** Values come agent by agent from critics of the state, shared ones repeated; else copy by copy. */
function valueRow(net: ActorCritic, numEnvs: number, row: number): number {
  if (net.config.critic === 'observation') return row;
  const copy = Math.floor(row / net.numAgents);
  return (row - copy * net.numAgents) * numEnvs + copy;
}
