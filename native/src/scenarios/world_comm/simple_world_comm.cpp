// simple_world_comm: predators, one of whom sees everything and speaks, hunt prey that eats and hides in forests.
//
// obs with A agents, Q prey, L landmarks, F forests:   of a predator              of a prey
//   1. own velocity                                      2                          2
//   2. own position                                      2                          2
//   3. landmarks minus self: obstacles, food, forests    2L                         2L
//   4. other agents minus self, zeros if out of sight    2(A-1)                     2(A-1)
//   5.                                                   velocities of prey 2Q      1 or -1 per forest: in it or not, F
//   6.                                                   1 or -1 per forest, F      velocities of other prey 2(Q-1)
//   7.                                                   the leader's message 4
// Others are out of sight where one of the two is in a forest and not both in the same; nobody is for the leader.
// actions: 0 none, 1 left, 2 right, 3 down, 4 up; of the leader 20 = word * 5 + move; continuous [none, left, right,
// down, up], then for the leader four words, all in [0,1].
// reward of a predator: 5 for each pair of predator and prey that touch, minus a tenth of the distance to the nearest
// prey.
// reward of a prey: -5 for each predator that touches it, 2 for each food it touches, minus 0.05 times the distance to
// the nearest food, minus twice the price of leaving the field. Truncates after episode.length steps.
// Source: Lowe et al. 2017; MPE2 simple_world_comm_v3.
#include <algorithm>
#include <cmath>

#include "scenarios/world_comm/layout.hpp"
#include "sim/mpe_obs.hpp"
#include "sim/mpe_pursuit.hpp"

namespace gymwright {
namespace {

using world_comm::Layout;

constexpr double kCatchReward = 5.0;
constexpr double kFoodReward = 2.0;
constexpr double kFoodPull = 0.05;
constexpr double kPreyPull = 0.1;
constexpr double kFieldWeight = 2.0;

enum ComponentIndex { kCatch, kApproach, kFood, kField, kNumComponents };
enum SignalIndex { kTime, kTouching, kHidden };
enum MetricIndex { kMetricContacts, kMetricCatches, kMetricFood, kMetricHidden, kMetricSuccess, kCommonMetrics };
enum GroupIndex { kLeaderGroup, kAdversaryGroup, kGoodGroup };
enum PolicyIndex { kNoop, kRandom, kSkilled, kTemperaments };

/// Extra state words: sums over the episode of touching pairs, whether anybody touched, then each agent's contacts,
/// food touched, steps in a forest, and the forests in which it stands, as bits.
enum ExtraWord { kPairSum, kHasTouched, kAgentSums };
enum AgentSum { kContactSum, kFoodSum, kForestSum, kForestsNow, kNumAgentSums };

class SimpleWorldComm final : public MpePursuit {
 public:
  explicit SimpleWorldComm(const ParameterValues& values)
      : MpePursuit(world_comm::bodies(values), Layout(values).predators,
                   kAgentSums + kNumAgentSums * Layout(values).agents()),
        layout_(values) {
    describe(values);
  }

  void reset(double* state, const EpisodeRng& rng) const override {
    resetBodies(state, rng);
    lookForForests(state, baseAttributes().data());
  }

  std::optional<std::string> place(const Placement& placement, double* state) const override {
    if (auto problem = MpeScenario::place(placement, state)) return problem;
    lookForForests(state, baseAttributes().data());
    return std::nullopt;
  }

  bool isValidState(const double* state) const override {
    if (!MpeScenario::isValidState(state)) return false;
    for (int a = 0; a < numAgents(); ++a) {
      if (!isIndex(agentSums(state, a)[kForestsNow], 1 << layout_.forests)) return false;
    }
    return true;
  }

