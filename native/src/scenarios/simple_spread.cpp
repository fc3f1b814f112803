// simple_spread: N agents are to stand on N landmarks, one each, without bumping into each other.
//
// obs of an agent, O = 6N + 0:           offset
//   1. own velocity                        0 .. 2
//   2. own position                        2 .. 4
//   3. landmarks minus self                4 .. 4+2N
//   4. other agents minus self          4+2N .. 2+4N
//   5. messages of the others (zeros)   2+4N .. 6N
// actions: 0 none, 1 left, 2 right, 3 down, 4 up; continuous [none, left, right, down, up] in [0,1].
// reward of an agent: (1 - local_ratio) * coverage + local_ratio * collision, where coverage = -(sum over landmarks of
// the distance of the nearest agent), shared, and collision = -1 for every other agent closer than the sum of radii.
// Truncates after episode.length steps; terminates only where episode.end_on_success is set.
// Source: Lowe et al. 2017; MPE2 simple_spread_v3.
#include <algorithm>
#include <cmath>

#include "sim/mpe_obs.hpp"
#include "sim/mpe_world.hpp"

namespace gymwright {
namespace {

constexpr double kCoverRadius = 0.1;

enum ComponentIndex { kCoverage, kCollision, kNumComponents };
enum SignalIndex { kTime, kCovered, kMeanDistance };
enum MetricIndex { kMetricCoverage, kMetricCollisions, kMetricMeanDistance, kMetricSuccess, kCommonMetrics };
enum PolicyIndex { kNoop, kRandom, kGreedy, kTemperaments };

/// From how many metres on a mate makes an agent of boldness 0 wait.
constexpr double kWaryDistance = 0.6;

/// Extra state words: sums over the episode's steps, then collisions of each agent.
enum SumWord { kDistanceSum, kCoveredSum, kCoveredLast, kCollisionSums };

struct SpreadConfig {
  double localRatio;
  bool endsOnSuccess;
};

constexpr MpeTeam kTeam = {.name = "agent", .size = 0.15, .isTempered = true};

std::vector<Parameter> spreadParameters() {
  return mpeParameters({{{"agent.count", "int", "none", 3, 1, 10, true, false, "Number of agents and of landmarks."}},
                        teamParameters(kTeam),
                        {{"reward.local_ratio", "float", "none", 0.5, 0, 1, false, false,
                          "Weight of the agent's own collisions against the shared coverage in the base reward."},
                         {"episode.end_on_success", "bool", "none", 0, 0, 1, false, false,
                          "End (terminate) an episode when every landmark has an agent within 0.1 m."}}});
}

MpeBodies spreadBodies(const ParameterValues& values) {
  const int count = values.whole("agent.count");
  MpeBodies bodies = mpeBodies(values, count);
  addTeam(bodies, values, kTeam, count);
  bodies.hasContact = true;
  return bodies;
}

class SimpleSpread final : public MpeScenario {
 public:
  explicit SimpleSpread(const ParameterValues& values)
      : MpeScenario(spreadBodies(values), kCollisionSums + values.whole("agent.count")),
        config_{values.number("reward.local_ratio"), values.flag("episode.end_on_success")} {
    describe(values);
  }

  void reset(double* state, const EpisodeRng& rng) const override { resetBodies(state, rng); }

  bool advance(double* state, const double* attributes, const double* controls, double* components) const override {
    moveAgents(state, attributes, controls);
    Gaps gaps;
    measureGaps(state, gaps);
    Roles roles;
    divideLandmarks(gaps, roles);
    keepBooks(state, roles);
    double* sums = extra(state);
    const Nearest nearest = measure(gaps);
    for (int a = 0; a < numAgents(); ++a) {
      components[a * kNumComponents + kCoverage] = -(1.0 - config_.localRatio) * nearest.sum;
      components[a * kNumComponents + kCollision] = 0.0;
    }
    addCollisions(state, attributes, components, sums + kCollisionSums);
    sums[kDistanceSum] += nearest.sum / numLandmarks();
    sums[kCoveredLast] = static_cast<double>(nearest.covered) / numLandmarks();
    sums[kCoveredSum] += sums[kCoveredLast];
    return config_.endsOnSuccess && nearest.covered == numLandmarks();
  }

  void writeObs(const double* state, float* obs) const override { writeObsAs(state, obs); }
  void writeObs(const double* state, double* obs) const override { writeObsAs(state, obs); }

  double signal(int id, const double* state, std::int32_t step) const override {
    switch (id) {
      case kCovered: return static_cast<double>(measure(state).covered) / numLandmarks();
      case kMeanDistance: return measure(state).sum / numLandmarks();
      default: return step;
    }
  }

  void actScripted(int /*group*/, int policy, const double* state, const double* attributes, const EpisodeRng& rng,
                   std::int32_t step, std::int32_t* actions) const override {
    for (int a = 0; a < numAgents(); ++a) actions[a] = policy == kRandom ? randomAction(rng, step, a) : 0;
    if (policy < kGreedy) return;
    int targets[kMaxAgents];
    assign(state, targets);
    for (int a = 0; a < numAgents(); ++a) {
      const bool isBold =
          policy == kGreedy || !mustWait(state, a, targets[a], boldnessOf(policy - kTemperaments, a, attributes, rng));
      if (isBold) actions[a] = steerTo(state, attributes, a, landmark(state, targets[a]));
    }
  }

