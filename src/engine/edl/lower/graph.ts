import { type OpcodeName, opcodes } from '../../../shared/generated/opcodes.ts';
import { type LoweringBudget, LoweringLimit, limits } from './limits.ts';
import { NodeTable } from './node-table.ts';

/** A value of the program: one instruction that writes a register. Ids rise from operands to results. */
export type NodeId = number;

export interface GraphNode {
  readonly op: OpcodeName;
  readonly a: number;
  readonly b: number;
  readonly c: number;
}

/**
 * The values of one phase as a graph in which equal computations are one node (hash-consing). Folds constants and
 * the neutral elements of `and`, `or`, `not` and `select`; nothing else, so that rounding stays as written.
 */
export class ValueGraph {
  readonly nodes: GraphNode[] = [];
  readonly #table = new NodeTable(this.nodes);
  readonly #constants: number[];
  readonly #constantIndex: Map<number, number>;
  readonly #budget: LoweringBudget;

  /** `constants` is the program's table, shared by all its sections. */
  constructor(constants: number[], budget: LoweringBudget) {
    this.#constants = constants;
    this.#budget = budget;
    this.#constantIndex = new Map(constants.map((value, i) => [value, i]));
  }

  /** Counts one visited expression; throws LoweringLimit where unrolling gets out of hand. */
  visit(): void {
    this.#budget.spend();
  }

  /** The place of a number in the program's table of constants. */
  constant(value: number): number {
    let index = this.#constantIndex.get(value);
    if (index === undefined) {
      index = this.#constants.push(value) - 1;
      this.#constantIndex.set(value, index);
    }
    return index;
  }

  number(value: number): NodeId {
    return this.make('CONST', this.constant(value));
  }

  boolean(value: boolean): NodeId {
    return this.number(value ? 1 : 0);
  }

  make(op: OpcodeName, a: number, b = 0, c = 0): NodeId {
    this.#budget.spend();
    const node = { op, a, b, c };
    const known = this.#table.find(node);
    if (known !== null) return known;
    if (this.nodes.length >= limits.maxNodes)
      throw new LoweringLimit(`more than ${limits.maxNodes} values in one phase`);
    const id = this.nodes.push(node) - 1;
    this.#table.enter(id, node);
    return id;
  }

  and(left: NodeId, right: NodeId): NodeId {
    if (this.#isNumber(left, 1) || left === right) return right;
    if (this.#isNumber(right, 1)) return left;
    if (this.#isNumber(left, 0) || this.#isNumber(right, 0)) return this.number(0);
    return this.make('AND', left, right);
  }

  or(left: NodeId, right: NodeId): NodeId {
    if (this.#isNumber(left, 0) || left === right) return right;
    if (this.#isNumber(right, 0)) return left;
    if (this.#isNumber(left, 1) || this.#isNumber(right, 1)) return this.number(1);
    return this.make('OR', left, right);
  }

  not(value: NodeId): NodeId {
    const node = this.nodes[value];
    if (this.#isNumber(value, 0)) return this.number(1);
    if (this.#isNumber(value, 1)) return this.number(0);
    return node?.op === 'NOT' ? node.a : this.make('NOT', value);
  }

  select(condition: NodeId, yes: NodeId, no: NodeId): NodeId {
    if (this.#isNumber(condition, 1)) return yes;
    if (this.#isNumber(condition, 0)) return no;
    return this.make('SELECT', condition, yes, no);
  }

  /** Two equal entity indices, decided here where both are constants. */
  same(left: NodeId, right: NodeId): NodeId {
    const a = this.constantOf(left);
    const b = this.constantOf(right);
    if (a !== null && b !== null) return this.boolean(a === b);
    return left === right ? this.number(1) : this.make('EQ', left, right);
  }

  constantOf(id: NodeId): number | null {
    const node = this.nodes[id];
    return node?.op === 'CONST' ? (this.#constants[node.a] ?? null) : null;
  }

  /** Operands of a node that are nodes themselves. */
  operandsOf(id: NodeId): NodeId[] {
    const node = this.nodes[id];
    if (node === undefined) return [];
    const [, a, b, c] = opcodes[node.op].operands;
    const found: NodeId[] = [];
    if (a === 'read') found.push(node.a);
    if (b === 'read') found.push(node.b);
    if (c === 'read') found.push(node.c);
    return found;
  }

  #isNumber(id: NodeId, value: number): boolean {
    return this.constantOf(id) === value;
  }
}