  bool advance(double* state, const double* attributes, const double* controls, double* components) const override {
    moveAgents(state, attributes, controls);
    Contacts contacts;
    countContacts(state, attributes, contacts);
    lookForForests(state, attributes);
    for (int a = 0; a < numAgents(); ++a, components += kNumComponents) {
      double* sums = extra(state) + kAgentSums + kNumAgentSums * a;
      sums[kContactSum] += contacts.of[a];
      sums[kForestSum] += sums[kForestsNow] != 0.0 ? 1.0 : 0.0;
      if (isPrey(a)) {
        sums[kFoodSum] += payPrey(state, attributes, a, contacts.of[a], components);
      } else {
        components[kCatch] = kCatchReward * contacts.pairs;
        components[kApproach] = -kPreyPull * nearestPreyDistance(state, a);
        components[kFood] = components[kField] = 0.0;
      }
    }
    extra(state)[kPairSum] += contacts.pairs;
    if (contacts.pairs > 0) extra(state)[kHasTouched] = 1.0;
    keepPursuitBooks(state);
    return false;
  }

  void writeObs(const double* state, float* obs) const override { writeObsAs(state, obs); }
  void writeObs(const double* state, double* obs) const override { writeObsAs(state, obs); }

  double signal(int id, const double* state, std::int32_t step) const override {
    if (id == kTouching) {
      Contacts contacts;
      countContacts(state, baseAttributes().data(), contacts);
      return contacts.pairs;
    }
    if (id != kHidden) return step;
    int hidden = 0;
    for (int q = numPredators(); q < numAgents(); ++q) hidden += forestsOf(state, q) != 0 ? 1 : 0;
    return hidden;
  }

  void actScripted(int group, int policy, const double* state, const double* attributes, const EpisodeRng& rng,
                   std::int32_t step, std::int32_t* actions) const override {
    const Group& who = manifest_.groups[static_cast<std::size_t>(group)];
    for (std::size_t i = 0; i < who.agents.size(); ++i) {
      const int a = who.firstAgent + static_cast<int>(i);
      actions[i] = policy == kRandom ? randomAction(rng, step, a) : 0;
      if (policy < kSkilled) continue;
      // The skilled play is that of the boldest predators, and of prey that flees in time.
      double boldness = isPrey(a) ? 0.5 : 1.0;
      if (policy >= kTemperaments) boldness = boldnessOf(policy - kTemperaments, a, attributes, rng);
      const std::int32_t move = isPrey(a) ? forage(state, a, boldness) : huntInSight(state, a, boldness);
      actions[i] = actionOf(state, a, move, hidingPlace(state));
    }
  }

  void writeMetrics(const double* state, std::int32_t steps, double* metrics) const override {
    const double* sums = extra(state);
    const double* own = sums + kAgentSums;
    for (int a = 0; a < numAgents(); ++a, metrics += kCommonMetrics + kNumCommonMetrics, own += kNumAgentSums) {
      metrics[kMetricContacts] = own[kContactSum] / steps;
      metrics[kMetricCatches] = sums[kPairSum] / steps;
      metrics[kMetricFood] = own[kFoodSum] / steps;
      metrics[kMetricHidden] = own[kForestSum] / steps;
      metrics[kMetricSuccess] = sums[kHasTouched];
      writeCommonMetrics(state, steps, a, metrics + kCommonMetrics);
    }
  }

 protected:
  bool hears(int listener, int /*speaker*/) const override { return !isPrey(listener); }
  bool isHidden(const double* state, int a) const override { return forestsOf(state, a) != 0; }

 private:
  int firstForest() const { return layout_.obstacles + layout_.food; }

  const double* agentSums(const double* state, int a) const { return extra(state) + kAgentSums + kNumAgentSums * a; }
  /// Forests in which an agent stood at the end of the last step, as bits.
  unsigned forestsOf(const double* state, int a) const {
    return static_cast<unsigned>(agentSums(state, a)[kForestsNow]);
  }

  /// Notes who stands in which forest: what is seen follows the sizes that held in the step.
  void lookForForests(double* state, const double* attributes) const {
    for (int a = 0; a < numAgents(); ++a) {
      unsigned set = 0;
      for (int f = 0; f < layout_.forests; ++f)
        set |= touchesLandmark(state, attributes, a, firstForest() + f) ? 1u << f : 0u;
      extra(state)[kAgentSums + kNumAgentSums * a + kForestsNow] = set;
    }
  }

