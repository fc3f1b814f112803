import {
  type Attributes,
  type ElementType,
  type FloatType,
  isAnySize,
  type Node,
  type OpRule,
  type Signature,
  sameShape,
  sizeOf,
  type Tensor,
} from './node.ts';
import { broadcastShapes, elementwiseOps } from './ops-elementwise.ts';
import { matrixOps } from './ops-matrix.ts';
import { type GruSteps, recurrentOps, stepInputs } from './ops-recurrent.ts';
import { reduceOps } from './ops-reduce.ts';
import { shapeOps } from './ops-shape.ts';

/** Inputs and constants: no ONNX node, no derivative. */
const leafRule: OpRule = { infer: () => [], emit: () => undefined, backward: () => [] };

/** Every op of the library by kind. Adding one = an entry in its table and a gradient test. */
export const opRules: Readonly<Record<string, OpRule>> = {
  input: leafRule,
  constant: leafRule,
  ...elementwiseOps,
  ...matrixOps,
  ...recurrentOps,
  ...reduceOps,
  ...shapeOps,
};

export function ruleOf(kind: string): OpRule {
  const rule = opRules[kind];
  if (rule === undefined) throw new RangeError(`unknown op ${kind}`);
  return rule;
}

export interface TransposeFlags {
  readonly transA?: boolean;
  readonly transB?: boolean;
}

export interface GruOperands {
  readonly gates: Tensor;
  readonly candidates: Tensor;
  readonly u: Tensor;
  readonly bias: Tensor;
}

/**
 * Builds a computation of static shapes as a DAG of symbolic nodes. Equal nodes are built once; products with 1,
 * sums with 0, double negations and scalar constants fold. `gradients` extends it, `emitOnnx` turns it into bytes.
 */
export class Graph {
  /** Named inputs in the order of their creation. */
  readonly inputs = new Map<string, Tensor>();
  readonly #shared = new Map<string, Node>();
  #numNodes = 0;

  /** A value fed at each run. */
  input(name: string, shape: readonly number[], type: ElementType = 'f32'): Tensor {
    if (this.inputs.has(name)) throw new RangeError(`input ${name} exists already`);
    const tensor = this.#create('input', [], { name }, null, [{ shape, type }]);
    this.inputs.set(name, tensor);
    return tensor;
  }

  /** A value baked into the graph, given row by row. */
  constant(values: ArrayLike<number>, shape: readonly number[], type: ElementType = 'f32'): Tensor {
    if (values.length !== sizeOf(shape)) {
      throw new RangeError(`constant of shape [${shape}] from ${values.length} values`);
    }
    return this.#create('constant', [], {}, values, [{ shape, type }]);
  }

  scalar(value: number, type: ElementType = 'f32'): Tensor {
    return this.fill(value, [], type);
  }

  fill(value: number, shape: readonly number[], type: ElementType = 'f32'): Tensor {
    if (shape.some(isAnySize)) throw new RangeError('a constant cannot have a size that is not known');
    const key = `fill ${Object.is(value, -0) ? '-0' : value} [${shape}] ${type}`;
    const values = (): Float64Array => new Float64Array(sizeOf(shape)).fill(value);
    return this.#share(key, () => this.#create('constant', [], { fill: value }, values(), [{ shape, type }]));
  }

  add(a: Tensor, b: Tensor): Tensor {
    if (isFilled(a, 0) && fits(a, b)) return b;
    if (isFilled(b, 0) && fits(b, a)) return a;
    return this.#fold('add', a, b, (x, y) => x + y);
  }

  sub(a: Tensor, b: Tensor): Tensor {
    if (isFilled(b, 0) && fits(b, a)) return a;
    return this.#fold('sub', a, b, (x, y) => x - y);
  }

  mul(a: Tensor, b: Tensor): Tensor {
    if (isFilled(a, 1) && fits(a, b)) return b;
    if (isFilled(b, 1) && fits(b, a)) return a;
    const factor = filledWith(b);
    if (factor !== null && b.shape.length === 0 && a.node.kind === 'mul') {
      const [inner, innerFactor] = a.node.inputs as [Tensor, Tensor];
      const known = innerFactor.shape.length === 0 ? filledWith(innerFactor) : null;
      if (known !== null) return this.scale(inner, known * factor);
    }
    if (isFilled(a, -1) && fits(a, b)) return this.neg(b);
    if (isFilled(b, -1) && fits(b, a)) return this.neg(a);
    return this.#fold('mul', a, b, (x, y) => x * y);
  }

  div(a: Tensor, b: Tensor): Tensor {
    if (isFilled(b, 1) && fits(b, a)) return a;
    return this.#fold('div', a, b, (x, y) => x / y);
  }

  min(a: Tensor, b: Tensor): Tensor {
    return this.apply('min', [a, b]);
  }

