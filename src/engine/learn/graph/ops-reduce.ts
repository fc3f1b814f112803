import { input, numbers, type OpRule, type Tensor } from './node.ts';

export const reduceOps = {
  /** Sums over `axes`, which stay as dimensions of size 1. */
  sum: {
    infer: ([x], attributes) => {
      const axes = numbers(attributes, 'axes');
      const { shape, type } = x as Tensor;
      return [{ shape: shape.map((dimension, i) => (axes.includes(i) ? 1 : dimension)), type }];
    },
    emit: (node, writer) => {
      const axes = writer.int64(numbers(node.attributes, 'axes'));
      writer.node('ReduceSum', [writer.name(input(node, 0)), axes], node.outputs.map(writer.name), {
        keepdims: 1,
      });
    },
    // Every summand counts once: dx = dy, stretched.
    backward: (g, node, [dy]) => [dy ? g.broadcastTo(dy, input(node, 0).shape) : null],
  },
  /** log(exp(x) / sum exp(x)) along the last axis. */
  logSoftmax: {
    infer: ([x]) => [{ shape: (x as Tensor).shape, type: (x as Tensor).type }],
    emit: (node, writer) =>
      writer.node('LogSoftmax', node.inputs.map(writer.name), node.outputs.map(writer.name), { axis: -1 }),
    // dx = dy - softmax(x) sum(dy)
    backward: (g, node, [dy]) => {
      const y = node.outputs[0] as Tensor;
      return [dy ? g.sub(dy, g.mul(g.exp(y), g.sum(dy, [y.shape.length - 1]))) : null];
    },
  },
} satisfies Record<string, OpRule>;
