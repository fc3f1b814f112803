import { input, type Node, type NodeWriter, type OpRule, sameShape, type Tensor } from './node.ts';
import { broadcastShapes } from './ops-elementwise.ts';

function dims(tensor: Tensor, transposed: boolean): [number, number] {
  const [rows, columns] = tensor.shape;
  if (tensor.shape.length !== 2 || rows === undefined || columns === undefined) {
    throw new RangeError(`matrix product of shape [${tensor.shape}]: two dimensions expected`);
  }
  return transposed ? [columns, rows] : [rows, columns];
}

function inferProduct(a: Tensor, b: Tensor, transA: boolean, transB: boolean): [number, number] {
  const [rows, inner] = dims(a, transA);
  const [inner2, columns] = dims(b, transB);
  if (inner !== inner2) {
    throw new RangeError(`matrix product of [${a.shape}] and [${b.shape}]: inner dimensions differ`);
  }
  return [rows, columns];
}

function emitGemm(node: Node, writer: NodeWriter): void {
  const { transA = false, transB = false } = node.attributes;
  writer.node('Gemm', node.inputs.map(writer.name), node.outputs.map(writer.name), {
    transA: Number(transA),
    transB: Number(transB),
  });
}

export const matrixOps = {
  /**
   * Y = op(A) op(B) + C, op = transposition where the flag is set. C may be absent, or broadcast to Y: a bias costs no
   * kernel of its own, being the product's start value.
   */
  matmul: {
    infer: ([a, b, c], { transA, transB }) => {
      const shape = inferProduct(a as Tensor, b as Tensor, !!transA, !!transB);
      if (c && !sameShape(broadcastShapes(c.shape, shape), shape)) {
        throw new RangeError(`addend of shape [${c.shape}] to a product of shape [${shape}]`);
      }
      return [{ shape, type: (a as Tensor).type }];
    },
    emit: emitGemm,
    // Y = A B + C: dA = dY B', dB = A' dY, dC = dY; with flags the same, transposed once more.
    backward: (g, node, [dy]) => {
      if (!dy) return node.inputs.map(() => null);
      const [a, b, c] = node.inputs as [Tensor, Tensor, Tensor?];
      const transA = !!node.attributes.transA;
      const transB = !!node.attributes.transB;
      const da = transA
        ? g.matmul(b, dy, { transA: transB, transB: true })
        : g.matmul(dy, b, { transB: !transB });
      const db = transB
        ? g.matmul(dy, a, { transA: true, transB: transA })
        : g.matmul(a, dy, { transA: !transA });
      return c ? [da, db, g.sumTo(dy, c.shape)] : [da, db];
    },
  },
  /**
   * Y [1,K] = beta Z + a X with a number beta and a [1,1]: one kernel in place of three, as a product of inner
   * dimension 1 that starts from beta Z.
   */
  addScaled: {
    infer: ([z, x, a]) => {
      if (!z || !x || !a || !sameShape(z.shape, x.shape) || z.shape[0] !== 1 || !sameShape(a.shape, [1, 1])) {
        throw new RangeError(`addScaled of shapes [${z?.shape}], [${x?.shape}] and [${a?.shape}]`);
      }
      return [{ shape: z.shape, type: z.type }];
    },
    emit: (node, writer) => {
      const [z, x, a] = node.inputs.map(writer.name) as [string, string, string];
      const beta = { float: node.attributes.beta as number };
      writer.node('Gemm', [a, x, z], node.outputs.map(writer.name), { beta });
    },
    // dZ = beta dY, dX = a dY, da = <dY, X>
    backward: (g, node, [dy]) => {
      if (!dy) return [null, null, null];
      const [x, a] = [input(node, 1), input(node, 2)];
      return [g.scale(dy, node.attributes.beta as number), g.mul(dy, a), g.matmul(dy, x, { transB: true })];
    },
  },
} satisfies Record<string, OpRule>;
