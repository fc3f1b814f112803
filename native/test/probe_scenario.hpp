#pragma once

#include "gymwright/scenario.hpp"

namespace gymwright::test {

/// A scenario that shows in its observations what reached it: two agents and one landmark that never move. An action
/// is the last of three controls. Built on the published headers alone, as one outside the tree is.
/// obs of an agent: push of the last step, energy, last action, steps. State: positions, then per agent these four.
class ProbeScenario final : public Scenario {
 public:
  static constexpr int kObsDim = 4;
  static constexpr int kLength = 6;
  static constexpr double kBasePush = 1.0;
  static constexpr double kMaxPush = 10.0;
  static constexpr double kMaxCharge = 8.0;

  enum AttributeId { kPush, kEnergy };
  enum SignalId { kTime };
  enum EventId { kCharge, kDouble, kLottery, kNumEvents };
  enum BehaviourId { kAct, kCopyTarget };

  /// `endsAt`: steps after which an episode terminates; 0: never.
  explicit ProbeScenario(int endsAt = 0, int length = kLength) : endsAt_(endsAt) {
    stateWords_ = 6 + 2 * kObsDim;
    controlWords_ = 3;
    baseAttributes_ = {kBasePush, kBasePush};
    describe(length);
  }

  void reset(double* state, const EpisodeRng& /*rng*/) const override {
    std::fill_n(state, stateWords_, 0.0);
    state[2] = 3.0;
    state[5] = 4.0;
  }
  bool isValidState(const double* /*state*/) const override { return true; }
  void decodeDiscrete(int /*agent*/, std::int32_t action, double* controls) const override {
    controls[0] = controls[1] = 0.0;
    controls[2] = action;
  }

  bool advance(double* state, const double* attributes, const double* controls, double* components) const override {
    for (int a = 0; a < 2; ++a) {
      double* shown = state + 6 + a * kObsDim;
      shown[0] = attributes[a];
      shown[2] = controls[3 * a + 2];
      shown[3] += 1.0;
      components[a] = 0.0;
    }
    return endsAt_ > 0 && state[6 + 3] >= endsAt_;
  }

  void writeObs(const double* state, float* obs) const override { std::copy_n(state + 6, 2 * kObsDim, obs); }
  void writeObs(const double* state, double* obs) const override { std::copy_n(state + 6, 2 * kObsDim, obs); }
  double signal(int /*id*/, const double* /*state*/, std::int32_t step) const override { return step; }
  int positionWord(int entity) const override { return 2 * entity; }
  void writeMetrics(const double* /*state*/, std::int32_t steps, double* metrics) const override {
    metrics[0] = metrics[1] = steps;
  }

  double relation(int /*id*/, int from, int to, const double* /*state*/, const double* attributes) const override {
    return 10.0 * attributes[from] + to;
  }
  void trigger(int event, double amount, int entity, std::uint32_t key, const EpisodeRng& rng, std::int32_t step,
               double* state) const override {
    double& energy = state[6 + entity * kObsDim + 1];
    if (event == kCharge) energy += amount;
    if (event == kDouble) energy *= 2.0;
    if (event == kLottery) energy += rng.uniform(Stream::kEvent, static_cast<std::uint32_t>(step), key, 0, 0.0, 1.0);
  }
  std::int32_t behave(int behaviour, int /*agent*/, int target, const double* /*state*/, const double* /*attributes*/,
                      const EpisodeRng& /*rng*/, std::int32_t /*step*/) const override {
    return behaviour == kAct ? 1 : 2 + target;
  }

 private:
  void describe(int length) {
    Manifest& m = manifest_;
    m.name = "probe";
    m.version = 1;
    m.title = "Probe";
    m.doc = "For tests.";
    m.numAgents = 2;
    m.numLandmarks = 1;
    m.obsDim = kObsDim;
    m.stateDim = 2 * kObsDim;
    m.numActions = 5;
    m.continuousDim = 0;
    m.episodeLength = length;
    m.stepSeconds = 1.0;
    m.nominalReturn = 1.0;
    m.groups = {{"agent", {"agent_0", "agent_1"}, 0, kObsDim, 5, {"a", "b", "c", "d", "e"}, 0, {}}};
    m.sets = {{"agent", EntityKind::kAgent, {0, 1}, false, "Both."}};
    m.attributes = {{"push", EntityKind::kAgent, "m", 0, kMaxPush, true, "Shown."},
                    {"energy", EntityKind::kAgent, "none", 0, 1000, false, "Changed by events."}};
    addresses_ = {{false, 0, 1}, {true, 7, kObsDim}};
    m.signals = {{"time", "steps", 0, 1000, "Steps."}};
    m.components = {{"nothing", "Always 0."}};
    m.metrics = {{"steps", "steps", false, "neither", 0, 1000, "Steps of the episode."}};
    m.relations = {{"tens", false, EntityKind::kAgent, EntityKind::kAgent, "none", "10 push + index."}};
    m.events = {{"charge", "disturb", TargetKind::kAgent, false, EventAmount{"none", 0, kMaxCharge, 1}, "Adds energy."},
                {"double", "disturb", TargetKind::kAgent, false, std::nullopt, "Doubles energy."},
                {"lottery", "disturb", TargetKind::kAgent, false, std::nullopt, "Adds a random energy."}};
    m.behaviours = {{"act", TargetKind::kNone, "Action 1."}, {"copy_target", TargetKind::kAny, "Action 2 + target."}};
  }

  int endsAt_;
};

}  // namespace gymwright::test
