import { createHash } from 'node:crypto';
import type { CancelSignal, ExportedPolicy, IterationStats, Learner } from '../../../../shared/rl/learner.ts';
import { type OnPolicyConfig, stepsPerIteration } from '../../../../shared/rl/learner-config.ts';
import type { VecEnv } from '../../../../shared/rl/vec-env.ts';
import type { LearnerOptions } from '../../create-learner.ts';
import { bytesOf } from '../../data/checkpoint.ts';
import { learnedGroups, requireSameShapes } from '../learned-groups.ts';
import { decodeLearner, encodeLearner } from './checkpoint.ts';
import { exportActor } from './export-actor.ts';
import { OnPolicyGroup } from './group.ts';
import { OnPolicyRun } from './run.ts';

/** An algorithm: one iteration, from the first step of the rollout to the last gradient step. */
export type Iterate = (run: OnPolicyRun, signal: CancelSignal | undefined) => Promise<IterationStats>;

/**
 * A learner that runs `iterate`. Requires: a configuration that `requireLearnable` has passed.
 * Cost: two ONNX Runtime sessions per group, 0.1-0.3 s; with memory up to 2 s.
 */
export async function createOnPolicyLearner(
  options: LearnerOptions<OnPolicyConfig>,
  iterate: Iterate,
): Promise<Learner> {
  const { env, config, seed } = options;
  const groups: OnPolicyGroup[] = [];
  for (const [index, group] of learnedGroups(env).entries()) {
    groups.push(await OnPolicyGroup.create({ group, index, stateDim: env.stateDim }, config, seed));
  }
  return new OnPolicyLearner(new OnPolicyRun(options, groups), seed, iterate);
}

/** All of a learner but its algorithm: environments that change, checkpoints, branches, policies. */
class OnPolicyLearner implements Learner {
  readonly #run: OnPolicyRun;
  readonly #seed: number;
  readonly #iterate: Iterate;

  constructor(run: OnPolicyRun, seed: number, iterate: Iterate) {
    this.#run = run;
    this.#seed = seed;
    this.#iterate = iterate;
    run.startCopies(seed);
  }

  get numSteps(): number {
    return stepsPerIteration(this.#run.config);
  }

  get trainedSteps(): number {
    return this.#run.trainedSteps;
  }

  iterate(signal?: CancelSignal): Promise<IterationStats> {
    return this.#iterate(this.#run, signal);
  }

  setEnvironment(env: VecEnv, options: { readonly seed?: number } = {}): void {
    const run = this.#run;
    requireSameShapes(env, run.env, run.config.critic !== 'observation');
    run.env = env;
    if (options.seed !== undefined) for (const group of run.groups) group.reseed(options.seed);
    run.startCopies(options.seed ?? this.#seed);
  }

  serialize(): Uint8Array {
    return encodeLearner(this.#run);
  }

  restore(bytes: Uint8Array): void {
    decodeLearner(bytes, this.#run);
  }

  parameterHash(): string {
    const hash = createHash('sha256');
    for (const group of this.#run.groups) hash.update(bytesOf(group.adam.parameters));
    return hash.digest('hex');
  }

  policies(): ExportedPolicy[] {
    const { groups, env, config } = this.#run;
    return groups.map(({ name, net, adam }) => ({
      group: name,
      onnx: exportActor(net, adam.parameters, env.manifest, name, config.algorithm),
    }));
  }

  async dispose(): Promise<void> {
    for (const group of this.#run.groups) await group.dispose();
  }
}
