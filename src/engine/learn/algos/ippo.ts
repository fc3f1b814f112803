/**
 * IPPO: independent proximal policy optimisation, one policy per agent group.
 * Papers: Schulman et al. 2017, "Proximal Policy Optimization Algorithms"; de Witt et al. 2020, "Is Independent Learning
 * All You Need in the StarCraft Multi-Agent Challenge?".
 *
 * The loop, per iteration:
 *   1. E copies take T steps; every group samples from its own actor on its own observations (and memory, if recurrent).
 *   2. Values of what followed each step: the next step's, or that of the last observation where time ran out.
 *   3. GAE gives advantages and returns.
 *   4. updateEpochs passes over the rollout in shuffled minibatches: clipped surrogate, squared value error, entropy.
 *   5. Each minibatch is one run of an ONNX graph that ends in Adam.
 *
 * Taken from CleanRL: orthogonal initialisation, tanh networks, advantage normalisation per minibatch, global gradient
 * norm, Adam's ε of 1e-5. From MAPPO: value normalisation, a value loss that is clipped or Huber's (both off by default), weights
 * that leave dead agents out of the policy's loss. Left out: early stopping on KL, observation normalisation, learning from
 * scripted groups. Agents of a group share one network and see only their own observation.
 * Differs: time-outs bootstrap from the last observation; the reference IPPO treats them as terminal.
 *
 * More, with results: docs/learners/ippo.md
 */
import type { CancelSignal, IterationStats, Learner } from '../../../shared/rl/learner.ts';
import type { OnPolicyConfig } from '../../../shared/rl/learner-config.ts';
import type { LearnerOptions } from '../create-learner.ts';
import { throwIfAborted } from './iteration.ts';
import { createOnPolicyLearner } from './on-policy/learner.ts';
import { LossMeans } from './on-policy/loss-means.ts';
import type { OnPolicyRun } from './on-policy/run.ts';

/** One actor and one critic per group that learns, both over observations. */
export function createIppo(options: LearnerOptions<OnPolicyConfig>): Promise<Learner> {
  return createOnPolicyLearner(options, iterate);
}

async function iterate(run: OnPolicyRun, signal: CancelSignal | undefined): Promise<IterationStats> {
  const { groups, config, actions, learningRate } = run;
  const episodes = run.beginRollout();
  for (let t = 0; t < config.numSteps; t++) {
    throwIfAborted(signal);
    for (const group of groups) await group.act(run.env, t, actions);
    run.env.step(actions);
    for (const group of groups) group.record(run.env, t);
    run.noteEnds(t, episodes);
  }
  for (const group of groups) {
    await group.bootstrap(run.env);
    group.estimateAdvantages(run.ends);
  }
  const losses = new LossMeans(groups);
  for (let epoch = 0; epoch < config.updateEpochs; epoch++) {
    for (const group of groups) {
      group.deal();
      for (let minibatch = 0; minibatch < group.numMinibatches; minibatch++) {
        throwIfAborted(signal);
        const statistics = await group.update(minibatch, learningRate);
        run.requireFinite(group, statistics);
        losses.add(group, statistics);
      }
    }
  }
  return run.finish(learningRate, episodes, losses);
}
