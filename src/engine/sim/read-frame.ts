import type { Frame, FrameDetail } from '../../shared/rl/frame.ts';
import type { EnvironmentSpec } from '../../shared/rl/vec-env.ts';
import type { NativeFrame } from './binding.ts';
import { nativeCall } from './native-call.ts';

/** Asks the addon for a frame and gives its regime by name. Throws: RangeError, sim.badFrame. */
export function readFrame(
  ask: (detail: Required<FrameDetail>) => NativeFrame,
  { ranges = false, sights = false }: FrameDetail,
  spec: EnvironmentSpec,
): Frame {
  const { regime, ...frame } = nativeCall(() => ask({ ranges, sights }));
  return { ...frame, regime: spec.program?.regimes[regime] ?? null };
}
