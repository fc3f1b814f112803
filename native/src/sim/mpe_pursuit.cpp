#include "sim/mpe_pursuit.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace gymwright {
namespace {

/// From where on a predator of boldness 0 and of boldness 1 sees prey worth chasing, in m.
constexpr double kWaryReach = 0.5;
constexpr double kBoldReach = 3.0;
/// From where on a prey of boldness 0 and of boldness 1 flees a predator, in m.
constexpr double kWaryAlarm = 1.5;
constexpr double kBoldAlarm = 0.3;

enum Temperament { kWary, kSteady, kBold, kMixed, kTempered };

double boundPenalty(double x) {
  if (x < 0.9) return 0.0;
  if (x < 1.0) return (x - 0.9) * 10.0;
  return std::min(std::exp(2.0 * x - 2.0), 10.0);
}

}  // namespace

double fieldPenalty(const double* position) {
  return boundPenalty(std::fabs(position[0])) + boundPenalty(std::fabs(position[1]));
}

MpePursuit::MpePursuit(MpeBodies bodies, int numPredators, int extraWords)
    : MpeScenario(std::move(bodies), extraWords), numPredators_(numPredators) {}

void MpePursuit::countContacts(const double* state, const double* attributes, Contacts& contacts) const {
  contacts.pairs = 0;
  std::fill_n(contacts.of, numAgents(), 0);
  for (int q = numPredators_; q < numAgents(); ++q) {
    for (int p = 0; p < numPredators_; ++p) {
      const int isTouching = touches(state, attributes, p, q) ? 1 : 0;
      contacts.pairs += isTouching;
      contacts.of[p] += isTouching;
      contacts.of[q] += isTouching;
    }
  }
}

bool MpePursuit::isAllCaught(const Contacts& contacts) const {
  return std::all_of(contacts.of + numPredators_, contacts.of + numAgents(), [](int count) { return count > 0; });
}

double MpePursuit::nearestPreyDistance(const double* state, int predator) const {
  const double* self = agent(state, predator);
  return distanceBetween(self, agent(state, nearestOf(state, numPredators_, numPrey(), self)));
}

void MpePursuit::keepPursuitBooks(double* state) const {
  static_assert(kMaxPrey * kQuarters <= kMaxRoles && kMaxAgents <= kMaxRoles);
  Roles roles;
  for (int p = 0; p < numPredators_; ++p) {
    const int prey = nearestOf(state, numPredators_, numPrey(), agent(state, p));
    roles.role[p] = (prey - numPredators_) * kQuarters + quarterOf(agent(state, prey), agent(state, p));
  }
  for (int q = numPredators_; q < numAgents(); ++q) roles.role[q] = nearestOf(state, 0, numPredators_, agent(state, q));
  markOwn(roles);
  keepBooks(state, roles);
}

void MpePursuit::describePursuitMetrics() {
  describeCommonMetrics(
      "Predator: share of the steps in which no mate came to the same prey, the nearest one, from the same side (left, "
      "right, below or above): they close in from all sides. Prey: share of the steps in which the predator nearest to "
      "it was nearest to no other prey: they spread the pursuers.",
      "Predator: share of the steps, from the second on, in which it came to the same prey from the same side as in the "
      "step before. Prey: the same of the predator nearest to it.");
}

std::int32_t MpePursuit::chase(const double* state, int predator) const {
  const int prey = nearestOf(state, numPredators_, numPrey(), agent(state, predator));
  return steerTo(state, predator, agent(state, prey));
}

std::int32_t MpePursuit::flee(const double* state, int prey) const {
  return steerAway(state, prey, agent(state, nearestOf(state, 0, numPredators_, agent(state, prey))));
}

std::vector<std::string> MpePursuit::withTemperaments(std::vector<std::string> policies) {
  policies.insert(policies.end(), {"wary", "steady", "bold", "mixed", "tempered"});
  return policies;
}

double MpePursuit::boldnessOf(int temperament, int a, const double* attributes, const EpisodeRng& rng) const {
  switch (temperament) {
    case kWary: return 0.0;
    case kSteady: return 0.5;
    case kBold: return 1.0;
    case kMixed: return rng.uniform(Stream::kScripted, 0, static_cast<std::uint32_t>(a), 1, 0.0, 1.0);
    default: return boldness(attributes, a);
  }
}

std::int32_t MpePursuit::hunt(const double* state, int predator, double boldness) const {
  constexpr double kMiddle[2] = {0.0, 0.0};
  const double reach = kWaryReach + boldness * (kBoldReach - kWaryReach);
  return nearestPreyDistance(state, predator) < reach ? chase(state, predator) : steerTo(state, predator, kMiddle);
}

bool MpePursuit::isAlarmed(const double* state, int prey, double boldness) const {
  const double* self = agent(state, prey);
  const double alarm = kWaryAlarm + boldness * (kBoldAlarm - kWaryAlarm);
  return squareBetween(self, agent(state, nearestOf(state, 0, numPredators_, self))) < alarm * alarm;
}

Parameter boldnessParameter(const std::string& group) {
  return {group + ".boldness",
          "float",
          "none",
          0.5,
          0,
          1,
          false,
          true,
          "Temperament of " + group + " under the scripted policy \"tempered\": 0 wary, 0.5 steady, 1 bold.",
          LiveSetting{"boldness", group, "value"}};
}

}  // namespace gymwright
