import type { ScenarioManifest } from '../../../src/shared/rl/manifest.ts';
import { scenarioManifest } from '../../../src/shared/rl/manifest.ts';
import type { RecordableEnv } from '../../../src/shared/rl/playback.ts';
import type { EnvironmentSpec, TrapRecord, VecEnvOptions } from '../../../src/shared/rl/vec-env.ts';
import { AppError } from '../../../src/shared/std/app-error.ts';
import { CounterRng } from '../../../src/shared/std/rng.ts';

const episodeLength = 5;
const numArms = 3;
/** Mean payoffs of the three actions. */
const payoffs = [0.2, 0.5, 0.8];

/**
 * A bandit in episodes: three actions pay their mean plus noise that depends on (seed, episode, step) alone.
 * The parameter `bias` is added to what the first action pays in training: a misleading reward. One group plays;
 * a second one, `rival`, can be scripted.
 */
export const toyManifest: ScenarioManifest = scenarioManifest.parse({
  name: 'toy',
  version: 1,
  title: 'Toy',
  doc: 'A bandit for tests.',
  numAgents: 2,
  obsDim: 1,
  stateDim: 1,
  numActions: numArms,
  continuousDim: 0,
  episodeLength,
  parameters: [
    {
      name: 'bias',
      kind: 'float',
      unit: 'none',
      default: 0,
      min: -1,
      max: 1,
      structural: false,
      coach: true,
      doc: '',
    },
  ],
  groups: [group('agent', 0, ['first']), group('rival', 1, ['first', 'last'])],
  sets: [],
  attributes: [],
  signals: [],
  components: [
    { name: 'payoff', doc: '' },
    { name: 'bias', doc: '' },
  ],
  nominalReturn: 1,
  metrics: [
    {
      name: 'coverage',
      unit: 'none',
      perAgent: false,
      better: 'higher',
      min: 0,
      max: 1,
      doc: 'Share of steps in which the best action was taken.',
    },
    { name: 'noise', unit: 'none', perAgent: false, better: 'neither', min: -1, max: 1, doc: 'Mean noise.' },
  ],
});

function group(name: string, firstAgent: number, scripted: string[]) {
  return {
    name,
    agents: [`${name}_0`],
    firstAgent,
    obsDim: 1,
    numActions: numArms,
    actionNames: ['a', 'b', 'c'],
    continuousDim: 0,
    scripted,
    defaultScripted: null,
  };
}

interface Copy {
  episode: number;
  step: number;
  payoff: number;
  bias: number;
  best: number;
  noise: number;
}

/** Batch of the toy scenario, in a page of TypeScript. */
export class ToyEnv implements RecordableEnv {
  readonly manifest = toyManifest;
  readonly metrics = toyManifest.metrics;
  readonly numAgents = 2;
  readonly obsDim = 1;
  readonly stateDim = 1;
  readonly numActions = numArms;
  readonly numComponents = 2;
  readonly componentNames = ['payoff', 'bias'];
  readonly stateWords = 1;
  readonly spec: EnvironmentSpec;
  readonly numEnvs: number;
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
  #copies: Copy[] = [];
  #seed: bigint;
  #fired = 0;

  constructor(spec: EnvironmentSpec, options: VecEnvOptions) {
    const E = options.numEnvs;
    this.spec = spec;
    this.numEnvs = E;
    this.obs = new Float32Array(E * 2);
    this.state = new Float32Array(E);
    this.availActions = new Uint8Array(E * 2 * numArms).fill(1);
    this.active = new Uint8Array(E * 2).fill(1);
    this.rewards = new Float32Array(E * 2);
    this.components = new Float32Array(E * 4);
    this.terminated = new Uint8Array(E);
    this.truncated = new Uint8Array(E);
    this.finalObs = new Float32Array(E * 2);
    this.finalState = new Float32Array(E);
    this.finalAvailActions = new Uint8Array(E * 2 * numArms).fill(1);
    this.finalActive = new Uint8Array(E * 2).fill(1);
    this.endedEpisode = new Float64Array(E);
    this.episodeLength = new Int32Array(E);
    this.episodeReturn = new Float64Array(E * 2);
    this.episodeComponents = new Float64Array(E * 4);
    this.episodeMetrics = new Float64Array(E * 4);
    this.regimes = new Int32Array(E).fill(-1);
    this.#seed = options.seed;
    this.reset(options.seed, options.firstEpisode);
  }

