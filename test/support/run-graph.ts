import { emitOnnx } from '../../src/engine/learn/graph/emit.ts';
import type { Graph } from '../../src/engine/learn/graph/graph.ts';
import { isAnySize, sizeOf, type Tensor } from '../../src/engine/learn/graph/node.ts';
import { createSession, wrap } from '../../src/engine/learn/graph/session.ts';

export type GraphRunner = (
  feeds: Readonly<Record<string, ArrayLike<number>>>,
) => Promise<Record<string, number[]>>;

/** Emits the outputs as a model, loads it, and runs it on plain lists of numbers. */
export async function prepare(g: Graph, outputs: Readonly<Record<string, Tensor>>): Promise<GraphRunner> {
  const session = await createSession(emitOnnx(g, outputs, { name: 'test' }));
  return async (feeds) => {
    const inputs = session.inputNames.map((name) => {
      const tensor = g.inputs.get(name) as Tensor;
      const values = feeds[name] ?? [];
      const data =
        tensor.type === 'i32'
          ? Int32Array.from(values)
          : tensor.type === 'f64'
            ? Float64Array.from(values)
            : Float32Array.from(values);
      const known = sizeOf(tensor.shape.filter((size) => !isAnySize(size)));
      const shape = tensor.shape.map((size) => (isAnySize(size) ? values.length / known : size));
      return [name, wrap(data, shape)] as const;
    });
    const results = await session.run(Object.fromEntries(inputs));
    return Object.fromEntries(
      Object.entries(results).map(([name, tensor]) => [name, Array.from(tensor.data as Float64Array)]),
    );
  };
}
