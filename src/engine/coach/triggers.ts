import { detectIssues, tellIssues } from './snapshot/detect-issues.ts';
import { objectiveHistory } from './snapshot/metric-history.ts';
import type { AskReason, MetricHistory, RoundContext } from './types.ts';
import { planAtBoundary } from './whatif/plan-trials.ts';

/**
 * Whether the coach is asked at this boundary, and why. The first trigger that holds is the reason: a person's wish,
 * then an issue that fires, a plateau, the interval. The last round asks nothing: no training would follow. Nor does anybody but a
 * person where what is answered could only be turned down, since no budget is left to try it.
 */
export function findReason(context: RoundContext): AskReason | null {
  const { config, round, numRounds } = context;
  if (config.provider === 'none' || round >= numRounds - 1) return null;
  if (context.isRequested) return { trigger: 'manual', detail: 'a person asked for a proposal' };
  if (!canBeDecided(context)) return null;
  return findIssue(context) ?? findPlateau(context) ?? findInterval(context);
}

/** False where only a trial can decide, and none of one candidate is paid for when it comes to that. */
function canBeDecided(context: RoundContext): boolean {
  const { config, round } = context;
  const needsTrial = config.mode === 'automatic' && config.whatif.share > 0;
  return !needsTrial || planAtBoundary(context, round + config.lag, 1) !== null;
}

function findIssue({ config, environment, series }: RoundContext): AskReason | null {
  if (!config.trigger.issue) return null;
  const firing = detectIssues(environment.issues, series).filter(({ isFiring }) => isFiring);
  if (firing.length === 0) return null;
  return { trigger: 'issue', detail: `firing: ${tellIssues(firing)}` };
}

function findPlateau({ config, objective, series }: RoundContext): AskReason | null {
  const { plateau, minDelta } = config.trigger;
  if (plateau === null) return null;
  const gain = gainOver(objectiveHistory(series), plateau, objective.better);
  if (gain === null || gain > minDelta) return null;
  const detail = `${objective.metric} gained ${gain.toPrecision(3)} over the last ${plateau} evaluations (needed: more than ${minDelta})`;
  return { trigger: 'plateau', detail };
}

/** Best of the last `window` evaluations against the best before them; null while there are not enough. */
export function gainOver(history: MetricHistory, window: number, better: 'higher' | 'lower'): number | null {
  const sign = better === 'higher' ? 1 : -1;
  const values = Array.from(history.values, (value) => value * sign).filter(Number.isFinite);
  if (values.length <= window) return null;
  return Math.max(...values.slice(-window)) - Math.max(...values.slice(0, -window));
}

function findInterval({ config, round }: RoundContext): AskReason | null {
  const { interval } = config.trigger;
  if (interval === null || (round + 1) % interval !== 0) return null;
  return { trigger: 'interval', detail: interval === 1 ? 'every round' : `every ${interval} rounds` };
}
