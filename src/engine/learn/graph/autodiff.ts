import { type Graph, ruleOf } from './graph.ts';
import { type Node, sameShape, type Tensor } from './node.ts';

/**
 * Extends the graph by d loss / d target for each target, by reverse accumulation.
 * Shape: loss [] (a scalar) -> one tensor shaped like each target; zeros where it has no influence.
 * Requires: targets are inputs, constants or anything the loss was built from.
 */
export function gradients(g: Graph, loss: Tensor, targets: readonly Tensor[]): Tensor[] {
  if (loss.shape.length !== 0) throw new RangeError(`loss of shape [${loss.shape}]: a scalar is needed`);
  const adjoints = new Map<Node, (Tensor | null)[]>();
  accumulate(g, adjoints, loss, g.scalar(1, loss.type));
  for (const node of ancestors(loss)) {
    const ofOutputs = adjoints.get(node);
    if (ofOutputs === undefined) continue;
    const ofInputs = ruleOf(node.kind).backward(g, node, ofOutputs);
    for (const [i, gradient] of ofInputs.entries()) {
      if (gradient) accumulate(g, adjoints, node.inputs[i] as Tensor, gradient);
    }
  }
  return targets.map((x) => adjoints.get(x.node)?.[x.index] ?? g.fill(0, x.shape, x.type));
}

function accumulate(
  g: Graph,
  adjoints: Map<Node, (Tensor | null)[]>,
  tensor: Tensor,
  gradient: Tensor,
): void {
  if (!sameShape(tensor.shape, gradient.shape)) {
    throw new RangeError(
      `gradient of ${tensor.node.kind} has shape [${gradient.shape}], the value has [${tensor.shape}]`,
    );
  }
  const slots = adjoints.get(tensor.node) ?? tensor.node.outputs.map(() => null);
  const previous = slots[tensor.index];
  slots[tensor.index] = previous ? g.add(previous, gradient) : gradient;
  adjoints.set(tensor.node, slots);
}

/** Nodes the tensor was built from, itself first, every node before its inputs. */
function ancestors(tensor: Tensor): Node[] {
  const seen = new Set<Node>();
  const pending = [tensor.node];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (seen.has(node)) continue;
    seen.add(node);
    pending.push(...node.inputs.map((x) => x.node));
  }
  return [...seen].sort((a, b) => b.id - a.id);
}
