import { type OrtTensor, wrap } from '../graph/session.ts';

type Vectors = readonly [parameters: Float32Array, firstMoment: Float32Array, secondMoment: Float32Array];

/** What an Adam step reads or writes, as tensors over the vectors themselves. */
interface Side {
  readonly vectors: Vectors;
  readonly feeds: Readonly<Record<'parameters' | 'firstMoment' | 'secondMoment', OrtTensor>>;
  readonly fetches: Readonly<Record<'newParameters' | 'newFirstMoment' | 'newSecondMoment', OrtTensor>>;
}

/**
 * Parameters and Adam moments [P], held twice: a training step reads one side and writes the other, since a graph
 * must not write what it still reads. `swap` makes the written side the current one.
 */
export class AdamVectors {
  #current: Side;
  #spare: Side;
  /** Gradient steps taken. */
  step = 0;

  constructor(parameters: Float32Array) {
    this.#current = makeSide(parameters.slice());
    this.#spare = makeSide(new Float32Array(parameters.length));
  }

  /** Shape: [P] f32, valid until the next swap. */
  get parameters(): Float32Array {
    return this.#current.vectors[0];
  }

  /** parameters, firstMoment, secondMoment: [P] f32 each. */
  get vectors(): Vectors {
    return this.#current.vectors;
  }

  get feeds(): Side['feeds'] {
    return this.#current.feeds;
  }

  get fetches(): Side['fetches'] {
    return this.#spare.fetches;
  }

  swap(): void {
    [this.#current, this.#spare] = [this.#spare, this.#current];
    this.step++;
  }

  load(vectors: Vectors, step: number): void {
    for (const [i, vector] of vectors.entries()) this.#current.vectors[i as 0 | 1 | 2].set(vector);
    this.step = step;
  }
}

function makeSide(parameters: Float32Array): Side {
  const size = parameters.length;
  const vectors: Vectors = [parameters, new Float32Array(size), new Float32Array(size)];
  const [p, m, v] = vectors.map((vector) => wrap(vector, [1, size])) as [OrtTensor, OrtTensor, OrtTensor];
  return {
    vectors,
    feeds: { parameters: p, firstMoment: m, secondMoment: v },
    fetches: { newParameters: p, newFirstMoment: m, newSecondMoment: v },
  };
}
