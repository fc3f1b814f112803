import type { InferenceSession } from 'onnxruntime-node';
import type { CounterRng } from '../../../shared/std/rng.ts';
import { sampleColumns } from '../data/sampling.ts';
import { createSession, type OrtTensor, wrap } from '../graph/session.ts';
import { type ActorCritic, actGraph } from './ppo-graphs.ts';

/** Actor and critic on a fixed number R of rows: what a rollout runs at every step. Nothing is allocated per run. */
export class ActSession {
  /** [N,R] f32: to be filled before `run`. */
  readonly logitBias: Float32Array;
  /** [R] f32: values of the last run, in the critic's units. */
  readonly values: Float32Array;
  readonly #rows: number;
  readonly #numActions: number;
  readonly #session: InferenceSession;
  readonly #probs: Float32Array;
  readonly #logProbs: Float32Array;
  readonly #actions: Int32Array;
  readonly #logitBiasTensor: OrtTensor;
  readonly #fetches: Readonly<Record<string, OrtTensor>>;

  static async create(net: ActorCritic, rows: number): Promise<ActSession> {
    return new ActSession(net, rows, await createSession(actGraph(net, rows)));
  }

  private constructor(net: ActorCritic, rows: number, session: InferenceSession) {
    const perAction = [net.numActions, rows];
    this.#rows = rows;
    this.#numActions = net.numActions;
    this.#session = session;
    this.logitBias = new Float32Array(rows * net.numActions);
    this.values = new Float32Array(rows);
    this.#probs = new Float32Array(rows * net.numActions);
    this.#logProbs = new Float32Array(rows * net.numActions);
    this.#actions = new Int32Array(rows);
    this.#logitBiasTensor = wrap(this.logitBias, perAction);
    this.#fetches = {
      probs: wrap(this.#probs, perAction),
      logProbs: wrap(this.#logProbs, perAction),
      values: wrap(this.values, [1, rows]),
    };
  }

  /** Shape: parameters [1,P], obs [R,O+1]. */
  async run(parameters: OrtTensor, obs: OrtTensor): Promise<void> {
    await this.#session.run({ parameters, obs, logitBias: this.#logitBiasTensor }, this.#fetches);
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
