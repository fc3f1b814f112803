#include "gymwright/vec_env.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "sim/batch.hpp"

namespace gymwright {

VecEnv::VecEnv(VecEnvConfig config, const Buffers& buffers)
    : batch_(std::make_unique<Batch>(std::move(config), buffers)) {
  reset(batch_->config.seed, batch_->config.firstEpisode);
}

VecEnv::~VecEnv() = default;

const Scenario& VecEnv::scenario() const { return batch_->scenario; }
const Program& VecEnv::program() const { return batch_->config.program; }
int VecEnv::numEnvs() const { return batch_->shape.numEnvs; }
bool VecEnv::isContinuous() const { return batch_->config.isContinuous; }

void VecEnv::reset(std::uint64_t seed, std::uint64_t firstEpisode) {
  Batch& b = *batch_;
  for (int e = 0; e < b.shape.numEnvs; ++e) {
    b.seeds[Batch::at(e)] = seed;
    b.episodes[Batch::at(e)] = firstEpisode + static_cast<std::uint64_t>(e);
    b.beginEpisode(e);
    b.out.regimes[e] = b.regimeOf(e);
  }
  b.showBeginnings();
}

namespace {

/// Calls visit(index into [E,A], group) for the agents that the caller plays; stops where it returns true.
template <typename F>
std::optional<std::size_t> findAgent(const Batch& b, F visit) {
  const Manifest& manifest = b.scenario.manifest();
  for (std::size_t e = 0; e < Batch::at(b.shape.numEnvs); ++e) {
    for (std::size_t g = 0; g < manifest.groups.size(); ++g) {
      if (b.config.scripted[g] != kPlayedByCaller) continue;
      const Group& group = manifest.groups[g];
      const std::size_t first = e * Batch::at(b.shape.numAgents) + Batch::at(group.firstAgent);
      for (std::size_t i = first; i < first + group.agents.size(); ++i) {
        if (visit(i, group)) return i;
      }
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::size_t> VecEnv::findBadAction(const std::int32_t* actions) const {
  return findAgent(*batch_, [actions](std::size_t i, const Group& group) {
    return static_cast<std::uint32_t>(actions[i]) >= static_cast<std::uint32_t>(group.numActions);
  });
}

std::optional<std::size_t> VecEnv::findBadAction(const float* actions) const {
  const std::size_t width = Batch::at(batch_->scenario.manifest().continuousDim);
  std::size_t bad = 0;
  const auto agent = findAgent(*batch_, [&](std::size_t i, const Group&) {
    for (bad = i * width; bad < (i + 1) * width; ++bad) {
      if (std::isnan(actions[bad])) return true;
    }
    return false;
  });
  if (!agent) return std::nullopt;
  return bad;
}

void VecEnv::stepBatch(const std::int32_t* actions) {
  Batch& b = *batch_;
  b.forEachBlock([&b, actions](int first, int count) { b.stepBlock(first, count, {actions, nullptr}); });
}

void VecEnv::stepBatch(const float* actions) {
  Batch& b = *batch_;
  b.forEachBlock([&b, actions](int first, int count) { b.stepBlock(first, count, {nullptr, actions}); });
}

void VecEnv::setTrainingSteps(double steps) { batch_->setTrainingSteps(steps); }
void VecEnv::setShapingWeights(const double* weights) { batch_->setShapingWeights(weights); }

void VecEnv::copyStates(double* out) const { std::copy(batch_->states.begin(), batch_->states.end(), out); }

void VecEnv::copyFinalStates(double* out) const {
  const Batch& b = *batch_;
  for (int e = 0; e < b.shape.numEnvs; ++e) {
    if (b.out.terminated[e] == 0 && b.out.truncated[e] == 0) continue;
    const std::size_t row = Batch::index(e, b.shape.stateWords);
    std::copy_n(b.finalStates.data() + row, b.shape.stateWords, out + row);
  }
}

void VecEnv::probe(double* out) {
  Batch& b = *batch_;
  const std::size_t width = Batch::at(b.shape.numAgents) * b.config.program.metrics.size();
  b.forEachBlock([&](int first, int count) { b.probeBlock(first, count, out + Batch::at(first) * width); });
}

void VecEnv::trigger(int env, int event, double amount, int entity, std::uint32_t key) {
  Batch& b = *batch_;
  b.scenario.trigger(event, amount, entity, key, b.rng(env), b.steps[Batch::at(env)], b.state(env));
  b.writeOutputs(env, 1);
}

std::uint64_t VecEnv::stateHash() const {
  const Batch& b = *batch_;
  std::uint64_t total = 0;
  for (int e = 0; e < b.shape.numEnvs; ++e) {
    std::uint64_t hash = mix64(b.seeds[Batch::at(e)] + 1);
    const auto absorb = [&hash](std::uint64_t word) { hash = mix64(hash ^ word) + 0x9E3779B97F4A7C15u; };
    absorb(b.episodes[Batch::at(e)]);
    absorb(static_cast<std::uint64_t>(b.steps[Batch::at(e)]));
    for (int i = 0; i < b.shape.stateWords; ++i) absorb(std::bit_cast<std::uint64_t>(b.state(e)[i]));
    for (int i = 0; i < b.shape.sumWords; ++i) absorb(std::bit_cast<std::uint64_t>(b.sumRow(e)[i]));
    for (int i = 0; i < b.words.size(); ++i) absorb(std::bit_cast<std::uint64_t>(b.words.at(e, i)));
    total += hash;
  }
  return total;
}

std::vector<double> VecEnv::takeFireCounts() { return batch_->machine.takeFireCounts(); }

void VecEnv::startProfile() { batch_->machine.startProfile(); }

std::vector<double> VecEnv::takeProfile() { return batch_->machine.takeProfile(); }

std::vector<TrapRecord> VecEnv::takeTraps() {
  std::vector<TrapRecord> taken = batch_->traps;
  batch_->traps.clear();
  return taken;
}

}  // namespace gymwright
