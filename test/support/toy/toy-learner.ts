import { createHash } from 'node:crypto';
import { type LearnerCatalogue, learnerCatalogue } from '../../../src/engine/learn/index.ts';
import type { Evaluation, EvaluationOptions, Policy } from '../../../src/engine/policy/types.ts';
import type { TrainerDependencies } from '../../../src/engine/train/index.ts';
import type {
  ExportedPolicy,
  IterationStats,
  Learner,
  LearnerConfig,
  OnPolicyConfig,
} from '../../../src/shared/rl/learner.ts';
import type { VecEnv } from '../../../src/shared/rl/vec-env.ts';
import { AppError } from '../../../src/shared/std/app-error.ts';
import { CounterRng } from '../../../src/shared/std/rng.ts';
import { ToyEnv } from './toy-env.ts';

const toyDefaults: OnPolicyConfig = {
  ...(learnerCatalogue.defaults.ippo as OnPolicyConfig),
  hidden: 8,
  numEnvs: 4,
  numSteps: 5,
  updateEpochs: 1,
  minibatchSize: 20,
  learningRate: 0.1,
  annealLr: false,
  gamma: 0.99,
  gaeLambda: 0.95,
  clipCoef: 0.2,
  entCoef: 0,
  vfCoef: 0.5,
  maxGradNorm: 1,
  normAdv: true,
  valueNorm: false,
  bootstrapTruncated: true,
};

export const toyLearners: LearnerCatalogue = {
  ...learnerCatalogue,
  defaults: { ...learnerCatalogue.defaults, ippo: toyDefaults },
};

interface State {
  preferences: number[];
  baseline: number;
  position: number;
  trainedSteps: number;
  stream: number;
}

/** A gradient bandit over three preferences: a learner whose whole state fits on a line. */
export class ToyLearner implements Learner {
  readonly #config: LearnerConfig;
  #env: VecEnv;
  #seed: number;
  #state: State = { preferences: [0, 0, 0], baseline: 0, position: 0, trainedSteps: 0, stream: 0 };

  constructor(env: VecEnv, config: LearnerConfig, seed: number) {
    this.#env = env;
    this.#config = config;
    this.#seed = seed;
  }

  get numSteps(): number {
    return this.#config.numEnvs * this.#config.numSteps;
  }
  get trainedSteps(): number {
    return this.#state.trainedSteps;
  }

