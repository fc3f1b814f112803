import { type VmSection, vmSections } from '../../../shared/rl/vm-program.ts';
import { kindOf } from '../declarations/registry.ts';
import type { Declaration } from '../generated/ast.ts';
import type { EnvironmentIr } from '../ir.ts';
import { limits } from '../lower/limits.ts';
import type { LowerResult } from '../lower/program.ts';
import type { ManifestIndex } from '../manifest-index.ts';
import { formatNumber } from '../number-text.ts';
import { type DeclarationKindName, declarationKindNames } from '../types.ts';

/** What declarations of a kind are, one and several. */
const kindWords: Readonly<Record<DeclarationKindName, readonly [one: string, several: string]>> = {
  mission: ['mission', 'missions'],
  set: ['parameter', 'parameters'],
  capacity: ['capacity', 'capacities'],
  without: ['declaration not taken over', 'declarations not taken over'],
  rule: ['rule', 'rules'],
  reward: ['reward', 'rewards'],
  constraint: ['constraint', 'constraints'],
  event: ['event', 'events'],
  npc: ['npc', 'npcs'],
  regime: ['regime', 'regimes'],
  schedule: ['schedule', 'schedules'],
  metric: ['metric', 'metrics'],
  issue: ['issue', 'issues'],
  stage: ['stage', 'stages'],
};

/** How many declarations of which kinds make the difference. */
export function explainDifference(declarations: readonly Declaration[]): string {
  const counts = declarationKindNames
    .filter((kind) => kind !== 'mission')
    .map((kind) => ({ kind, count: declarations.filter((node) => kindOf(node).keyword === kind).length }))
    .filter(({ count }) => count > 0)
    .map(({ kind, count }) => `${count} ${kindWords[kind][count === 1 ? 0 : 1]}`);
  if (counts.length === 0) return 'It is the scenario as it stands.';
  return `It differs from the scenario by ${listed(counts)}.`;
}

/** Who decides for the agents of each group. */
export function explainPlayers(ir: EnvironmentIr, { manifest }: ManifestIndex): string {
  const players = manifest.groups.map(({ name, agents, defaultScripted }) => {
    const npcs = ir.npcs.filter((npc) => npc.agents.some((agent) => agents.includes(agent)));
    const usual =
      defaultScripted === null
        ? 'left to a learner'
        : `played by the built-in policy ${defaultScripted} unless an experiment names another`;
    const who = npcs.length === 0 ? usual : `played by npc ${listed(npcs.map((npc) => npc.name))}`;
    return `${name} (${agents.length} ${agents.length === 1 ? 'agent' : 'agents'}) is ${who}`;
  });
  return `Who plays: ${players.join('; ')}.`;
}

const sectionWords: Readonly<Record<VmSection, string>> = {
  control: 'events, regimes and schedule',
  npc: 'npcs',
  rules: 'rules',
  rewards: 'rewards and penalties',
  potentials: 'potentials',
  metrics: 'metrics and violations',
};

/**
 * Nanoseconds of an instruction on one core with AVX-512, 1,024 copies at a time: of rules over pairs (4.7 ns for 17), and
 * of everything in resources/environments/twenty-rules.edl (327 ns for 527). `npm run bench edl-cost` measures them.
 */
const measuredNanoseconds = { least: 0.28, most: 0.62 } as const;

/** The same of any program, however small: reading the state, distances, folding, sums of rewards. `sim speed --edl` tells it apart. */
const sharedNanoseconds = { least: 18, most: 30 } as const;

/** What a step costs beside the scenario's own work, part by part, and roughly how long it takes. */
export function explainCost({ program, costPerStep }: LowerResult): string {
  if (costPerStep === null)
    return `Cost: more than ${limits.maxCostPerStep} instructions per step: too expensive to run`;
  if (costPerStep === 0) return 'Cost: nothing beside the scenario itself';
  const parts = vmSections
    .filter((section) => program.sections[section] > 0)
    .map((section) => `${sectionWords[section]} ${program.sections[section]}`);
  const of = parts.length > 1 ? `\n  ${parts.join(', ')}` : '';
  const within = (end: 'least' | 'most'): string =>
    rough(sharedNanoseconds[end] + costPerStep * measuredNanoseconds[end]);
  const time = `${within('least')} to ${within('most')} ns where that was measured (one core, AVX-512)`;
  return `Cost: ${costPerStep} instructions per step and copy, of at most ${limits.maxCostPerStep}${of}\n  ${time}; \`gymwright sim speed --edl FILE\` measures it here`;
}

/** To one figure: an estimate has no more. */
function rough(nanoseconds: number): string {
  return formatNumber(Number(nanoseconds.toPrecision(1)));
}

function listed(items: readonly string[]): string {
  if (items.length < 2) return items.join('');
  return `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`;
}
