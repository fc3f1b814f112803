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

#include "scenarios/world_comm/world.hpp"

namespace gymwright {
namespace world_comm {
namespace {

constexpr double kCatchReward = 5.0;
constexpr double kFoodReward = 2.0;
constexpr double kFoodPull = 0.05;
constexpr double kPreyPull = 0.1;
constexpr double kFieldWeight = 2.0;

}  // namespace

World::World(const ParameterValues& values)
    : MpePursuit(bodies(values), Layout(values).predators, kNumAgentWords * Layout(values).agents()), layout_(values) {
  describe(values);
}

void World::reset(double* state, const EpisodeRng& rng) const {
  MpePursuit::reset(state, rng);
  lookForForests(state, baseAttributes().data());
}

std::optional<std::string> World::place(const Placement& placement, double* state) const {
  if (auto problem = MpePursuit::place(placement, state)) return problem;
  lookForForests(state, baseAttributes().data());
  return std::nullopt;
}

bool World::isValidState(const double* state) const {
  if (!MpePursuit::isValidState(state)) return false;
  for (int a = 0; a < numAgents(); ++a) {
    if (!isIndex(words(state, a)[kForestsNow], 1 << layout_.forests)) return false;
  }
  return true;
}

bool World::advance(double* state, const double* attributes, const double* controls, double* components) const {
  moveAgents(state, attributes, controls);
  Contacts contacts;
  countContacts(state, attributes, contacts);
  lookForForests(state, attributes);
  for (int a = 0; a < numAgents(); ++a, components += kNumComponents) {
    double* sums = words(state, a);
    sums[kForestSum] += sums[kForestsNow] != 0.0 ? 1.0 : 0.0;
    if (isPrey(a)) {
      sums[kFoodSum] += payPrey(state, attributes, a, contacts.of[a], components);
    } else {
      components[kCatch] = kCatchReward * contacts.pairs;
      components[kApproach] = -kPreyPull * distanceOf(state, a, nearestPrey(state, a));
      components[kFood] = components[kField] = 0.0;
    }
  }
  keepPursuitBooks(state, contacts);
  return false;
}

/// Notes who stands in which forest: what is seen follows the sizes that held in the step.
void World::lookForForests(double* state, const double* attributes) const {
  for (int a = 0; a < numAgents(); ++a) {
    unsigned set = 0;
    for (int f = 0; f < layout_.forests; ++f)
      set |= touchesLandmark(state, attributes, a, firstForest() + f) ? 1u << f : 0u;
    words(state, a)[kForestsNow] = set;
  }
}

/// Writes the components of a prey and returns how much food it touches.
int World::payPrey(const double* state, const double* attributes, int a, int numTouching, double* components) const {
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

double World::signal(int id, const double* state, std::int32_t step) const {
  if (id == kTouching) return touchingPairs(state);
  if (id != kHidden) return step;
  int hidden = 0;
  for (int q = numPredators(); q < numAgents(); ++q) hidden += isHidden(state, q) ? 1 : 0;
  return hidden;
}

void World::writeMetrics(const double* state, std::int32_t steps, double* metrics) const {
  for (int a = 0; a < numAgents(); ++a, metrics += kCommonMetrics + kNumCommonMetrics) {
    writePursuitMetrics(state, steps, a, metrics);
    metrics[kMetricFood] = words(state, a)[kFoodSum] / steps;
    metrics[kMetricHidden] = words(state, a)[kForestSum] / steps;
    writeCommonMetrics(state, steps, a, metrics + kCommonMetrics);
  }
}

template <typename T>
void World::writeObsAs(const double* state, T* obs) const {
  unsigned forests[kMaxAgents];
  for (int a = 0; a < numAgents(); ++a) forests[a] = forestsOf(state, a);
  for (int a = 0; a < numAgents(); ++a, obs += manifest_.obsDim) {
    ObsRow<T> row(obs, agent(state, a));
    row.putPoint(velocity(state, a));
    row.putPoint(agent(state, a));
    putLandmarks(row, state);
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
      row.put(message(state, 0), kNumWords);
    }
    row.padTo(obs + manifest_.obsDim);
  }
}

template void World::writeObsAs(const double* state, float* obs) const;
template void World::writeObsAs(const double* state, double* obs) const;

}  // namespace world_comm

const ScenarioEntry kSimpleWorldComm = {"simple_world_comm", world_comm::parameters, makeShared<world_comm::World>};

}  // namespace gymwright
