import type { MetricHistory, RunSeries } from '../types.ts';

/** The first of the keys that has points; empty if none has. */
function firstWithPoints(series: RunSeries, keys: readonly string[]): MetricHistory {
  for (const key of keys) {
    const history = series.history(key);
    if (history.values.length > 0) return history;
  }
  return { steps: [], values: [] };
}

/** Objective on its own evaluation environment. */
export function objectiveHistory(series: RunSeries): MetricHistory {
  return series.history('eval/objective');
}

/** A scenario metric: from evaluations (greedy, the objective's environment) where there are any, else from training. */
export function metricHistory(series: RunSeries, name: string): MetricHistory {
  return firstWithPoints(series, [`eval/metric/${name}`, `charts/metric/${name}`]);
}

/**
 * A reward component as it entered the reward of a group in training: only there do shaping components exist. The
 * objective's group is looked for first, then the others.
 */
export function componentHistory(series: RunSeries, name: string, groups: readonly string[]): MetricHistory {
  const ofGroups = groups.map((group) => `charts/component/${name}/${group}`);
  return firstWithPoints(series, [...ofGroups, `eval/component/${name}`]);
}
