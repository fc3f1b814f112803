import type { ManifestGroup, ScenarioManifest } from '../../src/shared/rl/manifest.ts';
import type { EnvironmentSpec, TrapRecord, VecEnv } from '../../src/shared/rl/vec-env.ts';
import { CounterRng } from '../../src/shared/std/rng.ts';

export interface CueEnvOptions {
  readonly numEnvs: number;
  /** Agents and cues per group. Default: one group "agent" of one agent with 3 cues. */
  readonly groups?: Readonly<Record<string, { readonly agents: number; readonly cues: number }>>;
  /** Steps per episode, default 5. */
  readonly length?: number;
  readonly end?: 'truncated' | 'terminated';
  /** Pays each copy what its neighbour earned, so that nothing can be learned. */
  readonly shuffleRewards?: boolean;
  /** Forbids the action after the right one, and throws when it is taken. */
  readonly masks?: boolean;
  /** Pays this instead of 1. */
  readonly reward?: number;
  readonly scripted?: Readonly<Record<string, string>>;
}

/**
 * A contextual bandit in episodes: each agent sees a cue (one-hot) and earns 1 for the action of the same number.
 * A uniform policy with K cues earns length / K an episode, a perfect one `length`. Cues depend on (seed, episode, step,
 * agent) alone.
 */
export function createCueEnv(options: CueEnvOptions): VecEnv {
  return new CueEnv(options);
}

interface CueCopy {
  readonly seed: bigint;
  readonly episode: number;
  step: number;
  readonly sums: number[];
}

class CueEnv implements VecEnv {
  readonly manifest: ScenarioManifest;
  readonly metrics: ScenarioManifest['metrics'];
  readonly spec: EnvironmentSpec;
  readonly numEnvs: number;
  readonly numAgents: number;
  readonly obsDim: number;
  readonly stateDim = 1;
  readonly numActions: number;
  readonly numComponents = 1;
  readonly componentNames = ['hit'];
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
  readonly #options: CueEnvOptions;
  readonly #length: number;
  readonly #cueCounts: readonly number[];
  readonly #cues: Int32Array;
  readonly #copies: CueCopy[] = [];

