#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "gymwright/frame.hpp"
#include "gymwright/result.hpp"
#include "gymwright/vec_env.hpp"

namespace gymwright {

/// Outputs of a Playback, owned by the caller, who keeps them alive and in place as long as it lives; letters as of
/// Buffers.
struct PlaybackBuffers {
  float* obs;                  ///< [E,A,O]
  float* state;                ///< [E,S]
  std::uint8_t* availActions;  ///< [E,A,N]
  std::uint8_t* active;        ///< [E,A]
  float* rewards;              ///< [E,A]
  float* components;           ///< [E,A,C]
};

/// Where recorded episodes begin.
struct RecordedStart {
  const double* states;        ///< [E,W] after the reset
  const std::uint64_t* seeds;  ///< [E] streams that they are of
  const double* episodes;      ///< [E] their indices in those streams
};

/// What is on record of one step of every copy.
struct RecordedStep {
  const double* next;         ///< [E,W] the states it led to
  const float* base;          ///< [E,A,Cb] base components, as the step told them
  const std::uint8_t* ended;  ///< [E] 0 the episode goes on, 1 it terminates, 2 it is truncated
};

/// Evaluates recorded episodes again, under a program that need not be the one they were recorded under. The program
/// runs as in a VecEnv, from the beginning of the episode, over the recorded states; only what moves the world is left
/// out. Under the same program, discounting, weights and number of training steps the outputs have the bits of the original ones, and
/// those of a last step the bits of the final ones.
///
/// An event of the program happens to the state that the rules of the same step look at, and leaves no other trace. What
/// is left of a copy whose episode is over means nothing until the next beginning, whatever it is fed.
/// Threads: as of VecEnv. Allocates nothing after construction, except to say what is wrong with a record.
class Playback {
 public:
  /// Requires: config.scripted has one entry per group, buffers are complete. No episode goes on before `begin`;
  /// seed, firstEpisode and isContinuous of the config do not matter.
  Playback(VecEnvConfig config, const PlaybackBuffers& buffers);
  ~Playback();
  Playback(const Playback&) = delete;
  Playback& operator=(const Playback&) = delete;

  /// Puts every copy at the beginning of an episode; fills obs, state, availActions and active.
  /// Throws: never; returns sim.badRecord for what is no state or no episode, and changes nothing then.
  std::optional<Failure> begin(const RecordedStart& start);

  /// One step of the copies whose episode goes on; fills all outputs.
  /// Throws: never; returns sim.badRecord for what is no state of the scenario or no finite component, and changes
  /// nothing then.
  std::optional<Failure> step(const RecordedStep& record);

  /// As of VecEnv.
  void setTrainingSteps(double steps);
  void setShapingWeights(const double* weights);

  /// What a copy looks like now; after the last step of its episode that is what VecEnv::finalFrame told of it. Throws: as
  /// of VecEnv::frame.
  Result<Frame> frame(int env, const FrameDetail& detail = {}) const;

  const Scenario& scenario() const;
  const Program& program() const;
  int numEnvs() const;

 private:
  std::optional<Failure> findFault(const RecordedStep& record) const;

  std::unique_ptr<Batch> batch_;
  std::vector<std::uint8_t> isOver_;  ///< [E]
};

}  // namespace gymwright
