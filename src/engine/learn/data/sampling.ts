import type { CounterRng } from '../../../shared/std/rng.ts';

/**
 * Draws one action per column by inverse transform.
 * Shape: probs [N,B] f32 with columns that sum to 1 -> actions [B] i32.
 * Seeds: one word of `rng` per column, in order.
 */
export function sampleColumns(
  probs: Float32Array,
  numActions: number,
  rng: CounterRng,
  actions: Int32Array,
): void {
  const batch = actions.length;
  for (let i = 0; i < batch; i++) {
    let remaining = rng.nextFloat();
    let chosen = -1;
    // Rounding may leave a remainder after the last column: the last possible action then stands.
    for (let k = 0; k < numActions; k++) {
      const p = probs[k * batch + i] as number;
      if (p === 0) continue;
      chosen = k;
      remaining -= p;
      if (remaining < 0) break;
    }
    actions[i] = chosen;
  }
}
