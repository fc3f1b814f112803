// simple_push: a good agent is to be at the goal; the adversary, who does not know which landmark it is, is to be there
// in its place.
//
// obs of the adversary, 8:               offset        of the good agent, O = 19:            offset
//   1. own velocity                        0 .. 2        1. own velocity                       0 .. 2
//   2. landmarks minus self                2 .. 6        2. goal minus self                    2 .. 4
//   3. good agent minus self               6 .. 8        3. own colour, tells the goal         4 .. 7
//                                                        4. landmarks minus self               7 .. 11
//                                                        5. colours of the landmarks          11 .. 17
//                                                        6. adversary minus self              17 .. 19
// actions: 0 none, 1 left, 2 right, 3 down, 4 up; continuous [none, left, right, down, up] in [0,1].
// reward: the good agent gets minus its distance to the goal, the adversary the good agent's distance minus its own.
// Agents push each other apart. Truncates after episode.length steps.
// Source: Lowe et al. 2017; MPE2 simple_push_v3.
#include <cmath>

#include "sim/mpe_goal.hpp"

namespace gymwright {
namespace {

constexpr double kReachRadius = 0.1;
constexpr int kNumLandmarks = 2;
constexpr int kAdversaryDim = 8;
constexpr int kGoodDim = 19;

enum AgentIndex { kAdversary, kGood, kNumAgents };
enum ComponentIndex { kGoalDistance, kDisplacement, kNumComponents };
enum SignalIndex { kTime, kAdversaryDistance, kGoodDistance };
enum MetricIndex { kMetricGoalDistance, kMetricContact, kMetricSuccess, kCommonMetrics };
enum PolicyIndex { kNoop, kRandom, kSkilled, kTemperaments };

/// Own state words: steps in contact, the good agent's last distance, sums of both distances.
enum OwnWord { kContactSum, kGoodLast, kDistanceSums, kNumOwnWords = kDistanceSums + kNumAgents };

constexpr MpeTeam kAdversaryTeam = {.name = "adversary", .side = 0, .size = 0.05, .isTempered = true};
constexpr MpeTeam kGoodTeam = {.name = "good", .side = 1, .size = 0.05};

std::vector<Parameter> pushParameters() {
  return mpeParameters({teamParameters(kAdversaryTeam), teamParameters(kGoodTeam)});
}

MpeBodies pushBodies(const ParameterValues& values) {
  MpeBodies bodies = mpeBodies(values, kNumLandmarks);
  addTeam(bodies, values, kAdversaryTeam, 1);
  addTeam(bodies, values, kGoodTeam, 1);
  bodies.hasContact = true;
  return bodies;
}

class SimplePush final : public MpeGoal {
 public:
  explicit SimplePush(const ParameterValues& values) : MpeGoal(pushBodies(values), kNumOwnWords) { describe(values); }

  bool advance(double* state, const double* attributes, const double* controls, double* components) const override {
    moveAgents(state, attributes, controls);
    const double adversary = distanceToGoal(state, kAdversary);
    const double good = distanceToGoal(state, kGood);
    components[kGoalDistance] = -adversary;
    components[kDisplacement] = good;
    components[kNumComponents + kGoalDistance] = -good;
    components[kNumComponents + kDisplacement] = 0.0;
    double* sums = own(state);
    sums[kContactSum] += touches(state, attributes, kAdversary, kGood) ? 1.0 : 0.0;
    sums[kGoodLast] = good;
    double* distances = sums + kDistanceSums;
    distances[kAdversary] += adversary;
    distances[kGood] += good;
    Gaps gaps;
    measureGaps(state, gaps);
    Roles roles;
    divideLandmarks(gaps, roles);
    keepBooks(state, roles);
    return false;
  }

  void writeObs(const double* state, float* obs) const override { writeObsAs(state, obs); }
  void writeObs(const double* state, double* obs) const override { writeObsAs(state, obs); }

  double signal(int id, const double* state, std::int32_t step) const override {
    switch (id) {
      case kAdversaryDistance: return distanceToGoal(state, kAdversary);
      case kGoodDistance: return distanceToGoal(state, kGood);
      default: return step;
    }
  }

