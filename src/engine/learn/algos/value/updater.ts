import type { InferenceSession } from 'onnxruntime-node';
import type { ValueConfig } from '../../../../shared/rl/learner-config.ts';
import { createSession, type OrtTensor, wrap } from '../../graph/session.ts';
import { adamScalars } from '../../nn/adam.ts';
import type { AdamVectors } from '../../nn/adam-vectors.ts';
import { rmspropScalars } from '../../nn/rmsprop.ts';
import { trainGraph, valueStatistics } from './value-graphs.ts';
import type { ValueNetwork } from './value-network.ts';

export type ValueStatistics = Readonly<Record<(typeof valueStatistics)[number], number>>;

/** Sessions held at once: each keeps its activations, some 1 MB per step of a batch of three agents. */
const maxSessions = 4;

/**
 * Steps to which a batch is padded: 8, 16, 24, 32, 48, 64, 96, 128, 192, ... but never more than an episode can have.
 *
 * Training graphs have static shapes, and each costs a session: a third of a second to build, and memory for as long as it
 * lives. Lengths that grow by a third to a half keep them few (8 up to 128 steps), at the price of at most a third of the work
 * being padding; multiples of 8 suit the vector units.
 */
export function paddedLength(longest: number, episodeLength: number): number {
  let length = 8;
  while (length < longest) {
    const octave = 2 ** Math.floor(Math.log2(length));
    length += length < 32 ? 8 : octave / 2;
  }
  return Math.max(longest, Math.min(length, episodeLength));
}

/** Gradient steps on padded batches, by a session per length, created when the first batch of that length comes. */
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

  /** Advances `vectors` by one step on a batch of `numSteps` padded steps. Shape: target [1,P]. */
  async step(
    vectors: AdamVectors,
    target: OrtTensor,
    batch: Readonly<Record<string, OrtTensor>>,
    { numSteps, learningRate }: { readonly numSteps: number; readonly learningRate: number },
  ): Promise<ValueStatistics> {
    const session = await this.#sessionFor(numSteps);
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

  async #sessionFor(numSteps: number): Promise<InferenceSession> {
    const known = this.#sessions.get(numSteps);
    if (known) {
      this.#sessions.delete(numSteps);
      this.#sessions.set(numSteps, known);
      return known;
    }
    if (this.#sessions.size === maxSessions) {
      const [oldest, session] = [...this.#sessions][0] as [number, InferenceSession];
      this.#sessions.delete(oldest);
      await session.release();
    }
    const shape = { numSteps, episodes: this.#config.batchEpisodes };
    const session = await createSession(trainGraph(this.#net, shape, this.#config));
    this.#sessions.set(numSteps, session);
    return session;
  }
}
