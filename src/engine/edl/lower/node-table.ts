import { opcodes } from '../../../shared/generated/opcodes.ts';
import type { GraphNode, NodeId } from './graph.ts';

const empty = -1;

/** Finds the node that computes the same: open addressing over the numbers of nodes, never more than half full. */
export class NodeTable {
  readonly #nodes: readonly GraphNode[];
  #slots = new Int32Array(1024).fill(empty);
  #size = 0;

  /** `nodes` grows elsewhere; those entered stay as they are. */
  constructor(nodes: readonly GraphNode[]) {
    this.#nodes = nodes;
  }

  /** The node that equals `wanted`, or null. */
  find(wanted: GraphNode): NodeId | null {
    const id = this.#slots[this.#slotOf(wanted)] ?? empty;
    return id === empty ? null : id;
  }

  enter(id: NodeId, node: GraphNode): void {
    if (2 * ++this.#size > this.#slots.length) this.#grow();
    this.#slots[this.#slotOf(node)] = id;
  }

  /** Where a node is, or would be put. */
  #slotOf({ op, a, b, c }: GraphNode): number {
    const mask = this.#slots.length - 1;
    let hash = Math.imul(opcodes[op].code, 0x9e3779b1) ^ Math.imul(a, 0x85ebca6b);
    hash = Math.imul(hash ^ (hash >>> 15), 0xc2b2ae35) ^ Math.imul(b, 0x27d4eb2f) ^ Math.imul(c, 0x165667b1);
    let slot = (hash ^ (hash >>> 16)) & mask;
    for (;;) {
      const node = this.#nodes[this.#slots[slot] ?? empty];
      if (node === undefined) return slot;
      if (node.op === op && node.a === a && node.b === b && node.c === c) return slot;
      slot = (slot + 1) & mask;
    }
  }

  #grow(): void {
    const entered = this.#slots;
    this.#slots = new Int32Array(2 * entered.length).fill(empty);
    for (const id of entered) {
      const node = this.#nodes[id];
      if (node !== undefined) this.#slots[this.#slotOf(node)] = id;
    }
  }
}
