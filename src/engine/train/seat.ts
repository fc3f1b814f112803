import type { ExportedPolicy, Learner } from '../../shared/rl/learner.ts';
import { discountingOf } from '../../shared/rl/learner-config.ts';
import type { EnvironmentSpec } from '../../shared/rl/vec-env.ts';
import type { TrainerDependencies } from './dependencies.ts';
import { EpisodeWindow } from './episode-window.ts';
import { writeContentFile } from './files.ts';
import { ObservedEnv } from './observed-env.ts';
import type { PolicyFile, TrainerInit } from './protocol.ts';
import { copiesToRecord, writeRecord } from './record-file.ts';
import { learnerSeed } from './seeds.ts';
import { WeightFollower } from './weight-follower.ts';

/** An environment and what it is known by. */
export interface Place {
  readonly environment: EnvironmentSpec;
  readonly environmentIdentity: string;
}

/** A learner with the batch it plays in: one learner for the whole run, a batch for each environment. */
export class Seat {
  readonly #deps: TrainerDependencies;
  readonly #init: TrainerInit;
  readonly learner: Learner;
  env: ObservedEnv;
  spec: EnvironmentSpec;
  identity: string;
  /** Null where all of the shaping is in force as it stands. */
  weights: WeightFollower | null;

  private constructor(
    deps: TrainerDependencies,
    init: TrainerInit,
    learner: Learner,
    env: ObservedEnv,
    place: Place,
  ) {
    this.#deps = deps;
    this.#init = init;
    this.learner = learner;
    this.env = env;
    this.spec = place.environment;
    this.identity = place.environmentIdentity;
    this.weights = WeightFollower.of(place.environment);
  }

  static async take(deps: TrainerDependencies, init: TrainerInit, place: Place): Promise<Seat> {
    const env = createEnv(deps, init, place.environment);
    const { learner: config, seed, totalSteps } = init;
    const learner = await deps.createLearner({ env, config, seed: learnerSeed(seed, 'train'), totalSteps });
    return new Seat(deps, init, learner, env, place);
  }

  /** Goes on in another environment. */
  move(place: Place): void {
    const left = this.env;
    this.env = createEnv(this.#deps, this.#init, place.environment);
    // The first states are valued by what decaying components weigh now.
    this.env.setTrainingSteps(this.learner.trainedSteps);
    this.learner.setEnvironment(this.env);
    this.spec = place.environment;
    this.identity = place.environmentIdentity;
    left.dispose();
  }

  /** Goes back to how the learner stood in a checkpoint, in the environment of then. Throws: learner.badCheckpoint. */
  takeUp(place: Place, bytes: Uint8Array): void {
    if (this.identity !== place.environmentIdentity) this.move(place);
    this.learner.restore(bytes);
  }

  /** Nothing of the round before is counted; weights follow what this one's environment pays. */
  beginRound(spec: EnvironmentSpec): void {
    this.env.window.clear();
    this.spec = spec;
    this.weights = WeightFollower.of(spec);
    this.weights?.begin(this.env);
  }

  /** What is measured per agent, in the last episodes trained in the round. */
  agentMeans(): Record<string, Readonly<Record<string, number>>> {
    const means = this.env.window.means().metrics;
    const perAgent = this.env.metrics.filter((metric) => metric.perAgent);
    return Object.fromEntries(perAgent.map(({ name }) => [name, means[name] ?? {}]));
  }

  /** Records the iteration that comes, in as many whole copies as are kept. */
  startRecord(): void {
    const { numSteps } = this.#init.learner;
    this.env.record(copiesToRecord(this.env.snapshot(0).length, numSteps));
  }

  /**
   * Writes what was recorded of a round, and ends recording. Returns the file's name; a round that trials used up trains nothing:
   * its record is the last round's.
   */
  writeRecord(round: number, last: string | null): string {
    const { env } = this;
    const { steps, begins } = env.takeRecorded();
    const { manifest, numAgents, recordedCopies: numCopies } = env;
    const origin = { scenario: manifest.name, environmentIdentity: this.identity, round };
    const isUsedUp = steps.length === 0 && last !== null;
    const file = isUsedUp
      ? last
      : writeRecord(this.#init.directory, { ...origin, numAgents, numCopies, begins }, steps);
    env.record(0);
    return file;
  }

  /** Writes the policies as they stand. */
  async writePolicies(): Promise<PolicyFile[]> {
    const files: PolicyFile[] = [];
    for (const exported of this.learner.policies()) files.push(await this.#writePolicy(exported));
    return files;
  }

  async dispose(): Promise<void> {
    await this.learner.dispose();
    this.env.dispose();
  }

  async #writePolicy({ group, onnx }: ExportedPolicy): Promise<PolicyFile> {
    const policy = await this.#deps.openPolicy(onnx);
    const { parameterHash } = policy.metadata;
    await policy.dispose();
    const file = writeContentFile(this.#init.directory, `policy-${group}`, 'onnx', onnx);
    return { group, ...file, parameterHash };
  }
}

function createEnv(
  { createVecEnv }: TrainerDependencies,
  { seed, learner }: TrainerInit,
  spec: EnvironmentSpec,
): ObservedEnv {
  const inner = createVecEnv(spec, {
    numEnvs: learner.numEnvs,
    seed: BigInt(learnerSeed(seed, 'train')),
    firstEpisode: 0,
    ...discountingOf(learner),
  });
  return new ObservedEnv(inner, new EpisodeWindow(EpisodeWindow.shapeOf(inner)));
}
