import {
  type Attributes,
  type FloatType,
  type Node,
  type NodeWriter,
  numberOf,
  type Tensor,
} from './node.ts';

/** Writes what an op over the steps of a sequence needs: arrays of the whole cut into steps, and put together again. */
export interface StepCutter {
  readonly numSteps: number;
  /** Steps have fewer and fewer columns, as many as is known when the graph runs. */
  readonly isStair: boolean;
  /** A kernel of one result. */
  op(type: string, inputs: readonly string[], attributes?: Attributes): string;
  split(x: string, sizes: readonly number[], axis: number): string[];
  /** The columns of each step. Shape: x [...rows,C]. */
  cut(x: string, rows: readonly number[]): string[];
  /** Of each step the columns that the next one has, too, and those that are over (absent where there are none). */
  cutSpans(x: string, rows: readonly number[]): { going: string; over?: string }[];
  /** Of the columns of step t - 1 those that step t has, too. */
  goingOn(x: string, rows: readonly number[], t: number): string;
  /** Tells the runtime, which cannot know it, that x [...rows,·] has the columns of step t. Gives x. */
  known(x: string, rows: readonly number[], t: number): string;
  /** Writes `whole` from its steps, if anybody needs it. */
  join(parts: readonly string[], whole: Tensor): void;
}

/** Requires: the node's attributes and last inputs are those of `stepInputs`. */
export function stepCutter(node: Node, writer: NodeWriter): StepCutter {
  const numSteps = numberOf(node.attributes, 'numSteps');
  const { type, shape } = node.outputs[0] as Tensor;
  const op: StepCutter['op'] = (kind, inputs, attributes = {}) => {
    const output = writer.temporary();
    writer.node(kind, inputs, [output], attributes);
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
  const common = { numSteps, op, split, join };
  if (node.attributes.isStair !== true) {
    const sizes = Array<number>(numSteps).fill((shape[1] as number) / numSteps);
    return {
      ...common,
      isStair: false,
      cut: (x, rows) => split(x, sizes, rows.length),
      cutSpans: (x, rows) => split(x, sizes, rows.length).map((going) => ({ going })),
      goingOn: (x) => x,
      known: (x) => x,
    };
  }
  const inputs = node.inputs.slice(-2).map(writer.name) as [string, string];
  const [widths, spans] = inputs.map((x) => op('Cast', [x], { to: 'i64' })) as [string, string];
  const pairs = split(spans, [...Array<number>(numSteps - 1).fill(2), 1], 0);
  const known: StepCutter['known'] = (x, rows, t) => {
    writer.declare(x, type as FloatType, [...rows, `${inputs[0]}_${t}`]);
    return x;
  };
  return {
    ...common,
    isStair: true,
    cut: (x, rows) => cutBy(x, widths, numSteps, rows.length).map((piece, t) => known(piece, rows, t)),
    cutSpans: (x, rows) => {
      const pieces = cutBy(x, spans, 2 * numSteps - 1, rows.length);
      return pairs.map((_, t) => ({
        going: known(pieces[2 * t] as string, rows, Math.min(t + 1, numSteps - 1)),
        ...(t < numSteps - 1 && { over: pieces[2 * t + 1] as string }),
      }));
    },
    goingOn: (x, rows, t) => known(cutBy(x, pairs[t - 1] as string, 2, rows.length)[0] as string, rows, t),
    known,
  };
}
