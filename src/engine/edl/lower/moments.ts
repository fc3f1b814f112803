import type { MomentIr } from '../ir.ts';
import type { LoweringScope } from './entities.ts';
import type { NodeId, ValueGraph } from './graph.ts';
import { stepNode } from './recent.ts';

/** Whether a moment is now: every so many steps but not at 0, or once. */
export function dueNode(scope: LoweringScope, moment: MomentIr): NodeId {
  const { graph } = scope;
  const step = stepNode(scope);
  const steps = graph.number(moment.steps);
  if (moment.op === 'at') return graph.make('EQ', step, steps);
  const isMultiple = graph.make('EQ', graph.make('MOD', step, steps), graph.number(0));
  return graph.and(isMultiple, graph.make('LT', graph.number(0), step));
}

/** Whether something with a chance happens: a draw of its own, the same in every run of the episode. */
export function happensNode(
  { graph }: LoweringScope,
  declaration: number,
  draw: number,
  chance: number,
): NodeId {
  if (chance >= 1) return graph.number(1);
  return graph.make('LT', drawNode(graph, declaration, draw), graph.number(chance));
}

/** Uniform in [0, 1). */
function drawNode(graph: ValueGraph, declaration: number, draw: number): NodeId {
  return graph.make('RANDOM', declaration, graph.constant(draw));
}

/** A whole number in 0..size-1, each as likely as the others. */
export function drawBelow(graph: ValueGraph, declaration: number, draw: number, size: NodeId): NodeId {
  const scaled = graph.make('MUL', drawNode(graph, declaration, draw), size);
  return graph.make('SUB', scaled, graph.make('MOD', scaled, graph.number(1)));
}
