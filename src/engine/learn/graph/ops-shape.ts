import {
  input,
  isAnySize,
  type Node,
  type NodeWriter,
  numbers,
  type OpRule,
  sizeOf,
  type Tensor,
} from './node.ts';
import { broadcastShapes } from './ops-elementwise.ts';

const first = (inputs: readonly Tensor[]): Tensor => inputs[0] as Tensor;

/** ONNX ops that take the wanted shape as a second input, with a number of their own for a size that is not known yet. */
function emitToShape(type: string, unknown: number) {
  return (node: Node, writer: NodeWriter): void => {
    const output = node.outputs[0] as Tensor;
    const sizes = writer.int64(output.shape.map((size) => (isAnySize(size) ? unknown : size)));
    writer.node(type, [writer.name(input(node, 0)), sizes], [writer.name(output)]);
  };
}

export const shapeOps = {
  reshape: {
    infer: (inputs, attributes) => {
      const shape = numbers(attributes, 'shape');
      if (sizeOf(shape) !== sizeOf(first(inputs).shape)) {
        throw new RangeError(`reshape of [${first(inputs).shape}] to [${shape}]: sizes differ`);
      }
      return [{ shape, type: first(inputs).type }];
    },
    // What is left.
    emit: emitToShape('Reshape', -1),
    backward: (g, node, [dy]) => [dy ? g.reshape(dy, input(node, 0).shape) : null],
  },
  /** Repeats along dimensions of size 1. */
  broadcastTo: {
    infer: (inputs, attributes) => {
      const [{ shape: from, type }, shape] = [first(inputs), numbers(attributes, 'shape')];
      const lead = shape.length - from.length;
      if (shape.some((size, i) => isAnySize(size) && from[i - lead] !== size)) {
        throw new RangeError(`broadcast of [${from}] to a size that is not known`);
      }
      return [{ shape, type }];
    },
    // As many as there are.
    emit: emitToShape('Expand', 1),
    backward: (g, node, [dy]) => [dy ? g.sumTo(dy, input(node, 0).shape) : null],
  },
  /** Reorders dimensions: dimension i of the result is dimension perm[i] of x. */
  transpose: {
    infer: (inputs, attributes) => {
      const { shape, type } = first(inputs);
      return [{ shape: numbers(attributes, 'perm').map((from) => shape[from] as number), type }];
    },
    emit: (node, writer) =>
      writer.node('Transpose', node.inputs.map(writer.name), node.outputs.map(writer.name), node.attributes),
    backward: (g, node, [dy]) => {
      const perm = numbers(node.attributes, 'perm');
      return [
        dy
          ? g.transpose(
              dy,
              perm.map((_, i) => perm.indexOf(i)),
            )
          : null,
      ];
    },
  },
  /** Joins along `axis`; all other dimensions agree. */
  concat: {
    infer: (inputs, { axis }) => {
      const length = inputs.reduce((sum, x) => sum + (x.shape[axis as number] ?? 0), 0);
      return [{ shape: first(inputs).shape.with(axis as number, length), type: first(inputs).type }];
    },
    emit: (node, writer) =>
      writer.node('Concat', node.inputs.map(writer.name), node.outputs.map(writer.name), node.attributes),
    backward: (g, node, [dy]) => {
      if (!dy) return node.inputs.map(() => null);
      const axis = node.attributes.axis as number;
      return g.split(
        dy,
        node.inputs.map((x) => x.shape[axis] as number),
        axis,
      );
    },
  },
  /** Cuts along `axis` into pieces of the given sizes. */
  split: {
    infer: (inputs, attributes) => {
      const axis = attributes.axis as number;
      const sizes = numbers(attributes, 'sizes');
      const { shape, type } = first(inputs);
      if (sizes.reduce((a, b) => a + b, 0) !== shape[axis]) {
        throw new RangeError(`split of [${shape}] along ${axis} into ${sizes}: sizes do not add up`);
      }
      return sizes.map((size) => ({ shape: shape.with(axis, size), type }));
    },
    emit: (node, writer) => {
      const sizes = writer.int64(numbers(node.attributes, 'sizes'));
      const axis = node.attributes.axis as number;
      writer.node('Split', [writer.name(input(node, 0)), sizes], node.outputs.map(writer.name), { axis });
    },
    // A piece nobody used contributes zeros.
    backward: (g, node, gradients) => [
      g.concat(
        node.outputs.map((piece, i) => gradients[i] ?? g.fill(0, piece.shape, piece.type)),
        node.attributes.axis as number,
      ),
    ],
  },
  /** The columns of x [K,C] that `index` [D] i32 names -> [K,D]. */
  gather: {
    infer: ([x, index]) => {
      const { shape, type } = x as Tensor;
      return [{ shape: [shape[0] as number, (index as Tensor).shape[0] as number], type }];
    },
    emit: (node, writer) =>
      writer.node('Gather', node.inputs.map(writer.name), node.outputs.map(writer.name), { axis: 1 }),
    backward: () => {
      throw new RangeError('columns are gathered from targets alone, through which no gradient flows');
    },
  },
  /** Indices and classes, both i32 and broadcast against each other -> 1 where they agree, else 0. */
  oneHot: {
    infer: ([indices, classes], { type }) => [
      {
        shape: broadcastShapes((indices as Tensor).shape, (classes as Tensor).shape),
        type: type as Tensor['type'],
      },
    ],
    emit: (node, writer) => {
      const equal = writer.temporary();
      writer.node('Equal', node.inputs.map(writer.name), [equal]);
      writer.node('Cast', [equal], node.outputs.map(writer.name), { to: node.attributes.type as string });
    },
    backward: () => [null, null],
  },
} satisfies Record<string, OpRule>;
