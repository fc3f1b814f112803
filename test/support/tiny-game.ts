import type { ManifestGroup, ScenarioManifest } from '../../src/shared/rl/manifest.ts';
import type { PlaybackEnv, RecordableEnv } from '../../src/shared/rl/playback.ts';
import type { EnvironmentSpec, TrapRecord } from '../../src/shared/rl/vec-env.ts';
import { CounterRng } from '../../src/shared/std/rng.ts';

/** What there is to see of a state. */
export interface TinyView {
  /** One observation per agent, as wide as its group's. */
  readonly obs: readonly (readonly number[])[];
  readonly state: readonly number[];
  /** One mask per agent; absent: everything is legal. */
  readonly legal?: readonly (readonly number[])[];
  readonly active?: readonly number[];
}

export interface TinyOutcome {
  readonly next: readonly number[];
  /** One per agent. */
  readonly rewards: readonly number[];
  readonly terminated?: boolean;
}

/** A small world as three functions over a list of numbers, which is its whole state. */
export interface TinyGame {
  readonly name: string;
  readonly groups: readonly {
    readonly name: string;
    readonly agents: number;
    readonly obsDim: number;
    readonly numActions: number;
  }[];
  readonly stateDim: number;
  readonly stateWords: number;
  /** Steps until truncation. */
  readonly length: number;
  begin(rng: CounterRng): readonly number[];
  view(state: readonly number[]): TinyView;
  act(state: readonly number[], actions: readonly number[], step: number): TinyOutcome;
}

interface Copy {
  readonly seed: bigint;
  readonly episode: number;
  step: number;
  state: readonly number[];
  sums: number[];
}

/** Buffers that a batch and a playback share, and how a state fills them. */
class Buffers {
  readonly obs: Float32Array;
  readonly state: Float32Array;
  readonly availActions: Uint8Array;
  readonly active: Uint8Array;
  readonly #game: TinyGame;
  readonly #numAgents: number;
  readonly #obsDim: number;
  readonly #numActions: number;

  constructor(game: TinyGame, numEnvs: number) {
    const manifest = describeGame(game);
    this.#game = game;
    this.#numAgents = manifest.numAgents;
    this.#obsDim = manifest.obsDim;
    this.#numActions = manifest.numActions;
    const rows = numEnvs * manifest.numAgents;
    this.obs = new Float32Array(rows * manifest.obsDim);
    this.state = new Float32Array(numEnvs * game.stateDim);
    this.availActions = new Uint8Array(rows * manifest.numActions);
    this.active = new Uint8Array(rows);
  }

