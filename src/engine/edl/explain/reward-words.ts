import { boundsOf } from '../interval.ts';
import type { EnvironmentIr, RewardIr } from '../ir.ts';
import { heldIndex, type ManifestIndex } from '../manifest-index.ts';
import { formatNumber } from '../number-text.ts';
import { candidatesOfLoops, populatedIndex } from '../population.ts';
import { potentialBound, potentialScale } from '../potential.ts';

/** Weight, decay and limit of a reward in the units a learner sees. */
export function explainWeight(reward: RewardIr, index: ManifestIndex, ir: EnvironmentIr): string[] {
  const decay =
    reward.halfLifeSteps === 0
      ? 'weight 1 throughout'
      : `weight 1 at first, halved every ${formatNumber(reward.halfLifeSteps)} training steps`;
  if (reward.isPotential) return explainPotential(reward, populatedIndex(index, ir), decay);
  const { episodeLength } = index.manifest;
  const variables = candidatesOfLoops(index, reward.loops);
  const perStep = Math.max(
    ...reward.gifts.map((gift) => largest(boundsOf(heldIndex(index), gift.value, { variables }))),
  );
  const reach = Number.isFinite(perStep)
    ? `each gift is at most ${short(perStep)} a step, ${short(perStep * episodeLength)} over an episode of ${episodeLength} steps`
    : 'a gift has no bound of its own';
  return [`  ${decay}; ${reach}; ${explainLimit(reward, index)}`];
}

function explainLimit(reward: RewardIr, index: ManifestIndex): string {
  const { nominalReturn } = index.manifest;
  if (reward.limitShare === null) return `no limit (the nominal return is ${short(nominalReturn)} per agent)`;
  return `limited to ${short(reward.limitShare * nominalReturn)} per agent and episode (${shareOf(reward.limitShare, index)})`;
}

function shareOf(limitShare: number, index: ManifestIndex): string {
  return `${short(limitShare * 100)}% of nominal ${short(index.manifest.nominalReturn)}`;
}

/** Adding the difference of a potential leaves the best policy as it is; what takes from that is said. */
function explainPotential(reward: RewardIr, index: ManifestIndex, decay: string): string[] {
  const bound = potentialBound(index, reward);
  const scale = potentialScale(index, reward);
  const isLimited = reward.limitShare !== null;
  const reach = isLimited ? `at most ${short(bound * scale)} per agent` : explainReach(bound);
  const lines = [
    '  a potential Φ: each step gives γΦ(after) - Φ(before), so that of the discounted sum over an episode only its ends count',
    `  ${decay}; |Φ| is ${reach}`,
  ];
  if (reward.limitShare !== null) {
    const how =
      scale === 1
        ? 'Φ stays as it is, each gift held within its bounds'
        : `kept by scaling Φ by ${short(scale)}, never by clipping the reward; each gift is held within its bounds first`;
    const limit = short(reward.limitShare * index.manifest.nominalReturn);
    lines.push(
      `  the discounted sum over an episode is within ±${limit} per agent (${shareOf(reward.limitShare, index)}): ${how}`,
      '  the plain sum is within it where γ is 1; below that each step gives up to (1 - γ)|Φ| more',
    );
  }
  lines.push(
    reward.halfLifeSteps === 0
      ? '  it leaves the best policies of the scenario as they are'
      : '  because its weight falls while it trains, that it leaves the best policies as they are is no longer exact',
  );
  return lines;
}

function explainReach(bound: number): string {
  return Number.isFinite(bound) ? `usually at most ${short(bound)} per agent` : 'without a bound';
}

function largest(bounds: { readonly min: number; readonly max: number }): number {
  return Math.max(Math.abs(bounds.min), Math.abs(bounds.max));
}

function short(value: number): string {
  return formatNumber(Number(value.toPrecision(4)));
}
