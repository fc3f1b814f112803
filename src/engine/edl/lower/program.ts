import { type VmProgram, type VmSection, vmSections } from '../../../shared/rl/vm-program.ts';
import type { EnvironmentIr } from '../ir.ts';
import type { ManifestIndex } from '../manifest-index.ts';
import { lowerControl } from './control.ts';
import { ValueGraph } from './graph.ts';
import { LoweringBudget, LoweringLimit, limits, tooCostly } from './limits.ts';
import { lowerMetric, lowerViolations } from './measures.ts';
import { lowerNpcs } from './npcs.ts';
import { ProgramTable } from './program-table.ts';
import { isPenalised, lowerPenalty, lowerReward, penaltyComponent, rewardComponent } from './rewards.ts';
import { lowerRule } from './rules.ts';
import { type Action, schedule } from './schedule.ts';

export type LowerResult =
  | { readonly program: VmProgram; readonly costPerStep: number }
  | { readonly program: null; readonly costPerStep: null; readonly passed: string };

/** Descriptions that go with a program without being part of its meaning, by the name of the declaration. */
export type ProgramDocs = ReadonlyMap<string, string>;

export interface LowerOptions {
  readonly docs?: ProgramDocs;
  /** Called before each declaration; what it throws ends the work. */
  readonly checkpoint?: (() => void) | undefined;
  /** What all environments of a text share; default one of its own. */
  readonly budget?: LoweringBudget;
}

/**
 * The bytecode of a canonical form: section after section, in each the declarations sorted by name, so that equal
 * identities run the same instructions. A null program means that a bound was passed.
 */
export function lowerEnvironment(
  ir: EnvironmentIr,
  index: ManifestIndex,
  { docs = new Map(), checkpoint = () => undefined, budget = new LoweringBudget() }: LowerOptions = {},
): LowerResult {
  try {
    return lowerWithin(ir, new ProgramTable(index, ir, checkpoint), docs, budget);
  } catch (thrown) {
    if (thrown instanceof LoweringLimit) return { program: null, costPerStep: null, passed: thrown.passed };
    throw thrown;
  }
}

type LowerSection = (
  table: ProgramTable,
  graph: ValueGraph,
  ir: EnvironmentIr,
  docs: ProgramDocs,
) => Action[];

const sectionsOf: Readonly<Record<VmSection, LowerSection>> = {
  control: lowerControl,
  npc: lowerNpcs,
  rules: (table, graph, ir) => ir.rules.flatMap((rule) => lowerRule(table, graph, rule)),
  rewards: (table, graph, ir) => lowerComponents(table, graph, ir, false),
  potentials: (table, graph, ir) => lowerComponents(table, graph, ir, true),
  metrics: (table, graph, ir, docs) => [
    ...ir.metrics.flatMap((metric) => lowerMetric(table, graph, metric, docs.get(metric.name) ?? '')),
    ...ir.constraints.flatMap((constraint) =>
      lowerViolations(table, graph, constraint, docs.get(constraint.name) ?? ''),
    ),
  ],
};

/** Rewards and penalties, or the potentials: components are numbered in the order rewards, then constraints. */
function lowerComponents(
  table: ProgramTable,
  graph: ValueGraph,
  ir: EnvironmentIr,
  arePotentials: boolean,
): Action[] {
  const rewards = ir.rewards.flatMap((reward, i) =>
    reward.isPotential === arePotentials ? lowerReward(table, graph, reward, i) : [],
  );
  if (arePotentials) return rewards;
  const penalties = ir.constraints
    .filter(isPenalised)
    .flatMap((constraint, i) => lowerPenalty(table, graph, constraint, ir.rewards.length + i));
  return [...rewards, ...penalties];
}

/** Rewards and penalties as the program numbers them. */
export function componentsOf(ir: EnvironmentIr, index: ManifestIndex): VmProgram['components'] {
  return [
    ...ir.rewards.map((reward) => rewardComponent(index, reward)),
    ...ir.constraints.filter(isPenalised).map((constraint) => penaltyComponent(index, constraint)),
  ];
}

function lowerWithin(
  ir: EnvironmentIr,
  table: ProgramTable,
  docs: ProgramDocs,
  budget: LoweringBudget,
): LowerResult {
  const { index } = table;
  const sections: Record<VmSection, number> = {
    control: 0,
    npc: 0,
    rules: 0,
    rewards: 0,
    potentials: 0,
    metrics: 0,
  };
  const words: number[] = [];
  let numRegisters = 0;
  let costPerStep = 0;
  for (const section of vmSections) {
    const graph = new ValueGraph(table.constants, budget);
    const scheduled = schedule(graph, sectionsOf[section](table, graph, ir, docs));
    sections[section] = scheduled.numInstructions;
    for (const word of scheduled.words) words.push(word);
    numRegisters = Math.max(numRegisters, scheduled.numRegisters);
    costPerStep += scheduled.numInstructions;
  }
  const { constants, declarations, metrics, memory, eventKeys } = table;
  const largestTable = Math.max(
    numRegisters,
    constants.length,
    declarations.length,
    metrics.length,
    memory.length,
  );
  if (costPerStep > limits.maxCostPerStep) throw new LoweringLimit(tooCostly(costPerStep));
  if (largestTable > limits.maxTableEntries) {
    const what = largestTable === numRegisters ? 'values at once' : 'entries of one table';
    throw new LoweringLimit(`${largestTable} ${what}, at most ${limits.maxTableEntries}`);
  }
  const program: VmProgram = {
    code: Int32Array.from(words),
    sections,
    numRegisters,
    constants: Float64Array.from(constants),
    declarations,
    components: componentsOf(ir, index),
    metrics,
    memory: Float64Array.from(memory),
    memoryKeys: Uint32Array.from(table.memoryKeys),
    eventKeys: Uint32Array.from(eventKeys),
    regimes: ir.regimes.map((regime) => regime.name),
    regimeWord: table.regimeWord,
  };
  return { program, costPerStep };
}