  write(e: number, words: readonly number[]): void {
    const { obs, state, legal, active } = this.#game.view(words);
    this.state.set(state, e * this.#game.stateDim);
    for (const [a, values] of obs.entries()) {
      const row = e * this.#numAgents + a;
      this.obs.set(values, row * this.#obsDim);
      this.availActions.fill(0, row * this.#numActions, (row + 1) * this.#numActions);
      const counts = this.#game.groups.flatMap(({ agents, numActions }) =>
        Array<number>(agents).fill(numActions),
      );
      this.availActions.set(legal?.[a] ?? Array<number>(counts[a] ?? 0).fill(1), row * this.#numActions);
      this.active[row] = active?.[a] ?? 1;
    }
  }
}

export interface TinyOptions {
  readonly spec?: Partial<EnvironmentSpec>;
  /** Its playbacks pay so many times what the game paid. Default 1. */
  readonly weight?: number;
}

/** E copies of a tiny game, whose states can be read out. */
export class TinyEnv implements RecordableEnv {
  readonly manifest: ScenarioManifest;
  readonly metrics: ScenarioManifest['metrics'];
  readonly spec: EnvironmentSpec;
  readonly numEnvs: number;
  readonly numAgents: number;
  readonly obsDim: number;
  readonly stateDim: number;
  readonly numActions: number;
  readonly numComponents = 1;
  readonly componentNames = ['pay'];
  readonly stateWords: number;
  readonly rewards: Float32Array;
  readonly components: Float32Array;
  readonly terminated: Uint8Array;
  readonly truncated: Uint8Array;
  readonly endedEpisode: Float64Array;
  readonly episodeLength: Int32Array;
  readonly episodeReturn: Float64Array;
  readonly episodeComponents: Float64Array;
  readonly episodeMetrics = new Float64Array(0);
  readonly regimes: Int32Array;
  readonly #game: TinyGame;
  readonly #weight: number;
  readonly #now: Buffers;
  readonly #final: Buffers;
  readonly #finalStates: Float64Array;
  readonly #copies: Copy[] = [];

  constructor(game: TinyGame, numEnvs: number, { spec, weight = 1 }: TinyOptions = {}) {
    this.#game = game;
    this.#weight = weight;
    this.manifest = describeGame(game);
    this.metrics = this.manifest.metrics;
    this.spec = { scenario: game.name, parameters: {}, program: null, scripted: {}, ...spec };
    this.numEnvs = numEnvs;
    this.numAgents = this.manifest.numAgents;
    this.obsDim = this.manifest.obsDim;
    this.stateDim = game.stateDim;
    this.numActions = this.manifest.numActions;
    this.stateWords = game.stateWords;
    this.#now = new Buffers(game, numEnvs);
    this.#final = new Buffers(game, numEnvs);
    this.#finalStates = new Float64Array(numEnvs * game.stateWords);
    const rows = numEnvs * this.numAgents;
    this.rewards = new Float32Array(rows);
    this.components = new Float32Array(rows);
    this.terminated = new Uint8Array(numEnvs);
    this.truncated = new Uint8Array(numEnvs);
    this.endedEpisode = new Float64Array(numEnvs);
    this.episodeLength = new Int32Array(numEnvs);
    this.episodeReturn = new Float64Array(rows);
    this.episodeComponents = new Float64Array(rows);
    this.regimes = new Int32Array(numEnvs).fill(-1);
    this.reset(0n, 0);
  }

  get obs(): Float32Array {
    return this.#now.obs;
  }
  get state(): Float32Array {
    return this.#now.state;
  }
  get availActions(): Uint8Array {
    return this.#now.availActions;
  }
  get active(): Uint8Array {
    return this.#now.active;
  }
  get finalObs(): Float32Array {
    return this.#final.obs;
  }
  get finalState(): Float32Array {
    return this.#final.state;
  }
  get finalAvailActions(): Uint8Array {
    return this.#final.availActions;
  }
  get finalActive(): Uint8Array {
    return this.#final.active;
  }

  reset(seed: bigint, firstEpisode: number): void {
    for (let e = 0; e < this.numEnvs; e++) this.#begin(e, seed, firstEpisode + e);
  }

  #begin(e: number, seed: bigint, episode: number): void {
    const state = this.#game.begin(new CounterRng(seed, episode));
    this.#copies[e] = { seed, episode, step: 0, state, sums: Array<number>(this.numAgents).fill(0) };
    this.#now.write(e, state);
  }

  step(actions: Int32Array): void {
    for (let e = 0; e < this.numEnvs; e++) {
      this.#advance(e, Array.from(actions.subarray(e * this.numAgents, (e + 1) * this.numAgents)));
    }
  }

  #advance(e: number, actions: readonly number[]): void {
    const copy = this.#copies[e] as Copy;
    for (const [a, action] of actions.entries()) {
      if (this.availActions[(e * this.numAgents + a) * this.numActions + action] !== 1) {
        throw new RangeError(`agent ${a} of copy ${e} took illegal action ${action}`);
      }
    }
    const { next, rewards, terminated = false } = this.#game.act(copy.state, actions, copy.step);
    copy.state = next;
    copy.step++;
    this.rewards.set(rewards, e * this.numAgents);
    this.components.set(rewards, e * this.numAgents);
    copy.sums = copy.sums.map((sum, a) => sum + (rewards[a] as number));
    this.terminated[e] = Number(terminated);
    this.truncated[e] = Number(!terminated && copy.step === this.#game.length);
    if (!terminated && this.truncated[e] === 0) {
      this.#now.write(e, next);
      return;
    }
    this.#final.write(e, next);
    this.#finalStates.set(next, e * this.stateWords);
    this.endedEpisode[e] = copy.episode;
    this.episodeLength[e] = copy.step;
    this.episodeReturn.set(copy.sums, e * this.numAgents);
    this.episodeComponents.set(copy.sums, e * this.numAgents);
    this.#begin(e, copy.seed, copy.episode + this.numEnvs);
  }

  copyStates(out: Float64Array): void {
    for (const [e, { state }] of this.#copies.entries()) out.set(state, e * this.stateWords);
  }

  copyFinalStates(out: Float64Array): void {
    for (let e = 0; e < this.numEnvs; e++) {
      if (!this.terminated[e] && !this.truncated[e]) continue;
      const row = this.#finalStates.subarray(e * this.stateWords, (e + 1) * this.stateWords);
      out.set(row, e * this.stateWords);
    }
  }

  createPlayback(numEnvs: number): PlaybackEnv {
    const buffers = new Buffers(this.#game, numEnvs);
    const rewards = new Float32Array(numEnvs * this.numAgents);
    const write = (states: Float64Array): void => {
      for (let e = 0; e < numEnvs; e++) {
        buffers.write(e, Array.from(states.subarray(e * this.stateWords, (e + 1) * this.stateWords)));
      }
    };
    const { obs, state, availActions, active } = buffers;
    return {
      ...{ spec: this.spec, numEnvs, obs, state, availActions, active, rewards, components: rewards.slice() },
      begin: write,
      step: (next, base) => {
        write(next);
        rewards.set(base.map((pay) => pay * this.#weight));
      },
      setTrainingSteps: () => undefined,
      setShapingWeights: () => undefined,
      dispose: () => undefined,
    };
  }

  stepContinuous(): void {
    throw new TypeError('tiny games take discrete actions');
  }

  setTrainingSteps(): void {}
  readonly shapingWeights = new Float64Array(0);
  setShapingWeights(): void {}

  snapshot(env: number): Uint8Array {
    const copy = this.#copies[env] as Copy;
    return new TextEncoder().encode(JSON.stringify({ ...copy, seed: copy.seed.toString() }));
  }

  restore(env: number, snapshot: Uint8Array): void {
    const copy = JSON.parse(new TextDecoder().decode(snapshot));
    this.#copies[env] = { ...copy, seed: BigInt(copy.seed) };
    this.#now.write(env, copy.state);
  }

  probe(): Float64Array {
    return new Float64Array(0);
  }

  trigger(): void {
    throw new RangeError('tiny games have no events');
  }

  stateHash(): string {
    return JSON.stringify(this.#copies.map(({ episode, step, state }) => [episode, step, state]));
  }

  takeFireCounts(): Float64Array {
    return new Float64Array(0);
  }

  takeTraps(): TrapRecord[] {
    return [];
  }

  dispose(): void {}
}

function describeGame({ name, groups, stateDim, length }: TinyGame): ScenarioManifest {
  let firstAgent = 0;
  const described = groups.map((group): ManifestGroup => {
    const { agents, obsDim, numActions } = group;
    const first = firstAgent;
    firstAgent += agents;
    return {
      name: group.name,
      agents: Array.from({ length: agents }, (_, i) => `${group.name}_${i}`),
      firstAgent: first,
      obsDim,
      numActions,
      actionNames: Array.from({ length: numActions }, (_, i) => `act_${i}`),
      continuousDim: 0,
      scripted: ['first'],
      defaultScripted: null,
    };
  });
  return {
    name,
    version: 1,
    title: name,
    doc: 'A small world for tests.',
    numAgents: firstAgent,
    obsDim: Math.max(...groups.map(({ obsDim }) => obsDim)),
    stateDim,
    numActions: Math.max(...groups.map(({ numActions }) => numActions)),
    continuousDim: 0,
    episodeLength: length,
    stepSeconds: 1,
    parameters: [],
    groups: described,
    sets: [],
    attributes: [],
    signals: [],
    components: [{ name: 'pay', doc: 'What the game pays.' }],
    nominalReturn: 1,
    relations: [],
    events: [],
    behaviours: [],
    capacities: [],
    presence: { agent: null, landmark: null },
    metrics: [],
  };
}
