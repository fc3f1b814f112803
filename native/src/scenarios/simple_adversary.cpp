// simple_adversary: N good agents know which of N landmarks is the goal; one adversary does not and watches them.
//
// agents: adversary_0, then agent_0 .. agent_{N-1}. O = 4N + 2 (the adversary's 4N are zero-padded).
// obs of the adversary:                  offset        obs of a good agent:                    offset
//   1. landmarks minus self               0 .. 2N        1. goal minus self                      0 .. 2
//   2. good agents minus self            2N .. 4N        2. landmarks minus self                 2 .. 2+2N
//                                                        3. other agents minus self           2+2N .. 2+4N
// actions: 0 none, 1 left, 2 right, 3 down, 4 up; continuous [none, left, right, down, up] in [0,1].
// reward: the adversary gets minus its distance to the goal; every good agent gets the adversary's distance to the goal
// minus that of the good agent nearest to it. Nobody touches anybody. Truncates after episode.length steps.
// Source: Lowe et al. 2017; MPE2 simple_adversary_v3.
#include <algorithm>
#include <cmath>

#include "sim/mpe_goal.hpp"

namespace gymwright {
namespace {

constexpr double kReachRadius = 0.1;

enum ComponentIndex { kGoalDistance, kDeception, kNumComponents };
enum SignalIndex { kTime, kAdversaryDistance, kGoodDistance };
enum MetricIndex { kMetricGoalDistance, kMetricLead, kMetricSuccess, kCommonMetrics };
enum GroupIndex { kAdversaryGroup, kGoodGroup };
enum AdversaryPolicy { kAdversaryNoop, kAdversaryRandom, kToMidpoint, kTemperaments };
enum GoodPolicy { kGoodNoop, kGoodRandom, kToGoal };

/// Own state words: sum of leads, last distances, then each agent's sum of goal distances.
enum OwnWord { kLeadSum, kAdversaryLast, kGoodLast, kDistanceSums };

constexpr MpeTeam kAdversaryTeam = {.name = "adversary", .side = 0, .isTempered = true};
constexpr MpeTeam kGoodTeam = {.name = "good", .side = 1};

std::vector<Parameter> adversaryParameters() {
  return mpeParameters(
      {{{"good.count", "int", "none", 2, 1, 8, true, false, "Number of good agents and of landmarks."}},
       teamParameters(kAdversaryTeam),
       teamParameters(kGoodTeam)});
}

MpeBodies adversaryBodies(const ParameterValues& values) {
  const int good = values.whole("good.count");
  MpeBodies bodies = mpeBodies(values, good);
  addTeam(bodies, values, kAdversaryTeam, 1);
  addTeam(bodies, values, kGoodTeam, good);
  return bodies;
}

class SimpleAdversary final : public MpeGoal {
 public:
  explicit SimpleAdversary(const ParameterValues& values)
      : MpeGoal(adversaryBodies(values), kDistanceSums + values.whole("good.count") + 1) {
    describe(values);
  }

  bool advance(double* state, const double* attributes, const double* controls, double* components) const override {
    moveAgents(state, attributes, controls);
    Gaps gaps;
    measureGaps(state, gaps);
    Roles roles;
    divideLandmarks(gaps, roles);
    keepBooks(state, roles);
    double* sums = own(state);
    const int goal = goalIndex(state);
    double distances[kMaxAgents];
    for (int a = 0; a < numAgents(); ++a) distances[a] = std::sqrt(squareOf(gaps, a, goal));
    const double adversary = distances[0];
    const double good = *std::min_element(distances + 1, distances + numAgents());
    components[kGoalDistance] = -adversary;
    components[kDeception] = 0.0;
    for (int a = 1; a < numAgents(); ++a) {
      components[a * kNumComponents + kGoalDistance] = -good;
      components[a * kNumComponents + kDeception] = adversary;
    }
    sums[kLeadSum] += adversary - good;
    sums[kAdversaryLast] = adversary;
    sums[kGoodLast] = good;
    for (int a = 0; a < numAgents(); ++a) sums[kDistanceSums + a] += distances[a];
    return false;
  }

  void writeObs(const double* state, float* obs) const override { writeObsAs(state, obs); }
  void writeObs(const double* state, double* obs) const override { writeObsAs(state, obs); }

  double signal(int id, const double* state, std::int32_t step) const override {
    switch (id) {
      case kAdversaryDistance: return distanceToGoal(state, 0);
      case kGoodDistance: return nearestGood(state);
      default: return step;
    }
  }

  void actScripted(int group, int policy, const double* state, const double* attributes, const EpisodeRng& rng,
                   std::int32_t step, std::int32_t* actions) const override {
    static_assert(static_cast<int>(kAdversaryRandom) == static_cast<int>(kGoodRandom));
    const int first = group == kAdversaryGroup ? 0 : 1;
    const int count = group == kAdversaryGroup ? 1 : numAgents() - 1;
    for (int i = 0; i < count; ++i) {
      if (policy == kGoodNoop) actions[i] = 0;
      if (policy == kGoodRandom) actions[i] = randomAction(rng, step, first + i);
    }
    if (group == kAdversaryGroup && policy == kToMidpoint) actions[0] = steerToGuess(state, attributes, 0.0);
    if (group == kAdversaryGroup && policy >= kTemperaments)
      actions[0] = steerToGuess(state, attributes, boldnessOf(policy - kTemperaments, 0, attributes, rng));
    if (group == kGoodGroup && policy == kToGoal) spreadOverLandmarks(state, attributes, actions);
  }

