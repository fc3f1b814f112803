// simple_reference: each of two agents is to go to a landmark that only the other one knows; they talk.
//
// obs of an agent, O = 21:               offset
//   1. own velocity                        0 .. 2
//   2. landmarks minus self                2 .. 8
//   3. colour of the landmark to which the other is to go, 8 .. 11
//   4. message of the other               11 .. 21
// actions: 50 = word * 5 + move, move 0 none, 1 left, 2 right, 3 down, 4 up; continuous [none, left, right, down, up]
// and ten words, all in [0,1]. A message is heard with the observation of the step in which it was said.
// reward of agent k: half of minus the distance of the other agent to the landmark that k knows of, and half of the
// mean of both agents' such distances. Truncates after episode.length steps.
// Source: Lowe et al. 2017; MPE2 simple_reference_v3.
#include <algorithm>
#include <cmath>

#include "sim/mpe_world.hpp"

namespace gymwright {
namespace {

constexpr double kReachRadius = 0.1;
constexpr int kNumAgents = 2;
constexpr int kNumLandmarks = 3;
constexpr int kNumWords = 10;
constexpr int kObsDim = 21;

enum ComponentIndex { kShared, kGuiding, kNumComponents };
enum SignalIndex { kTime, kMeanDistance };
enum MetricIndex { kMetricGoalDistance, kMetricNaming, kMetricSuccess, kCommonMetrics };
enum PolicyIndex { kNoop, kRandom, kTellAndGo, kKnowAndGo, kTemperaments };

/// Extra state words: of each agent the landmark it is to go to, its last distance to that, the sum of distances, and
/// steps in which its word named the other's goal.
enum ExtraWord { kGoals, kLast = 2, kDistanceSums = 4, kToldSums = 6, kNumExtra = 8 };

constexpr MpeTeam kTeam = {.name = "agent", .isTempered = true};

std::vector<Parameter> referenceParameters() {
  return mpeParameters({teamParameters(kTeam),
                        {{"reward.local_ratio", "float", "none", 0.5, 0, 1, false, false,
                          "Weight of what an agent's own guiding achieves against the mean of both."}}});
}

MpeBodies referenceBodies(const ParameterValues& values) {
  MpeBodies bodies = mpeBodies(values, kNumLandmarks);
  addTeam(bodies, values, kTeam, kNumAgents);
  bodies.numWords = kNumWords;
  bodies.isSpeaker = {true, true};
  return bodies;
}

class SimpleReference final : public MpeScenario {
 public:
  explicit SimpleReference(const ParameterValues& values)
      : MpeScenario(referenceBodies(values), kNumExtra), localRatio_(values.number("reward.local_ratio")) {
    describe(values);
  }

  void reset(double* state, const EpisodeRng& rng) const override {
    resetBodies(state, rng);
    resetGoals(state, rng);
  }

  /// "goals": of each agent the landmark that it knows of, so that the other one is to go there.
  std::optional<std::string> place(const Placement& placement, double* state) const override {
    if (auto problem = MpeScenario::place(placement, state)) return problem;
    double known[kNumAgents];
    if (auto problem =
            placement.readIndices("goals", kNumAgents, kNumLandmarks,
                                  "for each agent the index of the landmark that the other is to reach", known)) {
      return problem;
    }
    for (int a = 0; a < kNumAgents; ++a) extra(state)[kGoals + other(a)] = known[a];
    return std::nullopt;
  }

  bool isValidState(const double* state) const override {
    const double* goals = extra(state) + kGoals;
    return MpeScenario::isValidState(state) && isIndex(goals[0], kNumLandmarks) && isIndex(goals[1], kNumLandmarks);
  }

  int member(int set, const double* state) const override { return kNumAgents + goalOf(state, set - firstGoalSet_); }

  bool advance(double* state, const double* attributes, const double* controls, double* components) const override {
    moveAgents(state, attributes, controls);
    Gaps gaps;
    measureGaps(state, gaps);
    double* sums = extra(state);
    double distances[kNumAgents];
    Roles roles;
    for (int a = 0; a < kNumAgents; ++a) {
      const int goal = goalOf(state, a);
      distances[a] = std::sqrt(squareOf(gaps, a, goal));
      roles.role[a] = gaps.nearest[a];
      roles.isOwn[a] = gaps.nearest[a] == goal;
      sums[kLast + a] = distances[a];
      sums[kDistanceSums + a] += distances[a];
      sums[kToldSums + a] += word(state, a) == goalOf(state, other(a)) ? 1.0 : 0.0;
    }
    for (int a = 0; a < kNumAgents; ++a) {
      components[a * kNumComponents + kShared] = -(1.0 - localRatio_) * (distances[0] + distances[1]) / kNumAgents;
      components[a * kNumComponents + kGuiding] = -localRatio_ * distances[other(a)];
    }
    keepBooks(state, roles);
    return false;
  }

  void writeObs(const double* state, float* obs) const override { writeObsAs(state, obs); }
  void writeObs(const double* state, double* obs) const override { writeObsAs(state, obs); }

  double signal(int id, const double* state, std::int32_t step) const override {
    if (id == kMeanDistance) return (distanceToGoal(state, 0) + distanceToGoal(state, 1)) / kNumAgents;
    return step;
  }

