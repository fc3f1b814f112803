/**
 * QMIX: every agent has a value of its own for each of its actions; a network whose weights are positive and come from the
 * global state mixes the values of what the agents chose into one of what the team did. Learning looks at the whole, playing
 * needs only the parts: what is best for each agent is best for the team.
 *
 * Source: Rashid et al. 2018, "QMIX: Monotonic Value Function Factorisation for Deep Multi-Agent Reinforcement Learning", and
 * the PyMARL code.
 *
 * One iteration:
 *   1. E copies play T steps; every agent takes its best legal action, or with probability ε any legal one
 *   2. episodes that end go to the replay, as the simulator's states
 *   3. per finished episode, updatesPerEpisode times: draw B episodes, play them again for observations and rewards,
 *      Q_tot = mix_s(Q_1 .. Q_A) of the actions taken; y = r + γ Q_tot^target(s', each agent's best action by the online net);
 *      descend (Q_tot − y)²
 *   4. now and then, the target networks become the online ones
 *
 * Taken from the reference: GRU agents that share parameters by group and see their last action and place, two-layer
 * hypernetworks, double Q, illegal actions masked in both networks, ε over env-steps, targets copied by episodes, RMSprop.
 * Optional beyond it: Adam, λ-returns, soft targets, state normalisation, inactive agents dropped from the mix.
 * Differs: copies step together and reset themselves; time-outs can be bootstrapped; the replay keeps states, so that edits of
 * rewards value old episodes anew. See docs/learners/qmix.md.
 */

import type { CancelSignal, IterationStats, Learner } from '../../../shared/rl/learner.ts';
import { EpisodeStats } from '../data/episode-stats.ts';
import { hypernetMixer } from '../nn/mixer.ts';
import { throwIfAborted } from './iteration.ts';
import { MeanLosses, requireRecordable, ValueLearner, type ValueOptions } from './value/value-learner.ts';
import { ValueTeam } from './value/value-team.ts';

/**
 * Creates the learner and starts the copies at episode 0 of the stream `seed`, whatever stream they were created with.
 * Throws: RangeError when the environment's states cannot be read out.
 * Cost: an ONNX Runtime session per group now, one per length of batch when it first comes: 0.1-0.7 s each.
 */
export async function createQmix(options: ValueOptions): Promise<Learner> {
  const env = requireRecordable(options.env);
  const team = await ValueTeam.create({ ...options, env }, ({ numAgents, stateDim, config }) =>
    hypernetMixer({
      numAgents,
      stateDim,
      mixingEmbed: config.mixingEmbed,
      hypernetEmbed: config.hypernetEmbed,
    }),
  );
  return new Qmix(team, options.totalSteps);
}

class Qmix extends ValueLearner {
  async iterate(signal?: CancelSignal): Promise<IterationStats> {
    const { team, learningRate } = this;
    const episodes = new EpisodeStats(team.env, team.net.groups);
    team.env.setTrainingSteps(this.trainedSteps);
    let finished = 0;
    for (let t = 0; t < team.config.numSteps; t++) {
      throwIfAborted(signal);
      finished += await team.play();
      episodes.record();
    }
    const losses = new MeanLosses();
    for (let due = team.takeDue(finished); due > 0; due--) {
      throwIfAborted(signal);
      losses.add(await this.update(learningRate));
    }
    const metrics = [
      ...episodes.summary(),
      { key: 'charts/learning_rate', value: learningRate },
      { key: 'charts/epsilon', value: team.epsilon },
      { key: 'charts/replay_episodes', value: team.replay.count },
      ...losses.summary(),
    ];
    return { steps: this.numSteps, metrics };
  }
}
