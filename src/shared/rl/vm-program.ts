import type { Unit } from './manifest.ts';

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
 * Sections, in the order of a step: `control` (regimes, schedule, when events happen) reads the state a step starts
 * from and the memory, then stores, sets bases and triggers events; `npc` chooses behaviours and `rules` folds effects
 * (set, then products, then sums, then the bounds) on the state after the events; `rewards` reads the state after
 * physics and gives to components, `potentials` values it, `metrics` takes samples of it. A section that holds any
 * instruction begins with DECL, and every declaration's instructions follow its own DECL, so that a trap can name it.
 * A register is written before it is read within its section; nothing passes between sections through registers.
 */
export interface VmProgram {
  /** [I*5] i32, section after section. */
  readonly code: Int32Array;
  /** Number of instructions of each section; they make up `code` in this order. */
  readonly sections: Readonly<Record<VmSection, number>>;
  readonly numRegisters: number;
  readonly constants: Float64Array;
  /** Declarations in source order: FIRED and GIVE refer to them by index, traps name them. */
  readonly declarations: readonly VmDeclaration[];
  /** Shaping components in output order; they follow the scenario's base components. */
  readonly components: readonly VmComponent[];
  /** Episode metrics that the text declares, after the manifest's in output order. */
  readonly metrics: readonly VmMetric[];
  /** What each word of a copy's memory holds when an episode begins. */
  readonly memory: Float64Array;
  /**
   * Of each memory word: u32 by which other programs know it. A copy restored under another program keeps the words
   * that both know; empty: none.
   */
  readonly memoryKeys: Uint32Array;
  /** Of each EVENT in the order of the code: u32 that keys what the scenario draws for it. */
  readonly eventKeys: Uint32Array;
  /** Names of the regimes; empty: there are none. */
  readonly regimes: readonly string[];
  /** Memory word that holds the index of the true regime; -1: there are none. */
  readonly regimeWord: number;
}

/** The sections of a program in their order. */
export const vmSections = ['control', 'npc', 'rules', 'rewards', 'potentials', 'metrics'] as const;

export type VmSection = (typeof vmSections)[number];

export interface VmDeclaration {
  readonly kind: 'rule' | 'reward' | 'event' | 'npc' | 'constraint' | 'metric' | 'regime' | 'schedule';
  readonly name: string;
  /**
   * u32 that keys its random draws: `declarationKey(kind, name)`, so that a declaration more or less shifts nobody
   * else's.
   */
  readonly key: number;
  /** How many (entity) instances of it were unrolled; fire rate = fired / (steps × instances). */
  readonly instances: number;
}

export interface VmComponent {
  readonly name: string;
  /** Weight halves every so many training steps (env-steps of the run); 0 = no decay. */
  readonly halfLifeSteps: number;
  /** Bound of |sum over the episode| per agent, in reward units; Infinity = none, as for every potential. */
  readonly episodeLimit: number;
  /** Fed by PHI, not by GIVE: what enters the reward is γ·w'·Φ(s') − w·Φ(s). */
  readonly isPotential: boolean;
}

export interface VmMetric {
  readonly name: string;
  readonly unit: Unit;
  readonly isPerAgent: boolean;
  /** How the samples of an episode become its value; an episode without a sample has none (NaN). */
  readonly fold: 'mean' | 'sum' | 'min' | 'max' | 'last';
  readonly better: 'higher' | 'lower' | 'neither';
  readonly doc: string;
}

/** FNV-1a over "kind name". */
export function declarationKey(kind: VmDeclaration['kind'], name: string): number {
  return drawKey(`${kind} ${name}`);
}

/** FNV-1a over UTF-16 code units: the u32 that stands for a text among the counters of random draws. */
export function drawKey(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}
