/** A rollout of one group: T steps of R = E·A rows, row e·A + a. */
export interface GaeInput {
  readonly numSteps: number;
  readonly numEnvs: number;
  /** Agents of the group, A. */
  readonly numAgents: number;
  /** [T,E,A] f32. */
  readonly rewards: Float32Array;
  /** [T,E,A] f32: V of the observation acted on. */
  readonly values: Float32Array;
  /** [T,E,A] f32: V of the observation that followed, before any auto-reset; ignored where terminated. */
  readonly nextValues: Float32Array;
  /** [T,E] u8. */
  readonly terminated: Uint8Array;
  /** [T,E] u8. */
  readonly truncated: Uint8Array;
  readonly gamma: number;
  readonly gaeLambda: number;
}

/**
 * Generalised advantage estimation with time limits, written into `advantages` and `returns` [T,E,A] f32:
 * δ_t = r_t + γ V(x_{t+1}) (1 - terminated_t) - V(x_t),
 * A_t = δ_t + γ λ (1 - terminated_t)(1 - truncated_t) A_{t+1}, and returns are A_t + V(x_t).
 * Source: Schulman et al. 2016, eq. 16; time limits as in Pardo et al. 2018.
 */
export function computeGae(input: GaeInput, advantages: Float32Array, returns: Float32Array): void {
  const { numSteps, numEnvs, numAgents, rewards, values, nextValues, gamma, gaeLambda } = input;
  const rows = numEnvs * numAgents;
  for (let t = numSteps - 1; t >= 0; t--) {
    for (let e = 0; e < numEnvs; e++) {
      const isTerminated = input.terminated[t * numEnvs + e] === 1;
      const isTruncated = input.truncated[t * numEnvs + e] === 1;
      const carries = t < numSteps - 1 && !isTerminated && !isTruncated;
      for (let a = 0; a < numAgents; a++) {
        const i = t * rows + e * numAgents + a;
        const value = values[i] as number;
        const next = isTerminated ? 0 : gamma * (nextValues[i] as number);
        const later = carries ? gamma * gaeLambda * (advantages[i + rows] as number) : 0;
        const advantage = (rewards[i] as number) + next - value + later;
        advantages[i] = advantage;
        returns[i] = advantage + value;
      }
    }
  }
}
