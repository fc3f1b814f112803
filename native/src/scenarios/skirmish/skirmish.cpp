// skirmish: two teams of units of several types fight until one is wiped out.
//
// The rules are those of SMAX 0.2.0 unless parameters say otherwise. A step is eight sub-steps of 1/16 s, in each of
// which everything is computed from the state before it: units move, shoot at whom they attack when the weapon is ready
// and the target in range, and are pushed apart. Who stands at the edge of the field dies.
//
// World entities: allies (those of the map, then the reserve), enemies, then three places: where allies start, where
// enemies start, the middle. Slots follow the capacities; what is not in play is absent. T is 6 type bits, or with
// units.special 8.
//
// obs of a unit, O = (7+T) (A-1) + 4+T:                                                                 numbers
//   1. every other unit, of an ally in index order, of an enemy backwards: health share, place minus self
//      as a share of the own sight, last move x and y, last attack action as a share of the highest,
//      share of the cooldown left, type bits                                                              7+T each
//   2. self: health share, x / 32, y / 32, share of the cooldown left, type bits                          4+T
// Who is out of sight is zero; a dead or absent unit observes nothing.
// state, S = (6+T) A: per unit health share, x, y, cooldown in s, type bits, zero if dead; then the team of each; then
//   the type of each as a number.
// actions: 0 north, 1 east, 2 south, 3 west, 4 stop, 5+k attack enemy k; enemies number the allies backwards.
// reward: by reward.scheme: shares of the enemies' health taken over the step (1 in all) and 1 for victory; or SMAC's.
// Terminates when a team is wiped out; truncates after 101 steps or as episode.limit and episode.length say.
#include <algorithm>

#include "scenarios/skirmish/mind.hpp"
#include "scenarios/skirmish/rules.hpp"
#include "sim/laid_out_scenario.hpp"

namespace gymwright {
namespace skirmish {
namespace {

class Skirmish final : public LaidOutScenario<Layout> {
 public:
  explicit Skirmish(const ParameterValues& values) : LaidOutScenario(values, 1) {}

  void reset(double* state, const EpisodeRng& rng) const override { layOut(layout_, state, rng); }

  void decodeDiscrete(int /*agent*/, std::int32_t action, double* controls) const override { controls[0] = action; }

  bool advance(double* state, const double* attributes, const double* controls, double* components) const override {
    StepNotes notes;
    state[kClock] += 1.0;
    muster(layout_, state, attributes);
    fight(layout_, state, attributes, controls, notes);
    keepBooks(layout_, state, notes);
    return payOut(layout_, state, notes, components);
  }

  void writeState(const double* state, const float* /*obs*/, float* out) const override {
    writeGlobalState(layout_, state, out);
  }
  void writeAvailActions(const double* state, std::uint8_t* out) const override { writeMasks(layout_, state, out); }
  void writeActive(const double* state, std::uint8_t* out) const override {
    for (int u = 0; u < layout_.numUnits; ++u) out[u] = layout_.isAlive(state, u) ? 1 : 0;
  }

  double signal(int id, const double* state, std::int32_t step) const override {
    switch (id) {
      case kAllyAlive: return countAlive(layout_, state, kAlly);
      case kEnemyAlive: return countAlive(layout_, state, kEnemy);
      case kAllyHealth: return healthOf(state, kAlly);
      case kEnemyHealth: return healthOf(state, kEnemy);
      default: return step;
    }
  }

  double relation(int id, int from, int to, const double* state, const double* /*attributes*/) const override {
    return relate(layout_, id, from, to, state);
  }

  void trigger(int event, double amount, int entity, std::uint32_t key, const EpisodeRng& rng, std::int32_t step,
               double* state) const override {
    triggerEvent(layout_, event, amount, entity, key, rng, step, state);
  }

  std::int32_t behave(int behaviour, int agent, int target, const double* state, const double* /*attributes*/,
                      const EpisodeRng& rng, std::int32_t step) const override {
    const Mind mind(layout_, state, agent);
    return mind.isAlive() ? mind.behave(behaviour, target, rng, step) : kStop;
  }

  void actScripted(int group, int policy, const double* state, const double* attributes, const EpisodeRng& rng,
                   std::int32_t step, std::int32_t* actions) const override {
    for (int u = layout_.first(group); u < layout_.end(group); ++u, ++actions) {
      const Mind mind(layout_, state, u);
      *actions = mind.isAlive() ? play(mind, policy, attributes, rng, step) : kStop;
    }
  }

  void writeMetrics(const double* state, std::int32_t /*steps*/, double* metrics) const override {
    skirmish::writeMetrics(layout_, state, metrics);
  }

  FrameBox frameBox() const override { return {0.0, 0.0, kSide, kSide}; }
  void describeFrame(const FrameMoment& moment, Frame& frame) const override {
    skirmish::describeFrame(layout_, moment, frame);
  }

 private:
  static std::int32_t play(const Mind& mind, int policy, const double* attributes, const EpisodeRng& rng,
                           std::int32_t step) {
    switch (policy) {
      case kPlayTactics: return mind.playTactics(attributes, rng, step);
      case kPlayClosest: return mind.playClosest(rng, step);
      case kPlayFocus: return mind.playFocus();
      case kPlayKite: return mind.playKite();
      case kPlayRandom: return mind.playRandom(rng, step);
      default: return kStop;
    }
  }

  /// Mean share of health of a team's units in play, the dead ones too.
  double healthOf(const double* state, int team) const {
    double sum = 0.0;
    double count = 0.0;
    for (int u = layout_.first(team); u < layout_.end(team); ++u) {
      sum += layout_.unit(state, u)[kShare];
      count += layout_.unit(state, u)[kPresent];
    }
    return count > 0.0 ? sum / count : 0.0;
  }
};

}  // namespace
}  // namespace skirmish

const ScenarioEntry kSkirmish = {"skirmish", skirmish::parameters, makeShared<skirmish::Skirmish>,
                                 skirmish::checkParameters};

}  // namespace gymwright