  max(a: Tensor, b: Tensor): Tensor {
    return this.apply('max', [a, b]);
  }

  /** 1 where a < b, else 0. */
  less(a: Tensor, b: Tensor): Tensor {
    return this.apply('less', [a, b]);
  }

  /** 1 where a > b, else 0. */
  greater(a: Tensor, b: Tensor): Tensor {
    return this.apply('greater', [a, b]);
  }

  neg(x: Tensor): Tensor {
    const value = filledWith(x);
    if (value !== null) return this.fill(-value, x.shape, x.type);
    return x.node.kind === 'neg' ? (x.node.inputs[0] as Tensor) : this.apply('neg', [x]);
  }

  square(x: Tensor): Tensor {
    return this.apply('square', [x]);
  }

  /** x exp(x). */
  timesExp(x: Tensor): Tensor {
    return this.apply('timesExp', [x]);
  }

  exp(x: Tensor): Tensor {
    return this.apply('exp', [x]);
  }

  log(x: Tensor): Tensor {
    return this.apply('log', [x]);
  }

  sqrt(x: Tensor): Tensor {
    return this.apply('sqrt', [x]);
  }

  tanh(x: Tensor): Tensor {
    return this.apply('tanh', [x]);
  }

  sigmoid(x: Tensor): Tensor {
    return this.apply('sigmoid', [x]);
  }

  relu(x: Tensor): Tensor {
    return this.apply('relu', [x]);
  }

  /** x where positive, else e^x - 1. */
  elu(x: Tensor): Tensor {
    return this.apply('elu', [x]);
  }

  abs(x: Tensor): Tensor {
    return this.apply('abs', [x]);
  }

  stopGradient(x: Tensor): Tensor {
    return this.apply('stopGradient', [x]);
  }

  /** x times a number. */
  scale(x: Tensor, factor: number): Tensor {
    return this.mul(x, this.scalar(factor, x.type));
  }

  /** x limited to [low, high]; the gradient is 0 outside. */
  clip(x: Tensor, low: number, high: number): Tensor {
    return this.min(this.max(x, this.scalar(low, x.type)), this.scalar(high, x.type));
  }

  /** Product of matrices, each transposed where its flag is set. */
  matmul(a: Tensor, b: Tensor, flags: TransposeFlags = {}): Tensor {
    return this.apply('matmul', [a, b], { transA: !!flags.transA, transB: !!flags.transB });
  }

  /** Product of matrices plus a bias that broadcasts to it. Shape: x [B,K], w [K,N], bias [1,N] -> [B,N]. */
  linear(x: Tensor, w: Tensor, bias: Tensor, flags: TransposeFlags = {}): Tensor {
    return this.apply('matmul', [x, w, bias], { transA: !!flags.transA, transB: !!flags.transB });
  }

  /** beta z + a x. Shape: z and x [1,K], a [1,1] -> [1,K]. */
  addScaled(z: Tensor, beta: number, x: Tensor, a: Tensor): Tensor {
    return this.apply('addScaled', [z, x, a], { beta });
  }

  /** Sums over `axes`; they stay as dimensions of size 1. */
  sum(x: Tensor, axes: readonly number[]): Tensor {
    return axes.every((axis) => x.shape[axis] === 1) ? x : this.apply('sum', [x], { axes });
  }

  sumAll(x: Tensor): Tensor {
    return this.reshape(this.sum(x, [...x.shape.keys()]), []);
  }

  /** Adjoint of broadcasting: sums whatever was stretched, down to `shape`. */
  sumTo(x: Tensor, shape: readonly number[]): Tensor {
    const lead = x.shape.length - shape.length;
    const axes = [...x.shape.keys()].filter((i) => x.shape[i] !== (shape[i - lead] ?? 1));
    return this.reshape(this.sum(x, axes), shape);
  }

  /** Log of the softmax along `axis`, by default the last. */
  logSoftmax(x: Tensor, axis = x.shape.length - 1): Tensor {
    return this.apply('logSoftmax', [x], { axis });
  }

  /** Index of the largest value along `axis` (the lowest among equals), which stays as a dimension of size 1; i32. */
  argMax(x: Tensor, axis: number): Tensor {
    return this.apply('argMax', [x], { axis });
  }

  /** Dimension i of the result is dimension perm[i] of x. */
  transpose(x: Tensor, perm: readonly number[]): Tensor {
    return this.apply('transpose', [x], { perm });
  }

  reshape(x: Tensor, shape: readonly number[]): Tensor {
    if (sameShape(x.shape, shape)) return x;
    const value = filledWith(x);
    return value === null ? this.apply('reshape', [x], { shape }) : this.fill(value, shape, x.type);
  }

