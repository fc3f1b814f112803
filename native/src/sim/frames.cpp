// What copies look like, for those who draw them: asked of the scenario, checked, and nothing of it kept.
#include <cmath>
#include <string>

#include "gymwright/playback.hpp"
#include "gymwright/vec_env.hpp"
#include "sim/batch.hpp"

namespace gymwright {
namespace {

/// So that an index of a text of the frame fits into 16 bits.
constexpr std::size_t kMostShapes = 1 << 14;

/// A copy's moment, wherever its words are.
struct Moment {
  const double* state;
  std::uint64_t episode;
  std::int32_t step;
  std::int32_t regime;
};

bool isWithin(int index, int end) { return index >= -1 && index < end; }

/// What of a shape cannot be drawn, if anything.
std::optional<std::string> findFault(const Shape& shape, const Manifest& manifest) {
  for (const double number : {shape.x, shape.y, shape.extentX, shape.extentY}) {
    if (!std::isfinite(static_cast<float>(number))) return "has a place or an extent that is no finite number";
  }
  const bool mayBeBackward = shape.kind == ShapeKind::kLine;
  if (!mayBeBackward && (shape.extentX < 0.0 || shape.extentY < 0.0)) return "has an extent below 0";
  if (std::isinf(shape.heading)) return "has a heading that is no number";
  if (!std::isnan(shape.level) && !(shape.level >= 0.0 && shape.level <= 1.0)) return "has a level outside 0..1";
  if (!isWithin(shape.entity, manifest.numEntities()) || !isWithin(shape.target, manifest.numEntities()))
    return "is of an entity that is not there";
  if (!isWithin(shape.team, static_cast<int>(manifest.groups.size()))) return "is of a group that is not there";
  if ((shape.flags & ~kAllShapeFlags) != 0) return "has a flag that is none";
  return std::nullopt;
}

Failure badFrame(const Manifest& manifest, const std::string& reason) {
  return {"sim.badFrame", "scenario " + manifest.name + " cannot be drawn: " + reason};
}

std::optional<Failure> check(const Frame& frame, const Manifest& manifest) {
  const FrameBox& box = frame.box;
  const bool isBox = std::isfinite(box.left) && std::isfinite(box.bottom) && std::isfinite(box.right) &&
                     std::isfinite(box.top) && box.left < box.right && box.bottom < box.top && box.cell >= 0.0;
  if (!isBox) return badFrame(manifest, "its frame's box has no finite size");
  if (frame.shapes.size() > kMostShapes)
    return badFrame(manifest, "it tells of more than " + std::to_string(kMostShapes) + " shapes");
  for (std::size_t i = 0; i < frame.shapes.size(); ++i) {
    const Shape& shape = frame.shapes[i];
    if (auto fault = findFault(shape, manifest)) {
      return badFrame(manifest, "shape " + std::to_string(i) + " of its frame (" + shape.role + ", entity " +
                                    std::to_string(shape.entity) + ") " + *fault);
    }
  }
  return std::nullopt;
}

/// Marks the agents that no caller plays.
void markScripted(Frame& frame, const VecEnvConfig& config, const Manifest& manifest) {
  for (Shape& shape : frame.shapes) {
    const int group = shape.kind == ShapeKind::kDisc ? manifest.groupOf(shape.entity) : -1;
    if (group >= 0 && config.scripted[static_cast<std::size_t>(group)] != kPlayedByCaller)
      shape.flags |= kShapeScripted;
  }
}

Result<Frame> describe(const Batch& b, const Moment& moment, const FrameDetail& detail) {
  const Manifest& manifest = b.scenario.manifest();
  Frame frame;
  frame.episode = moment.episode;
  frame.step = moment.step;
  frame.regime = moment.regime;
  frame.box = b.scenario.frameBox();
  b.scenario.describeFrame({moment.state, b.scenario.baseAttributes().data(), moment.step, detail}, frame);
  markScripted(frame, b.config, manifest);
  if (auto failure = check(frame, manifest)) return *failure;
  return frame;
}

Moment present(const Batch& b, int env) {
  const std::size_t i = Batch::at(env);
  return {b.state(env), b.episodes[i], b.steps[i], b.regimeOf(env)};
}

}  // namespace

Result<Frame> VecEnv::frame(int env, const FrameDetail& detail) const {
  return describe(*batch_, present(*batch_, env), detail);
}

Result<Frame> VecEnv::finalFrame(int env, const FrameDetail& detail) const {
  const Batch& b = *batch_;
  const double* state = b.finalStates.data() + Batch::index(env, b.shape.stateWords);
  const auto episode = static_cast<std::uint64_t>(b.out.endedEpisode[env]);
  return describe(b, {state, episode, b.out.episodeLength[env], b.out.regimes[env]}, detail);
}

bool VecEnv::hasEnded(int env) const { return batch_->out.terminated[env] != 0 || batch_->out.truncated[env] != 0; }

Result<Frame> Playback::frame(int env, const FrameDetail& detail) const {
  return describe(*batch_, present(*batch_, env), detail);
}

}  // namespace gymwright
