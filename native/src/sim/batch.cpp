#include "sim/batch.hpp"

#include <algorithm>
#include <cmath>
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
  shape.controlWords = config.scenario->controlWords();
  shape.numBase = static_cast<int>(m.components.size());
  shape.numShaping = static_cast<int>(config.program.components.size());
  shape.numBaseMetrics = static_cast<int>(m.metrics.size());
  shape.numMetrics = shape.numBaseMetrics + static_cast<int>(config.program.metrics.size());
  shape.stateWords = config.scenario->stateWords();
  shape.sumWords = m.numAgents * (1 + shape.numBase);
  return shape;
}

}  // namespace

Batch::Batch(VecEnvConfig given, const Buffers& buffers)
    : config(std::move(given)),
      scenario(*config.scenario),
      shape(shapeOf(config)),
      out(buffers),
      machine(config.program, scenario),
      words(config.program, scenario, config.numEnvs) {
  seeds.assign(at(shape.numEnvs), config.seed);
  episodes.assign(at(shape.numEnvs), 0);
  steps.assign(at(shape.numEnvs), 0);
  states.assign(index(shape.numEnvs, shape.stateWords), 0.0);
  finalStates = states;
  sums.assign(index(shape.numEnvs, shape.sumWords), 0.0);
  shapingWeights_ = config.shapingWeights;
  shapingWeights_.resize(at(shape.numShaping), 1.0);
  weights = shapingWeights_;
  jointMember_.assign(at(shape.numShaping), -1);
  const std::vector<int>& members = config.jointLimit.components;
  for (std::size_t m = 0; m < members.size(); ++m) jointMember_[at(members[m])] = static_cast<int>(m);
  jointGains_.resize(members.size() * at(shape.numAgents));
  traps.reserve(kMaxTrapRecords);
  controls_.assign(index(kLanes, shape.numAgents * shape.controlWords), 0.0);
  blockComponents_.assign(index(kLanes, shape.numAgents * shape.numBase), 0.0);
  baseRewards_.assign(index(kLanes, shape.numAgents), 0.0);
  totals_.resize(at(shape.numAgents));
  differences_.resize(index(shape.numShaping, shape.numAgents));
  scriptedActions_.assign(at(shape.numAgents), 0);
}

void Batch::beginEpisode(int env) {
  clearEpisode(env);
  scenario.reset(state(env), rng(env));
}

void Batch::clearEpisode(int env) {
  steps[at(env)] = 0;
  std::fill_n(sumRow(env), shape.sumWords, 0.0);
  words.begin(env);
}

void Batch::showBeginnings() {
  writeOutputs(0, shape.numEnvs);
  isNew_.fill(true);
  forEachBlock([this](int first, int count) { valuePotentials(first, count, isNew_.data()); });
}

void Batch::setTrainingSteps(double numSteps) {
  trainingSteps_ = numSteps;
  weigh();
}

void Batch::setShapingWeights(const double* given) {
  std::copy_n(given, shape.numShaping, shapingWeights_.begin());
  weigh();
}

void Batch::weigh() {
  const auto& components = config.program.components;
  for (std::size_t c = 0; c < components.size(); ++c) {
    const double halfLife = components[c].halfLifeSteps;
    weights[c] = halfLife == 0.0 ? shapingWeights_[c] : shapingWeights_[c] * std::exp2(-trainingSteps_ / halfLife);
  }
}

/// A few copies at a time: a state copied out of an obs right after that was written would wait for the writes, and the
/// states of too many would have left the cache in between.
void Batch::writeOutputs(int first, int count) {
  constexpr int kAtATime = 8;
  const auto obs = [this](int env) { return out.obs + index(env, shape.numAgents * shape.obsDim); };
  for (int start = first; start < first + count; start += kAtATime) {
    const int end = std::min(start + kAtATime, first + count);
    for (int e = start; e < end; ++e) scenario.writeObs(state(e), obs(e));
    for (int e = start; e < end; ++e) {
      scenario.writeState(state(e), obs(e), out.state + index(e, shape.stateDim));
      scenario.writeAvailActions(state(e), out.availActions + index(e, shape.numAgents * shape.numActions));
      scenario.writeActive(state(e), out.active + index(e, shape.numAgents));
    }
  }
}

std::int32_t Batch::regimeOf(int env) const {
  if (config.program.regimeWord < 0) return -1;
  const double regime = words.at(env, words.memoryWord(config.program.regimeWord));
  return regime >= 0.0 && regime < config.program.numRegimes ? static_cast<std::int32_t>(regime) : -1;
}

