#include <algorithm>
#include <limits>

#include "scenarios/world_comm/world.hpp"

namespace gymwright::world_comm {
namespace {

enum PolicyIndex { kNoop, kRandom, kSkilled, kTemperaments };

}  // namespace

void World::actScripted(int group, int policy, const double* state, const double* attributes, const EpisodeRng& rng,
                        std::int32_t step, std::int32_t* actions) const {
  const Group& who = manifest_.groups[static_cast<std::size_t>(group)];
  for (std::size_t i = 0; i < who.agents.size(); ++i) {
    const int a = who.firstAgent + static_cast<int>(i);
    actions[i] = policy == kRandom ? randomAction(rng, step, a) : 0;
    if (policy < kSkilled) continue;
    // The skilled play is that of the boldest predators, and of prey that flees in time.
    double boldness = isPrey(a) ? 0.5 : 1.0;
    if (policy >= kTemperaments) boldness = boldnessOf(policy - kTemperaments, a, attributes, rng);
    const std::int32_t move =
        isPrey(a) ? forage(state, attributes, a, boldness) : huntInSight(state, attributes, a, boldness);
    actions[i] = actionOf(state, a, move, hidingPlace(state));
  }
}

/// What the scripted leader says: 1 + the forest in which the first prey that hides does so; 0: none hides.
int World::hidingPlace(const double* state) const {
  for (int q = numPredators(); q < numAgents(); ++q) {
    const unsigned forests = forestsOf(state, q);
    for (int f = 0; f < std::min(layout_.forests, kNumWords - 1); ++f) {
      if ((forests >> f & 1u) != 0) return f + 1;
    }
  }
  return 0;
}

/// -1: it sees none.
int World::nearestPreyInSight(const double* state, int a) const {
  int nearest = -1;
  double least = std::numeric_limits<double>::infinity();
  for (int q = numPredators(); q < numAgents(); ++q) {
    const double square = squareBetween(agent(state, a), agent(state, q));
    if (square >= least || !isVisible(a, forestsOf(state, a), forestsOf(state, q))) continue;
    least = square;
    nearest = q;
  }
  return nearest;
}

/// After the nearest prey that it sees; where it sees none, to the forest that the leader named.
std::int32_t World::huntInSight(const double* state, const double* attributes, int a, double boldness) const {
  const int prey = nearestPreyInSight(state, a);
  const int named = word(state, 0);
  if (prey >= 0 || named < 1 || named > layout_.forests) return hunt(state, attributes, a, prey, boldness);
  return steerTo(state, attributes, a, landmark(state, firstForest() + named - 1));
}

/// To the nearest food, unless a predator is near.
std::int32_t World::forage(const double* state, const double* attributes, int a, double boldness) const {
  if (isAlarmed(state, a, boldness)) return flee(state, attributes, a);
  int nearest = layout_.obstacles;
  for (int l = nearest + 1; l < firstForest(); ++l) {
    if (squareBetween(agent(state, a), landmark(state, l)) < squareBetween(agent(state, a), landmark(state, nearest)))
      nearest = l;
  }
  return steerTo(state, attributes, a, landmark(state, nearest));
}

}  // namespace gymwright::world_comm
