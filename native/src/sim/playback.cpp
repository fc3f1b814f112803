#include "gymwright/playback.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "sim/batch.hpp"

namespace gymwright {
namespace {

constexpr double kMaxEpisode = 9007199254740992.0;  // 2^53

/// Nothing else of what a step writes is written by a playback.
Buffers allOf(const PlaybackBuffers& buffers) {
  Buffers all{};
  all.obs = buffers.obs;
  all.state = buffers.state;
  all.availActions = buffers.availActions;
  all.active = buffers.active;
  all.rewards = buffers.rewards;
  all.components = buffers.components;
  return all;
}

Failure badRecord(const std::string& reason) { return {"sim.badRecord", "a record cannot be played: " + reason}; }

template <typename T>
bool areFinite(const T* numbers, std::size_t count) {
  return std::all_of(numbers, numbers + count, [](T number) { return std::isfinite(number); });
}

/// Words of unknown origin may be anything.
std::optional<Failure> findFault(const Batch& b, int env, const double* state) {
  if (areFinite(state, Batch::at(b.shape.stateWords)) && b.scenario.isValidState(state)) return std::nullopt;
  return badRecord("the state of copy " + std::to_string(env) + " is not one of " + b.scenario.manifest().name);
}

bool isEpisode(double index) { return index >= 0.0 && index <= kMaxEpisode && index == std::floor(index); }

}  // namespace

/// Copies hold some state of the scenario from the start: the program looks at those of over episodes too.
Playback::Playback(VecEnvConfig config, const PlaybackBuffers& buffers)
    : batch_(std::make_unique<Batch>(std::move(config), allOf(buffers))),
      isOver_(Batch::at(batch_->shape.numEnvs), 1) {
  for (int e = 0; e < numEnvs(); ++e) batch_->beginEpisode(e);
}

Playback::~Playback() = default;

const Scenario& Playback::scenario() const { return batch_->scenario; }
const Program& Playback::program() const { return batch_->config.program; }
int Playback::numEnvs() const { return batch_->shape.numEnvs; }
void Playback::setTrainingSteps(double steps) { batch_->setTrainingSteps(steps); }
void Playback::setShapingWeights(const double* weights) { batch_->setShapingWeights(weights); }

std::optional<Failure> Playback::begin(const RecordedStart& start) {
  Batch& b = *batch_;
  for (int e = 0; e < numEnvs(); ++e) {
    if (!isEpisode(start.episodes[e])) return badRecord("copy " + std::to_string(e) + " has no index of an episode");
    if (auto failure = gymwright::findFault(b, e, start.states + Batch::index(e, b.shape.stateWords))) return failure;
  }
  for (int e = 0; e < numEnvs(); ++e) {
    b.seeds[Batch::at(e)] = start.seeds[e];
    b.episodes[Batch::at(e)] = static_cast<std::uint64_t>(start.episodes[e]);
    b.clearEpisode(e);
    std::copy_n(start.states + Batch::index(e, b.shape.stateWords), b.shape.stateWords, b.state(e));
  }
  std::fill(isOver_.begin(), isOver_.end(), std::uint8_t{0});
  b.showBeginnings();
  return std::nullopt;
}

std::optional<Failure> Playback::step(const RecordedStep& record) {
  if (auto failure = findFault(record)) return failure;
  Batch& b = *batch_;
  b.forEachBlock([&](int first, int count) { b.playBlock(first, count, record, isOver_.data()); });
  for (std::size_t e = 0; e < isOver_.size(); ++e) isOver_[e] |= record.ended[e];
  return std::nullopt;
}

std::optional<Failure> Playback::findFault(const RecordedStep& record) const {
  const Batch& b = *batch_;
  const int width = b.shape.numAgents * b.shape.numBase;
  for (int e = 0; e < numEnvs(); ++e) {
    if (isOver_[Batch::at(e)]) continue;
    if (auto failure = gymwright::findFault(b, e, record.next + Batch::index(e, b.shape.stateWords))) return failure;
    if (!areFinite(record.base + Batch::index(e, width), Batch::at(width)))
      return badRecord("a reward component of copy " + std::to_string(e) + " is not a finite number");
  }
  return std::nullopt;
}

/// As `advance`, but what the physics would have done is on record.
void Batch::replay(int first, int count, const RecordedStep& record, const std::uint8_t* isOver) {
  const int width = shape.numAgents * shape.numBase;
  for (int l = 0; l < count; ++l) {
    const int env = first + l;
    if (isOver[env]) continue;
    std::copy_n(record.next + index(env, shape.stateWords), shape.stateWords, state(env));
    std::copy_n(record.base + index(env, width), width, blockComponents_.data() + index(l, width));
    isGoalReached_[at(l)] = record.ended[env] == 1;
    isPlayOver_[at(l)] = isGoalReached_[at(l)] || (config.truncationEnds && record.ended[env] == 2);
    ++steps[at(env)];
  }
}

void Batch::playBlock(int first, int count, const RecordedStep& record, const std::uint8_t* isOver) {
  prepare(first, count);
  replay(first, count, record, isOver);
  judge(first, count);
  writeOutputs(first, count);
}

}  // namespace gymwright
