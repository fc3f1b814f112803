#include "sim/batch.hpp"

#include <algorithm>
#include <utility>

namespace gymwright {
namespace {

BatchShape shapeOf(const VecEnvConfig& config) {
  const Manifest& m = config.scenario->manifest();
  BatchShape shape{};
  shape.numEnvs = config.numEnvs;
  shape.numAgents = m.numAgents;
  shape.obsDim = m.obsDim;
  shape.stateDim = m.stateDim;
  shape.numActions = m.numActions;
  shape.numBase = static_cast<int>(m.components.size());
  shape.numShaping = static_cast<int>(config.program.components.size());
  shape.numMetrics = static_cast<int>(m.metrics.size() + config.program.metrics.size());
  shape.stateWords = config.scenario->stateWords();
  shape.sumWords = m.numAgents * (1 + shape.numComponents());
  return shape;
}

}  // namespace

Batch::Batch(VecEnvConfig given, const Buffers& buffers)
    : config(std::move(given)),
      scenario(*config.scenario),
      shape(shapeOf(config)),
      out(buffers),
      machine(config.program, scenario) {
  seeds.assign(at(shape.numEnvs), config.seed);
  episodes.assign(at(shape.numEnvs), 0);
  steps.assign(at(shape.numEnvs), 0);
  states.assign(index(shape.numEnvs, shape.stateWords), 0.0);
  sums.assign(index(shape.numEnvs, shape.sumWords), 0.0);
  weights.assign(at(shape.numShaping), 1.0);
  controls.assign(index(kLanes, shape.numAgents * 2), 0.0);
  blockComponents.assign(index(kLanes, shape.numAgents * shape.numBase), 0.0);
  scriptedActions.assign(at(shape.numAgents), 0);
  attributes.assign(index(kLanes, scenario.attributeWords()), 0.0);
  resetAttributes(kLanes);
  traps.reserve(kMaxTrapRecords);
}

EpisodeSums Batch::episodeSums(int env) {
  double* row = sumRow(env);
  return {row, row + shape.numAgents, row + shape.numAgents * (1 + shape.numBase)};
}

void Batch::beginEpisode(int env) {
  steps[at(env)] = 0;
  std::fill_n(sumRow(env), shape.sumWords, 0.0);
  scenario.reset(state(env), rng(env));
}

void Batch::writeOutputs(int env) {
  float* obs = out.obs + index(env, shape.numAgents * shape.obsDim);
  scenario.writeObs(state(env), obs);
  scenario.writeState(state(env), obs, out.state + index(env, shape.stateDim));
  scenario.writeAvailActions(state(env), out.availActions + index(env, shape.numAgents * shape.numActions));
}

LaneView Batch::view(int first, int count) const {
  return {state(first), at(shape.stateWords), attributes.data(), at(scenario.attributeWords()), &steps[at(first)],
          count};
}

void Batch::resetAttributes(int count) {
  const auto base = scenario.baseAttributes();
  for (int l = 0; l < count; ++l) {
    std::copy(base.begin(), base.end(), attributes.begin() + l * scenario.attributeWords());
  }
}

void Batch::stepBlock(int first, int count) {
  laneTraps.clear();
  if (machine.hasRules()) {
    resetAttributes(count);
    machine.runRules(view(first, count), attributes.data(), laneTraps);
  }
  for (int l = 0; l < count; ++l) {
    isGoalReached[at(l)] = scenario.advance(state(first + l), attributes.data() + index(l, scenario.attributeWords()),
                                            controls.data() + index(l, shape.numAgents * 2),
                                            blockComponents.data() + index(l, shape.numAgents * shape.numBase));
    ++steps[at(first + l)];
  }
  if (machine.hasRewards()) machine.runRewards(view(first, count), laneTraps);
  for (int l = 0; l < count; ++l) {
    accumulate(first + l, l);
    finish(first + l, l);
  }
}

void Batch::accumulate(int env, int lane) {
  const EpisodeSums sum = episodeSums(env);
  const double* base = blockComponents.data() + index(lane, shape.numAgents * shape.numBase);
  float* components = out.components + index(env, shape.numAgents * shape.numComponents());
  for (int a = 0; a < shape.numAgents; ++a) {
    double reward = 0.0;
    for (int c = 0; c < shape.numBase; ++c) {
      const int i = a * shape.numBase + c;
      reward += base[i];
      sum.base[i] += base[i];
      components[a * shape.numComponents() + c] = static_cast<float>(base[i]);
    }
    sum.returns[a] += reward;
    if (shape.numShaping > 0) reward += addShaping(env, lane, a, sum.shaping + a * shape.numShaping);
    out.rewards[index(env, shape.numAgents) + at(a)] = static_cast<float>(reward);
  }
}

double Batch::addShaping(int env, int lane, int agent, double* shapingSums) {
  float* components = out.components + index(env, shape.numAgents * shape.numComponents()) +
                      agent * shape.numComponents() + shape.numBase;
  double total = 0.0;
  for (int c = 0; c < shape.numShaping; ++c) {
    const double given = machine.given(c, agent)[at(lane)];
    const double limit = config.program.components[at(c)].episodeLimit;
    const double before = shapingSums[c];
    shapingSums[c] = std::clamp(before + given * weights[at(c)], -limit, limit);
    total += shapingSums[c] - before;
    components[c] = static_cast<float>(given);
  }
  return total;
}

void Batch::finish(int env, int lane) {
  const bool isTrapped = laneTraps.reason[at(lane)] != TrapReason::kNone;
  const bool isTerminated = isGoalReached[at(lane)] && !isTrapped;
  const bool isTruncated = isTrapped || (!isTerminated && steps[at(env)] >= scenario.manifest().episodeLength);
  out.terminated[env] = isTerminated ? 1 : 0;
  out.truncated[env] = isTruncated ? 1 : 0;
  if (isTrapped && traps.size() < kMaxTrapRecords) {
    traps.push_back(
        {laneTraps.declaration[at(lane)], env, episodes[at(env)], steps[at(env)], laneTraps.reason[at(lane)]});
  }
  if (isTerminated || isTruncated) {
    recordEpisode(env);
    episodes[at(env)] += static_cast<std::uint64_t>(shape.numEnvs);
    beginEpisode(env);
  }
  writeOutputs(env);
}

void Batch::recordEpisode(int env) {
  float* obs = out.finalObs + index(env, shape.numAgents * shape.obsDim);
  scenario.writeObs(state(env), obs);
  scenario.writeState(state(env), obs, out.finalState + index(env, shape.stateDim));
  scenario.writeAvailActions(state(env), out.finalAvailActions + index(env, shape.numAgents * shape.numActions));
  out.endedEpisode[env] = static_cast<double>(episodes[at(env)]);
  out.episodeLength[env] = steps[at(env)];
  const EpisodeSums sum = episodeSums(env);
  double* components = out.episodeComponents + index(env, shape.numAgents * shape.numComponents());
  for (int a = 0; a < shape.numAgents; ++a) {
    out.episodeReturn[index(env, shape.numAgents) + at(a)] = sum.returns[a];
    double* row = components + a * shape.numComponents();
    std::copy_n(sum.base + a * shape.numBase, shape.numBase, row);
    std::copy_n(sum.shaping + a * shape.numShaping, shape.numShaping, row + shape.numBase);
  }
  scenario.writeMetrics(state(env), steps[at(env)],
                        out.episodeMetrics + index(env, shape.numAgents * shape.numMetrics));
}

}  // namespace gymwright
