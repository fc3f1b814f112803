import type { EnvironmentIr, SetIr } from '../ir.ts';
import type { ManifestIndex } from '../manifest-index.ts';
import type { DeclarationKindName } from '../types.ts';
import { LoweringBudget } from './limits.ts';
import { type LowerResult, lowerEnvironment } from './program.ts';

/** The declaration that costs most, and what makes it so. */
export interface Costliest {
  readonly kind: DeclarationKindName;
  readonly name: string;
  /** "" or " (4000 instructions), whose 3 loops multiply". */
  readonly why: string;
}

type Part = Pick<EnvironmentIr, 'rules' | 'rewards' | 'events' | 'npcs' | 'constraints' | 'metrics'>;

const nothing: Part = { rules: [], rewards: [], events: [], npcs: [], constraints: [], metrics: [] };

/**
 * The declaration that alone passes a bound, or else takes most instructions. Each is lowered alone; the work for all of them is
 * bounded as that for a text is, and the one at which it runs out is taken to be it. Null: none takes any.
 */
export function costliest(ir: EnvironmentIr, index: ManifestIndex): Costliest | null {
  const budget = new LoweringBudget();
  let most: { readonly part: NamedPart; readonly cost: number } | null = null;
  for (const part of partsOf(ir)) {
    const alone = { ...ir, regimes: [], schedule: null, ...nothing, ...part.part };
    const { costPerStep }: LowerResult = lowerEnvironment(alone, index, { budget });
    const cost = costPerStep ?? Number.POSITIVE_INFINITY;
    if (cost > (most?.cost ?? 0)) most = { part, cost };
    if (cost === Number.POSITIVE_INFINITY) break;
  }
  if (most === null) return null;
  const { kind, name, loops } = most.part;
  const figure = Number.isFinite(most.cost) ? ` (${most.cost} instructions)` : '';
  const multiplied = loops.length > 1 ? `, whose ${loops.length} loops multiply` : '';
  return { kind, name, why: `${figure}${multiplied}` };
}

interface NamedPart {
  readonly kind: DeclarationKindName;
  readonly name: string;
  readonly loops: readonly SetIr[];
  readonly part: Partial<Part>;
}

function* partsOf({
  rules,
  rewards,
  events,
  npcs,
  constraints,
  metrics,
}: EnvironmentIr): Generator<NamedPart> {
  for (const one of rules) yield { kind: 'rule', ...one, part: { rules: [one] } };
  for (const one of rewards) yield { kind: 'reward', ...one, part: { rewards: [one] } };
  for (const one of constraints) yield { kind: 'constraint', ...one, part: { constraints: [one] } };
  for (const one of events) yield { kind: 'event', ...one, part: { events: [one] } };
  for (const one of metrics) yield { kind: 'metric', ...one, part: { metrics: [one] } };
  for (const one of npcs) yield { kind: 'npc', name: one.name, loops: [], part: { npcs: [one] } };
}
