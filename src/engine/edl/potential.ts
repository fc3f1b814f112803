import { boundsOf, type Interval, type Known } from './interval.ts';
import type { ExpressionIr, RewardIr, SetIr, TargetIr } from './ir.ts';
import type { ManifestIndex } from './manifest-index.ts';
import { candidatesOfLoops, largestSize, membersOf } from './population.ts';

/**
 * What each gift of a potential lies within by the manifest's bounds. Where the potential has a limit, a value is held
 * there: the bounds may be nominal, the limit is not.
 */
export function giftBounds(index: ManifestIndex, reward: RewardIr): Interval[] {
  const variables = candidatesOfLoops(index, reward.loops);
  return reward.gifts.map(({ value }) => boundsOf(index, value, { variables }));
}

/**
 * Largest |Φ| that one agent's potential can take while its gifts are within their bounds: the sum over all instances
 * that may give to it. Infinity where something it is made of has no bound. `index`: of a populated scenario.
 */
export function potentialBound(index: ManifestIndex, reward: RewardIr): number {
  const bounds = giftBounds(index, reward);
  let bound = 0;
  reward.gifts.forEach(({ target }, i) => {
    const { min, max } = bounds[i] ?? { min: -Infinity, max: Infinity };
    bound += instancesPerAgent(index, reward.loops, target) * Math.max(Math.abs(min), Math.abs(max));
  });
  return Number.isNaN(bound) ? Infinity : bound;
}

/** How many instances of a block may reach one and the same agent. */
function instancesPerAgent(index: ManifestIndex, loops: readonly SetIr[], target: TargetIr): number {
  const chosen = target.op === 'variable' ? target.index : -1;
  const variables = candidatesOfLoops(index, loops);
  return loops.reduce(
    (count, set, i) => (i === chosen ? count : count * largestSize(index, set, variables)),
    1,
  );
}

/**
 * What a potential is multiplied with so that its discounted sum over an episode stays within the limit, whatever the
 * states: γᵀΦ(s_T) − Φ(s₀) is at most 2 max|Φ|. 1 without a limit, and where the limit is never reached. `index`: of a
 * populated scenario.
 */
export function potentialScale(index: ManifestIndex, reward: RewardIr): number {
  if (reward.limitShare === null) return 1;
  const reach = 2 * potentialBound(index, reward);
  const limit = reward.limitShare * index.manifest.nominalReturn;
  return reach <= limit ? 1 : limit / reach;
}

/** What of an expression has no bound, as the text writes it; empty where all of it has. */
export function unboundedParts(index: ManifestIndex, node: ExpressionIr, known: Known = {}): string[] {
  const { min, max } = boundsOf(index, node, known);
  if (Number.isFinite(min) && Number.isFinite(max)) return [];
  const { variables = [] } = known;
  const within =
    node.op === 'aggregate'
      ? { ...known, variables: [...variables, membersOf(index, node.set, variables)] }
      : known;
  const inner = [...new Set(childrenOf(node).flatMap((child) => unboundedParts(index, child, within)))];
  if (inner.length > 0) return inner;
  return [wordsFor(node)];
}

function childrenOf(node: ExpressionIr): ExpressionIr[] {
  if (node.op === 'same' || node.op === 'relation' || node.op === 'distance') return [];
  if (node.op === 'aggregate') return node.body === null ? [] : [node.body];
  if ('left' in node) return [node.left, node.right];
  return 'value' in node && typeof node.value === 'object' ? [node.value] : [];
}

function wordsFor(node: ExpressionIr): string {
  switch (node.op) {
    case 'distance':
      return 'a distance';
    case 'attribute':
      return `the attribute '${node.name}'`;
    case 'signal':
      return `the signal '${node.name}'`;
    case 'relation':
      return `the relation '${node.name}'`;
    case 'div':
      return 'a division by what may be 0';
    default:
      return 'a value that grows without end';
  }
}
