// foraging: agents with levels walk on a grid and load foods with levels, together where one alone is too weak.
//
// The rules are those of level-based foraging unless parameters say otherwise. World entities: A agents, then F slots
// of foods; even slots are apples, odd ones berries. A cell holds a food or agents. Positions are cells: x the column,
// y the row from below, so that north is up; observations and reward follow the reference, which counts rows from above.
//
// obs of an agent, O = 3F + 3A (4F + 3A with observation.worth):                                          numbers
//   1. foods in its window in reading order: row, column, level (and worth); -1, -1, 0 (and 0) behind     3 or 4 each
//   2. self, then the other agents it sees in index order: row, column, level; -1, -1, 0 behind              3 each
//   Rows and columns count from the upper left corner of the window, which is cut at the edges of the field.
// actions: 0 none, 1 north, 2 south, 3 west, 4 east, 5 load. Moves go to cells inside that hold no food; load needs a
//   food in one of the four cells around. What is not legal is as none.
// A step: who would be in one cell with another does not move, and nobody asks who is leaving; so an agent can come
//   into the cell of one that could not move away. Then those that load the same food act together.
// reward: a food loaded pays everybody who took part worth x own level x food level / (sum of their levels x level of
//   all foods at the start), so that all foods make 1; whoever fails to load pays the penalty.
// Terminates when no food is left and none will come back; truncates after episode.length steps.
// Source: lbforaging 2.0.0 (Papoudakis et al. 2021).
#include <algorithm>
#include <cmath>

#include "scenarios/foraging/mind.hpp"
#include "scenarios/foraging/rules.hpp"
#include "sim/laid_out_scenario.hpp"

namespace gymwright {
namespace foraging {
namespace {

class Foraging final : public LaidOutScenario<Layout> {
 public:
  explicit Foraging(const ParameterValues& values) : LaidOutScenario(values, 1) {}

  void reset(double* state, const EpisodeRng& rng) const override { layOut(layout_, state, rng); }

  void decodeDiscrete(int /*agent*/, std::int32_t action, double* controls) const override { controls[0] = action; }

  bool advance(double* state, const double* attributes, const double* controls, double* components) const override {
    state[kClock] += 1.0;
    muster(layout_, state, attributes);
    int actions[kMaxAgents];
    for (int a = 0; a < layout_.numAgents; ++a) {
      const int chosen = static_cast<int>(controls[a]);
      actions[a] = layout_.isLegal(state, a, chosen) ? chosen : static_cast<int>(kNone);
    }
    move(state, actions);
    comeBack(layout_, state);
    std::fill_n(components, layout_.numAgents * kNumComponents, 0.0);
    load(state, attributes, actions, components);
    return isBarren(layout_, state);
  }

  void writeAvailActions(const double* state, std::uint8_t* out) const override {
    for (int a = 0; a < layout_.numAgents; ++a) {
      const std::uint32_t legal = layout_.legalActions(state, a);
      for (int action = 0; action < kNumActions; ++action) *out++ = static_cast<std::uint8_t>(legal >> action & 1u);
    }
  }

  double signal(int id, const double* state, std::int32_t step) const override {
    if (id == kTime) return step;
    double sum = 0.0;
    for (int f = 0; f < layout_.numFoods; ++f) {
      if (layout_.isThere(state, f)) sum += id == kFoodLeft ? 1.0 : layout_.food(state, f)[kFoodLevel];
    }
    return sum;
  }

  double relation(int id, int from, int to, const double* state, const double* /*attributes*/) const override {
    if (from == to) return 0.0;
    if (id == kBeside) return isBeside(layout_, state, from, to - layout_.numAgents) ? 1.0 : 0.0;
    return sees(layout_, state, from, to) ? 1.0 : 0.0;
  }

  void trigger(int event, double /*amount*/, int entity, std::uint32_t key, const EpisodeRng& rng, std::int32_t step,
               double* state) const override {
    triggerEvent(layout_, event, entity, key, rng, step, state);
  }

  std::int32_t behave(int behaviour, int agent, int target, const double* state, const double* attributes,
                      const EpisodeRng& rng, std::int32_t step) const override {
    return Mind(layout_, state, attributes).behave(behaviour, agent, target, rng, step);
  }