  void actScripted(int /*group*/, int policy, const double* state, const double* attributes, const EpisodeRng& rng,
                   std::int32_t step, std::int32_t* actions) const override {
    for (int a = 0; a < kNumAgents; ++a) {
      actions[a] = 0;
      if (policy == kRandom) actions[a] = randomAction(rng, step, a);
      if (policy < kTellAndGo) continue;
      const int named = policy == kKnowAndGo ? goalOf(state, a) : word(state, other(a));
      // The skilled players trust the words that they hear entirely.
      const double trust = policy < kTemperaments ? 1.0 : boldnessOf(policy - kTemperaments, a, attributes, rng);
      actions[a] = actionOf(state, a, follow(state, attributes, a, named, trust), goalOf(state, other(a)));
    }
  }

  void writeMetrics(const double* state, std::int32_t steps, double* metrics) const override {
    const double* sums = extra(state);
    const bool isSuccess = sums[kLast] < kReachRadius && sums[kLast + 1] < kReachRadius;
    for (int a = 0; a < kNumAgents; ++a, metrics += kCommonMetrics + kNumCommonMetrics) {
      metrics[kMetricGoalDistance] = sums[kDistanceSums + a] / steps;
      metrics[kMetricNaming] = sums[kToldSums + a] / steps;
      metrics[kMetricSuccess] = isSuccess ? 1.0 : 0.0;
      writeCommonMetrics(state, steps, a, metrics + kCommonMetrics);
    }
  }

 protected:
  void drawGoals(double* state, const GoalDraw& draw) const override {
    for (int a = 0; a < kNumAgents; ++a) extra(state)[kGoals + a] = draw(a, kNumLandmarks);
  }

 private:
  static constexpr int other(int a) { return 1 - a; }
  int goalOf(const double* state, int a) const { return static_cast<int>(extra(state)[kGoals + a]); }
  double distanceToGoal(const double* state, int a) const {
    return distanceBetween(agent(state, a), landmark(state, goalOf(state, a)));
  }

  /// To the landmark of that number; where no word names one, to the middle of all. The less an agent trusts what it
  /// hears, the nearer it stays to there.
  std::int32_t follow(const double* state, const double* attributes, int a, int named, double trust) const {
    const bool isNamed = named >= 0 && named < kNumLandmarks;
    return steerToShare(state, attributes, a, isNamed ? named : 0, isNamed ? trust : 0.0);
  }

  template <typename T>
  void writeObsAs(const double* state, T* obs) const {
    for (int a = 0; a < kNumAgents; ++a, obs += kObsDim) {
      ObsRow<T> row(obs, agent(state, a));
      row.putPoint(velocity(state, a));
      putLandmarks(row, state);
      for (int l = 0; l < kNumLandmarks; ++l) row.put(l == goalOf(state, other(a)) ? 0.75 : 0.25);
      row.put(message(state, other(a)), kNumWords);
    }
  }

  void describe(const ParameterValues& values);

  double localRatio_;
  int firstGoalSet_ = 0;
};

void SimpleReference::describe(const ParameterValues& values) {
  manifest_.name = "simple_reference";
  manifest_.version = 2;
  manifest_.title = "Simple reference";
  manifest_.doc =
      "Each of two agents is to go to one of three landmarks, and only the other one knows to which: both move and "
      "both speak one of ten words a step.";
  manifest_.parameters = referenceParameters();
  manifest_.groups = {describeGroup("agent", numberedNames("agent", kNumAgents), 0, kObsDim,
                                    withTemperaments({"noop", "random", "tell_and_go", "know_and_go"}))};
  describeShapes(values);
  describeBodies();
  describeGoalEvent("Another draw of both agents' goals; they may be the same.");
  firstGoalSet_ = static_cast<int>(manifest_.sets.size());
  for (int a = 0; a < kNumAgents; ++a) {
    const std::string index = std::to_string(a);
    manifest_.sets.push_back({"goal_" + index, EntityKind::kLandmark, allLandmarks(), true,
                              "The landmark to which agent_" + index + " is to go."});
  }
  manifest_.signals.push_back({"mean_distance", "m", 0, 100, "Distance of agents to their own goals now, mean."});
  manifest_.components = {
      {"shared", "(1 - local_ratio) times minus the mean of both agents' distances to their goals."},
      {"guiding", "local_ratio times minus the distance of the other agent to its goal."}};
  // Distances of agents that move at random: 1.1 a step.
  manifest_.nominalReturn = manifest_.episodeLength * 1.1;
  manifest_.metrics = {
      {"goal_distance", "m", true, "lower", 0, 100, "Distance of the agent to its own goal, mean over steps."},
      {"naming", "none", true, "neither", 0, 1,
       "Share of the steps in which the agent said the number of the landmark to which the other is to go, as the "
       "scripted player does; a team may agree on other words."},
      {"success", "none", false, "higher", 0, 1,
       "1 if at the last step both agents are within 0.1 m of their goals, else 0."}};
  describeCommonMetrics(
      "Share of the steps in which the landmark nearest to the agent was its goal: it was told, and understood.");
}

}  // namespace

const ScenarioEntry kSimpleReference = {"simple_reference", referenceParameters, makeShared<SimpleReference>};

}  // namespace gymwright
