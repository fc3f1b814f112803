import type { Graph } from './graph.ts';
import {
  type Node,
  type NodeWriter,
  numbers,
  type OpRule,
  type Signature,
  sameShape,
  type Tensor,
} from './node.ts';

/** What a step keeps for the way back, after the sequence itself: outputs 1 + t·6 + k of the node. */
const perStep = ['hidden', 'input', 'gates', 'recurrent', 'candidate', 'difference'] as const;

/**
 * A gated recurrent unit over T steps, in the form of PyTorch (the reset gate after the product):
 * [r; z] = σ(gx_rz + U_rz h), n = tanh(gx_n + r ∘ (U_n h + b_n)), h' = n + z ∘ (h − n).
 *
 * One op with a derivative of its own rather than a composition: what is batched over time (the derivatives of U, b_n and
 * gx) is then one product for the whole sequence, and a step back is 16 kernels in place of 30.
 * Columns, since gates are then cut out of a matrix as contiguous rows. A step may have fewer columns than the one before:
 * those at the end are over, and cost nothing from then on.
 */
export const recurrentOps = {
  /**
   * With R_t columns at step t, C in all: gx_rz [2H,C], gx_n [H,C], h0 [H,R_0], U [3H,H], b_n [H,1], keep [1,C] (optional: 0 starts
   * anew before that step) -> [H,C]
   */
  gru: {
    infer: inferGru,
    emit: emitGru,
    backward: differentiateGru,
  },
} satisfies Record<string, OpRule>;

/** Hidden state after the last step, [H,R]. */
export function lastHidden(node: Node): Tensor {
  return stepOf(node, numbers(node.attributes, 'columns').length - 1).hidden;
}

function stepOf(node: Node, t: number): Record<(typeof perStep)[number], Tensor> {
  const start = 1 + t * perStep.length;
  return Object.fromEntries(perStep.map((name, k) => [name, node.outputs[start + k]])) as ReturnType<
    typeof stepOf
  >;
}

function inferGru(inputs: readonly Tensor[], attributes: Node['attributes']): Signature[] {
  const [gates, candidates, h0, u, bias, keep] = inputs as [Tensor, Tensor, Tensor, Tensor, Tensor, Tensor?];
  const [hidden = 0, first = 0] = h0.shape;
  const columns = numbers(attributes, 'columns');
  const total = columns.reduce((sum, width) => sum + width, 0);
  if (columns[0] !== first || columns.some((width, t) => t > 0 && width > (columns[t - 1] as number))) {
    throw new RangeError(`gru of ${columns} columns after ${first}: a step may only have as many or fewer`);
  }
  const expected: [string, Tensor | undefined, number[]][] = [
    ['gates', gates, [2 * hidden, total]],
    ['candidates', candidates, [hidden, total]],
    ['h0', h0, [hidden, first]],
    ['U', u, [3 * hidden, hidden]],
    ['bias', bias, [hidden, 1]],
    ['keep', keep, [1, total]],
  ];
  for (const [name, tensor, shape] of expected) {
    if (tensor && !sameShape(tensor.shape, shape)) {
      throw new RangeError(`gru of ${name} [${tensor.shape}]: [${shape}] expected`);
    }
  }
  const of = (rows: number, width: number): Signature => ({ shape: [rows, width], type: gates.type });
  const steps = columns.flatMap((width) =>
    perStep.map((name) => of(name === 'gates' ? 2 * hidden : hidden, width)),
  );
  return [of(hidden, total), ...steps];
}