  void writeMetrics(const double* state, std::int32_t steps, double* metrics) const override {
    const double* sums = own(state);
    const bool isSuccess = sums[kGoodLast] < kReachRadius && sums[kAdversaryLast] >= kReachRadius;
    for (int a = 0; a < numAgents(); ++a, metrics += kCommonMetrics + kNumCommonMetrics) {
      metrics[kMetricGoalDistance] = sums[kDistanceSums + a] / steps;
      metrics[kMetricLead] = sums[kLeadSum] / steps;
      metrics[kMetricSuccess] = isSuccess ? 1.0 : 0.0;
      writeCommonMetrics(state, steps, a, metrics + kCommonMetrics);
    }
  }

 private:
  double nearestGood(const double* state) const {
    double least = distanceToGoal(state, 1);
    for (int a = 2; a < numAgents(); ++a) least = std::min(least, distanceToGoal(state, a));
    return least;
  }

  template <typename T>
  void writeObsAs(const double* state, T* obs) const {
    for (int a = 0; a < numAgents(); ++a, obs += manifest_.obsDim) {
      ObsRow<T> row(obs, agent(state, a));
      if (a > 0) row.putRelative(goal(state));
      putLandmarks(row, state);
      putOthers(row, state, a);
      row.padTo(obs + manifest_.obsDim);
    }
  }

  /// The wary adversary waits in the middle of the landmarks; the bolder it is, the farther it goes from there to the
  /// one that most tells of the good side: the one nearest to any good agent.
  std::int32_t steerToGuess(const double* state, const double* attributes, double boldness) const {
    int guess = 0;
    double least = HUGE_VAL;
    for (int l = 0; l < numLandmarks(); ++l) {
      const int nearest = nearestOf(state, 1, numAgents() - 1, landmark(state, l));
      const double square = squareBetween(landmark(state, l), agent(state, nearest));
      if (square >= least) continue;
      least = square;
      guess = l;
    }
    return steerToShare(state, attributes, 0, guess, boldness);
  }

  /// The good agent nearest to the goal goes there; the others, in index order, go to the remaining landmarks.
  void spreadOverLandmarks(const double* state, const double* attributes, std::int32_t* actions) const {
    int runner = 1;
    for (int a = 2; a < numAgents(); ++a) {
      if (distanceToGoal(state, a) < distanceToGoal(state, runner)) runner = a;
    }
    int decoy = 0;
    for (int a = 1; a < numAgents(); ++a) {
      if (a == runner) {
        actions[a - 1] = steerTo(state, attributes, a, goal(state));
        continue;
      }
      if (decoy == goalIndex(state)) ++decoy;
      actions[a - 1] = steerTo(state, attributes, a, landmark(state, decoy++));
    }
  }

  void describe(const ParameterValues& values);
};

void SimpleAdversary::describe(const ParameterValues& values) {
  const int good = numAgents() - 1;
  manifest_.name = "simple_adversary";
  manifest_.version = 3;
  manifest_.title = "Simple adversary";
  manifest_.doc =
      "Good agents know which landmark is the goal and are to be near it while the adversary, who does not know, is to "
      "be kept guessing.";
  manifest_.parameters = adversaryParameters();
  manifest_.groups = {
      describeGroup("adversary", {"adversary_0"}, 0, 4 * good, withTemperaments({"noop", "random", "to_midpoint"})),
      describeGroup("good", numberedNames("agent", good), 1, 4 * good + 2, {"noop", "random", "to_goal"})};
  describeShapes(values);
  describeBodies({.tempered = {"adversary"}});
  describeTeam("adversary", "The adversary.");
  describeTeam("good", "The good agents.");
  describeGoal();
  manifest_.signals.push_back({"adversary_distance", "m", 0, 100, "Distance of the adversary to the goal now."});
  manifest_.signals.push_back({"good_distance", "m", 0, 100, "Distance of the nearest good agent to the goal now."});
  manifest_.components = {
      {"goal_distance",
       "Adversary: minus its distance to the goal. Good: minus the distance of the good agent nearest to the goal."},
      {"deception", "Good: the adversary's distance to the goal. Adversary: 0."}};
  // The adversary's return when it moves at random, per step about 1.1; that of the good side is smaller.
  manifest_.nominalReturn = manifest_.episodeLength * 0.7;
  manifest_.metrics = {
      {"goal_distance", "m", true, "neither", 0, 100, "Distance of the agent to the goal, mean over steps."},
      {"lead", "m", false, "neither", -100, 100,
       "The adversary's distance to the goal minus that of the nearest good agent, mean over steps; high is good for "
       "the good side."},
      {"success", "none", false, "higher", 0, 1,
       "1 if at the last step a good agent is within 0.1 m of the goal and the adversary is not, else 0."}};
  describeCommonMetrics();
}

}  // namespace

const ScenarioEntry kSimpleAdversary = {"simple_adversary", adversaryParameters, makeShared<SimpleAdversary>};

}  // namespace gymwright
