import type { PlaybackEnv, RecordableEnv } from '../../src/shared/rl/playback.ts';
import type { VecEnv } from '../../src/shared/rl/vec-env.ts';

/** What is seen of one state: rows of obs, state, availActions, active. */
interface Moment {
  readonly obs: Float32Array;
  readonly state: Float32Array;
  readonly availActions: Uint8Array;
  readonly active: Uint8Array;
}

const fields = ['obs', 'state', 'availActions', 'active'] as const;

/**
 * Any batch as one whose states can be read out: a "state" of one word is a number under which what was seen is kept, and
 * playback looks it up. Rewards of a playback are the recorded base components.
 */
export function recordEnv(inner: VecEnv): RecordableEnv {
  const moments: Moment[] = [];
  const rowOf = (array: Float32Array | Uint8Array, e: number): Float32Array | Uint8Array => {
    const width = array.length / inner.numEnvs;
    return array.slice(e * width, (e + 1) * width);
  };
  const keep = (sources: readonly (Float32Array | Uint8Array)[], e: number): number => {
    const [obs, state, availActions, active] = sources.map((array) => rowOf(array, e));
    moments.push({ obs, state, availActions, active } as Moment);
    return moments.length - 1;
  };
  const extra = {
    stateWords: 1,
    copyStates(out: Float64Array): void {
      const { obs, state, availActions, active } = inner;
      for (let e = 0; e < inner.numEnvs; e++) out[e] = keep([obs, state, availActions, active], e);
    },
    copyFinalStates(out: Float64Array): void {
      const { finalObs, finalState, finalAvailActions, finalActive } = inner;
      for (let e = 0; e < inner.numEnvs; e++) {
        if (inner.terminated[e] || inner.truncated[e]) {
          out[e] = keep([finalObs, finalState, finalAvailActions, finalActive], e);
        }
      }
    },
    createPlayback: (numEnvs: number): PlaybackEnv => new StoredPlayback(inner, numEnvs, moments),
  };
  return new Proxy(inner, {
    get(target, key) {
      if (key in extra) return extra[key as keyof typeof extra];
      const value: unknown = Reflect.get(target, key);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  }) as RecordableEnv;
}

class StoredPlayback implements PlaybackEnv {
  readonly spec: PlaybackEnv['spec'];
  readonly numEnvs: number;
  readonly obs: Float32Array;
  readonly state: Float32Array;
  readonly availActions: Uint8Array;
  readonly active: Uint8Array;
  readonly rewards: Float32Array;
  readonly components: Float32Array;
  readonly #moments: readonly Moment[];

  constructor(env: VecEnv, numEnvs: number, moments: readonly Moment[]) {
    this.spec = env.spec;
    this.numEnvs = numEnvs;
    this.#moments = moments;
    const rows = numEnvs * env.numAgents;
    this.obs = new Float32Array(rows * env.obsDim);
    this.state = new Float32Array(numEnvs * env.stateDim);
    this.availActions = new Uint8Array(rows * env.numActions);
    this.active = new Uint8Array(rows);
    this.rewards = new Float32Array(rows);
    this.components = new Float32Array(rows * env.numComponents);
  }

  begin(first: Float64Array): void {
    for (const [e, word] of first.entries()) {
      for (const field of fields) {
        const row = this.#moments[word]?.[field] as Float32Array;
        this[field].set(row, e * row.length);
      }
    }
  }

  step(next: Float64Array, base: Float32Array): void {
    this.begin(next);
    const width = base.length / this.rewards.length;
    for (let row = 0; row < this.rewards.length; row++) {
      const sum = base.subarray(row * width, (row + 1) * width).reduce((total, value) => total + value, 0);
      this.rewards[row] = sum;
    }
  }

  setTrainingSteps(): void {}
  setShapingWeights(): void {}

  dispose(): void {}
}