  void actScripted(int /*group*/, int policy, const double* state, const double* attributes, const EpisodeRng& rng,
                   std::int32_t step, std::int32_t* actions) const override {
    Mind(layout_, state, attributes).play(policy, rng, step, actions);
  }

  void writeMetrics(const double* state, std::int32_t steps, double* metrics) const override {
    foraging::writeMetrics(layout_, state, steps, metrics);
  }

  FrameBox frameBox() const override { return foraging::frameBox(layout_); }
  void describeFrame(const FrameMoment& moment, Frame& frame) const override {
    foraging::describeFrame(layout_, moment, frame);
  }

 private:
  void move(double* state, const int* actions) const {
    const int count = layout_.numAgents;
    Cell wanted[kMaxAgents];
    for (int a = 0; a < count; ++a) wanted[a] = beyond(layout_.agentCell(state, a), actions[a]);
    for (int a = 0; a < count; ++a) {
      double* agent = layout_.agent(state, a);
      const bool isFree = std::count(wanted, wanted + count, wanted[a]) == 1;
      const int before = stepsToFood(layout_, state, a);
      agent[kVx] = isFree ? kMoves[actions[a]][0] : 0.0;
      agent[kVy] = isFree ? kMoves[actions[a]][1] : 0.0;
      agent[kX] += agent[kVx];
      agent[kY] += agent[kVy];
      const int after = stepsToFood(layout_, state, a);
      agent[kRoleSteps] += after == 1 || after < before ? 1.0 : 0.0;
      visit(layout_, agent);
    }
  }

  void load(double* state, const double* attributes, const int* actions, double* components) const {
    std::uint32_t loading = 0;
    for (int a = 0; a < layout_.numAgents; ++a) loading |= actions[a] == kLoad ? 1u << a : 0u;
    for (int a = 0; a < layout_.numAgents; ++a) {
      if ((loading >> a & 1u) == 0) continue;
      const int f = layout_.foodBeside(state, layout_.agentCell(state, a));
      std::uint32_t team = 0;
      for (int b = a; b < layout_.numAgents; ++b) {
        if ((loading >> b & 1u) != 0 && isBeside(layout_, state, b, f)) team |= 1u << b;
      }
      loading &= ~team;
      settle(state, attributes, f, team, components);
    }
  }

  /// What agents get who load one food together.
  void settle(double* state, const double* attributes, int f, std::uint32_t team, double* components) const {
    double strength = 0.0;
    for (int a = 0; a < layout_.numAgents; ++a) {
      if ((team >> a & 1u) != 0) strength += layout_.power(state, attributes, a);
    }
    const bool isLoaded = strength > 0.0 && strength >= layout_.need(state, attributes, f);
    const double level = layout_.food(state, f)[kFoodLevel];
    const double whole = strength * std::max(state[kSpawned], 1.0);
    const bool isJoint = (team & (team - 1)) != 0;
    for (int a = 0; a < layout_.numAgents; ++a) {
      if ((team >> a & 1u) == 0) continue;
      double* agent = layout_.agent(state, a);
      agent[isLoaded ? kLoads : kFails] += 1.0;
      agent[kJoint] += isJoint ? 1.0 : 0.0;
      double* pay = components + a * kNumComponents;
      if (isLoaded)
        pay[kRewardLoad] += layout_.worth(state, attributes, f) * layout_.power(state, attributes, a) * level / whole;
      else
        pay[kRewardPenalty] -= layout_.of(attributes, kPenalty, a);
    }
    if (!isLoaded) return;
    state[kCollected] += level;
    takeAway(layout_, state, f);
    // Rules may make it a fraction of a step; it is back in the step in which that ends.
    layout_.food(state, f)[kBack] = std::ceil(layout_.of(attributes, kRespawn, f));
  }
};

}  // namespace
}  // namespace foraging

const ScenarioEntry kForaging = {"foraging", foraging::parameters, makeShared<foraging::Foraging>,
                                 foraging::checkParameters};

}  // namespace gymwright
