import { instructionWords, type OpcodeName, opcodes } from '../../../shared/generated/opcodes.ts';
import type { NodeId, ValueGraph } from './graph.ts';
import { LoweringLimit, limits, tooCostly } from './limits.ts';

/** What a section does with its values. Operands that the opcode reads are nodes; those it has no use for are 0. */
export interface Action {
  readonly op: OpcodeName;
  readonly dst: number;
  readonly a: number;
  readonly b: number;
  readonly c: number;
}

export interface ScheduledSection {
  readonly words: number[];
  readonly numInstructions: number;
  readonly numRegisters: number;
}

type Step = { readonly node: NodeId } | { readonly action: Action };

/** Orders the values an action needs right before it, leaves out what none needs, and gives registers by linear scan. */
export function schedule(graph: ValueGraph, actions: readonly Action[]): ScheduledSection {
  const steps = orderSteps(graph, actions);
  const lastUse = findLastUses(graph, steps);
  return allocate(graph, steps, lastUse);
}

function readsOf(action: Action): NodeId[] {
  const [, a, b, c] = opcodes[action.op].operands;
  const reads: NodeId[] = [];
  if (a === 'read') reads.push(action.a);
  if (b === 'read') reads.push(action.b);
  if (c === 'read') reads.push(action.c);
  return reads;
}

function orderSteps(graph: ValueGraph, actions: readonly Action[]): Step[] {
  const steps: Step[] = [];
  const placed = new Set<NodeId>();
  for (const action of actions) {
    for (const read of readsOf(action)) placeValue(graph, read, placed, steps);
    steps.push({ action });
  }
  if (steps.length > limits.maxCostPerStep) throw new LoweringLimit(tooCostly(steps.length));
  return steps;
}

/** Operands before results, with a stack of its own: chains may be longer than the call stack is deep. */
function placeValue(graph: ValueGraph, root: NodeId, placed: Set<NodeId>, steps: Step[]): void {
  const stack = [root];
  while (stack.length > 0) {
    const node = stack.at(-1) ?? root;
    if (placed.has(node)) {
      stack.pop();
      continue;
    }
    const missing = graph.operandsOf(node).filter((operand) => !placed.has(operand));
    if (missing.length > 0) {
      stack.push(...missing.reverse());
      continue;
    }
    stack.pop();
    placed.add(node);
    steps.push({ node });
  }
}

function findLastUses(graph: ValueGraph, steps: readonly Step[]): Map<NodeId, number> {
  const lastUse = new Map<NodeId, number>();
  steps.forEach((step, at) => {
    const reads = 'node' in step ? graph.operandsOf(step.node) : readsOf(step.action);
    for (const read of reads) lastUse.set(read, at);
  });
  return lastUse;
}

/** A register is free from the instruction that reads it last, so that one may write it. */
function allocate(
  graph: ValueGraph,
  steps: readonly Step[],
  lastUse: ReadonlyMap<NodeId, number>,
): ScheduledSection {
  const registers = new Map<NodeId, number>();
  const free: number[] = [];
  const words: number[] = [];
  let numRegisters = 0;
  const registerOf = (node: NodeId): number => {
    const register = registers.get(node);
    if (register === undefined) throw new RangeError(`value ${node} is read before it is computed`);
    return register;
  };
  const release = (reads: readonly NodeId[], at: number): void => {
    for (const read of new Set(reads)) if (lastUse.get(read) === at) free.push(registerOf(read));
  };
  const operandsOf = ({ op, a, b, c }: Omit<Action, 'dst'>): number[] => {
    const [, first, second, third] = opcodes[op].operands;
    const operand = (kind: string, value: number): number => (kind === 'read' ? registerOf(value) : value);
    return [operand(first, a), operand(second, b), operand(third, c)];
  };
  steps.forEach((step, at) => {
    if ('action' in step) {
      const { action } = step;
      words.push(opcodes[action.op].code, action.dst, ...operandsOf(action));
      release(readsOf(action), at);
      return;
    }
    const node = graph.nodes[step.node];
    if (node === undefined) throw new RangeError(`no value ${step.node}`);
    const read = operandsOf(node);
    release(graph.operandsOf(step.node), at);
    const register = free.pop() ?? numRegisters++;
    registers.set(step.node, register);
    words.push(opcodes[node.op].code, register, ...read);
  });
  return { words, numInstructions: words.length / instructionWords, numRegisters };
}
