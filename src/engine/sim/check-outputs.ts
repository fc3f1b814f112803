import type { VecEnv } from '../../shared/rl/vec-env.ts';

/** A metric may be off its bounds by the rounding of a sum. */
const slack = 1e-9;

/** What is wrong with what a batch shows now, in words. */
export function outputProblems(env: VecEnv): string[] {
  const problems: string[] = [];
  const isBad = (value: number) => !Number.isFinite(value);
  if (env.obs.some(isBad)) problems.push('an observation is not a finite number');
  if (env.state.some(isBad)) problems.push('a state output is not a finite number');
  if (env.rewards.some(isBad)) problems.push('a reward is not a finite number');
  if (hasNoAction(env)) problems.push('an agent has no legal action');
  return problems;
}

/** What is wrong with what is told of the episode that a copy ended in the step just taken. */
export function endingProblems(env: VecEnv, copy: number): string[] {
  const { episodeMetrics, episodeReturn, finalObs, metrics, numAgents, obsDim } = env;
  const rowOf = (values: Float32Array | Float64Array, width: number) =>
    values.subarray(copy * width, (copy + 1) * width);
  const isBad = (value: number) => !Number.isFinite(value);
  const problems: string[] = [];
  if (rowOf(finalObs, numAgents * obsDim).some(isBad)) {
    problems.push('a last observation is not a finite number');
  }
  if (rowOf(episodeReturn, numAgents).some(isBad)) problems.push('an episode return is not a finite number');
  const rows = rowOf(episodeMetrics, numAgents * metrics.length);
  for (const [m, { name, min, max }] of metrics.entries()) {
    for (let i = m; i < rows.length; i += metrics.length) {
      const value = rows[i] as number;
      // NaN: the episode has no value.
      if (Number.isNaN(value)) continue;
      const room = slack * Math.max(1, Math.abs(min), Math.abs(max));
      if (value < min - room || value > max + room) {
        problems.push(`metric ${name} is not within its bounds ${min} .. ${max}`);
      }
    }
  }
  return problems;
}

function hasNoAction({ availActions, numActions }: VecEnv): boolean {
  for (let row = 0; row < availActions.length; row += numActions) {
    if (!availActions.subarray(row, row + numActions).includes(1)) return true;
  }
  return false;
}