  async iterate(signal?: AbortSignal): Promise<IterationStats> {
    signal?.throwIfAborted();
    const rng = new CounterRng(BigInt(this.#seed), this.#state.stream);
    rng.position = this.#state.position;
    const { numEnvs, numSteps } = this.#config;
    const actions = new Int32Array(numEnvs * 2);
    let total = 0;
    for (let step = 0; step < numSteps; step++) {
      const shares = softmax(this.#state.preferences);
      for (let env = 0; env < numEnvs; env++) {
        const draw = rng.nextFloat();
        actions[env * 2] = draw < (shares[0] ?? 0) ? 0 : draw < (shares[0] ?? 0) + (shares[1] ?? 0) ? 1 : 2;
      }
      this.#env.step(actions);
      for (let env = 0; env < numEnvs; env++) {
        const reward = this.#env.rewards[env * 2] ?? 0;
        total += reward;
        this.#learn(actions[env * 2] ?? 0, reward, shares);
      }
    }
    this.#state.position = rng.position;
    this.#state.trainedSteps += this.numSteps;
    return {
      steps: this.numSteps,
      metrics: [
        { key: 'charts/episodic_return/agent', value: total / numEnvs },
        { key: 'losses/policy_loss', value: this.#state.baseline },
      ],
    };
  }

  #learn(action: number, reward: number, shares: readonly number[]): void {
    const advantage = reward - this.#state.baseline;
    this.#state.baseline += 0.05 * advantage;
    this.#state.preferences = this.#state.preferences.map(
      (value, index) =>
        value + this.#config.learningRate * advantage * ((index === action ? 1 : 0) - (shares[index] ?? 0)),
    );
  }

  setEnvironment(env: VecEnv, options: { readonly seed?: number } = {}): void {
    this.#env = env;
    if (options.seed === undefined) return;
    this.#seed = options.seed;
    this.#state.position = 0;
    env.reset(BigInt(options.seed), 0);
  }

  serialize(): Uint8Array {
    const copies = Array.from({ length: this.#env.numEnvs }, (_, env) => [...this.#env.snapshot(env)]);
    return encode({ state: this.#state, seed: this.#seed, copies });
  }

  restore(bytes: Uint8Array): void {
    let parsed: { state: State; seed: number; copies: number[][] };
    try {
      parsed = JSON.parse(new TextDecoder().decode(bytes));
    } catch (cause) {
      throw new AppError('learner.badCheckpoint', 'not a toy learner', { cause });
    }
    this.#state = parsed.state;
    this.#seed = parsed.seed;
    for (const [env, copy] of parsed.copies.entries()) this.#env.restore(env, Uint8Array.from(copy));
  }

  parameterHash(): string {
    return createHash('sha256').update(JSON.stringify(this.#state.preferences)).digest('hex');
  }
  policies(): ExportedPolicy[] {
    return [{ group: 'agent', onnx: encode(this.#state.preferences) }];
  }
  async dispose(): Promise<void> {}
}

function softmax(values: readonly number[]): number[] {
  const powers = values.map((value) => Math.exp(value));
  const total = powers.reduce((sum, power) => sum + power, 0);
  return powers.map((power) => power / total);
}

function encode(value: unknown): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(value));
}

async function openToyPolicy(bytes: Uint8Array): Promise<Policy> {
  const shares = softmax(JSON.parse(new TextDecoder().decode(bytes)));
  // Not greedy but in proportion: a score that moves with every update.
  const fill = (rows: number, actions: Int32Array) => {
    for (let row = 0; row < rows; row++) {
      const draw = (row + 0.5) / rows;
      actions[row] = draw < (shares[0] ?? 0) ? 0 : draw < (shares[0] ?? 0) + (shares[1] ?? 0) ? 1 : 2;
    }
  };
  return {
    metadata: { parameterHash: `policy ${shares.join(' ')}` } as Policy['metadata'],
    actGreedy: async (batch, actions) => fill(batch.rows, actions),
    dispose: async () => {},
  };
}

async function evaluateToy({ createEnv, policies, episodes }: EvaluationOptions): Promise<Evaluation> {
  const env = createEnv(episodes);
  const chosen = new Int32Array(episodes);
  await policies.agent?.actGreedy({ rows: episodes, obs: env.obs, availActions: null }, chosen);
  const actions = new Int32Array(episodes * 2);
  for (let row = 0; row < episodes; row++) actions[row * 2] = chosen[row] ?? 0;
  for (let step = 0; step < env.manifest.episodeLength; step++) env.step(actions);
  const column = (values: Float64Array, width: number, index: number) => {
    const picked = Float64Array.from({ length: episodes }, (_, row) => values[row * width + index] ?? 0);
    return { values: picked, mean: picked.reduce((sum, value) => sum + value, 0) / episodes };
  };
  const metrics = { coverage: column(env.episodeMetrics, 4, 0), noise: column(env.episodeMetrics, 4, 1) };
  const group = {
    episodeReturn: column(env.episodeReturn, 2, 0),
    components: { payoff: column(env.episodeComponents, 4, 0), bias: column(env.episodeComponents, 4, 1) },
    metrics,
  };
  return {
    episodes,
    steps: episodes * env.manifest.episodeLength,
    groups: { agent: group },
    metrics,
    agents: {},
    agentMetrics: {},
    actionShares: {},
  };
}

/** A trainer's parts without addon and ONNX Runtime. */
export const toyDependencies: TrainerDependencies = {
  createVecEnv: (spec, options) => new ToyEnv(spec, options),
  createLearner: async ({ env, config, seed }) => new ToyLearner(env, config, seed),
  openPolicy: openToyPolicy,
  evaluate: evaluateToy,
  now: () => performance.now(),
};
