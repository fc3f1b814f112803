import type { PolicyPlayView } from '../../../shared/contract/policies.ts';
import type { Frame } from '../../../shared/rl/frame.ts';
import { unpackFrames } from '../../../shared/rl/packed-frames.ts';

/** An episode made ready to be leafed through: what a step takes does not grow with how many there are. */
export interface OpenedPlay extends Omit<PolicyPlayView, 'frames'> {
  /** One more than there are steps: the last is what the episode came to. */
  readonly frames: readonly Frame[];
  /** [T+1,C] paid in all before a frame, summed over agents. */
  readonly paidBefore: Float64Array;
}

/** Cost: one pass over what was paid. */
export function openPlay(play: PolicyPlayView): OpenedPlay {
  const { steps, paid, components } = play;
  const numComponents = components.length;
  const paidBefore = new Float64Array((steps.length + 1) * numComponents);
  const perStep = paid.length / Math.max(1, steps.length);
  for (let step = 0; step < steps.length; step++) {
    const after = (step + 1) * numComponents;
    paidBefore.copyWithin(after, after - numComponents, after);
    for (let i = 0; i < perStep; i++)
      paidBefore[after + (i % numComponents)] =
        (paidBefore[after + (i % numComponents)] ?? 0) + (paid[step * perStep + i] ?? 0);
  }
  return { ...play, frames: unpackFrames(play.frames), paidBefore };
}

/** [A,C] what a step paid. */
export function paidIn({ steps, paid }: Pick<OpenedPlay, 'steps' | 'paid'>, step: number): Float32Array {
  const perStep = paid.length / Math.max(1, steps.length);
  return paid.subarray(step * perStep, (step + 1) * perStep);
}
