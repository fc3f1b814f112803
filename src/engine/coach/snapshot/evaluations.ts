import type { MetricReader } from '../../edl/types.ts';
import type { MetricHistory, RunSeries } from '../types.ts';

/**
 * A run's evaluations, oldest first, as conditions over metrics read them. A metric is read from the evaluation itself; one
 * that the objective's environment does not measure is read from training, as its mean since the evaluation before. What
 * has no value at an evaluation is undefined there, so that the values of one evaluation stay together.
 */
export function readEvaluations(series: RunSeries): readonly MetricReader[] {
  const steps = evaluationSteps(series);
  const histories = new Map<string, readonly (number | undefined)[]>();
  const historyOf = (name: string): readonly (number | undefined)[] => {
    const known = histories.get(name);
    if (known !== undefined) return known;
    const aligned = alignMetric(series, name, steps);
    histories.set(name, aligned);
    return aligned;
  };
  return steps.map((_, index) => (name, subject) => historyOf(metricKey(name, subject))[index]);
}

/** Last part of the key of a metric's series, of one agent where a subject is named. */
export function metricKey(name: string, subject: string | null | undefined): string {
  return subject === undefined || subject === null ? name : `${name}/${subject}`;
}

/** Charged steps of the evaluations; of whatever was measured where the objective was not. */
function evaluationSteps(series: RunSeries): readonly number[] {
  const objective = Array.from(series.history('eval/objective').steps);
  if (objective.length > 0) return objective;
  for (const prefix of ['eval/metric/', 'charts/metric/']) {
    const steps = series
      .keys()
      .filter((key) => key.startsWith(prefix))
      .flatMap((key) => Array.from(series.history(key).steps));
    if (steps.length > 0) return [...new Set(steps)].sort((a, b) => a - b);
  }
  return [];
}

function alignMetric(
  series: RunSeries,
  key: string,
  steps: readonly number[],
): readonly (number | undefined)[] {
  const evaluated = series.history(`eval/metric/${key}`);
  if (evaluated.values.length > 0) return pickAt(evaluated, steps);
  return meansBetween(series.history(`charts/metric/${key}`), steps);
}

function pickAt(history: MetricHistory, steps: readonly number[]): (number | undefined)[] {
  const byStep = new Map(Array.from(history.steps, (step, index) => [step, history.values[index]]));
  return steps.map((step) => byStep.get(step));
}

function meansBetween(
  { steps, values }: MetricHistory,
  evaluations: readonly number[],
): (number | undefined)[] {
  let next = 0;
  return evaluations.map((until) => {
    let sum = 0;
    let count = 0;
    for (; next < steps.length && (steps[next] as number) <= until; next++) {
      sum += values[next] as number;
      count++;
    }
    return count === 0 ? undefined : sum / count;
  });
}
