import type { DrawablePlayback } from '../../shared/rl/drawable-env.ts';
import type { Frame, FrameDetail } from '../../shared/rl/frame.ts';
import type { ScenarioManifest } from '../../shared/rl/manifest.ts';
import type { PlaybackBuffers } from '../../shared/rl/playback.ts';
import type { Discounting, EnvironmentSpec } from '../../shared/rl/vec-env.ts';
import { binding, type NativePlayback } from './binding.ts';
import { nativeCall } from './native-call.ts';
import { readFrame } from './read-frame.ts';

/** What a playback shares with the batch that it is of. */
export interface PlaybackOptions {
  readonly spec: EnvironmentSpec;
  readonly manifest: ScenarioManifest;
  readonly numEnvs: number;
  readonly numComponents: number;
  readonly discounting: Discounting;
}

function createBuffers({ manifest, numEnvs, numComponents }: PlaybackOptions): PlaybackBuffers {
  const { numAgents, obsDim, stateDim, numActions } = manifest;
  const rows = numEnvs * numAgents;
  return {
    obs: new Float32Array(rows * obsDim),
    state: new Float32Array(numEnvs * stateDim),
    availActions: new Uint8Array(rows * numActions),
    active: new Uint8Array(rows),
    rewards: new Float32Array(rows),
    components: new Float32Array(rows * numComponents),
  };
}

/** A playback over the addon. Its methods throw TypeError or RangeError for misuse, and sim.badRecord. */
export function openPlayback(options: PlaybackOptions): DrawablePlayback {
  const { spec, numEnvs, discounting } = options;
  const buffers = createBuffers(options);
  const { NativePlayback } = binding();
  const native = nativeCall(() => new NativePlayback(spec, { numEnvs, ...discounting }, buffers));
  return new AddonPlayback(spec, numEnvs, buffers, native);
}

class AddonPlayback implements DrawablePlayback {
  readonly spec: EnvironmentSpec;
  readonly numEnvs: number;
  readonly obs: Float32Array;
  readonly state: Float32Array;
  readonly availActions: Uint8Array;
  readonly active: Uint8Array;
  readonly rewards: Float32Array;
  readonly components: Float32Array;
  readonly #native: NativePlayback;

  constructor(spec: EnvironmentSpec, numEnvs: number, buffers: PlaybackBuffers, native: NativePlayback) {
    this.spec = spec;
    this.numEnvs = numEnvs;
    this.obs = buffers.obs;
    this.state = buffers.state;
    this.availActions = buffers.availActions;
    this.active = buffers.active;
    this.rewards = buffers.rewards;
    this.components = buffers.components;
    this.#native = native;
  }

  begin(first: Float64Array, seeds: BigUint64Array, episodes: Float64Array): void {
    nativeCall(() => this.#native.begin(first, seeds, episodes));
  }

  step(next: Float64Array, base: Float32Array, ended: Uint8Array): void {
    nativeCall(() => this.#native.step(next, base, ended));
  }

  frame(copy: number, detail: FrameDetail = {}): Frame {
    return readFrame((asked) => this.#native.frame(copy, asked), detail, this.spec);
  }

  setTrainingSteps(steps: number): void {
    this.#native.setTrainingSteps(steps);
  }

  setShapingWeights(weights: Float64Array): void {
    this.#native.setShapingWeights(weights);
  }

  dispose(): void {
    this.#native.dispose();
  }
}
