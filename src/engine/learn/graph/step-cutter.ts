import { type Attributes, type Node, type NodeWriter, numberOf, type Tensor } from './node.ts';

/** Writes what an op over the steps of a sequence needs: matrices of the whole cut into steps, and put together again. */
export interface StepCutter {
  readonly numSteps: number;
  /** Steps have fewer and fewer columns, as many as is known when the graph runs. */
  readonly isStair: boolean;
  /** A kernel of one result. */
  op(type: string, inputs: readonly string[], attributes?: Attributes): string;
  split(x: string, sizes: readonly number[], axis: number): string[];
  /** The columns of each step, which lie along `axis`. */
  cut(x: string, axis?: number): string[];
  /** Of each step the columns that the next one has, too, and those that are over (absent where there are none). */
  cutSpans(x: string): { going: string; over?: string }[];
  /** Of the columns of step t - 1 those that step t has, too. */
  goingOn(x: string, t: number): string;
  /** Writes `whole` from its steps, if anybody needs it. */
  join(parts: readonly string[], whole: Tensor): void;
}

/** Requires: the node's attributes and last inputs are those of `stepInputs`. */
export function stepCutter(node: Node, writer: NodeWriter): StepCutter {
  const numSteps = numberOf(node.attributes, 'numSteps');
  const isStair = node.attributes.isStair === true;
  const op: StepCutter['op'] = (type, inputs, attributes = {}) => {
    const output = writer.temporary();
    writer.node(type, inputs, [output], attributes);
    return output;
  };
  const cutBy = (x: string, sizes: string, count: number, axis: number): string[] => {
    if (count === 1) return [x];
    const pieces = Array.from({ length: count }, () => writer.temporary());
    writer.node('Split', [x, sizes], pieces, { axis });
    return pieces;
  };
  const split: StepCutter['split'] = (x, sizes, axis) => cutBy(x, writer.int64(sizes), sizes.length, axis);
  const join: StepCutter['join'] = (parts, whole) => {
    if (!writer.isNeeded(whole)) return;
    const name = [writer.name(whole)];
    if (parts.length === 1) writer.node('Identity', parts, name);
    else writer.node('Concat', parts, name, { axis: 1 });
  };
  const common = { numSteps, isStair, op, split, join };
  if (!isStair) {
    const width = (node.outputs[0]?.shape[1] as number) / numSteps;
    const sizes = Array<number>(numSteps).fill(width);
    const cut: StepCutter['cut'] = (x, axis = 1) => split(x, sizes, axis);
    return {
      ...common,
      cut,
      cutSpans: (x) => cut(x).map((going) => ({ going })),
      goingOn: (x) => x,
    };
  }
  const [widths, spans] = node.inputs.slice(-2).map((x) => op('Cast', [writer.name(x)], { to: 'i64' })) as [
    string,
    string,
  ];
  const pairs = split(spans, [...Array<number>(numSteps - 1).fill(2), 1], 0);
  const ones = (count: number): string => writer.int64(Array<number>(count).fill(1));
  /**
   * x, of a shape that the runtime cannot know before it runs. Arrays that are known to have two dimensions and not how large
   * they are cost its planner time with the square of their number (4 s for 100 steps), and are never used again all the same.
   */
  const veiled = (x: string, rank: number): string => {
    const all = op('Equal', [ones(rank), ones(rank)]);
    return op('Reshape', [x, op('Compress', [op('Shape', [x]), all])]);
  };
  return {
    ...common,
    cut: (x, axis = 1) => cutBy(veiled(x, axis + 1), widths, numSteps, axis),
    cutSpans: (x) => {
      const pieces = cutBy(veiled(x, 2), spans, 2 * numSteps - 1, 1);
      return pairs.map((_, t) => ({
        going: pieces[2 * t] as string,
        ...(t < numSteps - 1 && { over: pieces[2 * t + 1] as string }),
      }));
    },
    goingOn: (x, t) => cutBy(x, pairs[t - 1] as string, 2, 1)[0] as string,
  };
}
