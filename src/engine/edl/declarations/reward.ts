import { measureOf } from '../dimension.ts';
import { elaborateLoops, elaborateWhen } from '../elaborate/block.ts';
import { type Context, elaborateNumber } from '../elaborate/context.ts';
import { readQuantity } from '../elaborate/quantity.ts';
import { elaborateTarget } from '../elaborate/reference.ts';
import { warnUndefined } from '../elaborate/undefined.ts';
import { expectMeasure } from '../elaborate/units.ts';
import { explainWeight } from '../explain/reward-words.ts';
import { explainScope, headline, oneLine } from '../explain/words.ts';
import type { Decay, Gift, Reward } from '../generated/ast.ts';
import type { RewardIr } from '../ir.ts';
import { candidatesOfLoops } from '../population.ts';
import { potentialBound, unboundedParts } from '../potential.ts';
import type { DeclarationKind } from './kind.ts';
import { isBearable, readLimit, reportNoAgent } from './reward-parts.ts';

/** `reward NAME { for … when … give … to … decay … limit … }`: a shaping component beside the base reward. */
export const rewardKind: DeclarationKind<Reward> = {
  keyword: 'reward',
  nameOf: (node) => node.name,
  docOf: (node) => node.doc ?? '',
  explain({ ir, index }, node) {
    const reward = ir.rewards.find((candidate) => candidate.name === node.name);
    if (reward === undefined) return [];
    return [
      headline('reward', node.name, node.doc),
      ...explainScope(node.loops, node.condition),
      ...node.gifts.map((gift) => `  ${oneLine(gift)}`),
      ...explainWeight(reward, index, ir),
    ];
  },
  dependsOn: [],
  elaborate(draft, node) {
    const scope = elaborateLoops(draft.context, node.loops);
    if (scope === null) return;
    const condition = elaborateWhen(scope.context, node.condition);
    const gifts = node.gifts.map((gift) => elaborateGift(scope.context, gift));
    scope.finish();
    const options = readOptions(draft.context, node);
    const given = gifts.filter((gift) => gift !== null);
    node.gifts.forEach((gift, i) => {
      const ir = gifts[i]?.value;
      if (ir !== undefined) warnUndefined(scope.context, gift.value, ir, condition);
    });
    if (condition === null || options === null || given.length < gifts.length) return;
    const isPotential = node.options.some((option) => option.$type === 'Potential');
    const ir: RewardIr = {
      name: node.name,
      loops: scope.loops,
      condition,
      gifts: given,
      ...options,
      isPotential,
    };
    if (isPotential && isBoundless(draft.context, node, ir)) return;
    draft.rewards.push(ir);
  },
};

/** Rewards have no unit: a length counts its metres, a time in steps its steps. */
function elaborateGift(context: Context, node: Gift): RewardIr['gifts'][number] | null {
  const value = elaborateNumber(context, node.value, 'what is given');
  const target = elaborateTarget(context, node.target);
  if (value === null || target === null) return null;
  if (reportNoAgent(context, node.target, target, 'a reward')) return null;
  if (!isBearable(context, value.ir)) {
    const message = 'what is given is too large to be a reward: it is no finite number';
    context.reporter.report('EDL505', { node: node.value }, message);
    return null;
  }
  if (value.ir.op === 'number' && value.ir.value === 0)
    context.reporter.report('EDL506', { node }, 'nothing is given: it is 0');
  return { target: target.ir, value: value.ir };
}

/** True with a diagnostic where a limited potential has no bound to be scaled by. */
function isBoundless(context: Context, node: Reward, reward: RewardIr): boolean {
  if (reward.limitShare === null || Number.isFinite(potentialBound(context.index, reward))) return false;
  const known = { variables: candidatesOfLoops(context.index, reward.loops) };
  const partsOf = reward.gifts.map(({ value }) => unboundedParts(context.index, value, known));
  const gift = partsOf.findIndex((parts) => parts.length > 0);
  const parts = partsOf.flat();
  const message =
    `a limit scales a potential by its largest value, and ${[...new Set(parts)].join(' and ')} has no bound: ` +
    'write min(…, a bound), or drop the limit';
  context.reporter.report('EDL507', { node: node.gifts[gift]?.value ?? node }, message);
  return true;
}

function readOptions(context: Context, node: Reward): Pick<RewardIr, 'halfLifeSteps' | 'limitShare'> | null {
  let halfLifeSteps: number | null = 0;
  let limitShare: number | null = null;
  const seen = new Set<string>();
  let isValid = true;
  for (const option of node.options) {
    if (seen.has(option.$type)) {
      context.reporter.report('EDL503', { node: option }, `'${option.$type.toLowerCase()}' is given twice`);
      isValid = false;
    }
    seen.add(option.$type);
    if (option.$type === 'Decay') halfLifeSteps = readHalfLife(context, option);
    if (option.$type === 'Limit') {
      limitShare = readLimit(context, option);
      if (limitShare === null) isValid = false;
    }
  }
  return isValid && halfLifeSteps !== null ? { halfLifeSteps, limitShare } : null;
}

function readHalfLife(context: Context, node: Decay): number | null {
  const stepSeconds = context.index.manifest.stepSeconds;
  const quantity = readQuantity(context.reporter, node, stepSeconds);
  if (quantity === null) return null;
  const value = { type: 'number', ir: { op: 'number', value: quantity.value }, isBare: false } as const;
  const measure = quantity.measure ?? measureOf('none', stepSeconds);
  const options = { what: "the half-life in 'decay half every'", adopt: false };
  const steps = expectMeasure(
    context,
    { value: { ...value, measure }, node },
    measureOf('steps', stepSeconds),
    options,
  );
  if (steps === null || steps.ir.op !== 'number') return null;
  if (steps.ir.value >= 1) return steps.ir.value;
  context.reporter.report('EDL505', { node }, 'the half-life is at least 1 step');
  return null;
}
