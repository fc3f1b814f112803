// What a particle world looks like: its bodies, who speaks to whom, who is hidden.
#include "sim/mpe_world.hpp"

namespace gymwright {
namespace {

/// Bodies start within the field and often leave it.
constexpr double kMargin = 1.4;

}  // namespace

FrameBox MpeScenario::frameBox() const {
  const double half = kMargin * halfWidth_;
  return {-half, -half, half, half};
}

void MpeScenario::describeFrame(const FrameMoment& moment, Frame& frame) const {
  drawSpeech(moment.state, frame);
  PlainFrame<Scenario>(*this, moment, frame).describe();
  for (Shape& shape : frame.shapes) {
    if (shape.kind != ShapeKind::kDisc) continue;
    if (shape.entity >= numAgents()) {
      if (shape.entity - numAgents() < bodies_.numObstacles) shape.role = "obstacle";
      continue;
    }
    if (isHidden(moment.state, shape.entity)) shape.flags |= kShapeHidden;
    const int said = saidBy(moment.state, shape.entity);
    if (said < 0) continue;
    shape.flags |= kShapeSpeaking;
    shape.text = std::to_string(said);
  }
}

/// Lines to those who hear it; they lie below the bodies.
void MpeScenario::drawSpeech(const double* state, Frame& frame) const {
  for (int speaker = 0; speaker < numAgents(); ++speaker) {
    if (saidBy(state, speaker) < 0) continue;
    for (int listener = 0; listener < numAgents(); ++listener) {
      if (listener == speaker || !hears(listener, speaker)) continue;
      frame.line("speech", speaker, listener, agent(state, speaker), agent(state, listener)).team =
          manifest().groupOf(speaker);
    }
  }
}

int MpeScenario::saidBy(const double* state, int a) const { return isSpeaker(a) ? word(state, a) : -1; }

}  // namespace gymwright
