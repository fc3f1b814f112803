import type { InferenceSession } from 'onnxruntime-node';
import type { OnPolicyConfig } from '../../../shared/rl/learner-config.ts';
import { createSession, type OrtTensor, wrap } from '../graph/session.ts';
import { adamScalars } from '../nn/adam.ts';
import type { AdamVectors } from '../nn/adam-vectors.ts';
import { type ActorCritic, stepStatistics, trainGraph } from './ppo-graphs.ts';

export type StepStatistics = Readonly<Record<(typeof stepStatistics)[number], number>>;

/** One gradient step per run: minibatch and vectors in, vectors after Adam out. */
export class TrainSession {
  /** Rows per step, B. */
  readonly rows: number;
  readonly #session: InferenceSession;
  readonly #adamScalars = new Float32Array(2);
  readonly #adamTensor = wrap(this.#adamScalars, [1, 2]);
  readonly #statistics = new Float32Array(stepStatistics.length);
  readonly #statisticsTensor = wrap(this.#statistics, [stepStatistics.length, 1]);

  static async create(net: ActorCritic, rows: number, config: OnPolicyConfig): Promise<TrainSession> {
    return new TrainSession(rows, await createSession(trainGraph(net, rows, config)));
  }

  private constructor(rows: number, session: InferenceSession) {
    this.rows = rows;
    this.#session = session;
  }

  /** Advances `adam` by one step on the minibatch whose feeds are given. */
  async step(
    adam: AdamVectors,
    minibatch: Readonly<Record<string, OrtTensor>>,
    learningRate: number,
  ): Promise<StepStatistics> {
    this.#adamScalars.set(adamScalars(learningRate, adam.step + 1));
    const feeds = { ...adam.feeds, ...minibatch, adam: this.#adamTensor };
    await this.#session.run(feeds, { ...adam.fetches, statistics: this.#statisticsTensor });
    adam.swap();
    return Object.fromEntries(
      stepStatistics.map((name, i) => [name, this.#statistics[i] as number]),
    ) as StepStatistics;
  }

  async dispose(): Promise<void> {
    await this.#session.release();
  }
}
