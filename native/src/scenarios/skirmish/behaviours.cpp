#include <algorithm>
#include <limits>

#include "scenarios/skirmish/mind.hpp"

namespace gymwright::skirmish {
namespace {

constexpr std::int32_t kPatrolSteps = 12;  ///< time a patrol gives to each of its two ends
constexpr double kPostReach = 1.5;         ///< m at which a post is reached
constexpr double kGuardRadius = 8.0;       ///< m around what is guarded
constexpr double kClearance = 6.0;         ///< m ahead in which there is no wall; walls kill

}  // namespace

/// Away from a spot, but not towards a near wall: of the other directions the one that leads away most.
std::int32_t Mind::awayFrom(const double* spot) const {
  std::int32_t best = kStop;
  double most = -std::numeric_limits<double>::infinity();
  for (std::int32_t action = kNorth; action < kStop; ++action) {
    const double x = self_[kX] + kClearance * kDirections[action][0];
    const double y = self_[kY] + kClearance * kDirections[action][1];
    if (x <= 0.0 || y <= 0.0 || x >= kSide || y >= kSide) continue;
    const double fit = (self_[kX] - spot[0]) * kDirections[action][0] + (self_[kY] - spot[1]) * kDirections[action][1];
    if (fit <= most) continue;
    most = fit;
    best = action;
  }
  return best;
}

std::int32_t Mind::closeIn(const double* spot, double reach) const {
  const double least = std::max(reach, 0.5 * self_[kSpeed] * kStepSeconds);
  return isWithin(spot, least) ? shootOrStop() : towards(spot);
}

std::int32_t Mind::shootOrStop() const {
  const int closest = closestInReach();
  return closest >= 0 ? attackOn(closest) : kStop;
}

std::int32_t Mind::attack(int enemy, const EpisodeRng& rng, std::int32_t step) const {
  if (enemy < 0) return playClosest(rng, step);
  if (!isFoe(enemy) || !isThere(enemy)) return kStop;
  return reaches(enemy) ? attackOn(enemy) : towards(unit(enemy));
}

/// Goes for enemies that it sees near what it guards, else stays there.
std::int32_t Mind::guard(int entity) const {
  if (entity < 0) entity = layout_.numUnits + (team_ == kAlly ? kAllyStart : kEnemyStart);
  if (!isThere(entity)) return kStop;
  const int intruder = nearestSeen(position(entity), kGuardRadius);
  if (intruder < 0) return closeIn(position(entity), kPostReach);
  return reaches(intruder) ? attackOn(intruder) : towards(unit(intruder));
}

int Mind::weakestMate() const {
  double least = std::numeric_limits<double>::infinity();
  int weakest = -1;
  for (int m = layout_.first(team_); m < layout_.end(team_); ++m) {
    if (m == u_ || !sees(m) || unit(m)[kShare] >= least) continue;
    least = unit(m)[kShare];
    weakest = m;
  }
  return weakest;
}

/// Between the mate and the enemy nearest to it, shooting at that one when it reaches it.
std::int32_t Mind::protect(int mate) const {
  if (mate < 0) mate = weakestMate();
  if (!isUnit(mate) || mate == u_ || !isThere(mate)) return shootOrStop();
  const double* ward = unit(mate);
  const int threat = nearestSeen(ward, kGuardRadius);
  if (threat < 0) return closeIn(ward, kPostReach);
  if (reaches(threat)) return attackOn(threat);
  const double spot[2] = {0.5 * (ward[kX] + unit(threat)[kX]), 0.5 * (ward[kY] + unit(threat)[kY])};
  return closeIn(spot, kPostReach);
}

std::int32_t Mind::flee(int entity) const {
  if (entity < 0) entity = nearestSeen(self_, self_[kSight]);
  return isThere(entity) && entity != u_ ? awayFrom(position(entity)) : kStop;
}

/// To and fro between its home and the middle of the field.
std::int32_t Mind::patrol(std::int32_t step) const {
  const double home[2] = {self_[kHomeX], self_[kHomeY]};
  return closeIn(step / kPatrolSteps % 2 == 0 ? layout_.place(state_, kMiddle) : home, kPostReach);
}

std::int32_t Mind::behave(int behaviour, int entity, const EpisodeRng& rng, std::int32_t step) const {
  const double home[2] = {self_[kHomeX], self_[kHomeY]};
  switch (behaviour) {
    case kDoAttack: return attack(entity, rng, step);
    case kDoFocus: return playFocus();
    case kDoKite: return playKite();
    case kDoChase: return goTo(entity < 0 ? nearestSeen(self_, self_[kSight]) : entity);
    case kDoGuard: return guard(entity);
    case kDoProtect: return protect(entity);
    case kDoFlee: return flee(entity);
    case kDoPatrol: return patrol(step);
    case kDoRetreat: return closeIn(home, kPostReach);
    case kDoGoto: return goTo(entity);
    case kDoWander: return playRandom(rng, step);
    default: return shootOrStop();
  }
}

}  // namespace gymwright::skirmish
