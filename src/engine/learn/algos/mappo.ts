/**
 * MAPPO: proximal policy optimisation with decentral actors and a central critic.
 * Paper: Yu et al. 2022, "The Surprising Effectiveness of PPO in Cooperative Multi-Agent Games".
 *
 * The loop, per iteration:
 *   1. E copies take T steps; agents sample from their group's actor, which sees their own observation (and memory, if
 *      recurrent); the group's critic values the global state, for each agent of its own (`state+agent`) or for all alike.
 *   2. Values of what followed each step: the next step's, or that of the last state where time ran out, with the memory
 *      that the critic had then.
 *   3. GAE on values in reward units gives advantages and returns; value normalisation takes the returns in.
 *   4. updateEpochs passes over the rollout in shuffled minibatches of whole teams (recurrent: of chunks of chunkLength steps).
 *   5. Each minibatch is one run of an ONNX graph: clipped surrogate and entropy over agents that can act, value error over
 *      all (clipped and Huber's where asked for), one gradient norm, Adam.
 *
 * Taken from the paper's code: value normalisation, active masks, action masks, orthogonal initialisation, optional layer
 * normalisation, GRU, clipped value loss and Huber loss. Left out: PopArt, death masking of the critic's input, feature-pruned
 * agent-specific states, separate optimisers for actor and critic.
 * Differs: the state is normalised by running statistics (`stateNorm`) where the paper's code uses layer normalisation; time-outs
 * bootstrap; the value norm follows rollouts with a decay of 0.99, not minibatches with 0.99999.
 *
 * More, with results: docs/learners/mappo.md
 */
import type { CancelSignal, IterationStats, Learner } from '../../../shared/rl/learner.ts';
import type { OnPolicyConfig } from '../../../shared/rl/learner-config.ts';
import type { LearnerOptions } from '../create-learner.ts';
import { throwIfAborted } from './iteration.ts';
import { createOnPolicyLearner } from './on-policy/learner.ts';
import { LossMeans } from './on-policy/loss-means.ts';
import type { OnPolicyRun } from './on-policy/run.ts';

/** One actor over observations and one critic over the global state per group that learns. */
export function createMappo(options: LearnerOptions<OnPolicyConfig>): Promise<Learner> {
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