  void actScripted(int group, int policy, const double* state, const double* attributes, const EpisodeRng& rng,
                   std::int32_t step, std::int32_t* actions) const override {
    actions[0] = policy == kRandom ? randomAction(rng, step, group) : 0;
    if (policy < kSkilled) return;
    const bool isTempered = policy >= kTemperaments;
    actions[0] = group == kGood
                     ? steerTo(state, attributes, kGood, goal(state))
                     : shadow(state, attributes,
                              isTempered ? boldnessOf(policy - kTemperaments, kAdversary, attributes, rng) : 1.0);
  }

  void writeMetrics(const double* state, std::int32_t steps, double* metrics) const override {
    const double* sums = own(state);
    for (int a = 0; a < kNumAgents; ++a, metrics += kCommonMetrics + kNumCommonMetrics) {
      metrics[kMetricGoalDistance] = sums[kDistanceSums + a] / steps;
      metrics[kMetricContact] = sums[kContactSum] / steps;
      metrics[kMetricSuccess] = sums[kGoodLast] < kReachRadius ? 1.0 : 0.0;
      writeCommonMetrics(state, steps, a, metrics + kCommonMetrics);
    }
  }

 private:
  /// The adversary, which does not know the goal, goes to the landmark that the good agent is nearest to; the more wary
  /// it is, the nearer it stays to the middle between both.
  std::int32_t shadow(const double* state, const double* attributes, double boldness) const {
    Gaps gaps;
    measureGaps(state, gaps);
    return steerToShare(state, attributes, kAdversary, gaps.nearest[kGood], boldness);
  }

  template <typename T>
  void writeObsAs(const double* state, T* obs) const {
    ObsRow<T> adversary(obs, agent(state, kAdversary));
    adversary.putPoint(velocity(state, kAdversary));
    putLandmarks(adversary, state);
    putOthers(adversary, state, kAdversary);
    adversary.padTo(obs + kGoodDim);

    ObsRow<T> good(obs + kGoodDim, agent(state, kGood));
    good.putPoint(velocity(state, kGood));
    good.putRelative(goal(state));
    putColour(good, goalIndex(state), 0.25, 0.5);
    putLandmarks(good, state);
    for (int l = 0; l < kNumLandmarks; ++l) putColour(good, l, 0.1, 0.8);
    putOthers(good, state, kGood);
  }

  /// Of three channels the one after the landmark's index is raised.
  template <typename T>
  static void putColour(ObsRow<T>& row, int landmark, double base, double raise) {
    for (int channel = 0; channel < 3; ++channel) row.put(channel == landmark + 1 ? base + raise : base);
  }

  void describe(const ParameterValues& values);
};

void SimplePush::describe(const ParameterValues& values) {
  manifest_.name = "simple_push";
  manifest_.version = 2;
  manifest_.title = "Simple push";
  manifest_.doc =
      "A good agent knows which of two landmarks is the goal and is to be there; the adversary, who does not know, is "
      "to be nearer to it and may push the good one away.";
  manifest_.parameters = pushParameters();
  manifest_.groups = {describeGroup("adversary", {"adversary_0"}, kAdversary, kAdversaryDim,
                                    withTemperaments({"noop", "random", "shadow"})),
                      describeGroup("good", {"agent_0"}, kGood, kGoodDim, {"noop", "random", "to_goal"})};
  describeShapes(values);
  describeBodies({.tempered = {"adversary"}});
  describeTeam("adversary", "The adversary.");
  describeTeam("good", "The good agent.");
  describeGoal();
  manifest_.signals.push_back({"adversary_distance", "m", 0, 100, "Distance of the adversary to the goal now."});
  manifest_.signals.push_back({"good_distance", "m", 0, 100, "Distance of the good agent to the goal now."});
  manifest_.components = {{"goal_distance", "Minus the agent's own distance to the goal."},
                          {"displacement", "Adversary: the good agent's distance to the goal. Good: 0."}};
  // Distances of agents that move at random: 1.1 a step.
  manifest_.nominalReturn = manifest_.episodeLength * 1.1;
  manifest_.metrics = {
      {"goal_distance", "m", true, "neither", 0, 100, "Distance of the agent to the goal, mean over steps."},
      {"contact", "none", false, "neither", 0, 1, "Share of the steps in which the two touched."},
      {"success", "none", false, "higher", 0, 1, "1 if at the last step the good agent is within 0.1 m of the goal."}};
  describeCommonMetrics();
}

}  // namespace

const ScenarioEntry kSimplePush = {"simple_push", pushParameters, makeShared<SimplePush>};

}  // namespace gymwright
