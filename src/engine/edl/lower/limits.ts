/** Bounds of what is lowered, so that every accepted program is cheap to compile and to run. */
export const limits = {
  /** Instructions per step and copy. At about a nanosecond each, 20 µs a step. */
  maxCostPerStep: 20_000,
  /** Distinct values per phase, dead ones included. */
  maxNodes: 60_000,
  /** Registers, and entries of each table (constants, declarations, components): what the machine's verifier accepts. */
  maxTableEntries: 4096,
  /** Work for one text, stages included: values asked for (new or not) and expressions visited while loops are unrolled. */
  maxLoweringWork: 1_000_000,
} as const;

/** What lowering may still do for a text: bounds its time, whatever is shared or thrown away. */
export class LoweringBudget {
  #left: number = limits.maxLoweringWork;

  /** Throws LoweringLimit when it is used up. */
  spend(): void {
    if (--this.#left < 0)
      throw new LoweringLimit(`unrolling takes more than ${limits.maxLoweringWork} operations`);
  }
}

/** Raised inside lowering when a bound is passed; `lower` turns it into a value. */
export class LoweringLimit extends Error {
  /** Which bound, with the figure: "24000 instructions per step, at most 20000". */
  readonly passed: string;

  constructor(passed: string) {
    super(`lowering limit passed: ${passed}`);
    this.name = 'LoweringLimit';
    this.passed = passed;
  }
}

/** What is said of a step that takes too long. */
export function tooCostly(costPerStep: number): string {
  return `${costPerStep} instructions per step, at most ${limits.maxCostPerStep}`;
}
