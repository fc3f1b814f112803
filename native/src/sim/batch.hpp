#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "gymwright/playback.hpp"
#include "gymwright/vec_env.hpp"
#include "sim/program_words.hpp"
#include "vm/machine.hpp"

namespace gymwright {

/// Sizes of a batch, in the letters of the buffers.
struct BatchShape {
  int numEnvs;
  int numAgents;
  int obsDim;
  int stateDim;
  int numActions;
  int controlWords;    ///< of one agent
  int numBase;         ///< base components
  int numShaping;      ///< shaping components
  int numBaseMetrics;  ///< the manifest's
  int numMetrics;      ///< and the program's
  int stateWords;
  int sumWords;

  int numComponents() const { return numBase + numShaping; }
};

/// The caller's actions of one step; one of the two is there.
struct Actions {
  const std::int32_t* discrete;  ///< [E,A]
  const float* continuous;       ///< [E,A,K]
};

/// What VecEnv and Playback hide: the copies, the machine and the scratch of one block.
struct Batch {
  Batch(VecEnvConfig config, const Buffers& buffers);

  double* state(int env) { return states.data() + index(env, shape.stateWords); }
  const double* state(int env) const { return states.data() + index(env, shape.stateWords); }
  /// Sums over the episode: base return [A], base components [A,Cb].
  double* sumRow(int env) { return sums.data() + index(env, shape.sumWords); }
  const double* sumRow(int env) const { return sums.data() + index(env, shape.sumWords); }
  EpisodeRng rng(int env) const { return EpisodeRng(seeds[at(env)], episodes[at(env)]); }

  /// Calls visit(first copy, number of copies) for each block.
  template <typename F>
  void forEachBlock(F visit) {
    for (int first = 0; first < shape.numEnvs; first += kLanes) visit(first, std::min(kLanes, shape.numEnvs - first));
  }

  /// Starts a copy's current episode: draws its state, clears its sums and what the program keeps of it.
  void beginEpisode(int env);
  /// The same without a state.
  void clearEpisode(int env);
  /// Outputs and potentials of copies that all stand at the beginning of an episode.
  void showBeginnings();
  /// Writes obs, state, availActions and active rows of copies.
  void writeOutputs(int first, int count);
  /// Regime that a copy is in by its memory, or -1.
  std::int32_t regimeOf(int env) const;
  /// Steps the copies first..first+count-1, count <= kLanes, the first of them at the start of a block.
  void stepBlock(int first, int count, const Actions& actions);
  /// The same over a record: copies come to the states and base components that it holds, without a next episode.
  /// Shape: isOver [E]; such copies stay where they are.
  void playBlock(int first, int count, const RecordedStep& record, const std::uint8_t* isOver);
  /// Values the potentials of copies that have just begun or been restored, where isNew.
  void valuePotentials(int first, int count, const bool* isNew);
  /// Steps of the whole training run so far; the weight of decaying components follows it.
  void setTrainingSteps(double numSteps);
  /// Shape: given [Cs].
  void setShapingWeights(const double* given);
  /// The program's metrics at the present state. Shape: out [count,A,Q].
  void probeBlock(int first, int count, double* out);

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
  std::vector<double> states;       ///< [E, stateWords]
  std::vector<double> finalStates;  ///< [E, stateWords] of the copies that ended in this step
  std::vector<double> sums;         ///< [E, sumWords]
  ProgramWords words;               ///< [E, words.size()]
  std::vector<double> weights;      ///< [Cs] of shaping: as set, times decay at the present number of training steps
  std::vector<TrapRecord> traps;

 private:
  LaneView view(int first, int count) const;
  /// Effective attributes of the step.
  const double* row(int lane) const { return attributeRows_ + index(lane, scenario.attributeWords()); }
  double* controls(int lane, int agent) {
    return controls_.data() + (index(lane, shape.numAgents) + at(agent)) * at(shape.controlWords);
  }
  /// What the program does before anything moves.
  void prepare(int first, int count);
  /// What the step is worth, by the state it led to.
  void judge(int first, int count);
  void triggerEvents(int first);
  void decideControls(int first, int count, const Actions& actions);
  void decodeGroup(const Group& group, int first, int count, const Actions& actions);
  void playGroup(std::size_t group, int env, int lane);
  std::int32_t behave(int agent, int env, int lane);
  void advance(int first, int count);
  void replay(int first, int count, const RecordedStep& record, const std::uint8_t* isOver);
  void accumulateBase(int first, int count);
  void accumulateShaping(int first, int count);
  void addPotential(int component, int potential, int agent, int first, int count);
  void holdTogether(int first, int count);
  void weigh();
  void writeRewards(int first, int count);
  bool finish(int env, int lane);
  void recordEpisode(int env);
  void recordMetrics(int env);
  void recordTrap(int env, int lane);

  std::vector<double> controls_;               ///< [kLanes,A,K]
  std::vector<double> blockComponents_;        ///< [kLanes,A,Cb]
  std::vector<double> baseRewards_;            ///< [kLanes,A]
  std::vector<Lanes> totals_;                  ///< [A] shaping as it enters the reward
  std::vector<Lanes> differences_;             ///< [Cs,A] of potentials
  std::vector<double> shapingWeights_;         ///< [Cs] as set
  double trainingSteps_ = 0.0;
  std::vector<int> jointMember_;   ///< [Cs] place among the components that are bounded together, or -1
  std::vector<Lanes> jointGains_;  ///< [members,A] what the step adds to their sums
  std::vector<std::int32_t> scriptedActions_;  ///< [A]
  const double* attributeRows_ = nullptr;      ///< [kLanes, attributeWords] effective ones of the step
  std::array<bool, kLanes> isGoalReached_{};
  std::array<bool, kLanes> isPlayOver_{};      ///< nothing is expected of the episode any more: its potentials are 0
  std::array<bool, kLanes> isNew_{};
  LaneTraps laneTraps_{};
};

}  // namespace gymwright