  void writeMetrics(const double* state, std::int32_t steps, double* metrics) const override {
    const double* sums = extra(state);
    for (int a = 0; a < numAgents(); ++a, metrics += kCommonMetrics + kNumCommonMetrics) {
      metrics[kMetricCoverage] = sums[kCoveredLast];
      metrics[kMetricCollisions] = sums[kCollisionSums + a] / steps;
      metrics[kMetricMeanDistance] = sums[kDistanceSum] / steps;
      metrics[kMetricSuccess] = sums[kCoveredLast] >= 1.0 ? 1.0 : 0.0;
      writeCommonMetrics(state, steps, a, metrics + kCommonMetrics);
    }
  }

 private:
  /// Distances of each landmark's nearest agent.
  struct Nearest {
    double sum;
    int covered;
  };

  Nearest measure(const double* state) const {
    Gaps gaps;
    measureGaps(state, gaps);
    return measure(gaps);
  }

  Nearest measure(const Gaps& gaps) const {
    Nearest nearest{0.0, 0};
    for (int l = 0; l < numLandmarks(); ++l) {
      double square = squareOf(gaps, 0, l);
      for (int a = 1; a < numAgents(); ++a) square = std::min(square, squareOf(gaps, a, l));
      const double least = std::sqrt(square);
      nearest.sum += least;
      nearest.covered += least < kCoverRadius ? 1 : 0;
    }
    return nearest;
  }

  void addCollisions(const double* state, const double* attributes, double* components, double* collisions) const {
    for (int a = 0; a < numAgents(); ++a) {
      for (int b = a + 1; b < numAgents(); ++b) {
        if (!touches(state, attributes, a, b)) continue;
        for (const int i : {a, b}) {
          components[i * kNumComponents + kCollision] -= config_.localRatio;
          collisions[i] += 1.0;
        }
      }
    }
  }

  template <typename T>
  void writeObsAs(const double* state, T* obs) const {
    for (int a = 0; a < numAgents(); ++a, obs += manifest_.obsDim) {
      ObsRow<T> row(obs, agent(state, a));
      row.putPoint(velocity(state, a));
      row.putPoint(agent(state, a));
      putLandmarks(row, state);
      putOthers(row, state, a);
      row.putZeros(2 * (numAgents() - 1));
    }
  }

  /// Repeatedly pairs the closest free agent and landmark.
  void assign(const double* state, int* targets) const {
    bool isAgentTaken[kMaxAgents] = {};
    bool isLandmarkTaken[kMaxAgents] = {};
    for (int pair = 0; pair < numAgents(); ++pair) {
      int bestAgent = -1;
      int bestLandmark = -1;
      double best = 0.0;
      for (int a = 0; a < numAgents(); ++a) {
        for (int l = 0; l < numLandmarks(); ++l) {
          if (isAgentTaken[a] || isLandmarkTaken[l]) continue;
          const double d = distanceBetween(agent(state, a), landmark(state, l));
          if (bestAgent >= 0 && d >= best) continue;
          best = d;
          bestAgent = a;
          bestLandmark = l;
        }
      }
      isAgentTaken[bestAgent] = true;
      isLandmarkTaken[bestLandmark] = true;
      targets[bestAgent] = bestLandmark;
    }
  }

  /// Whether an agent is too wary to go on: a mate that is not farther from the agent's landmark is near.
  bool mustWait(const double* state, int a, int target, double boldness) const {
    const double reach = kWaryDistance * (1.0 - boldness);
    const double own = squareBetween(agent(state, a), landmark(state, target));
    for (int b = 0; b < numAgents(); ++b) {
      if (b == a || squareBetween(agent(state, a), agent(state, b)) >= reach * reach) continue;
      if (squareBetween(agent(state, b), landmark(state, target)) <= own) return true;
    }
    return false;
  }

  void describe(const ParameterValues& values);

  SpreadConfig config_;
};

void SimpleSpread::describe(const ParameterValues& values) {
  const int n = numAgents();
  manifest_.name = "simple_spread";
  manifest_.version = 3;
  manifest_.title = "Simple spread";
  manifest_.doc =
      "N agents are to cover N landmarks, one each, without bumping into each other. All share the coverage; each pays "
      "for its own collisions.";
  manifest_.parameters = spreadParameters();
  manifest_.groups = {
      describeGroup("agent", numberedNames("agent", n), 0, 6 * n, withTemperaments({"noop", "random", "greedy"}))};
  describeShapes(values);
  describeBodies();
  manifest_.signals.push_back({"covered", "none", 0, 1, "Share of landmarks that have an agent within 0.1 m now."});
  manifest_.signals.push_back(
      {"mean_distance", "m", 0, 100, "Mean over landmarks of the distance of the nearest agent now."});
  manifest_.components = {{"coverage",
                           "(1 - local_ratio) times minus the sum over landmarks of the distance of the nearest agent; "
                           "the same for all agents."},
                          {"collision", "local_ratio times -1 for every other agent closer than the sum of radii."}};
  // A landmark's nearest agent is about 0.7 m away when agents move at random.
  manifest_.nominalReturn = manifest_.episodeLength * std::max(0.05, (1.0 - config_.localRatio) * 0.7 * n);
  manifest_.metrics = {
      {"coverage", "none", false, "higher", 0, 1,
       "Share of landmarks that have an agent within 0.1 m at the last step of the episode."},
      {"collisions", "none", true, "lower", 0, static_cast<double>(std::max(1, n - 1)),
       "Other agents closer than the sum of radii, per step, mean over the episode."},
      {"mean_distance", "m", false, "lower", 0, 100, "Distance of the nearest agent, mean over landmarks and steps."},
      {"success", "none", false, "higher", 0, 1,
       "1 if every landmark has an agent within 0.1 m at the last step, else 0."}};
  describeCommonMetrics();
}

}  // namespace

const ScenarioEntry kSimpleSpread = {"simple_spread", spreadParameters, makeShared<SimpleSpread>};

}  // namespace gymwright
