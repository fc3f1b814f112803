// simple: one agent is to go to one landmark.
//
// obs, O = 4:                            offset
//   1. own velocity                        0 .. 2
//   2. landmark minus self                 2 .. 4
// actions: 0 none, 1 left, 2 right, 3 down, 4 up; continuous [none, left, right, down, up] in [0,1].
// reward: minus the square of the distance to the landmark. Truncates after episode.length steps.
// Source: Lowe et al. 2017; MPE2 simple_v3.
#include <cmath>

#include "sim/mpe_obs.hpp"
#include "sim/mpe_world.hpp"

namespace gymwright {
namespace {

constexpr double kReachRadius = 0.1;
constexpr int kObsDim = 4;

enum SignalIndex { kTime, kDistance };
enum MetricIndex { kMetricDistance, kMetricSuccess, kCommonMetrics };
enum PolicyIndex { kNoop, kRandom, kGreedy };
enum ExtraWord { kDistanceSum, kDistanceLast, kNumExtra };

constexpr MpeTeam kTeam = {.name = "agent"};

std::vector<Parameter> simpleParameters() { return mpeParameters({teamParameters(kTeam)}); }

MpeBodies simpleBodies(const ParameterValues& values) {
  MpeBodies bodies = mpeBodies(values, 1);
  addTeam(bodies, values, kTeam, 1);
  return bodies;
}

class Simple final : public MpeScenario {
 public:
  explicit Simple(const ParameterValues& values) : MpeScenario(simpleBodies(values), kNumExtra) { describe(values); }

  void reset(double* state, const EpisodeRng& rng) const override { resetBodies(state, rng); }

  bool advance(double* state, const double* attributes, const double* controls, double* components) const override {
    moveAgents(state, attributes, controls);
    const double square = squareBetween(agent(state, 0), landmark(state, 0));
    components[0] = -square;
    extra(state)[kDistanceLast] = std::sqrt(square);
    extra(state)[kDistanceSum] += std::sqrt(square);
    Roles roles;
    roles.role[0] = quarterOf(landmark(state, 0), agent(state, 0));
    markOwn(roles);
    keepBooks(state, roles);
    return false;
  }

  void writeObs(const double* state, float* obs) const override { writeObsAs(state, obs); }
  void writeObs(const double* state, double* obs) const override { writeObsAs(state, obs); }

  double signal(int id, const double* state, std::int32_t step) const override {
    return id == kDistance ? distanceBetween(agent(state, 0), landmark(state, 0)) : step;
  }

  void actScripted(int /*group*/, int policy, const double* state, const double* attributes, const EpisodeRng& rng,
                   std::int32_t step, std::int32_t* actions) const override {
    actions[0] = 0;
    if (policy == kRandom) actions[0] = randomAction(rng, step, 0);
    if (policy == kGreedy) actions[0] = steerTo(state, attributes, 0, landmark(state, 0));
  }

  void writeMetrics(const double* state, std::int32_t steps, double* metrics) const override {
    metrics[kMetricDistance] = extra(state)[kDistanceSum] / steps;
    metrics[kMetricSuccess] = extra(state)[kDistanceLast] < kReachRadius ? 1.0 : 0.0;
    writeCommonMetrics(state, steps, 0, metrics + kCommonMetrics);
  }

 private:
  template <typename T>
  void writeObsAs(const double* state, T* obs) const {
    ObsRow<T> row(obs, agent(state, 0));
    row.putPoint(velocity(state, 0));
    row.putRelative(landmark(state, 0));
  }

  void describe(const ParameterValues& values);
};

void Simple::describe(const ParameterValues& values) {
  manifest_.name = "simple";
  manifest_.version = 2;
  manifest_.title = "Simple";
  manifest_.doc = "One agent is to go to one landmark and stay there: for first tries and for checks of a learner.";
  manifest_.parameters = simpleParameters();
  manifest_.groups = {describeGroup("agent", {"agent_0"}, 0, kObsDim, {"noop", "random", "greedy"})};
  describeShapes(values);
  describeBodies();
  manifest_.signals.push_back({"landmark_distance", "m", 0, 100, "Distance of the agent to the landmark now."});
  manifest_.components = {{"distance", "Minus the square of the distance to the landmark."}};
  // Squares of distances when the agent moves at random: 1.6 a step.
  manifest_.nominalReturn = manifest_.episodeLength * 1.6;
  manifest_.metrics = {
      {"distance", "m", true, "lower", 0, 100, "Distance of the agent to the landmark, mean over steps."},
      {"success", "none", false, "higher", 0, 1, "1 if the agent is within 0.1 m of the landmark at the last step."}};
  describeCommonMetrics(
      "Has no meaning for one agent.",
      "Share of the steps, from the second on, in which the agent was on the same side of the landmark "
      "(left, right, below or above) as in the step before: it comes straight and stays.");
}

}  // namespace

const ScenarioEntry kSimple = {"simple", simpleParameters, makeShared<Simple>};

}  // namespace gymwright
