#include "sim/program_words.hpp"

#include <algorithm>

namespace gymwright {

ProgramWords::ProgramWords(const Program& program, const Scenario& scenario, int numEnvs)
    : program_(program), numAgents_(scenario.manifest().numAgents) {
  const auto count = [](const auto& list) { return static_cast<int>(list.size()); };
  const auto potentials = std::count_if(program.components.begin(), program.components.end(),
                                        [](const ShapingComponent& component) { return component.isPotential; });
  int samples = 0;
  for (const ProgramMetric& metric : program.metrics) samples += metric.isPerAgent ? numAgents_ : 1;
  firstLasting_ = count(program.components) * numAgents_;
  firstMemory_ = firstLasting_ + count(program.lastingSlots);
  firstPotential_ = firstMemory_ + count(program.memory);
  firstSample_ = firstPotential_ + static_cast<int>(potentials) * numAgents_;
  size_ = firstSample_ + 2 * samples;
  for (const EffectSlot slot : program.lastingSlots)
    lastingBases_.push_back(scenario.baseAttributes()[scenario.attributeWord(slot.attribute, slot.entity)]);
  nameShared();
  const int numBlocks = (numEnvs + kLanes - 1) / kLanes;
  lanes_.resize(static_cast<std::size_t>(numBlocks) * static_cast<std::size_t>(size_));
  for (int env = 0; env < numBlocks * kLanes; ++env) begin(env);
}

void ProgramWords::nameShared() {
  constexpr double kLasting = 4294967296.0;  // beyond every key of a memory word
  for (const EffectSlot slot : program_.lastingSlots)
    sharedKeys_.push_back((1.0 + slot.attribute) * kLasting + slot.entity);
  for (std::size_t m = 0; m < program_.memory.size(); ++m)
    sharedKeys_.push_back(program_.memoryKeys.empty() ? -1.0 : static_cast<double>(program_.memoryKeys[m]));
}

void ProgramWords::begin(int env) {
  Lanes* words = block(env);
  const int lane = env % kLanes;
  for (int w = 0; w < size_; ++w) words[w].values[lane] = 0.0;
  for (std::size_t s = 0; s < lastingBases_.size(); ++s)
    words[static_cast<std::size_t>(firstLasting_) + s].values[lane] = lastingBases_[s];
  for (std::size_t m = 0; m < program_.memory.size(); ++m)
    words[static_cast<std::size_t>(firstMemory_) + m].values[lane] = program_.memory[m];
}

double ProgramWords::metric(int env, int metric, int agent) const {
  int sample = 0;
  for (int m = 0; m < metric; ++m) sample += program_.metrics[static_cast<std::size_t>(m)].isPerAgent ? numAgents_ : 1;
  const ProgramMetric& kind = program_.metrics[static_cast<std::size_t>(metric)];
  const int word = firstSample_ + 2 * (sample + (kind.isPerAgent ? agent : 0));
  return valueOf(kind.fold, at(env, word), at(env, word + 1));
}

void ProgramWords::load(int firstEnv, Machine& machine) {
  machine.beginBlock();
  const Lanes* words = block(firstEnv);
  for (int s = 0; s < firstMemory_ - firstLasting_; ++s) machine.lasting(s) = words[firstLasting_ + s];
  for (int m = 0; m < firstPotential_ - firstMemory_; ++m) machine.memoryBefore(m) = words[firstMemory_ + m];
  int next = firstSample_;
  for (SampleLanes& sample : machine.samples()) {
    sample.value = words[next++];
    sample.count = words[next++];
  }
}

void ProgramWords::store(int firstEnv, Machine& machine) {
  Lanes* words = block(firstEnv);
  for (int s = 0; s < firstMemory_ - firstLasting_; ++s) words[firstLasting_ + s] = machine.next(s);
  for (int m = 0; m < firstPotential_ - firstMemory_; ++m) words[firstMemory_ + m] = machine.memoryAfter(m);
  int next = firstSample_;
  for (const SampleLanes& sample : machine.samples()) {
    words[next++] = sample.value;
    words[next++] = sample.count;
  }
}

}  // namespace gymwright
