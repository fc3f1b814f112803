#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gymwright/frame.hpp"
#include "gymwright/program.hpp"
#include "gymwright/result.hpp"
#include "gymwright/scenario.hpp"

namespace gymwright {

/// Who plays a group, besides its scripted policies 0, 1, ...
inline constexpr int kPlayedByCaller = -1;
inline constexpr int kPlayedByNpc = -2;  ///< the program's BEHAVEs; it must have some for every agent of the group

/// Shaping components that together stay within bounds.
struct JointLimit {
  std::vector<int> components;  ///< indices into the program's, none of them a potential; empty: no such bound
  double limit = 0.0;           ///< of |sum over the episode and all of them| per agent, in reward units
};

/// What fixes a batch. Copy e plays episodes firstEpisode+e, firstEpisode+e+numEnvs, ... of the stream `seed`.
struct VecEnvConfig {
  std::shared_ptr<const Scenario> scenario;
  Program program;
  std::vector<int>
      scripted;  ///< per group: index of the scripted policy that plays it, kPlayedByCaller or kPlayedByNpc
  int numEnvs = 1;
  std::uint64_t seed = 0;
  std::uint64_t firstEpisode = 0;
  bool isContinuous = false;
  double gamma = 0.99;  ///< discount of potentials, in 0..1
  std::vector<double> shapingWeights = {};  ///< [shaping components] at the start; empty: 1 each
  JointLimit jointLimit = {};
  bool truncationEnds = false;  ///< potentials are 0 where an episode is truncated, as where it terminates
};

/// Outputs, owned by the caller, who keeps them alive and in place as long as the VecEnv lives.
/// Shape: E copies, A agents, O widest observation, S state, N widest action set, C components (base, then shaping),
/// M metrics. src/shared/rl/vec-env.ts describes each.
struct Buffers {
  float* obs;                       ///< [E,A,O]
  float* state;                     ///< [E,S]
  std::uint8_t* availActions;       ///< [E,A,N]
  std::uint8_t* active;             ///< [E,A]
  float* rewards;                   ///< [E,A]
  float* components;                ///< [E,A,C]
  std::uint8_t* terminated;         ///< [E]
  std::uint8_t* truncated;          ///< [E]
  float* finalObs;                  ///< [E,A,O]
  float* finalState;                ///< [E,S]
  std::uint8_t* finalAvailActions;  ///< [E,A,N]
  std::uint8_t* finalActive;        ///< [E,A]
  double* endedEpisode;             ///< [E]
  std::int32_t* episodeLength;      ///< [E]
  double* episodeReturn;            ///< [E,A]
  double* episodeComponents;        ///< [E,A,C]
  double* episodeMetrics;           ///< [E,A,M] the manifest's, then the program's; NaN = no value
  std::int32_t* regimes;            ///< [E]
};

enum class TrapReason : std::uint8_t { kNone, kNonfinite, kDivision, kDomain };

/// One copy whose program met an undefined value where it mattered.
struct TrapRecord {
  int declaration;
  int env;
  std::uint64_t episode;
  std::int32_t step;
  TrapReason reason;
};

/// At most so many records are kept between two calls of takeTraps; later ones are dropped.
inline constexpr std::size_t kMaxTrapRecords = 1024;

struct Batch;

/// Steps E copies of one environment in one call, with auto-reset. One thread at a time may use a VecEnv; several may
/// each use one of their own at once, also of the same scenario and program, and come to the same states as one thread
/// would: share copies out over batches, by firstEpisode. Allocates nothing after construction except in snapshot,
/// restore and what begins with take.
class VecEnv {
 public:
  /// Requires: config.scripted has one entry per group, buffers are complete. Call reset before step.
  VecEnv(VecEnvConfig config, const Buffers& buffers);
  ~VecEnv();
  VecEnv(const VecEnv&) = delete;
  VecEnv& operator=(const VecEnv&) = delete;

