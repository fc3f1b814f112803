import type { DrawableEnv, DrawablePlayback } from '../../shared/rl/drawable-env.ts';
import { environmentMetrics } from '../../shared/rl/environment-metrics.ts';
import type { Frame, FrameDetail } from '../../shared/rl/frame.ts';
import type { ManifestMetric, ScenarioManifest } from '../../shared/rl/manifest.ts';
import type { Discounting } from '../../shared/rl/vec-env.ts';
import {
  type EnvironmentSpec,
  type TrapRecord,
  type TriggerOptions,
  usualDiscounting,
  type VecEnvBuffers,
  type VecEnvOptions,
} from '../../shared/rl/vec-env.ts';
import { binding, type NativeVecEnv } from './binding.ts';
import { scenarioManifest } from './catalogue.ts';
import { nativeCall } from './native-call.ts';
import { openPlayback } from './playback.ts';
import { readFrame } from './read-frame.ts';

function createBuffers(
  manifest: ScenarioManifest,
  numEnvs: number,
  numComponents: number,
  numMetrics: number,
): VecEnvBuffers {
  const { numAgents, obsDim, stateDim, numActions } = manifest;
  const rows = numEnvs * numAgents;
  return {
    obs: new Float32Array(rows * obsDim),
    state: new Float32Array(numEnvs * stateDim),
    availActions: new Uint8Array(rows * numActions),
    active: new Uint8Array(rows),
    rewards: new Float32Array(rows),
    components: new Float32Array(rows * numComponents),
    terminated: new Uint8Array(numEnvs),
    truncated: new Uint8Array(numEnvs),
    finalObs: new Float32Array(rows * obsDim),
    finalState: new Float32Array(numEnvs * stateDim),
    finalAvailActions: new Uint8Array(rows * numActions),
    finalActive: new Uint8Array(rows),
    endedEpisode: new Float64Array(numEnvs),
    episodeLength: new Int32Array(numEnvs),
    episodeReturn: new Float64Array(rows),
    episodeComponents: new Float64Array(rows * numComponents),
    episodeMetrics: new Float64Array(rows * numMetrics),
    regimes: new Int32Array(numEnvs),
  };
}

function checkOptions({ numEnvs, gamma = usualDiscounting.gamma }: VecEnvOptions): void {
  if (!(gamma >= 0 && gamma <= 1)) throw new RangeError(`options.gamma must be in 0..1, not ${gamma}`);
  if (!Number.isInteger(numEnvs) || numEnvs < 1 || numEnvs > 2 ** 20) {
    throw new RangeError(`options.numEnvs must be a whole number in 1..${2 ** 20}, not ${numEnvs}`);
  }
}

/**
 * Creates a batch of copies of one environment, started at options.firstEpisode of the stream options.seed; obs, state,
 * availActions and active are filled. The arrays stay the same for the life of the batch and are overwritten by every step.
 * Throws: scenario.unknown, scenario.invalidParameter, vm.badProgram, input.invalid, sim.addonMissing; RangeError for
 * options out of range. Methods throw TypeError or RangeError for misuse, and sim.badSnapshot.
 */
export function createVecEnv(spec: EnvironmentSpec, options: VecEnvOptions): DrawableEnv {
  return openVecEnv(spec, options);
}

/** createVecEnv with what only this folder uses of it. */
export function openVecEnv(spec: EnvironmentSpec, options: VecEnvOptions): AddonVecEnv {
  checkOptions(options);
  const manifest = scenarioManifest(spec.scenario, spec.parameters);
  const shaping = spec.program?.components ?? [];
  const componentNames = [...manifest.components, ...shaping].map((component) => component.name);
  const metrics = environmentMetrics(manifest, spec.program);
  const buffers = createBuffers(manifest, options.numEnvs, componentNames.length, metrics.length);
  const { gamma = usualDiscounting.gamma, truncationEnds = usualDiscounting.truncationEnds } = options;
  const discounting = { gamma, truncationEnds };
  const { NativeVecEnv } = binding();
  const native = nativeCall(
    () =>
      new NativeVecEnv(
        spec,
        {
          numEnvs: options.numEnvs,
          seed: options.seed,
          firstEpisode: options.firstEpisode,
          continuousActions: options.continuousActions ?? false,
          ...discounting,
        },
        buffers,
      ),
  );
  return new AddonVecEnv({
    spec,
    manifest,
    numEnvs: options.numEnvs,
    discounting,
    componentNames,
    metrics,
    buffers,
    native,
  });
}

interface AddonVecEnvParts {
  readonly spec: EnvironmentSpec;
  readonly manifest: ScenarioManifest;
  readonly numEnvs: number;
  readonly discounting: Discounting;
  readonly componentNames: readonly string[];
  readonly metrics: readonly ManifestMetric[];
  readonly buffers: VecEnvBuffers;
  readonly native: NativeVecEnv;
}

