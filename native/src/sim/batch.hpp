#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "gymwright/vec_env.hpp"
#include "vm/machine.hpp"

namespace gymwright {

/// Sizes of a batch, in the letters of the buffers.
struct BatchShape {
  int numEnvs;
  int numAgents;
  int obsDim;
  int stateDim;
  int numActions;
  int numBase;     ///< base components
  int numShaping;  ///< shaping components
  int numMetrics;
  int stateWords;
  int sumWords;

  int numComponents() const { return numBase + numShaping; }
};

/// Views into the sums of one copy's episode.
struct EpisodeSums {
  double* returns;  ///< [A] base reward
  double* base;     ///< [A,Cb]
  double* shaping;  ///< [A,Cs] as it entered the reward
};

/// What VecEnv hides: the copies, the machine and the scratch of one block.
struct Batch {
  Batch(VecEnvConfig config, const Buffers& buffers);

  double* state(int env) { return states.data() + index(env, shape.stateWords); }
  const double* state(int env) const { return states.data() + index(env, shape.stateWords); }
  double* sumRow(int env) { return sums.data() + index(env, shape.sumWords); }
  const double* sumRow(int env) const { return sums.data() + index(env, shape.sumWords); }
  EpisodeSums episodeSums(int env);
  EpisodeRng rng(int env) const { return EpisodeRng(seeds[at(env)], episodes[at(env)]); }

  /// Starts a copy's current episode: draws its state and clears its sums.
  void beginEpisode(int env);
  /// Writes obs, state and availActions rows of a copy.
  void writeOutputs(int env);
  /// Steps the copies first..first+count-1, count <= kLanes; their controls are in `controls`.
  void stepBlock(int first, int count);

  static std::size_t at(int i) { return static_cast<std::size_t>(i); }
  static std::size_t index(int row, int width) { return at(row) * at(width); }

  VecEnvConfig config;
  const Scenario& scenario;
  BatchShape shape;
  Buffers out;
  Machine machine;

  std::vector<std::uint64_t> seeds;
  std::vector<std::uint64_t> episodes;
  std::vector<std::int32_t> steps;
  std::vector<double> states;   ///< [E, stateWords]
  std::vector<double> sums;     ///< [E, sumWords]
  std::vector<double> weights;  ///< [Cs] of shaping at the present number of training steps

  std::vector<double> controls;               ///< [kLanes,A,2]
  std::vector<double> attributes;             ///< [kLanes, attributeWords]
  std::vector<double> blockComponents;        ///< [kLanes,A,Cb]
  std::vector<std::int32_t> scriptedActions;  ///< [A]
  std::array<bool, kLanes> isGoalReached{};
  LaneTraps laneTraps{};
  std::vector<TrapRecord> traps;

 private:
  LaneView view(int first, int count) const;
  void resetAttributes(int count);
  void accumulate(int env, int lane);
  double addShaping(int env, int lane, int agent, double* sums);
  void finish(int env, int lane);
  void recordEpisode(int env);
};

}  // namespace gymwright
