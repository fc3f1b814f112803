import type { CounterRng } from '../../../shared/std/rng.ts';
import type { Graph } from '../graph/graph.ts';
import { sizeOf, type Tensor } from '../graph/node.ts';

/** One named block of a parameter vector: a matrix. */
export interface ParameterSpec {
  readonly name: string;
  readonly shape: readonly [rows: number, columns: number];
  /** Starting values, row by row. */
  readonly initialise: (rng: CounterRng) => Float32Array;
}

/**
 * All parameters of a model as one flat vector: a training graph then has one input and one output for them, and
 * clipping and Adam are a handful of kernels over one array, whatever the number of layers.
 *
 * Blocks of equal width stand together, so that they are row slices of one matrix: unpacking and packing is then a
 * Split and a Concat per width, without a Reshape per block (each costs a microsecond, at a few hundred per step).
 */
export class ParameterLayout {
  /** In storage order. */
  readonly specs: readonly ParameterSpec[];
  readonly size: number;
  readonly #offsets = new Map<string, number>();

  constructor(specs: readonly ParameterSpec[]) {
    const widths = [...new Set(specs.map(({ shape }) => shape[1]))];
    this.specs = widths.flatMap((width) => specs.filter(({ shape }) => shape[1] === width));
    let end = 0;
    for (const { name, shape } of this.specs) {
      if (this.#offsets.has(name)) throw new RangeError(`two parameters are named ${name}`);
      this.#offsets.set(name, end);
      end += sizeOf(shape);
    }
    this.size = end;
  }

  /** Shape: [P] f32. */
  initialise(rng: CounterRng): Float32Array {
    const flat = new Float32Array(this.size);
    for (const spec of this.specs) flat.set(spec.initialise(rng), this.#offsets.get(spec.name));
    return flat;
  }

  /** Cuts the symbolic vector [1,P] into its blocks. */
  unpack(g: Graph, flat: Tensor): ReadonlyMap<string, Tensor> {
    const sections = this.#sections();
    const pieces = g.split(
      flat,
      sections.map(({ rows, width }) => rows * width),
      1,
    );
    return new Map(
      sections.flatMap(({ specs, rows, width }, i) => {
        const matrix = g.reshape(pieces[i] as Tensor, [rows, width]);
        const heights = specs.map(({ shape }) => shape[0]);
        const blocks = g.split(matrix, heights, 0);
        return specs.map(({ name }, k) => [name, blocks[k] as Tensor] as const);
      }),
    );
  }

  /** Inverse of `unpack`: one vector [1,P]. */
  pack(g: Graph, blocks: ReadonlyMap<string, Tensor>): Tensor {
    const sections = this.#sections().map(({ specs, rows, width }) => {
      const matrix = g.concat(
        specs.map(({ name }) => blocks.get(name) as Tensor),
        0,
      );
      return g.reshape(matrix, [1, rows * width]);
    });
    return g.concat(sections, 1);
  }

  /** Values of one block, a view into `flat`. */
  block(flat: Float32Array, name: string): Float32Array {
    const spec = this.specs.find((candidate) => candidate.name === name);
    if (!spec) throw new RangeError(`no parameter ${name}`);
    const offset = this.#offsets.get(name) as number;
    return flat.subarray(offset, offset + sizeOf(spec.shape));
  }

  #sections(): { specs: ParameterSpec[]; rows: number; width: number }[] {
    return [...new Set(this.specs.map(({ shape }) => shape[1]))].map((width) => {
      const specs = this.specs.filter(({ shape }) => shape[1] === width);
      return { specs, width, rows: specs.reduce((sum, { shape }) => sum + shape[0], 0) };
    });
  }
}

/** The tensor of a parameter. Throws: RangeError where there is none of that name. */
export function parameterOf(parameters: ReadonlyMap<string, Tensor>, name: string): Tensor {
  const parameter = parameters.get(name);
  if (!parameter) throw new RangeError(`no parameter ${name}`);
  return parameter;
}
