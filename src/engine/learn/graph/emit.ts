import { type Graph, ruleOf } from './graph.ts';
import {
  type Attributes,
  anySize,
  type FloatType,
  isAnySize,
  type Node,
  type NodeWriter,
  sizeOf,
  type Tensor,
} from './node.ts';
import { encodeModel, type ProtoNode, type ProtoTensor, type ProtoValue } from './onnx-proto.ts';

export interface EmitOptions {
  /** Name of the graph, shown by model viewers. */
  readonly name: string;
  /** The leading dimension of inputs and outputs is written as symbol `batch` instead of its size. */
  readonly dynamicBatch?: boolean;
  readonly producer?: string;
  /** Metadata properties of the model. */
  readonly metadata?: Readonly<Record<string, string>>;
}

/**
 * Turns what the outputs need of a graph into the bytes of an ONNX model; nodes nobody needs are left out.
 * Requires with dynamicBatch: no op in between that fixes the leading dimension (reshape, broadcastTo, split of it).
 */
export function emitOnnx(
  g: Graph,
  outputs: Readonly<Record<string, Tensor>>,
  options: EmitOptions,
): Uint8Array {
  const names = new Map([...g.inputs].map(([name, tensor]) => [tensor, name]));
  const nodes = reachable(Object.values(outputs));
  const needed = new Set([...Object.values(outputs), ...nodes.flatMap((node) => node.inputs)]);
  const writer = new ModelWriter(names, needed);
  const copies: [Tensor, string][] = [];
  for (const [name, tensor] of Object.entries(outputs)) {
    if (g.inputs.has(name)) throw new RangeError(`${name} is an input and an output`);
    if (names.has(tensor) || tensor.node.values) copies.push([tensor, name]);
    else names.set(tensor, name);
  }
  for (const node of nodes) {
    if (node.values) writer.constant(node.outputs[0] as Tensor);
    else ruleOf(node.kind).emit(node, writer);
  }
  for (const [tensor, name] of copies) writer.node('Identity', [writer.name(tensor)], [name]);
  const used = new Set(nodes);
  return encodeModel({
    name: options.name,
    nodes: writer.nodes,
    initializers: writer.initializers,
    inputs: [...g.inputs]
      .filter(([, tensor]) => used.has(tensor.node))
      .map(([name, tensor]) => describe(name, tensor, options.dynamicBatch ?? false)),
    outputs: Object.entries(outputs).map(([name, tensor]) =>
      describe(name, tensor, options.dynamicBatch ?? false),
    ),
    producer: options.producer ?? 'gymwright',
    metadata: options.metadata ?? {},
  });
}

class ModelWriter implements NodeWriter {
  readonly nodes: ProtoNode[] = [];
  readonly initializers: ProtoTensor[] = [];
  readonly #names: ReadonlyMap<Tensor, string>;
  readonly #needed: ReadonlySet<Tensor>;
  readonly #shared = new Set<string>();
  #numTemporaries = 0;

  constructor(names: ReadonlyMap<Tensor, string>, needed: ReadonlySet<Tensor>) {
    this.#names = names;
    this.#needed = needed;
  }

  // Arrow functions: op rules pass them to map().
  readonly name = (tensor: Tensor): string =>
    this.#names.get(tensor) ?? `${tensor.node.kind}_${tensor.node.id}_${tensor.index}`;

  readonly temporary = (): string => `temporary_${this.#numTemporaries++}`;

  readonly isNeeded = (tensor: Tensor): boolean => this.#needed.has(tensor);

  int64(values: readonly number[]): string {
    return this.#share({ name: `integers_${values.join('_')}`, type: 'i64', shape: [values.length], values });
  }

  ones(shape: readonly number[], type: FloatType): string {
    const values = new Float64Array(sizeOf(shape)).fill(1);
    return this.#share({ name: `ones_${shape.join('_')}_${type}`, type, shape, values });
  }

  #share(tensor: ProtoTensor): string {
    if (!this.#shared.has(tensor.name)) this.initializers.push(tensor);
    this.#shared.add(tensor.name);
    return tensor.name;
  }

  constant(tensor: Tensor): void {
    const { type, shape, node } = tensor;
    this.initializers.push({ name: this.name(tensor), type, shape, values: node.values ?? [] });
  }

  node(
    type: string,
    inputs: readonly string[],
    outputs: readonly string[],
    attributes: Attributes = {},
  ): void {
    this.nodes.push({ type, inputs, outputs, attributes });
  }
}

/** Nodes that the tensors need, every node after its inputs. */
function reachable(tensors: readonly Tensor[]): Node[] {
  const seen = new Set<Node>();
  const pending = tensors.map((x) => x.node);
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (seen.has(node)) continue;
    seen.add(node);
    pending.push(...node.inputs.map((x) => x.node));
  }
  return [...seen].sort((a, b) => a.id - b.id);
}

function describe(name: string, { type, shape }: Tensor, dynamicBatch: boolean): ProtoValue {
  const sizes = shape.map((size) => (isAnySize(size) ? `any_${size / anySize}` : size));
  return { name, type, shape: dynamicBatch ? ['batch', ...sizes.slice(1)] : sizes };
}
