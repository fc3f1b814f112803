#include <cmath>
#include <limits>

#include "sim/mpe_world.hpp"

namespace gymwright {
namespace {

enum BehaviourId { kHold, kGoto, kChase, kFlee, kGuard, kPatrol, kWander };

constexpr std::int32_t kPatrolSteps = 12;  ///< time a patrol gives to each landmark
constexpr double kGuardDistance = 0.2;
constexpr double kTurn = 6.283185307179586;

}  // namespace

void MpeScenario::describeActs() {
  if (!bodies_.size.empty()) {
    manifest_.relations = {{"touches", true, EntityKind::kAgent, EntityKind::kAgent, "none",
                            "The agents are closer than the sum of their radii."}};
  }
  manifest_.events = {{"push", "disturb", TargetKind::kAgent, false, EventAmount{"m/s", 0, 10, 0.5},
                       "The agent's velocity changes by this much, in a random direction."}};
  manifest_.behaviours = {
      {"hold", TargetKind::kNone, "Does not push; damping brings it to rest."},
      {"goto", TargetKind::kAny, "Steers to the target."},
      {"chase", TargetKind::kAgent, "Steers to the agent; without a target to the nearest opponent."},
      {"flee", TargetKind::kAny, "Steers away from the target; without one from the nearest opponent."},
      {"guard", TargetKind::kAny, "Stands between the target and the opponent nearest to it, 0.2 m before the target."},
      {"patrol", TargetKind::kNone, "Steers to one landmark after the other, 12 steps for each."},
      {"wander", TargetKind::kNone, "Any action, drawn at random."}};
}

double MpeScenario::relation(int /*id*/, int from, int to, const double* state, const double* attributes) const {
  const bool isTouching = from != to && distanceBetween(agent(state, from), agent(state, to)) <
                                            size(attributes, from) + size(attributes, to);
  return isTouching ? 1.0 : 0.0;
}

void MpeScenario::trigger(int /*event*/, double amount, int entity, std::uint32_t key, const EpisodeRng& rng,
                          std::int32_t step, double* state) const {
  if (entity < 0 || entity >= numAgents()) return;
  const double angle = rng.uniform(Stream::kEvent, static_cast<std::uint32_t>(step), key,
                                   static_cast<std::uint32_t>(entity), 0.0, kTurn);
  double* v = state + 2 * (numAgents() + numLandmarks() + entity);
  v[0] += amount * std::cos(angle);
  v[1] += amount * std::sin(angle);
}

int MpeScenario::nearestOpponent(const double* state, int a, const double* spot) const {
  int nearest = -1;
  double least = std::numeric_limits<double>::infinity();
  for (int b = 0; b < numAgents(); ++b) {
    if (bodies_.side[static_cast<std::size_t>(b)] == bodies_.side[static_cast<std::size_t>(a)]) continue;
    const double d = distanceBetween(spot, agent(state, b));
    if (d >= least) continue;
    least = d;
    nearest = b;
  }
  return nearest;
}

std::int32_t MpeScenario::guard(const double* state, int a, int entity) const {
  const double* post = state + positionWord(entity);
  const int opponent = nearestOpponent(state, a, post);
  if (opponent < 0) return steerTo(state, a, post);
  const double d = distanceBetween(post, agent(state, opponent));
  const double share = d > 0.0 ? std::fmin(1.0, kGuardDistance / d) : 0.0;
  const double spot[2] = {post[0] + share * (agent(state, opponent)[0] - post[0]),
                          post[1] + share * (agent(state, opponent)[1] - post[1])};
  return steerTo(state, a, spot);
}

/// To a spot one metre farther from the entity; from the very same place it goes right.
std::int32_t MpeScenario::flee(const double* state, int a, int entity) const {
  const double* self = agent(state, a);
  const double* from = state + positionWord(entity);
  const double d = distanceBetween(self, from);
  const double spot[2] = {self[0] + (d > 0.0 ? (self[0] - from[0]) / d : 1.0),
                          self[1] + (d > 0.0 ? (self[1] - from[1]) / d : 0.0)};
  return steerTo(state, a, spot);
}

std::int32_t MpeScenario::behave(int behaviour, int a, int target, const double* state, const double* /*attributes*/,
                                 const EpisodeRng& rng, std::int32_t step) const {
  if (behaviour == kWander) return randomAction(rng, step, a);
  if (behaviour == kPatrol) return steerTo(state, a, landmark(state, (step / kPatrolSteps + a) % numLandmarks()));
  if (target < 0 && (behaviour == kChase || behaviour == kFlee)) target = nearestOpponent(state, a, agent(state, a));
  if (target < 0) return 0;
  switch (behaviour) {
    case kGoto:
    case kChase: return steerTo(state, a, state + positionWord(target));
    case kFlee: return flee(state, a, target);
    case kGuard: return guard(state, a, target);
    default: return 0;
  }
}

}  // namespace gymwright