  reset(seed: bigint, firstEpisode: number): void {
    this.#seed = seed;
    this.#copies = Array.from({ length: this.numEnvs }, (_, env) => fresh(firstEpisode + env));
  }

  step(actions: Int32Array): void {
    for (let env = 0; env < this.numEnvs; env++) this.#stepCopy(env, actions[env * 2] ?? 0);
  }

  #stepCopy(env: number, action: number): void {
    const copy = this.#copies[env] as Copy;
    const rng = new CounterRng(this.#seed, copy.episode);
    rng.position = copy.step;
    const noise = (rng.nextFloat() - 0.5) * 0.4;
    const payoff = (payoffs[action] ?? 0) + noise;
    const bias = action === 0 ? (this.spec.parameters.bias ?? 0) : 0;
    if (bias !== 0) this.#fired++;
    copy.payoff += payoff;
    copy.bias += bias;
    copy.best += action === 2 ? 1 : 0;
    copy.noise += noise;
    copy.step++;
    this.rewards.fill(payoff + bias, env * 2, env * 2 + 2);
    this.components.set([payoff, bias, payoff, bias], env * 4);
    this.terminated[env] = 0;
    this.truncated[env] = copy.step >= episodeLength ? 1 : 0;
    if (this.truncated[env] === 1) this.#endEpisode(env, copy);
  }

  #endEpisode(env: number, copy: Copy): void {
    this.endedEpisode[env] = copy.episode;
    this.episodeLength[env] = copy.step;
    this.episodeReturn.fill(copy.payoff, env * 2, env * 2 + 2);
    this.episodeComponents.set([copy.payoff, copy.bias, copy.payoff, copy.bias], env * 4);
    const metrics = [copy.best / episodeLength, copy.noise / episodeLength];
    this.episodeMetrics.set([...metrics, ...metrics], env * 4);
    this.#copies[env] = fresh(copy.episode + this.numEnvs);
  }

  stepContinuous(): void {
    throw new TypeError('the toy scenario has no continuous actions');
  }
  setTrainingSteps(): void {}
  readonly shapingWeights = new Float64Array(0);
  setShapingWeights(): void {}

  /** The steps taken. */
  copyStates(out: Float64Array): void {
    out.set(this.#copies.map(({ step }) => step));
  }
  copyFinalStates(out: Float64Array): void {
    for (const [env, hasEnded] of this.truncated.entries()) if (hasEnded === 1) out[env] = episodeLength;
  }
  createPlayback(): never {
    throw new TypeError('the toy scenario is not played again');
  }

  snapshot(env: number): Uint8Array {
    return new TextEncoder().encode(JSON.stringify([this.#copies[env], this.#seed.toString()]));
  }

  restore(env: number, snapshot: Uint8Array): void {
    try {
      const [copy, seed] = JSON.parse(new TextDecoder().decode(snapshot));
      this.#copies[env] = copy;
      this.#seed = BigInt(seed);
    } catch (cause) {
      throw new AppError('sim.badSnapshot', 'not a toy snapshot', { cause });
    }
  }

  probe(): Float64Array {
    return new Float64Array(0);
  }

  trigger(): void {
    throw new RangeError('this environment has no events');
  }

  stateHash(): string {
    return JSON.stringify(this.#copies);
  }
  takeFireCounts(): Float64Array {
    const counts = new Float64Array([this.#fired]);
    this.#fired = 0;
    return counts;
  }
  takeTraps(): TrapRecord[] {
    return [];
  }
  dispose(): void {}
}

function fresh(episode: number): Copy {
  return { episode, step: 0, payoff: 0, bias: 0, best: 0, noise: 0 };
}
