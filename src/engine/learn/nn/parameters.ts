import type { CounterRng } from '../../../shared/std/rng.ts';
import type { Graph } from '../graph/graph.ts';
import { sizeOf, type Tensor } from '../graph/node.ts';

/** One named block of a parameter vector. */
export interface ParameterSpec {
  readonly name: string;
  readonly shape: readonly number[];
  /** Starting values, row by row. */
  readonly initialise: (rng: CounterRng) => Float32Array;
}

/**
 * All parameters of a model as one flat vector: a training graph then has one input and one output for them, and
 * clipping and Adam are a handful of kernels over one array, whatever the number of layers.
 */
export class ParameterLayout {
  readonly specs: readonly ParameterSpec[];
  readonly size: number;

  constructor(specs: readonly ParameterSpec[]) {
    const names = new Set(specs.map((spec) => spec.name));
    if (names.size !== specs.length) throw new RangeError('parameter names must be unique');
    this.specs = specs;
    this.size = specs.reduce((sum, spec) => sum + sizeOf(spec.shape), 0);
  }

  /** Shape: [P] f32. */
  initialise(rng: CounterRng): Float32Array {
    const flat = new Float32Array(this.size);
    for (const { spec, offset } of this.#blocks()) flat.set(spec.initialise(rng), offset);
    return flat;
  }

  /** Cuts the symbolic vector [P] into its blocks. */
  unpack(g: Graph, flat: Tensor): ReadonlyMap<string, Tensor> {
    const sizes = this.specs.map((spec) => sizeOf(spec.shape));
    const pieces = g.split(flat, sizes, 0);
    return new Map(
      this.specs.map((spec, i) => [spec.name, g.reshape(pieces[i] as Tensor, spec.shape)] as const),
    );
  }

  /** Inverse of `unpack`: one vector [P] from a tensor per block, in order. */
  pack(g: Graph, blocks: readonly Tensor[]): Tensor {
    return g.concat(
      blocks.map((block) => g.reshape(block, [sizeOf(block.shape)])),
      0,
    );
  }

  /** The blocks whose names start with `prefix`, as constants: weights baked into an exported graph. */
  constants(g: Graph, flat: Float32Array, prefix: string): ReadonlyMap<string, Tensor> {
    return new Map(
      this.#named(prefix).map(({ spec, offset }) => [
        spec.name,
        g.constant(flat.slice(offset, offset + sizeOf(spec.shape)), spec.shape),
      ]),
    );
  }

  /** Copy of the values of the blocks whose names start with `prefix`, one after the other. */
  values(flat: Float32Array, prefix: string): Float32Array {
    const blocks = this.#named(prefix).map(({ spec, offset }) =>
      flat.subarray(offset, offset + sizeOf(spec.shape)),
    );
    const values = new Float32Array(blocks.reduce((sum, block) => sum + block.length, 0));
    let offset = 0;
    for (const block of blocks) {
      values.set(block, offset);
      offset += block.length;
    }
    return values;
  }

  #named(prefix: string): { spec: ParameterSpec; offset: number }[] {
    return this.#blocks().filter(({ spec }) => spec.name.startsWith(prefix));
  }

  #blocks(): { spec: ParameterSpec; offset: number }[] {
    let end = 0;
    return this.specs.map((spec) => {
      const offset = end;
      end += sizeOf(spec.shape);
      return { spec, offset };
    });
  }
}
