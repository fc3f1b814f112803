import type { Graph } from './graph.ts';
import { type Node, type NodeWriter, type OpRule, type Signature, sameShape, type Tensor } from './node.ts';
import { type StepCutter, stepCutter } from './step-cutter.ts';

/**
 * How the C columns of a sequence belong to its steps: step after step, R in each; or, where sequences end one after the other,
 * the longest first, fewer and fewer, as many as is known when the graph runs.
 */
export type GruSteps = EvenSteps | StairSteps;

export interface EvenSteps {
  readonly numSteps: number;
  /** Hidden state before the first step, [H,R]. */
  readonly h0: Tensor;
  /** [1,C]: 0 where the hidden state starts anew before that step. */
  readonly keep?: Tensor;
}

/** The hidden state before the first step is 0. Steps beyond the last have no columns. */
export interface StairSteps {
  readonly numSteps: number;
  /** [T] i32: columns of each step. */
  readonly widths: Tensor;
  /** [2T-1] i32: of each step but the last the columns that the next one has, then those that are over; columns of the last. */
  readonly spans: Tensor;
}

/** Matrices of the whole sequence, [H,C] each: what it gives, and what the way back needs of the way there. */
const outputs = ['hidden', 'before', 'reset', 'update', 'recurrent', 'candidate'] as const;
type Kept = Record<(typeof outputs)[number], string[]>;

/**
 * A gated recurrent unit over T steps, in the form of PyTorch (the reset gate after the product):
 * [r; z] = σ(gx_rz + U_rz h), n = tanh(gx_n + r ∘ (U_n h + b_n)), h' = n + z ∘ (h − n).
 *
 * Two ops, there and back, rather than a composition: a kernel costs a microsecond before it has computed anything, so what a
 * step does by itself is as little as can be (11 kernels there, 6 back), and the rest is done for the whole sequence at once.
 * Columns, since gates are then cut out of a matrix as contiguous rows.
 */
export const recurrentOps = {
  /**
   * Inputs: gx_rz [2H,C], gx_n [H,C], U [3H,H], b_n [H,1], then h0 and optionally keep, or widths and spans -> [H,C] each:
   * h', h, r, z, U_n h + b_n, n.
   */
  gru: { infer: inferGru, emit: emitGru, backward: differentiateGru },
  /**
   * From the last step to the first, with what each adds to the loss by itself: dh of step t is its own and what came back from
   * t + 1, which is dh z + U' (F dh). Inputs: own [H,C], F [3,H,C] (see `differentiateGru`), z [H,C], U [3H,H], then as `gru`
   * -> dh [H,C] and, of even steps, dh0 [H,R].
   */
  gruBack: { infer: inferBack, emit: emitBack, backward: refuseSecondDerivative },
} satisfies Record<string, OpRule>;

/** What is fed beside the operands, and the attributes that say so. */
export function stepInputs(steps: GruSteps): { inputs: Tensor[]; attributes: Node['attributes'] } {
  const { numSteps } = steps;
  if ('widths' in steps)
    return { inputs: [steps.widths, steps.spans], attributes: { numSteps, isStair: true } };
  return {
    inputs: [steps.h0, ...(steps.keep ? [steps.keep] : [])],
    attributes: { numSteps, isStair: false },
  };
}

function inferGru(inputs: readonly Tensor[], { numSteps, isStair }: Node['attributes']): Signature[] {
  const [gates, candidates, u, bias, first, second] = inputs as [
    Tensor,
    Tensor,
    Tensor,
    Tensor,
    Tensor,
    Tensor?,
  ];
  const hidden = u.shape[1] as number;
  const steps = numSteps as number;
  const total = isStair ? (gates.shape[1] as number) : steps * (first.shape[1] as number);
  const expected: [string, Tensor | undefined, number[]][] = [
    ['gates', gates, [2 * hidden, total]],
    ['candidates', candidates, [hidden, total]],
    ['U', u, [3 * hidden, hidden]],
    ['bias', bias, [hidden, 1]],
    ...((isStair
      ? [
          ['widths', first, [steps]],
          ['spans', second, [2 * steps - 1]],
        ]
      : [
          ['h0', first, [hidden, total / steps]],
          ['keep', second, [1, total]],
        ]) as [string, Tensor | undefined, number[]][]),
  ];
  for (const [name, tensor, shape] of expected) {
    if (tensor && !sameShape(tensor.shape, shape)) {
      throw new RangeError(`gru of ${name} [${tensor.shape}]: [${shape}] expected`);
    }
  }
  return outputs.map(() => ({ shape: [hidden, total], type: gates.type }));
}

