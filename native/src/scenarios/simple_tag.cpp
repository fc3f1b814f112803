// simple_tag: slower predators are to catch faster prey among obstacles.
//
// obs with P predators, Q prey, L obstacles:       of a predator, O = 4 + 2L + 2(P+Q-1) + 2Q   of a prey
//   1. own velocity                                  2                                           2
//   2. own position                                  2                                           2
//   3. obstacles minus self                          2L                                          2L
//   4. other agents minus self                       2(P+Q-1)                                    2(P+Q-1)
//   5. velocities of the (other) prey                2Q                                          2(Q-1)
// actions: 0 none, 1 left, 2 right, 3 down, 4 up; continuous [none, left, right, down, up] in [0,1].
// reward: every predator gets 10 for each pair of predator and prey that touch; a prey loses 10 for each predator that
// touches it, and more and more outside the field. Truncates after episode.length steps; terminates only where
// episode.end_on_success is set.
// Source: Lowe et al. 2017; MPE2 simple_tag_v3.
#include <algorithm>
#include <cmath>

#include "sim/mpe_obs.hpp"
#include "sim/mpe_pursuit.hpp"

namespace gymwright {
namespace {

constexpr double kCatchReward = 10.0;

enum ComponentIndex { kCatch, kField, kNumComponents };
enum GroupIndex { kAdversaryGroup, kGoodGroup };
enum PolicyIndex { kNoop, kRandom, kSkilled, kTemperaments };

constexpr MpeTeam kPredators = {
    .name = "adversary", .side = 0, .accel = 3.0, .maxSpeed = 1.0, .size = 0.075, .isTempered = true};
constexpr MpeTeam kPrey = {.name = "good", .side = 1, .accel = 4.0, .maxSpeed = 1.3, .size = 0.05, .isTempered = true};

std::vector<Parameter> tagParameters() {
  return mpeParameters(
      {{{"adversary.count", "int", "none", 3, 1, 8, true, false, "Number of predators."},
        {"good.count", "int", "none", 1, 1, 4, true, false, "Number of prey."},
        {"obstacle.count", "int", "none", 2, 1, 6, true, false, "Number of obstacles."}},
       teamParameters(kPredators),
       teamParameters(kPrey),
       {liveParameter({"obstacle.size", "float", "m", 0.2, 0.02, 0.4, false, true, "Radius of an obstacle."}, "size",
                      "landmark"),
        {"episode.end_on_success", "bool", "none", 0, 0, 1, false, false,
         "End (terminate) an episode when every prey is touched by a predator."}}},
      0.9);
}

MpeBodies tagBodies(const ParameterValues& values) {
  const int obstacles = values.whole("obstacle.count");
  MpeBodies bodies = mpeBodies(values, obstacles);
  addTeam(bodies, values, kPredators, values.whole("adversary.count"));
  addTeam(bodies, values, kPrey, values.whole("good.count"));
  bodies.hasContact = true;
  bodies.landmarkSize.assign(static_cast<std::size_t>(obstacles), values.number("obstacle.size"));
  bodies.numObstacles = obstacles;
  return bodies;
}

class SimpleTag final : public MpePursuit {
 public:
  explicit SimpleTag(const ParameterValues& values)
      : MpePursuit(tagBodies(values), values.whole("adversary.count"), kNumOwnWords),
        endsOnSuccess_(values.flag("episode.end_on_success")) {
    describe(values);
  }

  bool advance(double* state, const double* attributes, const double* controls, double* components) const override {
    moveAgents(state, attributes, controls);
    Contacts contacts;
    countContacts(state, attributes, contacts);
    for (int a = 0; a < numAgents(); ++a, components += kNumComponents) {
      components[kCatch] = isPrey(a) ? -kCatchReward * contacts.of[a] : kCatchReward * contacts.pairs;
      components[kField] = isPrey(a) ? -fieldPenalty(agent(state, a)) : 0.0;
    }
    own(state)[kGapSum] += meanGap(state);
    keepPursuitBooks(state, contacts);
    return endsOnSuccess_ && isAllCaught(contacts);
  }

  void writeObs(const double* state, float* obs) const override { writeObsAs(state, obs); }
  void writeObs(const double* state, double* obs) const override { writeObsAs(state, obs); }

  double signal(int id, const double* state, std::int32_t step) const override {
    if (id == kGap) return meanGap(state);
    return id == kTouching ? touchingPairs(state) : step;
  }

