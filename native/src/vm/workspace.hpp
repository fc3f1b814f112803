#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "gymwright/program.hpp"
#include "gymwright/scenario.hpp"
#include "vm/attribute_lanes.hpp"
#include "vm/inputs.hpp"
#include "vm/kernels.hpp"
#include "vm/lanes.hpp"

namespace gymwright {

/// One memory word: as a step finds it, what control stores, and as the sections after control see it.
struct MemoryLanes {
  Lanes before;
  Lanes stored;  ///< followed by isStored, as setWhere wants it
  Lanes isStored;
  Lanes after;
  bool isWritten = false;  ///< some STORE writes it
};

/// Samples of one metric of one agent so far.
struct SampleLanes {
  Lanes value;  ///< followed by the count, as the sample kernels want it
  Lanes count;
};

/// Value of a metric from what its samples came to; NaN without one.
inline double valueOf(MetricFold fold, double value, double count) {
  if (count == 0.0) return kUndefined;
  return fold == MetricFold::kMean ? value / count : value;
}

/// What npc declarations decided for one agent: the first behaviour that held in each lane.
struct Choice {
  std::array<std::int32_t, kLanes> behaviour;  ///< -1: none
  std::array<std::int32_t, kLanes> target;     ///< world entity, -1: nobody
};

/// An event that control asks for in one lane.
struct PendingEvent {
  int lane;
  int event;
  double amount;
  int entity;
  std::uint32_t key;
};

/// All lanes that a machine works on, at places that stay where they are, so that instructions can point to them.
struct Workspace {
  Workspace(const Program& program, const Scenario& scenario, const Kernels& kernels);

  Lanes& constant(double value);
  /// The value of lanes that hold a constant.
  std::optional<double> constantIn(const double* lanes) const;
  Lanes& give(int component, int agent) { return gives[index(component, agent)]; }
  Lanes& potential(int component, int agent) { return potentials[index(component, agent)]; }
  SampleLanes& sample(int metric, int agent) {
    return samples[static_cast<std::size_t>(firstSample[static_cast<std::size_t>(metric)] + agent)];
  }

  const Program& program;
  const Scenario& scenario;
  const Kernels& kernels;
  int numAgents;

  Inputs before;  ///< of the state a step starts from
  Inputs after;   ///< of the state it leads to
  AttributeLanes attributes;
  std::vector<Lanes> registers;  ///< of the program, then a spare one for each
  std::vector<MemoryLanes> memory;
  std::vector<Lanes> gives;           ///< [components, agents]
  std::vector<Lanes> potentials;      ///< [components, agents]
  std::vector<SampleLanes> samples;   ///< of the episode, by firstSample
  std::vector<int> firstSample;       ///< [metrics]
  std::vector<Choice> choices;        ///< [agents]
  std::vector<PendingEvent> pending;  ///< in program order, lane by lane within an instruction
  std::vector<double> fireCounts;     ///< [declarations]

 private:
  std::size_t index(int component, int agent) const { return static_cast<std::size_t>(component * numAgents + agent); }

  // References into the one, and so the keys of the other, stay as they grow.
  std::unordered_map<std::uint64_t, Lanes> constants_;  ///< by the bits of the value
  std::unordered_map<const double*, double> constantValues_;
};

}  // namespace gymwright