  /// Starts every copy at its first episode of the stream and fills obs, state, availActions and active.
  void reset(std::uint64_t seed, std::uint64_t firstEpisode);

  /// Index into actions [E,A] of the first one that is no action of its agent; none if all are. Scripted rows are not
  /// looked at.
  std::optional<std::size_t> findBadAction(const std::int32_t* actions) const;
  /// The same for continuous actions [E,A,K]: the first that is not a number.
  std::optional<std::size_t> findBadAction(const float* actions) const;

  /// Requires: findBadAction(actions) finds none.
  /// Cost: no allocation; blocks of kLanes copies pass through rules, physics, rewards and outputs in turn.
  void stepBatch(const std::int32_t* actions);
  void stepBatch(const float* actions);

  /// Steps of the whole training run so far; the weight of decaying components follows it.
  void setTrainingSteps(double steps);
  /// What the shaping components weigh from the coming step on, beside their decay. A potential's difference takes its
  /// first part by the weight that held when that was taken.
  /// Shape: weights [shaping components], finite.
  void setShapingWeights(const double* weights);

  /// The scenario's states, from which Playback computes again what was seen and paid: the present ones, which `obs`
  /// shows; or, in the rows of the copies that ended in the step just taken, the last ones of their episodes.
  /// Shape: out [E,W] with W of Scenario::stateWords.
  void copyStates(double* out) const;
  void copyFinalStates(double* out) const;

  /// Whole state of one copy: stream, episode, step, scenario state, episode sums, what the program keeps (memory,
  /// lasting bases, weighted potentials, samples). Independent of E.
  std::vector<std::uint8_t> snapshot(int env) const;
  /// Continues `env` from a snapshot and refreshes its obs, state, availActions, active and regimes rows. Where the snapshot
  /// was taken under another program, memory and lasting bases that both know stay, the rest of what a program keeps
  /// begins as in a new episode, and potentials are valued anew.
  /// Throws: never; returns sim.badSnapshot for foreign, damaged or differently shaped bytes, and changes nothing then.
  std::optional<Failure> restore(int env, const std::uint8_t* bytes, std::size_t size);

  /// The program's metrics at the present state, with base attributes. Shape: out [E,A,Q], NaN where there is no
  /// sample.
  void probe(double* out);

  /// What a copy looks like now, for drawing. What rules and regimes make of attributes shows as far as the scenario
  /// keeps it in its state; nothing of the copy changes. Allocates.
  /// Throws: never; returns sim.badFrame where the scenario tells of what cannot be drawn, such as a place that is no
  /// number.
  Result<Frame> frame(int env, const FrameDetail& detail = {}) const;
  /// The same at the end of the episode that ended in the step just taken. Requires: hasEnded(env).
  Result<Frame> finalFrame(int env, const FrameDetail& detail = {}) const;
  /// Whether the episode of a copy ended in the step just taken.
  bool hasEnded(int env) const;

  /// Makes a manifest event happen to a copy now, as a declaration of that key would at the start of the coming step,
  /// and refreshes its obs, state, availActions and active rows.
  /// Requires: the event exists; amount and entity are as Scenario::trigger wants them.
  void trigger(int env, int event, double amount, int entity, std::uint32_t key);

  /// Sum over copies of a hash of each copy's state: independent of their order, additive over batches.
  std::uint64_t stateHash() const;

  /// Lanes in which each declaration fired since the last call. Shape: [declarations]
  std::vector<double> takeFireCounts();
  /// From now on the time that each declaration takes is kept, which itself takes some.
  void startProfile();
  /// Nanoseconds spent on each declaration's own instructions since the last call; what declarations share is in none.
  /// Shape: [declarations], empty before startProfile.
  std::vector<double> takeProfile();
  /// Traps since the last call.
  std::vector<TrapRecord> takeTraps();

  const Scenario& scenario() const;
  const Program& program() const;
  int numEnvs() const;
  bool isContinuous() const;

 private:
  std::unique_ptr<Batch> batch_;
};

}  // namespace gymwright