  static bool isVisible(int observer, unsigned own, unsigned others) {
    return observer == 0 || (own & others) != 0 || (own | others) == 0;
  }

  /// Writes the components of a prey and returns how much food it touches.
  int payPrey(const double* state, const double* attributes, int a, int numTouching, double* components) const {
    int eaten = 0;
    double nearest = HUGE_VAL;
    for (int l = layout_.obstacles; l < firstForest(); ++l) {
      eaten += touchesLandmark(state, attributes, a, l) ? 1 : 0;
      nearest = std::min(nearest, squareBetween(agent(state, a), landmark(state, l)));
    }
    components[kCatch] = -kCatchReward * numTouching;
    components[kApproach] = -kFoodPull * std::sqrt(nearest);
    components[kFood] = kFoodReward * eaten;
    components[kField] = -kFieldWeight * fieldPenalty(agent(state, a));
    return eaten;
  }

  /// What the scripted leader says: 1 + the forest in which the first prey that hides does so; 0: none hides.
  int hidingPlace(const double* state) const {
    for (int q = numPredators(); q < numAgents(); ++q) {
      const unsigned forests = forestsOf(state, q);
      for (int f = 0; f < std::min(layout_.forests, world_comm::kNumWords - 1); ++f) {
        if ((forests >> f & 1u) != 0) return f + 1;
      }
    }
    return 0;
  }

  /// After prey that it sees; where it sees none, to the forest that the leader named.
  std::int32_t huntInSight(const double* state, int a, double boldness) const {
    const unsigned own = forestsOf(state, a);
    const bool isAnyVisible = [&] {
      for (int q = numPredators(); q < numAgents(); ++q) {
        if (isVisible(a, own, forestsOf(state, q))) return true;
      }
      return false;
    }();
    const int named = word(state, 0);
    if (isAnyVisible || named < 1 || named > layout_.forests) return hunt(state, a, boldness);
    return steerTo(state, a, landmark(state, firstForest() + named - 1));
  }

  /// To the nearest food, unless a predator is near.
  std::int32_t forage(const double* state, int a, double boldness) const {
    if (isAlarmed(state, a, boldness)) return flee(state, a);
    int nearest = layout_.obstacles;
    for (int l = nearest + 1; l < firstForest(); ++l) {
      if (squareBetween(agent(state, a), landmark(state, l)) < squareBetween(agent(state, a), landmark(state, nearest)))
        nearest = l;
    }
    return steerTo(state, a, landmark(state, nearest));
  }

  template <typename T>
  void writeObsAs(const double* state, T* obs) const;

  void describe(const ParameterValues& values);
  void describeSets();