  constructor(options: CueEnvOptions) {
    const groups = options.groups ?? { agent: { agents: 1, cues: 3 } };
    this.#options = options;
    this.#length = options.length ?? 5;
    this.#cueCounts = Object.values(groups).flatMap(({ agents, cues }) => Array<number>(agents).fill(cues));
    this.numEnvs = options.numEnvs;
    this.numAgents = this.#cueCounts.length;
    this.obsDim = Math.max(...this.#cueCounts);
    this.numActions = this.obsDim;
    this.manifest = describeCues(groups, this.#length, this.obsDim);
    this.metrics = this.manifest.metrics;
    this.spec = { scenario: 'cues', parameters: {}, program: null, scripted: options.scripted ?? {} };
    const rows = this.numEnvs * this.numAgents;
    this.obs = new Float32Array(rows * this.obsDim);
    this.state = new Float32Array(this.numEnvs);
    this.availActions = new Uint8Array(rows * this.numActions);
    this.active = new Uint8Array(rows).fill(1);
    this.rewards = new Float32Array(rows);
    this.components = new Float32Array(rows);
    this.terminated = new Uint8Array(this.numEnvs);
    this.truncated = new Uint8Array(this.numEnvs);
    this.finalObs = new Float32Array(rows * this.obsDim);
    this.finalState = new Float32Array(this.numEnvs);
    this.finalAvailActions = new Uint8Array(rows * this.numActions);
    this.finalActive = new Uint8Array(rows).fill(1);
    this.endedEpisode = new Float64Array(this.numEnvs);
    this.episodeLength = new Int32Array(this.numEnvs);
    this.episodeReturn = new Float64Array(rows);
    this.episodeComponents = new Float64Array(rows);
    this.episodeMetrics = new Float64Array(rows);
    this.regimes = new Int32Array(this.numEnvs).fill(-1);
    this.#cues = new Int32Array(rows);
    this.reset(0n, 0);
  }

  reset(seed: bigint, firstEpisode: number): void {
    for (let e = 0; e < this.numEnvs; e++) this.#begin(e, seed, firstEpisode + e);
  }

  step(actions: Int32Array): void {
    const hits = Float32Array.from(this.#cues, (cue, row) => this.#judge(row, cue, actions[row] as number));
    for (let e = 0; e < this.numEnvs; e++) {
      const payer = this.#options.shuffleRewards ? (e + 1) % this.numEnvs : e;
      for (let a = 0; a < this.numAgents; a++) {
        const reward = (hits[payer * this.numAgents + a] as number) * (this.#options.reward ?? 1);
        const row = e * this.numAgents + a;
        this.rewards[row] = reward;
        this.components[row] = reward;
      }
    }
    for (let e = 0; e < this.numEnvs; e++) this.#advance(e);
  }

  #judge(row: number, cue: number, action: number): number {
    const scriptedGroup = this.manifest.groups.find(
      ({ name, firstAgent, agents }) =>
        this.spec.scripted[name] !== undefined &&
        row % this.numAgents >= firstAgent &&
        row % this.numAgents < firstAgent + agents.length,
    );
    if (scriptedGroup) return 0;
    if (this.availActions[row * this.numActions + action] !== 1) {
      throw new RangeError(`row ${row} took illegal action ${action}`);
    }
    return action === cue ? 1 : 0;
  }

  #advance(e: number): void {
    const copy = this.#copies[e] as CueCopy;
    const first = e * this.numAgents;
    for (let a = 0; a < this.numAgents; a++) {
      copy.sums[a] = (copy.sums[a] as number) + (this.rewards[first + a] as number);
    }
    copy.step++;
    const isOver = copy.step === this.#length;
    const isTerminal = this.#options.end === 'terminated';
    this.terminated[e] = Number(isOver && isTerminal);
    this.truncated[e] = Number(isOver && !isTerminal);
    if (!isOver) {
      this.#observe(e);
      return;
    }
    this.#observe(e);
    const width = this.numAgents * this.obsDim;
    this.finalObs.set(this.obs.subarray(e * width, (e + 1) * width), e * width);
    this.finalAvailActions.set(this.availActions.subarray(e * width, (e + 1) * width), e * width);
    this.endedEpisode[e] = copy.episode;
    this.episodeLength[e] = copy.step;
    for (let a = 0; a < this.numAgents; a++) {
      this.episodeReturn[first + a] = copy.sums[a] as number;
      this.episodeComponents[first + a] = copy.sums[a] as number;
      this.episodeMetrics[first + a] = (copy.sums[a] as number) / this.#length;
    }
    this.#begin(e, copy.seed, copy.episode + this.numEnvs);
  }

  #begin(e: number, seed: bigint, episode: number): void {
    this.#copies[e] = { seed, episode, step: 0, sums: Array<number>(this.numAgents).fill(0) };
    this.#observe(e);
  }

  #observe(e: number): void {
    const { seed, episode, step } = this.#copies[e] as CueCopy;
    const rng = new CounterRng(seed, episode);
    rng.position = step * this.numAgents;
    for (const [a, numCues] of this.#cueCounts.entries()) {
      const row = e * this.numAgents + a;
      const cue = rng.nextBelow(numCues);
      this.#cues[row] = cue;
      this.obs.fill(0, row * this.obsDim, (row + 1) * this.obsDim);
      this.obs[row * this.obsDim + cue] = 1;
      const mask = this.availActions.subarray(row * this.numActions, (row + 1) * this.numActions);
      mask.fill(0).fill(1, 0, numCues);
      if (this.#options.masks) mask[(cue + 1) % numCues] = 0;
    }
  }

  stepContinuous(): void {
    throw new TypeError('cues are answered by discrete actions');
  }

  setTrainingSteps(): void {}
  readonly shapingWeights = new Float64Array(0);
  setShapingWeights(): void {}

  snapshot(env: number): Uint8Array {
    const copy = this.#copies[env] as CueCopy;
    return new TextEncoder().encode(JSON.stringify({ ...copy, seed: copy.seed.toString() }));
  }

  restore(env: number, snapshot: Uint8Array): void {
    const copy = JSON.parse(new TextDecoder().decode(snapshot));
    this.#copies[env] = { ...copy, seed: BigInt(copy.seed) };
    this.#observe(env);
  }

  probe(): Float64Array {
    return new Float64Array(0);
  }

  trigger(): void {
    throw new RangeError('this environment has no events');
  }

  stateHash(): string {
    return JSON.stringify(this.#copies.map(({ episode, step }) => [episode, step]));
  }

  takeFireCounts(): Float64Array {
    return new Float64Array(0);
  }

  takeTraps(): TrapRecord[] {
    return [];
  }

  dispose(): void {}
}

function describeCues(
  groups: NonNullable<CueEnvOptions['groups']>,
  episodeLength: number,
  width: number,
): ScenarioManifest {
  let firstAgent = 0;
  const described = Object.entries(groups).map(([name, { agents, cues }]): ManifestGroup => {
    const group = {
      name,
      agents: Array.from({ length: agents }, (_, i) => `${name}_${i}`),
      firstAgent,
      obsDim: cues,
      numActions: cues,
      actionNames: Array.from({ length: cues }, (_, i) => `answer_${i}`),
      continuousDim: 0,
      scripted: ['silent'],
      defaultScripted: null,
    };
    firstAgent += agents;
    return group;
  });
  return {
    name: 'cues',
    version: 1,
    title: 'Cues',
    doc: 'Answer each cue by the action of its number.',
    numAgents: firstAgent,
    obsDim: width,
    stateDim: 1,
    numActions: width,
    continuousDim: 0,
    episodeLength,
    stepSeconds: 1,
    parameters: [],
    groups: described,
    sets: [],
    attributes: [],
    signals: [],
    components: [{ name: 'hit', doc: '1 for the right answer.' }],
    nominalReturn: episodeLength,
    relations: [],
    events: [],
    behaviours: [],
    capacities: [],
    presence: { agent: null, landmark: null },
    metrics: [
      {
        name: 'accuracy',
        unit: 'percent',
        perAgent: true,
        better: 'higher',
        min: 0,
        max: 1,
        doc: 'Share of right answers.',
      },
    ],
  };
}
