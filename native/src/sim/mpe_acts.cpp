#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "sim/mpe_world.hpp"

namespace gymwright {
namespace {

enum BehaviourId { kHold, kGoto, kChase, kFlee, kGuard, kPatrol, kWander };
/// Where nobody moves, the second behaviour is to wander.
enum StillBehaviourId { kStillHold, kStillWander };

enum EventId { kPush, kRelocation, kLayout };
/// Where draws of an event begin that are not about an agent.
enum DrawBase { kLayoutDraws = 64, kGoalDraws = 256 };

/// In the order of withTemperaments.
enum Temperament { kWary, kSteady, kBold, kMixed };

constexpr std::int32_t kPatrolSteps = 12;  ///< time a patrol gives to each landmark
constexpr double kGuardDistance = 0.2;
constexpr double kTurn = 6.283185307179586;

}  // namespace

void MpeScenario::describeActs() {
  if (!bodies_.size.empty()) {
    const bool areLandmarksRound = !bodies_.landmarkSize.empty();
    const auto to = areLandmarksRound ? std::nullopt : std::optional(EntityKind::kAgent);
    manifest_.relations = {{"touches", true, EntityKind::kAgent, to, "none",
                            areLandmarksRound ? "The two are closer than the sum of their radii."
                                              : "The agents are closer than the sum of their radii."}};
  }
  const Behaviour wander = {"wander", TargetKind::kNone, "Any action, drawn at random."};
  if (!isAnyMobile_) {
    manifest_.behaviours = {{"hold", TargetKind::kNone, "Says again what it said last; at first, word 0."}, wander};
    return;
  }
  manifest_.events = {{"push", "disturb", TargetKind::kAgent, false, EventAmount{"m/s", 0, 10, 0.5},
                       "The agent's velocity changes by this much, in a random direction; one that cannot move stays."},
                      {"relocation", "disturb", TargetKind::kLandmark, false, std::nullopt,
                       "The landmark is put at a random place, as at the start of an episode."},
                      {"layout", "disturb", TargetKind::kNone, false, std::nullopt,
                       "All landmarks are put at random places, as at the start of an episode."}};
  manifest_.behaviours = {
      {"hold", TargetKind::kNone, "Does not push; damping brings it to rest."},
      {"goto", TargetKind::kAny, "Steers to the target."},
      {"chase", TargetKind::kAgent, "Steers to the agent; without a target to the nearest opponent."},
      {"flee", TargetKind::kAny, "Steers away from the target; without one from the nearest opponent."},
      {"guard", TargetKind::kAny, "Stands between the target and the opponent nearest to it, 0.2 m before the target."},
      {"patrol", TargetKind::kNone, "Steers to one landmark after the other, 12 steps for each."},
      wander};
}

void MpeScenario::describeGoalEvent(std::string doc) {
  goalEvent_ = static_cast<int>(manifest_.events.size());
  manifest_.events.push_back({"goal", "disturb", TargetKind::kNone, false, std::nullopt, std::move(doc)});
}

double MpeScenario::relation(int /*id*/, int from, int to, const double* state, const double* attributes) const {
  if (from == to) return 0.0;
  const bool isTouching = to < numAgents() ? touches(state, attributes, from, to)
                                           : touchesLandmark(state, attributes, from, to - numAgents());
  return isTouching ? 1.0 : 0.0;
}

void MpeScenario::trigger(int event, double amount, int entity, std::uint32_t key, const EpisodeRng& rng,
                          std::int32_t step, double* state) const {
  const auto clock = static_cast<std::uint32_t>(step);
  if (event == goalEvent_) return drawGoals(state, GoalDraw(rng, Stream::kEvent, clock, key, kGoalDraws));
  const auto uniform = [&](int draw, double low, double high) {
    return rng.uniform(Stream::kEvent, clock, key, static_cast<std::uint32_t>(draw), low, high);
  };
  if (event == kPush) {
    if (entity < 0 || entity >= numAgents() || !isMobile(entity)) return;
    const double angle = uniform(entity, 0.0, kTurn);
    double* v = state + 2 * (numAgents() + numLandmarks() + entity);
    v[0] += amount * std::cos(angle);
    v[1] += amount * std::sin(angle);
    return;
  }
  const int first = event == kLayout ? numAgents() : entity;
  const int end = event == kLayout ? numAgents() + numLandmarks() : entity + 1;
  for (int e = std::max(first, numAgents()); e < end; ++e) {
    for (int axis = 0; axis < 2; ++axis)
      state[2 * e + axis] = uniform(kLayoutDraws + 2 * e + axis, -bodies_.landmarkSpawn, bodies_.landmarkSpawn);
  }
}

int MpeScenario::nearestOpponent(const double* state, int a, const double* spot) const {
  int nearest = -1;
  double least = std::numeric_limits<double>::infinity();
  for (int b = 0; b < numAgents(); ++b) {
    if (bodies_.side[static_cast<std::size_t>(b)] == bodies_.side[static_cast<std::size_t>(a)]) continue;
    const double square = squareBetween(spot, agent(state, b));
    if (square >= least) continue;
    least = square;
    nearest = b;
  }
  return nearest;
}

std::int32_t MpeScenario::guard(const double* state, const double* attributes, int a, int entity) const {
  const double* post = state + positionWord(entity);
  const int opponent = nearestOpponent(state, a, post);
  if (opponent < 0) return steerTo(state, attributes, a, post);
  const double d = distanceBetween(post, agent(state, opponent));
  const double share = d > 0.0 ? std::fmin(1.0, kGuardDistance / d) : 0.0;
  const double spot[2] = {post[0] + share * (agent(state, opponent)[0] - post[0]),
                          post[1] + share * (agent(state, opponent)[1] - post[1])};
  return steerTo(state, attributes, a, spot);
}

std::int32_t MpeScenario::moveFor(int behaviour, int a, int target, const double* state, const double* attributes,
                                  std::int32_t step) const {
  if (behaviour == kPatrol)
    return steerTo(state, attributes, a, landmark(state, (step / kPatrolSteps + a) % numLandmarks()));
  if (target < 0 && (behaviour == kChase || behaviour == kFlee)) target = nearestOpponent(state, a, agent(state, a));
  if (target < 0) return 0;
  switch (behaviour) {
    case kGoto:
    case kChase: return steerTo(state, attributes, a, state + positionWord(target));
    case kFlee: return steerAway(state, attributes, a, state + positionWord(target));
    case kGuard: return guard(state, attributes, a, target);
    default: return 0;
  }
}

std::int32_t MpeScenario::behave(int behaviour, int a, int target, const double* state, const double* attributes,
                                 const EpisodeRng& rng, std::int32_t step) const {
  if (behaviour == (isAnyMobile_ ? static_cast<int>(kWander) : static_cast<int>(kStillWander)))
    return randomAction(rng, step, a);
  return actionOf(state, a, isMobile(a) ? moveFor(behaviour, a, target, state, attributes, step) : 0);
}

std::vector<std::string> MpeScenario::withTemperaments(std::vector<std::string> policies) {
  policies.insert(policies.end(), {"wary", "steady", "bold", "mixed", "tempered"});
  return policies;
}

double MpeScenario::boldnessOf(int temperament, int a, const double* attributes, const EpisodeRng& rng) const {
  switch (temperament) {
    case kWary: return 0.0;
    case kSteady: return 0.5;
    case kBold: return 1.0;
    case kMixed: return rng.uniform(Stream::kScripted, 0, static_cast<std::uint32_t>(a), 1, 0.0, 1.0);
    default: return boldness(attributes, a);
  }
}

}  // namespace gymwright