  Layout layout_;
};

template <typename T>
void SimpleWorldComm::writeObsAs(const double* state, T* obs) const {
  unsigned forests[kMaxAgents];
  for (int a = 0; a < numAgents(); ++a) forests[a] = forestsOf(state, a);
  for (int a = 0; a < numAgents(); ++a, obs += manifest_.obsDim) {
    ObsRow<T> row(obs, agent(state, a));
    row.putPoint(velocity(state, a));
    row.putPoint(agent(state, a));
    for (int l = 0; l < numLandmarks(); ++l) row.putRelative(landmark(state, l));
    for (int b = 0; b < numAgents(); ++b) {
      if (b == a) continue;
      isVisible(a, forests[a], forests[b]) ? row.putRelative(agent(state, b)) : row.putZeros(2);
    }
    const auto putForests = [&] {
      for (int f = 0; f < layout_.forests; ++f) row.put((forests[a] >> f & 1u) != 0 ? 1.0 : -1.0);
    };
    if (isPrey(a)) putForests();
    for (int q = numPredators(); q < numAgents(); ++q) {
      if (q == a) continue;
      isVisible(a, forests[a], forests[q]) ? row.putPoint(velocity(state, q)) : row.putZeros(2);
    }
    if (!isPrey(a)) {
      putForests();
      row.put(message(state, 0), world_comm::kNumWords);
    }
    row.padTo(obs + manifest_.obsDim);
  }
}

void SimpleWorldComm::describe(const ParameterValues& values) {
  manifest_.name = "simple_world_comm";
  manifest_.version = 1;
  manifest_.title = "Simple world with communication";
  manifest_.doc =
      "Predators hunt prey that looks for food and can hide in forests; one predator, the leader, sees into the "
      "forests "
      "and says one of four words a step.";
  manifest_.parameters = world_comm::parameters();
  const int common = 4 + 2 * numLandmarks() + 2 * (numAgents() - 1) + layout_.forests;
  const int predatorDim = common + 2 * numPrey() + world_comm::kNumWords;
  manifest_.groups = {
      describeGroup("leader", {"leadadversary_0"}, 0, predatorDim, withTemperaments({"noop", "random", "chase"})),
      describeGroup("adversary", numberedNames("adversary", numPredators() - 1), 1, predatorDim,
                    withTemperaments({"noop", "random", "chase"})),
      describeGroup("good", numberedNames("agent", numPrey()), numPredators(), common + 2 * (numPrey() - 1),
                    withTemperaments({"noop", "random", "forage"}))};
  describeShapes(values);
  describeBodies({.speakers = {"leader"}});
  describeSets();
  const double pairs = numPredators() * numPrey();
  manifest_.signals.push_back({"touching", "none", 0, pairs, "Pairs of predator and prey that touch now."});
  manifest_.signals.push_back(
      {"hidden", "none", 0, static_cast<double>(numPrey()), "Prey that stands in a forest now."});
  manifest_.components = {
      {"catch",
       "Predator: 5 for each pair of predator and prey that touch, whoever is in it. Prey: -5 for each predator that "
       "touches it."},
      {"approach",
       "Predator: -0.1 times the distance to the nearest prey. Prey: -0.05 times the distance to the nearest food."},
      {"food", "Prey: 2 for each food that it touches. Predator: 0."},
      {"field",
       "Prey: twice, for each coordinate nothing up to 0.9 m from the middle, then falling by 10 per metre, from 1 m "
       "on "
       "minus e to the power of twice what is over 1 m, at most 10. Predator: 0."}};
  // What predators that chase get of prey that forages.
  manifest_.nominalReturn = manifest_.episodeLength * 1.0;
  manifest_.metrics = {
      {"contacts", "none", true, "neither", 0, static_cast<double>(std::max(numPredators(), numPrey())),
       "Agents of the other side that the agent touches, mean over steps."},
      {"catches", "none", false, "neither", 0, pairs, "Pairs of predator and prey that touch, mean over steps."},
      {"food", "none", true, "neither", 0, static_cast<double>(layout_.food),
       "Food that the prey touches, mean over steps; 0 for a predator."},
      {"hidden", "none", true, "neither", 0, 1, "Share of the steps in which the agent stood in a forest."},
      {"success", "none", false, "higher", 0, 1,
       "1 if a predator touched a prey at least once, else 0: a success of the predators."}};
  describePursuitMetrics();
}

void SimpleWorldComm::describeSets() {
  describeTeam("leader", "The predator that sees everything and speaks.");
  describeTeam("adversary", "The other predators.");
  describeTeam("good", "The prey.");
  std::vector<int> predators;
  for (int a = 0; a < numPredators(); ++a) predators.push_back(a);
  manifest_.sets.push_back({"predator", EntityKind::kAgent, predators, false, "The leader and the other predators."});
  int next = numAgents();
  const auto add = [&](const char* name, int count, const char* doc) {
    std::vector<int> members;
    for (int i = 0; i < count; ++i) members.push_back(next++);
    manifest_.sets.push_back({name, EntityKind::kLandmark, members, false, doc});
  };
  add("obstacle", layout_.obstacles, "Landmarks that nobody passes.");
  add("food", layout_.food, "Places with food.");
  add("forest", layout_.forests, "Forests, in which one is out of sight.");
}

}  // namespace

const ScenarioEntry kSimpleWorldComm = {"simple_world_comm", world_comm::parameters,
                                        [](const ParameterValues& values) -> std::shared_ptr<const Scenario> {
                                          return std::make_shared<SimpleWorldComm>(values);
                                        }};

}  // namespace gymwright