  broadcastTo(x: Tensor, shape: readonly number[]): Tensor {
    if (sameShape(x.shape, shape)) return x;
    const value = filledWith(x);
    return value === null ? this.apply('broadcastTo', [x], { shape }) : this.fill(value, shape, x.type);
  }

  concat(parts: readonly Tensor[], axis: number): Tensor {
    return parts.length === 1 ? (parts[0] as Tensor) : this.apply('concat', parts, { axis });
  }

  split(x: Tensor, sizes: readonly number[], axis: number): readonly Tensor[] {
    return sizes.length === 1 ? [x] : this.#build('split', [x], { sizes, axis }).outputs;
  }

  /** Indices [1,B] i32 -> [depth,B] with a single 1 in each column. */
  oneHot(indices: Tensor, depth: number, type: FloatType = 'f32'): Tensor {
    const classes = this.constant(
      Int32Array.from({ length: depth }, (_, i) => i),
      [depth, 1],
      'i32',
    );
    return this.apply('oneHot', [indices, classes], { type });
  }

  /** The columns of x that `index` names; no gradient may flow through them. Shape: x [K,C], index [D] i32 -> [K,D]. */
  gather(x: Tensor, index: Tensor): Tensor {
    return this.apply('gather', [x, index]);
  }

  /**
   * A gated recurrent unit over the projected inputs, C columns in all; how they belong to steps, `steps` says.
   * Shape: gates [2H,C] (rows r, z) and candidates [H,C], biases included; u [3H,H] (rows r, z, n), bias [H,1] (of U_n h)
   * -> [H,C], the hidden state after every step.
   */
  gru({ gates, candidates, u, bias }: GruOperands, steps: GruSteps): Tensor {
    const { inputs, attributes } = stepInputs(steps);
    return this.apply('gru', [gates, candidates, u, bias, ...inputs], attributes);
  }

  /** The way back through `gru`, for its derivative. */
  gruBack(inputs: readonly Tensor[], attributes: Attributes): readonly Tensor[] {
    return this.#build('gruBack', inputs, attributes).outputs;
  }

  /** Any single-output op by kind; the methods above are its typed faces. */
  apply(kind: string, inputs: readonly Tensor[], attributes: Attributes = {}): Tensor {
    return this.#build(kind, inputs, attributes).outputs[0] as Tensor;
  }

  #build(kind: string, inputs: readonly Tensor[], attributes: Attributes): Node {
    const operands = inputs.map((x) => `${x.node.id}.${x.index}`).join(' ');
    const key = `${kind} ${operands} ${JSON.stringify(attributes)}`;
    return this.#share(key, () =>
      this.#create(kind, inputs, attributes, null, ruleOf(kind).infer(inputs, attributes)),
    ).node;
  }

  #share(key: string, create: () => Tensor): Tensor {
    const known = this.#shared.get(key);
    if (known) return known.outputs[0] as Tensor;
    const tensor = create();
    this.#shared.set(key, tensor.node);
    return tensor;
  }

  #fold(kind: string, a: Tensor, b: Tensor, compute: (x: number, y: number) => number): Tensor {
    const [x, y] = [filledWith(a), filledWith(b)];
    if (x !== null && y !== null) return this.fill(compute(x, y), broadcastShapes(a.shape, b.shape), a.type);
    const left = unstretched(a, b);
    return this.apply(kind, [left, unstretched(b, left)]);
  }

  #create(
    kind: string,
    inputs: readonly Tensor[],
    attributes: Attributes,
    values: ArrayLike<number> | null,
    signatures: readonly Signature[],
  ): Tensor {
    const outputs: Tensor[] = [];
    const node: Node = { id: this.#numNodes++, kind, inputs, attributes, values, outputs };
    for (const [index, { shape, type }] of signatures.entries()) outputs.push({ node, index, shape, type });
    return outputs[0] as Tensor;
  }
}

/** The number that a constant made by `fill` repeats, else null. */
function filledWith(x: Tensor): number | null {
  return (x.node.attributes.fill as number | undefined) ?? null;
}

function isFilled(x: Tensor, value: number): boolean {
  return filledWith(x) === value;
}

/** What was stretched, where stretching changes nothing because `other` stretches it as far. */
function unstretched(x: Tensor, other: Tensor): Tensor {
  const [inner] = x.node.inputs;
  if (x.node.kind !== 'broadcastTo' || inner === undefined) return x;
  const [full, result] = [x, inner].map(({ shape }) => broadcastShapes(shape, other.shape)) as [
    number[],
    number[],
  ];
  return sameShape(full, result) ? inner : x;
}

/** Whether broadcasting `small` against `large` leaves the shape of `large`. */
function fits(small: Tensor, large: Tensor): boolean {
  const lead = large.shape.length - small.shape.length;
  return (
    lead >= 0 && small.shape.every((dimension, i) => dimension === 1 || dimension === large.shape[i + lead])
  );
}