function emitGru(node: Node, writer: NodeWriter): void {
  const [gates, candidates, u, bias, h0, keep] = node.inputs.map(writer.name) as [
    string,
    string,
    string,
    string,
    string,
    string?,
  ];
  const hidden = node.outputs[0]?.shape[0] as number;
  const steps = stepCutter(node, writer);
  const [gatesU, candidateU] = steps.split(u, [2 * hidden, hidden], 0) as [string, string];
  const inside = { gates: steps.cut(gates), candidates: steps.cut(candidates) };
  const keeps = !steps.isStair && keep !== undefined ? steps.cut(keep) : [];
  const kept: Kept = { hidden: [], before: [], reset: [], update: [], recurrent: [], candidate: [] };
  for (let t = 0; t < steps.numSteps; t++) {
    const [gatesX, candidateX] = [inside.gates[t], inside.candidates[t]] as [string, string];
    const startsEmpty = t === 0 && steps.isStair;
    const previous = t === 0 ? h0 : steps.goingOn(kept.hidden[t - 1] as string, t);
    const zeros = (): string => steps.op('Sub', [candidateX, candidateX]);
    const before = startsEmpty
      ? zeros()
      : keeps[t]
        ? steps.op('Mul', [previous, keeps[t] as string])
        : previous;
    const gatesIn = startsEmpty ? gatesX : steps.op('Gemm', [gatesU, before, gatesX]);
    const [reset, update] = steps.split(steps.op('Sigmoid', [gatesIn]), [hidden, hidden], 0) as [
      string,
      string,
    ];
    const recurrent = startsEmpty
      ? steps.op('Add', [before, bias])
      : steps.op('Gemm', [candidateU, before, bias]);
    const candidate = steps.op('Tanh', [steps.op('Add', [steps.op('Mul', [reset, recurrent]), candidateX])]);
    const change = steps.op('Mul', [update, steps.op('Sub', [before, candidate])]);
    const step = {
      hidden: steps.op('Add', [change, candidate]),
      before,
      reset,
      update,
      recurrent,
      candidate,
    };
    for (const name of outputs) kept[name].push(step[name]);
  }
  for (const [i, name] of outputs.entries()) steps.join(kept[name], node.outputs[i] as Tensor);
}

/**
 * With dh of a step, from the loss and from the step after: what stands inside tanh has da_n = dh (1 − z)(1 − n²), U_n h + b_n
 * has da_n r, and what stands inside the sigmoids da_n (U_n h + b_n) r (1 − r) and dh (h − n) z (1 − z). All are dh times what
 * is known before the way back begins: the factors F of r, z and U_n h + b_n.
 */
function differentiateGru(
  g: Graph,
  node: Node,
  [dHidden]: readonly (Tensor | null)[],
): readonly (Tensor | null)[] {
  if (!dHidden) return node.inputs.map(() => null);
  const [, before, reset, update, recurrent, candidate] = node.outputs as [
    Tensor,
    Tensor,
    Tensor,
    Tensor,
    Tensor,
    Tensor,
  ];
  const [u, ...steps] = [node.inputs[2], ...node.inputs.slice(4)] as [Tensor, ...Tensor[]];
  const [hidden, total] = dHidden.shape as [number, number];
  const rest = (x: Tensor): Tensor => g.sub(g.scalar(1, x.type), x);
  const slope = g.mul(rest(update), rest(g.square(candidate)));
  const byRecurrent = g.mul(slope, reset);
  const byReset = g.mul(g.mul(byRecurrent, rest(reset)), recurrent);
  const byUpdate = g.mul(g.sub(before, candidate), g.mul(update, rest(update)));
  const factors = g.reshape(g.concat([byReset, byUpdate, byRecurrent], 0), [3, hidden, total]);
  const [dh, dh0] = g.gruBack([dHidden, factors, update, u, ...steps], node.attributes);
  const inside = g.reshape(g.mul(factors, dh as Tensor), [3 * hidden, total]);
  const [dGates, dRecurrent] = g.split(inside, [2 * hidden, hidden], 0) as [Tensor, Tensor];
  return [
    dGates,
    g.mul(slope, dh as Tensor),
    g.matmul(inside, before, { transB: true }),
    g.sum(dRecurrent, [1]),
    dh0 ?? null,
    null,
  ];
}

function inferBack(inputs: readonly Tensor[], { isStair }: Node['attributes']): Signature[] {
  const [own, , , , h0] = inputs as [Tensor, Tensor, Tensor, Tensor, Tensor];
  return [own, ...(isStair ? [] : [h0])].map(({ shape, type }) => ({ shape, type }));
}

function emitBack(node: Node, writer: NodeWriter): void {
  const [own, factors, z, u, , keep] = node.inputs.map(writer.name) as [
    string,
    string,
    string,
    string,
    string,
    string?,
  ];
  const hidden = node.outputs[0]?.shape[0] as number;
  const steps: StepCutter = stepCutter(node, writer);
  const across = steps.op('Transpose', [u], { perm: [1, 0] });
  const rows = writer.int64([3 * hidden, -1]);
  const [owns, factorsOf, updates] = [steps.cutSpans(own), steps.cut(factors, 2), steps.cut(z)];
  const keeps = !steps.isStair && keep !== undefined ? steps.cut(keep) : [];
  const dhs: string[] = [];
  let carried = '';
  for (let t = steps.numSteps - 1; t >= 0; t--) {
    const { going, over } = owns[t] as { going: string; over?: string };
    const later = carried === '' ? going : steps.op('Add', [going, carried]);
    const dh = over === undefined ? later : steps.op('Concat', [later, over], { axis: 1 });
    dhs.unshift(dh);
    if (t === 0 && !node.outputs.slice(1).some(writer.isNeeded)) break;
    const inside = steps.op('Reshape', [steps.op('Mul', [factorsOf[t] as string, dh]), rows]);
    const passed = steps.op('Gemm', [across, inside, steps.op('Mul', [dh, updates[t] as string])]);
    carried = keeps[t] ? steps.op('Mul', [passed, keeps[t] as string]) : passed;
  }
  steps.join(dhs, node.outputs[0] as Tensor);
  const [, dh0] = node.outputs;
  if (dh0 && writer.isNeeded(dh0)) writer.node('Identity', [carried], [writer.name(dh0)]);
}

function refuseSecondDerivative(): never {
  throw new RangeError('the derivative of a gru has no derivative');
}
