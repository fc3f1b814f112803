import { measureOf } from '../dimension.ts';
import { elaborateLoops, elaborateWhen } from '../elaborate/block.ts';
import { type Context, elaborateNumber } from '../elaborate/context.ts';
import { percentToFraction, readQuantity } from '../elaborate/quantity.ts';
import { elaborateTarget } from '../elaborate/reference.ts';
import { expectMeasure } from '../elaborate/units.ts';
import { explainScope, headline, oneLine } from '../explain/words.ts';
import type { Decay, Gift, Limit, Reward } from '../generated/ast.ts';
import { boundsOf } from '../interval.ts';
import type { ExpressionIr, RewardIr } from '../ir.ts';
import type { ManifestIndex } from '../manifest-index.ts';
import { formatNumber, parseNumber } from '../number-text.ts';
import type { DeclarationKind } from './kind.ts';

const maxLimitPercent = 1000;

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
      ...explainWeight(reward, index),
    ];
  },
  elaborate(draft, node) {
    const isBase = draft.context.index.manifest.components.some((component) => component.name === node.name);
    if (isBase) {
      const message = `'${node.name}' is a base reward component of the scenario: shaping never replaces it`;
      draft.context.reporter.report('EDL212', { node, property: 'name' }, message);
    }
    const scope = elaborateLoops(draft.context, node.loops);
    if (scope === null) return;
    const condition = elaborateWhen(scope.context, node.condition);
    const gifts = node.gifts.map((gift) => elaborateGift(scope.context, gift));
    scope.finish();
    const options = readOptions(draft.context, node);
    const given = gifts.filter((gift) => gift !== null);
    if (condition === null || options === null || given.length < gifts.length || isBase) return;
    draft.rewards.push({
      name: node.name,
      loops: scope.loops,
      condition,
      gifts: given,
      ...options,
      isPotential: node.options.some((option) => option.$type === 'Potential'),
    });
  },
};

/** Rewards have no unit: a length counts its metres, a time in steps its steps. */
function elaborateGift(context: Context, node: Gift): RewardIr['gifts'][number] | null {
  const value = elaborateNumber(context, node.value, 'what is given');
  const target = elaborateTarget(context, node.target);
  if (value === null || target === null) return null;
  if (node.target.path.length > 0) {
    context.reporter.report(
      'EDL308',
      { node: node.target },
      `a reward goes to an agent, not to its attribute '${node.target.path.join('.')}'`,
    );
    return null;
  }
  if (target.kind !== 'agent') {
    const known = [
      ...context.variables.map((variable) => variable.name),
      ...context.index.manifest.groups.map((group) => group.name),
    ];
    context.reporter.report(
      'EDL308',
      { node: node.target },
      `'${node.target.name}' is no agent: rewards go to agents (${known.join(', ')})`,
    );
    return null;
  }
  if (!isBearable(context, value.ir)) {
    const message = 'what is given is too large to be a reward: it is no finite number';
    context.reporter.report('EDL505', { node: node.value }, message);
    return null;
  }
  return { target: target.ir, value: value.ir };
}

/** Whether a constant stays finite as a reward, which is kept in 32 bits; what depends on the state is not known yet. */
function isBearable({ index }: Context, value: ExpressionIr): boolean {
  const { min, max } = boundsOf(index, value);
  return min !== max || Number.isFinite(Math.fround(min));
}

/** Weight, decay and limit in the units a learner sees. */
function explainWeight(reward: RewardIr, index: ManifestIndex): string[] {
  const { nominalReturn, episodeLength } = index.manifest;
  const decay =
    reward.halfLifeSteps === 0
      ? 'weight 1 throughout'
      : `weight 1 at first, halved every ${formatNumber(reward.halfLifeSteps)} training steps`;
  const perStep = Math.max(...reward.gifts.map((gift) => largest(boundsOf(index, gift.value))));
  const reach = Number.isFinite(perStep)
    ? `each gift is at most ${formatNumber(perStep)} a step, ${formatNumber(round(perStep * episodeLength))} over an episode of ${episodeLength} steps`
    : 'a gift has no bound of its own';
  const limit =
    reward.limitShare === null
      ? `no limit (the nominal return is ${formatNumber(round(nominalReturn))} per agent)`
      : `limited to ${formatNumber(round(reward.limitShare * nominalReturn))} per agent and episode (${formatNumber(round(reward.limitShare * 100))}% of nominal ${formatNumber(round(nominalReturn))})`;
  return [`  ${decay}; ${reach}; ${limit}`];
}

function largest(bounds: { readonly min: number; readonly max: number }): number {
  return Math.max(Math.abs(bounds.min), Math.abs(bounds.max));
}

function round(value: number): number {
  return Number(value.toPrecision(4));
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

function readLimit(context: Context, node: Limit): number | null {
  const percent = parseNumber(node.value);
  if (percent > 0 && percent <= maxLimitPercent) return percentToFraction(percent);
  const message = `the limit lies above 0% and at most at ${maxLimitPercent}% of the scenario's nominal return`;
  context.reporter.report('EDL505', { node }, message);
  return null;
}
