#pragma once

#include <vector>

#include "vm/machine.hpp"

namespace gymwright {

/// What a program keeps of each copy from step to step, as f64 words in this order: sums of shaping [Cs,A], lasting
/// bases, memory, weighted potentials [Cp,A], samples (value, count). Stored as lanes, block after block.
class ProgramWords {
 public:
  ProgramWords(const Program& program, const Scenario& scenario, int numEnvs);

  int size() const { return size_; }
  double& at(int env, int word) { return block(env)[word].values[env % kLanes]; }
  double at(int env, int word) const {
    return lanes_[static_cast<std::size_t>(env / kLanes * size_ + word)].values[env % kLanes];
  }
  /// The words of the block that a copy is in.
  Lanes* block(int env) {
    return lanes_.data() + static_cast<std::size_t>(env / kLanes) * static_cast<std::size_t>(size_);
  }

  int shapingWord(int component, int agent) const { return component * numAgents_ + agent; }
  /// `potential` counts the components that are potentials.
  int potentialWord(int potential, int agent) const { return firstPotential_ + potential * numAgents_ + agent; }
  int memoryWord(int word) const { return firstMemory_ + word; }

  /// Lasting bases and memory mean the same under every program that knows them: of each such word, in their order
  /// from `firstShared` on, what it is known by. Whole numbers that doubles hold exactly; -1: nothing.
  int firstShared() const { return firstLasting_; }
  const std::vector<double>& sharedKeys() const { return sharedKeys_; }

  /// Value of a program metric for an agent over the episode so far; NaN without a sample.
  double metric(int env, int metric, int agent) const;

  /// What a copy holds when an episode begins.
  void begin(int env);
  /// Brings a block into the machine, and back after a step.
  void load(int firstEnv, Machine& machine);
  void store(int firstEnv, Machine& machine);

 private:
  void nameShared();

  const Program& program_;
  int numAgents_;
  int firstLasting_;
  int firstMemory_;
  int firstPotential_;
  int firstSample_;
  int size_;
  std::vector<double> lastingBases_;
  std::vector<double> sharedKeys_;
  std::vector<Lanes> lanes_;  ///< [blocks, size]
};

}  // namespace gymwright
