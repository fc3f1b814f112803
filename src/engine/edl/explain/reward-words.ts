import { boundsOf } from '../interval.ts';
import type { RewardIr } from '../ir.ts';
import type { ManifestIndex } from '../manifest-index.ts';
import { formatNumber } from '../number-text.ts';
import { potentialBound, potentialScale } from '../potential.ts';

/** Weight, decay and limit of a reward in the units a learner sees. */
export function explainWeight(reward: RewardIr, index: ManifestIndex): string[] {
  const decay =
    reward.halfLifeSteps === 0
      ? 'weight 1 throughout'
      : `weight 1 at first, halved every ${formatNumber(reward.halfLifeSteps)} training steps`;
  if (reward.isPotential) return explainPotential(reward, index, decay);
  const { episodeLength } = index.manifest;
  const perStep = Math.max(...reward.gifts.map((gift) => largest(boundsOf(index, gift.value))));
  const reach = Number.isFinite(perStep)
    ? `each gift is at most ${short(perStep)} a step, ${short(perStep * episodeLength)} over an episode of ${episodeLength} steps`
    : 'a gift has no bound of its own';
  return [`  ${decay}; ${reach}; ${explainLimit(reward, index)}`];
}

function explainLimit({ limitShare }: RewardIr, index: ManifestIndex): string {
  const { nominalReturn } = index.manifest;
  if (limitShare === null) return `no limit (the nominal return is ${short(nominalReturn)} per agent)`;
  const share = `${short(limitShare * 100)}% of nominal ${short(nominalReturn)}`;
  return `limited to ${short(limitShare * nominalReturn)} per agent and episode (${share})`;
}

/** Adding the difference of a potential leaves the best policy as it is; what takes from that is said. */
function explainPotential(reward: RewardIr, index: ManifestIndex, decay: string): string[] {
  const bound = potentialBound(index, reward);
  const scale = potentialScale(index, reward);
  const lines = [
    '  a potential Φ: each step gives γΦ(after) - Φ(before), so that over an episode only its ends count',
    `  ${decay}; |Φ| is ${Number.isFinite(bound) ? `at most ${short(bound * scale)} per agent` : 'without a bound'}`,
  ];
  if (reward.limitShare !== null) {
    const how =
      scale === 1
        ? 'never reached, so Φ stays as it is'
        : `kept by scaling Φ by ${short(scale)}, never by clipping`;
    lines.push(`  ${explainLimit(reward, index)}: ${how}`);
  }
  lines.push(
    reward.halfLifeSteps === 0
      ? '  it leaves the best policies of the scenario as they are'
      : '  because its weight falls while it trains, that it leaves the best policies as they are is no longer exact',
  );
  return lines;
}

function largest(bounds: { readonly min: number; readonly max: number }): number {
  return Math.max(Math.abs(bounds.min), Math.abs(bounds.max));
}

function short(value: number): string {
  return formatNumber(Number(value.toPrecision(4)));
}
