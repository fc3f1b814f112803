import type { InferenceSession } from 'onnxruntime-node';
import type { OnPolicyConfig } from '../../../../shared/rl/learner-config.ts';
import { createSession, type OrtTensor, wrap } from '../../graph/session.ts';
import { adamScalars } from '../../nn/adam.ts';
import type { AdamVectors } from '../../nn/adam-vectors.ts';
import { type BatchShape, stepStatistics, trainGraph } from './graphs.ts';
import type { ActorCritic } from './networks.ts';

export type StepStatistics = Readonly<Record<(typeof stepStatistics)[number], number>>;

/** One gradient step per run: minibatch and vectors in, vectors after Adam out. */
export class TrainSession {
  readonly #session: InferenceSession;
  readonly #adamScalars = new Float32Array(2);
  readonly #adamTensor = wrap(this.#adamScalars, [1, 2]);
  readonly #statistics = new Float32Array(stepStatistics.length);
  readonly #statisticsTensor = wrap(this.#statistics, [stepStatistics.length, 1]);

  static async create(net: ActorCritic, shape: BatchShape, config: OnPolicyConfig): Promise<TrainSession> {
    return new TrainSession(await createSession(trainGraph(net, shape, config)));
  }

  private constructor(session: InferenceSession) {
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