function emitGru(node: Node, writer: NodeWriter): void {
  const [gates, candidates, h0, u, bias, keep] = node.inputs;
  const [hidden = 0] = (h0 as Tensor).shape;
  const widths = numbers(node.attributes, 'columns');
  const steps = widths.length;
  const op = (type: string, inputs: readonly string[], output = writer.temporary()): string => {
    writer.node(type, inputs, [output]);
    return output;
  };
  const split = (x: string, sizes: readonly number[], axis: number): string[] => {
    if (sizes.length === 1) return [x];
    const pieces = sizes.map(() => writer.temporary());
    writer.node('Split', [x, writer.int64(sizes)], pieces, { axis });
    return pieces;
  };
  const gatesXs = split(writer.name(gates as Tensor), widths, 1);
  const candidateXs = split(writer.name(candidates as Tensor), widths, 1);
  const keeps = keep ? split(writer.name(keep), widths, 1) : [];
  const [gatesU, candidateU] = split(writer.name(u as Tensor), [2 * hidden, hidden], 0) as [string, string];
  let previous = writer.name(h0 as Tensor);
  for (let t = 0; t < steps; t++) {
    const to = Object.fromEntries(
      Object.entries(stepOf(node, t)).map(([k, x]) => [k, writer.name(x)]),
    ) as Record<(typeof perStep)[number], string>;
    const over = (widths[t - 1] ?? (widths[0] as number)) - (widths[t] as number);
    if (over > 0) previous = split(previous, [widths[t] as number, over], 1)[0] as string;
    if (keep) op('Mul', [previous, keeps[t] as string], to.input);
    else op('Identity', [previous], to.input);
    const h = keep ? to.input : previous;
    op('Sigmoid', [op('Gemm', [gatesU, h, gatesXs[t] as string])], to.gates);
    const [reset, update] = split(to.gates, [hidden, hidden], 0) as [string, string];
    op('Gemm', [candidateU, h, writer.name(bias as Tensor)], to.recurrent);
    op('Tanh', [op('Add', [op('Mul', [reset, to.recurrent]), candidateXs[t] as string])], to.candidate);
    op('Sub', [h, to.candidate], to.difference);
    previous = op('Add', [op('Mul', [update, to.difference]), to.candidate], to.hidden);
  }
  const hiddens = Array.from({ length: steps }, (_, t) => writer.name(stepOf(node, t).hidden));
  const whole = writer.name(node.outputs[0] as Tensor);
  if (steps === 1) op('Identity', hiddens, whole);
  else writer.node('Concat', hiddens, [whole], { axis: 1 });
}

/**
 * Backwards through time with dh = dh'(from the loss) + dh'(from the step after):
 * da_n = dh (1 − z)(1 − n²), dz = dh (h − n), dr = da_n (U_n h + b_n), da_rz = d[r;z] s (1 − s),
 * dh_before = dh z + U_rz' da_rz + U_n' (da_n r).
 */
function differentiateGru(
  g: Graph,
  node: Node,
  gradients: readonly (Tensor | null)[],
): readonly (Tensor | null)[] {
  const [gx, , h0, u, , keep] = node.inputs as [Tensor, Tensor, Tensor, Tensor, Tensor, Tensor?];
  const [hidden = 0] = h0.shape;
  const widths = numbers(node.attributes, 'columns');
  const steps = widths.length;
  const one = g.scalar(1, gx.type);
  const [gatesU, candidateU] = g.split(u, [2 * hidden, hidden], 0) as [Tensor, Tensor];
  const fromSequence = gradients[0] ? g.split(gradients[0], widths, 1) : [];
  const keeps = keep ? g.split(keep, widths, 1) : [];
  const gates: Tensor[] = [];
  const recurrent: Tensor[] = [];
  const candidates: Tensor[] = [];
  let carried: Tensor = g.fill(0, [hidden, widths.at(-1) as number], gx.type);
  for (let t = steps - 1; t >= 0; t--) {
    const step = stepOf(node, t);
    const [reset, update] = g.split(step.gates, [hidden, hidden], 0) as [Tensor, Tensor];
    const direct = gradients[1 + t * perStep.length];
    const dh = [fromSequence[t], direct].reduce<Tensor>((sum, x) => (x ? g.add(sum, x) : sum), carried);
    const slope = g.sub(one, g.square(step.candidate));
    const passed = g.mul(dh, update);
    const dCandidate = g.mul(g.sub(dh, passed), slope);
    const dGates = g.concat([g.mul(dCandidate, step.recurrent), g.mul(dh, step.difference)], 0);
    const dGatesInside = g.mul(dGates, g.sub(step.gates, g.square(step.gates)));
    const dRecurrent = g.mul(dCandidate, reset);
    const throughGates = g.linear(gatesU, dGatesInside, passed, { transA: true });
    const before = g.linear(candidateU, dRecurrent, throughGates, { transA: true });
    const kept = keep ? g.mul(before, keeps[t] as Tensor) : before;
    const over = (widths[t - 1] ?? (widths[0] as number)) - (widths[t] as number);
    carried = over > 0 ? g.concat([kept, g.fill(0, [hidden, over], gx.type)], 1) : kept;
    gates.unshift(dGatesInside);
    recurrent.unshift(dRecurrent);
    candidates.unshift(dCandidate);
  }
  const inputs = g.concat(
    widths.map((_, t) => stepOf(node, t).input),
    1,
  );
  const [dGates, dRecurrent, dCandidates] = [gates, recurrent, candidates].map((all) => g.concat(all, 1)) as [
    Tensor,
    Tensor,
    Tensor,
  ];
  return [
    dGates,
    dCandidates,
    carried,
    g.concat(
      [dGates, dRecurrent].map((d) => g.matmul(d, inputs, { transB: true })),
      0,
    ),
    g.sum(dRecurrent, [1]),
    null,
  ];
}
