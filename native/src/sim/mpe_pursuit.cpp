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

/// How far ahead a predator aims, and how much of its own velocity it counts, from afar and near, in s; and what is
/// near.
constexpr double kLead = 0.3;
constexpr double kChaseCoast = 0.2;
constexpr double kStrikeCoast = 0.1;
constexpr double kStrikeDistance = 0.2;

double boundPenalty(double x) {
  if (x < 0.9) return 0.0;
  if (x < 1.0) return (x - 0.9) * 10.0;
  return std::min(std::exp(2.0 * x - 2.0), 10.0);
}

}  // namespace

double fieldPenalty(const double* position) {
  return boundPenalty(std::fabs(position[0])) + boundPenalty(std::fabs(position[1]));
}

MpePursuit::MpePursuit(const MpeBodies& bodies, int numPredators, int ownWords)
    : MpeScenario(bodies, kContactSums + bodies.numAgents + ownWords), numPredators_(numPredators) {}

void MpePursuit::reset(double* state, const EpisodeRng& rng) const {
  resetBodies(state, rng);
  lookForContacts(state);
}

std::optional<std::string> MpePursuit::place(const Placement& placement, double* state) const {
  if (auto problem = MpeScenario::place(placement, state)) return problem;
  lookForContacts(state);
  return std::nullopt;
}

bool MpePursuit::isValidState(const double* state) const {
  return MpeScenario::isValidState(state) && isIndex(extra(state)[kPairsNow], numPredators_ * numPrey() + 1);
}

/// At the start of an episode no rule has been at the sizes yet.
void MpePursuit::lookForContacts(double* state) const {
  Contacts contacts;
  countContacts(state, baseAttributes().data(), contacts);
  extra(state)[kPairsNow] = contacts.pairs;
}

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

int MpePursuit::nearestPrey(const double* state, int predator) const {
  return nearestOf(state, numPredators_, numPrey(), agent(state, predator));
}

double MpePursuit::distanceOf(const double* state, int a, int b) const {
  return distanceBetween(agent(state, a), agent(state, b));
}

void MpePursuit::keepPursuitBooks(double* state, const Contacts& contacts) const {
  static_assert(kMaxPrey * kQuarters <= kMaxRoles && kMaxAgents <= kMaxRoles);
  double* sums = extra(state);
  sums[kPairSum] += contacts.pairs;
  sums[kPairsNow] = contacts.pairs;
  if (contacts.pairs > 0) sums[kHasTouched] = 1.0;
  for (int a = 0; a < numAgents(); ++a) sums[kContactSums + a] += contacts.of[a];
  Roles roles;
  for (int p = 0; p < numPredators_; ++p) {
    const int prey = nearestPrey(state, p);
    roles.role[p] = (prey - numPredators_) * kQuarters + quarterOf(agent(state, prey), agent(state, p));
  }
  for (int q = numPredators_; q < numAgents(); ++q) roles.role[q] = nearestOf(state, 0, numPredators_, agent(state, q));
  markOwn(roles);
  keepBooks(state, roles);
}

void MpePursuit::writePursuitMetrics(const double* state, std::int32_t steps, int a, double* metrics) const {
  const double* sums = extra(state);
  metrics[kMetricContacts] = sums[kContactSums + a] / steps;
  metrics[kMetricCatches] = sums[kPairSum] / steps;
  metrics[kMetricSuccess] = sums[kHasTouched];
}

void MpePursuit::describePursuit(std::vector<Metric> ownMetrics) {
  const double pairs = numPredators() * numPrey();
  manifest_.signals.push_back(
      {"touching", "none", 0, pairs, "Pairs of predator and prey that touch, by the sizes in force in the last step."});
  manifest_.metrics = {
      {"contacts", "none", true, "neither", 0, static_cast<double>(std::max(numPredators(), numPrey())),
       "Agents of the other side that the agent touches, mean over steps."},
      {"catches", "none", false, "neither", 0, pairs, "Pairs of predator and prey that touch, mean over steps."},
      {"success", "none", false, "higher", 0, 1,
       "1 if a predator touched a prey at least once, else 0: a success of the predators."}};
  manifest_.metrics.insert(manifest_.metrics.end(), ownMetrics.begin(), ownMetrics.end());
  describeCommonMetrics(
      "Predator: share of the steps in which no mate came to the same prey, the nearest one, from the same side (left, "
      "right, below or above): they close in from all sides. Prey: share of the steps in which the predator nearest to "
      "it was nearest to no other prey: they spread the pursuers.",
      "Predator: share of the steps, from the second on, in which it came to the same prey from the same side as in "
      "the step before. Prey: the same of the predator nearest to it.");
}

std::int32_t MpePursuit::chase(const double* state, int predator, int prey) const {
  const double* self = agent(state, predator);
  const double* speed = velocity(state, predator);
  const double coast = distanceBetween(self, agent(state, prey)) < kStrikeDistance ? kStrikeCoast : kChaseCoast;
  const double ex = agent(state, prey)[0] + velocity(state, prey)[0] * kLead - self[0] - speed[0] * coast;
  const double ey = agent(state, prey)[1] + velocity(state, prey)[1] * kLead - self[1] - speed[1] * coast;
  if (std::fabs(ex) >= std::fabs(ey)) return ex < 0 ? 1 : 2;
  return ey < 0 ? 3 : 4;
}

std::int32_t MpePursuit::flee(const double* state, const double* attributes, int prey) const {
  std::int32_t best = 0;
  double most = -HUGE_VAL;
  for (std::int32_t move = 0; move < kNumMoves; ++move) {
    double spot[2];
    foresee(state, attributes, prey, move, spot);
    const double gap = distanceBetween(spot, agent(state, nearestOf(state, 0, numPredators_, spot)));
    const double score = gap - fieldPenalty(spot);
    if (score <= most) continue;
    most = score;
    best = move;
  }
  return best;
}

std::int32_t MpePursuit::hunt(const double* state, const double* attributes, int predator, int prey,
                              double boldness) const {
  constexpr double kMiddle[2] = {0.0, 0.0};
  const double reach = kWaryReach + boldness * (kBoldReach - kWaryReach);
  const bool isNear = prey >= 0 && distanceOf(state, predator, prey) < reach;
  return isNear ? chase(state, predator, prey) : steerTo(state, attributes, predator, kMiddle);
}

bool MpePursuit::isAlarmed(const double* state, int prey, double boldness) const {
  const double* self = agent(state, prey);
  const double alarm = kWaryAlarm + boldness * (kBoldAlarm - kWaryAlarm);
  return squareBetween(self, agent(state, nearestOf(state, 0, numPredators_, self))) < alarm * alarm;
}

}  // namespace gymwright