  void actScripted(int group, int policy, const double* state, const double* attributes, const EpisodeRng& rng,
                   std::int32_t step, std::int32_t* actions) const override {
    const int first = group == kAdversaryGroup ? 0 : numPredators();
    const int end = group == kAdversaryGroup ? numPredators() : numAgents();
    for (int a = first; a < end; ++a) {
      std::int32_t& action = actions[a - first];
      action = policy == kRandom ? randomAction(rng, step, a) : 0;
      if (policy == kSkilled) action = isPrey(a) ? flee(state, attributes, a) : chase(state, a, nearestPrey(state, a));
      if (policy >= kTemperaments)
        action = actTempered(state, attributes, a, boldnessOf(policy - kTemperaments, a, attributes, rng));
    }
  }

  void writeMetrics(const double* state, std::int32_t steps, double* metrics) const override {
    for (int a = 0; a < numAgents(); ++a, metrics += kCommonMetrics + kNumCommonMetrics) {
      writePursuitMetrics(state, steps, a, metrics);
      metrics[kMetricGap] = own(state)[kGapSum] / steps;
      writeCommonMetrics(state, steps, a, metrics + kCommonMetrics);
    }
  }

 private:
  enum SignalIndex { kGap = kOwnSignals };
  enum MetricIndex { kMetricGap = kOwnMetrics, kCommonMetrics };
  /// The sum over the episode of mean gaps.
  enum OwnWord { kGapSum, kNumOwnWords };

  /// Distance of each prey to its nearest predator, mean.
  double meanGap(const double* state) const {
    double sum = 0.0;
    for (int q = numPredators(); q < numAgents(); ++q)
      sum += distanceBetween(agent(state, q), agent(state, nearestOf(state, 0, numPredators(), agent(state, q))));
    return sum / numPrey();
  }

  /// Prey that is not alarmed keeps to the middle of the field.
  std::int32_t actTempered(const double* state, const double* attributes, int a, double boldness) const {
    constexpr double kMiddle[2] = {0.0, 0.0};
    if (!isPrey(a)) return hunt(state, attributes, a, nearestPrey(state, a), boldness);
    return isAlarmed(state, a, boldness) ? flee(state, attributes, a) : steerTo(state, attributes, a, kMiddle);
  }

  template <typename T>
  void writeObsAs(const double* state, T* obs) const {
    for (int a = 0; a < numAgents(); ++a, obs += manifest_.obsDim) {
      ObsRow<T> row(obs, agent(state, a));
      row.putPoint(velocity(state, a));
      row.putPoint(agent(state, a));
      putLandmarks(row, state);
      putOthers(row, state, a);
      for (int q = numPredators(); q < numAgents(); ++q) {
        if (q != a) row.putPoint(velocity(state, q));
      }
      row.padTo(obs + manifest_.obsDim);
    }
  }

  void describe(const ParameterValues& values);

  bool endsOnSuccess_;
};

void SimpleTag::describe(const ParameterValues& values) {
  manifest_.name = "simple_tag";
  manifest_.version = 2;
  manifest_.title = "Simple tag";
  manifest_.doc =
      "Predators, which are slower, are to catch prey among obstacles; one contact pays all predators, so that hunting "
      "together is worth more than being there.";
  manifest_.parameters = tagParameters();
  const int common = 4 + 2 * numLandmarks() + 2 * (numAgents() - 1);
  manifest_.groups = {describeGroup("adversary", numberedNames("adversary", numPredators()), 0, common + 2 * numPrey(),
                                    withTemperaments({"noop", "random", "chase"})),
                      describeGroup("good", numberedNames("agent", numPrey()), numPredators(),
                                    common + 2 * (numPrey() - 1), withTemperaments({"noop", "random", "flee"}))};
  describeShapes(values);
  describeBodies();
  describeTeam("adversary", "The predators.");
  describeTeam("good", "The prey.");
  describePursuit({{"gap", "m", false, "neither", 0, 100,
                    "Distance of a prey to its nearest predator, mean over prey and steps."}});
  manifest_.signals.push_back({"gap", "m", 0, 100, "Distance of a prey to its nearest predator now, mean over prey."});
  manifest_.components = {
      {"catch",
       "Predator: 10 for each pair of predator and prey that touch, whoever is in it. Prey: -10 for "
       "each predator that touches it."},
      {"field",
       "Prey: for each coordinate nothing up to 0.9 m from the middle, then falling by 10 per metre, "
       "from 1 m on minus e to the power of twice what is over 1 m, at most 10. Predator: 0."}};
  // What predators that chase get of a prey that flees.
  manifest_.nominalReturn = manifest_.episodeLength * 2.0;
}

}  // namespace

const ScenarioEntry kSimpleTag = {"simple_tag", tagParameters, makeShared<SimpleTag>};

}  // namespace gymwright
