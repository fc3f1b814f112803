import type { InferenceSession } from 'onnxruntime-node';
import type { ValueConfig } from '../../../../shared/rl/learner-config.ts';
import { createSession, type OrtTensor, wrap } from '../../graph/session.ts';
import { adamScalars } from '../../nn/adam.ts';
import type { AdamVectors } from '../../nn/adam-vectors.ts';
import { rmspropScalars } from '../../nn/rmsprop.ts';
import { trainGraph, valueStatistics } from './value-graphs.ts';
import type { ValueNetwork } from './value-network.ts';

export type ValueStatistics = Readonly<Record<(typeof valueStatistics)[number], number>>;

/** Sessions held at once: each keeps the memory of its activations. */
const maxSessions = 8;

/** Gradient steps on batches of episodes, by a session per number of moments, created when the first such batch comes. */
export class ValueUpdater {
  readonly #net: ValueNetwork;
  readonly #config: ValueConfig;
  /** Least recently used first. */
  readonly #sessions = new Map<number, InferenceSession>();
  readonly #scalars = new Float32Array(2);
  readonly #scalarsTensor = wrap(this.#scalars, [1, 2]);
  readonly #statistics = new Float32Array(valueStatistics.length);
  readonly #statisticsTensor = wrap(this.#statistics, [valueStatistics.length, 1]);

  constructor(net: ValueNetwork, config: ValueConfig) {
    this.#net = net;
    this.#config = config;
  }

  /** Advances `vectors` by one step on a batch. Shape: target [1,P]. */
  async step(
    vectors: AdamVectors,
    target: OrtTensor,
    batch: Readonly<Record<string, OrtTensor>>,
    { numMoments, learningRate }: { readonly numMoments: number; readonly learningRate: number },
  ): Promise<ValueStatistics> {
    const session = await this.#sessionFor(numMoments);
    const isAdam = this.#config.optimiser === 'adam';
    this.#scalars.set(isAdam ? adamScalars(learningRate, vectors.step + 1) : rmspropScalars(learningRate));
    const { firstMoment, ...others } = vectors.feeds;
    const feeds = {
      ...others,
      ...(isAdam && { firstMoment }),
      ...batch,
      target,
      scalars: this.#scalarsTensor,
    };
    await session.run(feeds, { ...vectors.fetches, statistics: this.#statisticsTensor });
    vectors.swap();
    return Object.fromEntries(
      valueStatistics.map((name, i) => [name, this.#statistics[i] as number]),
    ) as ValueStatistics;
  }

  async dispose(): Promise<void> {
    for (const session of this.#sessions.values()) await session.release();
    this.#sessions.clear();
  }

  async #sessionFor(numMoments: number): Promise<InferenceSession> {
    const known = this.#sessions.get(numMoments);
    if (known) {
      this.#sessions.delete(numMoments);
      this.#sessions.set(numMoments, known);
      return known;
    }
    if (this.#sessions.size === maxSessions) {
      const [oldest, session] = [...this.#sessions][0] as [number, InferenceSession];
      this.#sessions.delete(oldest);
      await session.release();
    }
    const model = trainGraph(this.#net, numMoments, this.#config);
    const session = await createSession(model, { sizesVary: true });
    this.#sessions.set(numMoments, session);
    return session;
  }
}
