/**
 * PPO: proximal policy optimisation of a single agent, or of several that are groups of their own.
 * Paper: Schulman et al. 2017, "Proximal Policy Optimization Algorithms".
 *
 * The loop, per iteration:
 *   1. E copies take T steps; the agent samples from its actor.
 *   2. Values of what followed each step: the next step's, or that of the last observation where time ran out.
 *   3. GAE gives advantages and returns.
 *   4. updateEpochs passes over the rollout in shuffled minibatches: clipped surrogate, squared value error, entropy.
 *   5. Each minibatch is one run of an ONNX graph that ends in Adam.
 *
 * Taken from CleanRL's ppo.py: orthogonal initialisation (√2, 0.01 for the policy, 1 for the value), separate tanh networks for
 * actor and critic, advantage normalisation per minibatch, value clipping (an option), annealing (an option), one gradient
 * norm over both networks, Adam's ε of 1e-5. Left out: early stopping on KL, observation and reward normalisation.
 * Differs: value normalisation (an option, on by default) and bootstrapping at time-outs, which CleanRL's ppo.py lacks.
 *
 * More: docs/learners/ppo.md
 */
import type { CancelSignal, IterationStats, Learner } from '../../../shared/rl/learner.ts';
import type { OnPolicyConfig } from '../../../shared/rl/learner-config.ts';
import type { LearnerOptions } from '../create-learner.ts';
import { throwIfAborted } from './iteration.ts';
import { createOnPolicyLearner } from './on-policy/learner.ts';
import { LossMeans } from './on-policy/loss-means.ts';
import type { OnPolicyRun } from './on-policy/run.ts';

/** Requires: groups of one agent each. */
export function createPpo(options: LearnerOptions<OnPolicyConfig>): Promise<Learner> {
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
