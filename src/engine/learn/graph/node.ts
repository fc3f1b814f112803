import type { Graph } from './graph.ts';

/** Floating types carry gradients; i32 holds indices. */
export type FloatType = 'f32' | 'f64';
export type ElementType = FloatType | 'i32';

/**
 * Stands in shapes for a size that is known only when the graph runs, and its multiples for multiples of that size. No real
 * size is one of them.
 */
export const anySize = 2 ** 31 - 1;

export function isAnySize(size: number): boolean {
  return size > 0 && size % anySize === 0;
}

/** Numbers are integers in ONNX; a float says so. */
export type AttributeValue = number | boolean | string | readonly number[] | { readonly float: number };
export type Attributes = Readonly<Record<string, AttributeValue>>;

/** One symbolic operation. Nodes are immutable and shared: building the same one twice gives the same object. */
export interface Node {
  /** Position in the graph's building order, so inputs have smaller ids. */
  readonly id: number;
  readonly kind: string;
  readonly inputs: readonly Tensor[];
  readonly attributes: Attributes;
  /** Values of a constant, row by row; absent for every other kind. */
  readonly values: ArrayLike<number> | null;
  readonly outputs: readonly Tensor[];
}

/** One output of a node: a value of static shape that exists only when the emitted graph runs. */
export interface Tensor {
  readonly node: Node;
  readonly index: number;
  readonly shape: readonly number[];
  readonly type: ElementType;
}

export interface Signature {
  readonly shape: readonly number[];
  readonly type: ElementType;
}

/** Where an op writes its ONNX nodes. */
export interface NodeWriter {
  name(tensor: Tensor): string;
  /** A name for a value inside one op. */
  temporary(): string;
  /** An i64 initializer (axes, shapes, sizes), shared between equal ones. */
  int64(values: readonly number[]): string;
  /** Whether another node or the model's outputs take it. */
  isNeeded(tensor: Tensor): boolean;
  /** An initializer of ones, shared between equal ones. */
  ones(shape: readonly number[], type: FloatType): string;
  node(type: string, inputs: readonly string[], outputs: readonly string[], attributes?: Attributes): void;
}

/** Everything the library knows of one op: its shape rule, its ONNX form, its derivative. */
export interface OpRule {
  readonly infer: (inputs: readonly Tensor[], attributes: Attributes) => readonly Signature[];
  readonly emit: (node: Node, writer: NodeWriter) => void;
  /**
   * Gradients of the loss by each input, given those by each output (null: the output does not reach the loss).
   * What nobody asks for is never emitted, so a rule writes all of them without thinking about need.
   */
  readonly backward: (
    g: Graph,
    node: Node,
    gradients: readonly (Tensor | null)[],
  ) => readonly (Tensor | null)[];
}

export function input(node: Node, index: number): Tensor {
  const tensor = node.inputs[index];
  if (tensor === undefined) throw new RangeError(`${node.kind}: missing input ${index}`);
  return tensor;
}

export function numbers(attributes: Attributes, name: string): readonly number[] {
  const value = attributes[name];
  if (!Array.isArray(value)) throw new TypeError(`attribute ${name} must be a list of numbers`);
  return value;
}

export function numberOf(attributes: Attributes, name: string): number {
  const value = attributes[name];
  if (typeof value !== 'number') throw new TypeError(`attribute ${name} must be a number`);
  return value;
}

export function sizeOf(shape: readonly number[]): number {
  return shape.reduce((product, dimension) => product * dimension, 1);
}

export function sameShape(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((dimension, i) => dimension === b[i]);
}
