/**
 * Bytecode of one EDL environment, produced by `engine/edl` (lower) and executed by `native/src/vm`.
 *
 * The program is straight-line: loops over entity sets are unrolled when lowering, because the scenario fixes
 * their sizes. So it is total by construction, its cost is its length, and every instruction runs over many
 * copies at once (lanes). Registers hold one f64 per copy; booleans are 0, 1 or NaN (undefined: see opcodes.def for how
 * guards absorb it and where it traps); an entity is its index.
 *
 * Instructions are five i32 each: [op, dst, a, b, c]. Opcodes are declared once, in
 * native/include/gymwright/opcodes.def, and generated into shared/generated/opcodes.ts.
 *
 * Phases: `rules` reads the state at the start of the step and folds effects (set, then products, then sums,
 * then the bounds); `rewards` reads the state after physics and gives to components. Each phase that holds any
 * instruction begins with DECL, and every declaration's instructions follow its own DECL, so that a trap can name it.
 * A register is written before it is read within its phase; nothing passes from rules to rewards through registers.
 */
export interface VmProgram {
  /** [I*5] i32, rules first, then rewards. */
  readonly code: Int32Array;
  /** Number of instructions that belong to the rules phase; the rest are rewards. */
  readonly numRuleInstructions: number;
  readonly numRegisters: number;
  readonly constants: Float64Array;
  /** Declarations in source order: FIRED and GIVE refer to them by index, traps name them. */
  readonly declarations: readonly VmDeclaration[];
  /** Shaping components in output order; they follow the scenario's base components. */
  readonly components: readonly VmComponent[];
}

export interface VmDeclaration {
  readonly kind: 'rule' | 'reward';
  readonly name: string;
  /** How many (entity) instances of it were unrolled; fire rate = fired / (steps × instances). */
  readonly instances: number;
}

export interface VmComponent {
  readonly name: string;
  /** Weight halves every so many training steps (env-steps of the run); 0 = no decay. */
  readonly halfLifeSteps: number;
  /** Bound of |sum over the episode| per agent, in reward units; Infinity = none. */
  readonly episodeLimit: number;
}