/** VecEnv over the addon: shapes and arrays here, everything else native. */
export class AddonVecEnv implements DrawableEnv {
  readonly spec: EnvironmentSpec;
  readonly manifest: ScenarioManifest;
  readonly numEnvs: number;
  readonly numAgents: number;
  readonly obsDim: number;
  readonly stateDim: number;
  readonly numActions: number;
  readonly numComponents: number;
  readonly stateWords: number;
  readonly componentNames: readonly string[];
  readonly metrics: readonly ManifestMetric[];
  readonly shapingWeights: Float64Array;
  readonly obs: Float32Array;
  readonly state: Float32Array;
  readonly availActions: Uint8Array;
  readonly active: Uint8Array;
  readonly rewards: Float32Array;
  readonly components: Float32Array;
  readonly terminated: Uint8Array;
  readonly truncated: Uint8Array;
  readonly finalObs: Float32Array;
  readonly finalState: Float32Array;
  readonly finalAvailActions: Uint8Array;
  readonly finalActive: Uint8Array;
  readonly endedEpisode: Float64Array;
  readonly episodeLength: Int32Array;
  readonly episodeReturn: Float64Array;
  readonly episodeComponents: Float64Array;
  readonly episodeMetrics: Float64Array;
  readonly regimes: Int32Array;
  readonly #native: NativeVecEnv;
  readonly #discounting: Discounting;

  constructor({
    spec,
    manifest,
    numEnvs,
    discounting,
    componentNames,
    metrics,
    buffers,
    native,
  }: AddonVecEnvParts) {
    this.spec = spec;
    this.manifest = manifest;
    this.numEnvs = numEnvs;
    this.numAgents = manifest.numAgents;
    this.obsDim = manifest.obsDim;
    this.stateDim = manifest.stateDim;
    this.numActions = manifest.numActions;
    this.numComponents = componentNames.length;
    this.componentNames = componentNames;
    this.metrics = metrics;
    this.shapingWeights =
      spec.shaping?.weights.slice() ?? new Float64Array(spec.program?.components.length ?? 0).fill(1);
    this.obs = buffers.obs;
    this.state = buffers.state;
    this.availActions = buffers.availActions;
    this.active = buffers.active;
    this.rewards = buffers.rewards;
    this.components = buffers.components;
    this.terminated = buffers.terminated;
    this.truncated = buffers.truncated;
    this.finalObs = buffers.finalObs;
    this.finalState = buffers.finalState;
    this.finalAvailActions = buffers.finalAvailActions;
    this.finalActive = buffers.finalActive;
    this.endedEpisode = buffers.endedEpisode;
    this.episodeLength = buffers.episodeLength;
    this.episodeReturn = buffers.episodeReturn;
    this.episodeComponents = buffers.episodeComponents;
    this.episodeMetrics = buffers.episodeMetrics;
    this.regimes = buffers.regimes;
    this.stateWords = native.stateWords();
    this.#native = native;
    this.#discounting = discounting;
  }

  reset(seed: bigint, firstEpisode: number): void {
    this.#native.reset(seed, firstEpisode);
  }

  step(actions: Int32Array): void {
    this.#native.step(actions);
  }

  stepContinuous(actions: Float32Array): void {
    this.#native.stepContinuous(actions);
  }

  setTrainingSteps(steps: number): void {
    this.#native.setTrainingSteps(steps);
  }

  setShapingWeights(weights: Float64Array): void {
    this.#native.setShapingWeights(weights);
    this.shapingWeights.set(weights);
  }

  copyStates(out: Float64Array): void {
    this.#native.copyStates(out);
  }

  copyFinalStates(out: Float64Array): void {
    this.#native.copyFinalStates(out);
  }

  createPlayback(numEnvs: number): DrawablePlayback {
    const { spec, manifest, numComponents } = this;
    return openPlayback({ spec, manifest, numEnvs, numComponents, discounting: this.#discounting });
  }

  snapshot(env: number): Uint8Array {
    return this.#native.snapshot(env);
  }

  restore(env: number, snapshot: Uint8Array): void {
    nativeCall(() => this.#native.restore(env, snapshot));
  }

  probe(): Float64Array {
    return this.#native.probe();
  }

  frame(copy: number, detail: FrameDetail = {}): Frame {
    return readFrame((asked) => this.#native.frame(copy, asked), detail, this.spec);
  }

  finalFrame(copy: number, detail: FrameDetail = {}): Frame {
    return readFrame((asked) => this.#native.finalFrame(copy, asked), detail, this.spec);
  }

  trigger(env: number, event: string, { amount, entity, key }: TriggerOptions = {}): void {
    const known = this.manifest.events.find(({ verb, name }) => event === `${verb} ${name}`);
    if (known === undefined) {
      const names = this.manifest.events.map(({ verb, name }) => `${verb} ${name}`).join(', ') || 'none';
      throw new RangeError(`scenario ${this.manifest.name} has no event "${event}"; it has ${names}`);
    }
    this.#native.trigger(env, known.id, amount ?? known.amount?.default ?? 0, entity ?? -1, key ?? 0);
  }

  stateHash(): string {
    return this.#native.stateHash();
  }

  takeFireCounts(): Float64Array {
    return this.#native.takeFireCounts();
  }

  /** From now on the time that each declaration takes is kept. */
  startProfile(): void {
    this.#native.startProfile();
  }

  /** [declarations] ns of their own instructions since the last call; what declarations share is in none of them. */
  takeProfile(): Float64Array {
    return this.#native.takeProfile();
  }

  takeTraps(): TrapRecord[] {
    return this.#native.takeTraps();
  }

  dispose(): void {
    this.#native.dispose();
  }
}