LaneView Batch::view(int first, int count) const {
  return {state(first), at(shape.stateWords), &steps[at(first)], &seeds[at(first)], &episodes[at(first)], count};
}

void Batch::prepare(int first, int count) {
  laneTraps_.clear();
  words.load(first, machine);
  if (machine.has(Section::kControl)) {
    machine.runControl(view(first, count), laneTraps_);
    triggerEvents(first);
  }
  if (machine.decides()) machine.runDecisions(view(first, count), laneTraps_);
}

void Batch::judge(int first, int count) {
  if (machine.judges()) machine.runOutcome(view(first, count), laneTraps_, isPlayOver_.data());
  words.store(first, machine);
  accumulateBase(first, count);
  if (shape.numShaping > 0) accumulateShaping(first, count);
  writeRewards(first, count);
}

void Batch::stepBlock(int first, int count, const Actions& actions) {
  prepare(first, count);
  attributeRows_ = machine.effectiveRows();
  decideControls(first, count, actions);
  advance(first, count);
  judge(first, count);
  bool isAnyNew = false;
  for (int l = 0; l < count; ++l) {
    isNew_[at(l)] = finish(first + l, l);
    isAnyNew |= isNew_[at(l)];
  }
  writeOutputs(first, count);
  if (isAnyNew) valuePotentials(first, count, isNew_.data());
}

void Batch::triggerEvents(int first) {
  for (const PendingEvent& event : machine.pendingEvents()) {
    if (laneTraps_.has(event.lane)) continue;
    const int env = first + event.lane;
    scenario.trigger(event.event, event.amount, event.entity, event.key, rng(env), steps[at(env)], state(env));
  }
}

void Batch::advance(int first, int count) {
  for (int l = 0; l < count; ++l) {
    isGoalReached_[at(l)] = scenario.advance(state(first + l), row(l), controls(l, 0),
                                             blockComponents_.data() + index(l, shape.numAgents * shape.numBase));
    ++steps[at(first + l)];
    const bool isCut = config.truncationEnds && steps[at(first + l)] >= scenario.manifest().episodeLength;
    isPlayOver_[at(l)] = isGoalReached_[at(l)] || isCut;
  }
}

bool Batch::finish(int env, int lane) {
  const bool isTrapped = laneTraps_.has(lane);
  const bool isTerminated = isGoalReached_[at(lane)] && !isTrapped;
  const bool isTruncated = isTrapped || (!isTerminated && steps[at(env)] >= scenario.manifest().episodeLength);
  out.terminated[env] = isTerminated ? 1 : 0;
  out.truncated[env] = isTruncated ? 1 : 0;
  out.regimes[env] = regimeOf(env);
  if (isTrapped) recordTrap(env, lane);
  if (isTerminated || isTruncated) {
    recordEpisode(env);
    episodes[at(env)] += static_cast<std::uint64_t>(shape.numEnvs);
    beginEpisode(env);
  }
  return isTerminated || isTruncated;
}

void Batch::recordTrap(int env, int lane) {
  if (traps.size() >= kMaxTrapRecords) return;
  traps.push_back(
      {laneTraps_.declaration[at(lane)], env, episodes[at(env)], steps[at(env)], laneTraps_.reason[at(lane)]});
}

void Batch::valuePotentials(int first, int count, const bool* isNew) {
  if (!machine.has(Section::kPotentials)) return;
  laneTraps_.clear();
  words.load(first, machine);
  machine.runAlone(Section::kPotentials, view(first, count), laneTraps_);
  Lanes* block = words.block(first);
  int potential = 0;
  for (int c = 0; c < shape.numShaping; ++c) {
    if (!config.program.components[at(c)].isPotential) continue;
    for (int a = 0; a < shape.numAgents; ++a) {
      const Lanes& values = machine.potential(c, a);
      Lanes& kept = block[words.potentialWord(potential, a)];
      for (int l = 0; l < count; ++l) {
        if (isNew[l]) kept.values[l] = laneTraps_.has(l) ? 0.0 : weights[at(c)] * values.values[l];
      }
    }
    ++potential;
  }
  for (int l = 0; l < count; ++l) {
    if (isNew[l] && laneTraps_.has(l)) recordTrap(first + l, l);
  }
}

}  // namespace gymwright
