import type { PlaybackEnv, RecordableEnv } from '../../shared/rl/playback.ts';
import type { TrapRecord, TriggerOptions } from '../../shared/rl/vec-env.ts';
import type { EpisodeWindow } from './episode-window.ts';
import type { RecordStep } from './record-file.ts';

/**
 * A batch that is looked at while a learner plays in it: episodes that end go into a window, steps are counted by regime,
 * and while recording is on, the first copies' states and actions are kept. It changes nothing of what the learner sees.
 */
export class ObservedEnv implements RecordableEnv {
  readonly #inner: RecordableEnv;
  readonly window: EpisodeWindow;
  #recorded: RecordStep[] = [];
  #recordedCopies = 0;
  /** Indices of recorded steps with which an episode begins. */
  #begins: number[] = [];
  /** Steps of copies in each regime since they were last taken. */
  readonly #regimeSteps: Float64Array;

  constructor(inner: RecordableEnv, window: EpisodeWindow) {
    this.#inner = inner;
    this.window = window;
    this.#regimeSteps = new Float64Array(inner.spec.program?.regimes.length ?? 0);
  }

  /** Keeps the states and actions of `copies` copies from now on; 0 ends it. */
  record(copies: number): void {
    this.#recordedCopies = Math.min(copies, this.#inner.numEnvs);
  }

  /** Copies whose steps are kept. */
  get recordedCopies(): number {
    return this.#recordedCopies;
  }

  takeRecorded(): { readonly steps: readonly RecordStep[]; readonly begins: readonly number[] } {
    const taken = { steps: this.#recorded, begins: this.#begins };
    this.#recorded = [];
    this.#begins = [];
    return taken;
  }

  step(actions: Int32Array): void {
    const { numAgents, terminated, truncated } = this.#inner;
    const isOngoing = this.#recorded.length > 0;
    for (let env = 0; env < this.#recordedCopies; env++) {
      // The flags still are those of the step before.
      if (isOngoing && (terminated[env] !== 0 || truncated[env] !== 0))
        this.#begins.push(this.#recorded.length);
      const row = actions.slice(env * numAgents, (env + 1) * numAgents);
      this.#recorded.push({ snapshot: this.#inner.snapshot(env), actions: row });
    }
    this.#inner.step(actions);
    this.#observe();
  }

  stepContinuous(actions: Float32Array): void {
    this.#inner.stepContinuous(actions);
    this.#observe();
  }

  #observe(): void {
    this.window.observe(this.#inner);
    if (this.#regimeSteps.length === 0) return;
    for (const regime of this.#inner.regimes) {
      if (regime >= 0) this.#regimeSteps[regime] = (this.#regimeSteps[regime] ?? 0) + 1;
    }
  }

  /** Share of the steps since the last call that copies spent in each regime; empty without regimes or steps. */
  takeRegimeShares(): ReadonlyMap<string, number> {
    const names = this.#inner.spec.program?.regimes ?? [];
    const total = this.#regimeSteps.reduce((sum, steps) => sum + steps, 0);
    if (total === 0) return new Map();
    const shares = names.map((name, index) => [name, (this.#regimeSteps[index] ?? 0) / total] as const);
    this.#regimeSteps.fill(0);
    return new Map(shares);
  }

  reset(seed: bigint, firstEpisode: number): void {
    this.#inner.reset(seed, firstEpisode);
  }
  setTrainingSteps(steps: number): void {
    this.#inner.setTrainingSteps(steps);
  }
  setShapingWeights(weights: Float64Array): void {
    this.#inner.setShapingWeights(weights);
  }
  copyStates(out: Float64Array): void {
    this.#inner.copyStates(out);
  }
  copyFinalStates(out: Float64Array): void {
    this.#inner.copyFinalStates(out);
  }
  createPlayback(numEnvs: number): PlaybackEnv {
    return this.#inner.createPlayback(numEnvs);
  }
  snapshot(env: number): Uint8Array {
    return this.#inner.snapshot(env);
  }
  restore(env: number, snapshot: Uint8Array): void {
    this.#inner.restore(env, snapshot);
  }
  probe(): Float64Array {
    return this.#inner.probe();
  }
  trigger(env: number, event: string, options?: TriggerOptions): void {
    this.#inner.trigger(env, event, options);
  }
  stateHash(): string {
    return this.#inner.stateHash();
  }
  takeFireCounts(): Float64Array {
    return this.#inner.takeFireCounts();
  }
  takeTraps(): TrapRecord[] {
    return this.#inner.takeTraps();
  }
  dispose(): void {
    this.#inner.dispose();
  }

  get manifest() {
    return this.#inner.manifest;
  }
  get metrics() {
    return this.#inner.metrics;
  }
  get shapingWeights() {
    return this.#inner.shapingWeights;
  }
  get regimes() {
    return this.#inner.regimes;
  }
  get spec() {
    return this.#inner.spec;
  }
  get stateWords() {
    return this.#inner.stateWords;
  }
  get numEnvs() {
    return this.#inner.numEnvs;
  }
  get numAgents() {
    return this.#inner.numAgents;
  }
  get obsDim() {
    return this.#inner.obsDim;
  }
  get stateDim() {
    return this.#inner.stateDim;
  }
  get numActions() {
    return this.#inner.numActions;
  }
  get numComponents() {
    return this.#inner.numComponents;
  }
  get componentNames() {
    return this.#inner.componentNames;
  }
  get obs() {
    return this.#inner.obs;
  }
  get state() {
    return this.#inner.state;
  }
  get availActions() {
    return this.#inner.availActions;
  }
  get active() {
    return this.#inner.active;
  }
  get rewards() {
    return this.#inner.rewards;
  }
  get components() {
    return this.#inner.components;
  }
  get terminated() {
    return this.#inner.terminated;
  }
  get truncated() {
    return this.#inner.truncated;
  }
  get finalObs() {
    return this.#inner.finalObs;
  }
  get finalState() {
    return this.#inner.finalState;
  }
  get finalAvailActions() {
    return this.#inner.finalAvailActions;
  }
  get finalActive() {
    return this.#inner.finalActive;
  }
  get endedEpisode() {
    return this.#inner.endedEpisode;
  }
  get episodeLength() {
    return this.#inner.episodeLength;
  }
  get episodeReturn() {
    return this.#inner.episodeReturn;
  }
  get episodeComponents() {
    return this.#inner.episodeComponents;
  }
  get episodeMetrics() {
    return this.#inner.episodeMetrics;
  }
}
