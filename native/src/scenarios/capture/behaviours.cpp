#include <algorithm>
#include <limits>

#include "scenarios/capture/mind.hpp"

namespace gymwright::capture {
namespace {

constexpr std::int32_t kPatrolSteps = 25;  ///< time a patrol gives to each of its stations
constexpr double kGuardReach = 3.0;
constexpr double kTowardsReach = 1.0;
/// Steps along diagonals make ways that lie exactly between two directions common; rounding does not decide then.
constexpr double kEqualFit = 1e-9;

}  // namespace

bool Mind::isPresent(int entity) const {
  if (entity < 0 || entity >= layout_.numUnits + layout_.numPlaces) return false;
  if (isUnit(entity)) return layout_.isAlive(state_, entity);
  return layout_.place(state_, entity - layout_.numUnits)[kActive] != 0.0;
}

/// The direction nearest to (dx, dy) whose step meets no obstacle; of two that are as near, the first counter-clockwise
/// from the way to the other base.
std::int32_t Mind::along(double dx, double dy) const {
  const double step = attribute(kSpeed) * kStepSeconds;
  std::int32_t best = 0;
  double most = -std::numeric_limits<double>::infinity();
  for (std::int32_t i = 0; i < kNumActions - 1; ++i) {
    // From the way to the other base on: half a turn maps what red does to what blue does.
    const std::int32_t action = 1 + (i + (team() == kRed ? 0 : 4)) % 8;
    const double fit = dx * kDirections[action][0] + dy * kDirections[action][1];
    if (fit - most <= kEqualFit * (std::fabs(dx) + std::fabs(dy))) continue;
    const double share = layout_.freeShare(state_, self_, step * kDirections[action][0], step * kDirections[action][1]);
    if (share < 1.0) continue;
    most = fit;
    best = action;
  }
  return best;
}

std::int32_t Mind::towards(const double* spot) const { return closeIn(spot, kTowardsReach); }

std::int32_t Mind::closeIn(const double* spot, double reach) const {
  // Nearer than half a step it would only overshoot.
  const double least = std::max(reach, 0.5 * attribute(kSpeed) * kStepSeconds);
  if (squareBetween(self_, spot) <= least * least) return 0;
  return along(spot[0] - self_[kX], spot[1] - self_[kY]);
}

/// Away from a spot, but along the edge where the field ends.
std::int32_t Mind::awayFrom(const double* spot) const {
  double dx = self_[kX] - spot[0];
  double dy = self_[kY] - spot[1];
  if (dx == 0.0 && dy == 0.0) dx = home()[kPlaceX] - self_[kX];
  const double step = attribute(kSpeed) * kStepSeconds;
  const bool isAtSide = (dx < 0 && self_[kX] < step) || (dx > 0 && self_[kX] > layout_.config.width - step);
  const bool isAtEnd = (dy < 0 && self_[kY] < step) || (dy > 0 && self_[kY] > layout_.config.height - step);
  if (isAtSide) dx = 0.0;
  if (isAtEnd) dy = 0.0;
  if (dx == 0.0 && dy == 0.0) return towards(home());
  return along(dx, dy);
}

std::int32_t Mind::attack(int enemy) const {
  if (enemy < 0) enemy = nearestEnemy(self_, self_[kSight]);
  if (!isPresent(enemy)) return 0;
  const double* spot = layout_.position(state_, enemy);
  if (!layout_.isClear(state_, self_, spot)) return towards(spot);
  return closeIn(spot, 0.95 * std::min(attribute(kRange), attribute(kVision)));
}

std::int32_t Mind::chase(int entity) const {
  if (entity < 0) entity = nearestEnemy(self_, self_[kSight]);
  return isPresent(entity) ? towards(layout_.position(state_, entity)) : 0;
}

/// Goes for an intruder that it sees near what it guards, else stays there.
std::int32_t Mind::guard(int entity) const {
  if (entity < 0) {
    const int point = choosePoint(0.5);
    if (point < 0) return 0;
    entity = layout_.numUnits + point;
  }
  if (!isPresent(entity)) return 0;
  const double* post = layout_.position(state_, entity);
  const int intruder = nearestEnemy(post, 1.5 * attribute(kRange));
  return intruder >= 0 ? attack(intruder) : closeIn(post, kGuardReach);
}

std::int32_t Mind::flee(int entity) const {
  if (entity < 0) entity = nearestEnemy(self_, self_[kSight]);
  return isPresent(entity) ? awayFrom(layout_.position(state_, entity)) : 0;
}

/// From point to point; units of a team start at different ones.
std::int32_t Mind::patrol(std::int32_t step) const {
  const int leg = step / kPatrolSteps + rank();
  const int count = layout_.config.numPoints;
  return closeIn(layout_.place(state_, layout_.point(ownOrder(leg % count, count))), kGuardReach);
}

/// Between the mate and the enemy nearest to it that the unit sees, else beside the mate.
std::int32_t Mind::protect(int mate) const {
  if (mate < 0) mate = nearestMate(kSupport);
  if (!isPresent(mate) || mate == u_) return 0;
  const double* ward = layout_.position(state_, mate);
  const int threat = nearestEnemy(ward, self_[kSight]);
  if (threat < 0) return closeIn(ward, kGuardReach);
  const double* from = layout_.unit(state_, threat);
  const double d = distanceBetween(ward, from);
  const double share = d > 0.0 ? std::min(1.0, kGuardReach / d) : 0.0;
  const double spot[2] = {ward[0] + share * (from[0] - ward[0]), ward[1] + share * (from[1] - ward[1])};
  return towards(spot);
}

std::int32_t Mind::heal(int mate) const {
  if (mate < 0) mate = mostWounded();
  if (!isPresent(mate) || mate == u_) return 0;
  const double* spot = layout_.position(state_, mate);
  if (!layout_.isClear(state_, self_, spot)) return towards(spot);
  return closeIn(spot, 0.8 * attribute(kRange));
}

std::int32_t Mind::take(int entity) const {
  const int place = entity < 0 ? choosePoint(0.5) : entity - layout_.numUnits;
  if (place < 0 || !isPresent(layout_.numUnits + place)) return 0;
  return standAt(stationOf(place));
}

std::int32_t Mind::wander(const EpisodeRng& rng, std::int32_t step) const {
  return static_cast<std::int32_t>(
      rng.below(Stream::kScripted, static_cast<std::uint32_t>(step), layout_.unitKey(u_), 0, kNumActions));
}

std::int32_t Mind::behave(int behaviour, int entity, const EpisodeRng& rng, std::int32_t step) const {
  switch (behaviour) {
    case kDoPatrol: return patrol(step);
    case kDoChase: return chase(entity);
    case kDoAttack: return attack(entity);
    case kDoGuard: return guard(entity);
    case kDoFlee: return flee(entity);
    case kDoProtect: return protect(entity);
    case kDoHeal: return heal(entity);
    case kDoTake: return take(entity);
    case kDoRetreat: return closeIn(home(), kGuardReach);
    case kDoGoto: return isPresent(entity) ? towards(layout_.position(state_, entity)) : 0;
    case kDoWander: return wander(rng, step);
    default: return 0;
  }
}

int Mind::rank() const {
  int before = 0;
  for (int m = layout_.first(team()); m < u_; ++m) before += layout_.unit(state_, m)[kPresent] != 0.0 ? 1 : 0;
  return before;
}

int Mind::nearestEnemy(const double* around, double within) const {
  double least = within * within;
  int nearest = -1;
  const int foe = Layout::other(team());
  for (int e = layout_.first(foe); e < layout_.end(foe); ++e) {
    if (!layout_.seesUnit(state_, u_, e)) continue;
    const double square = squareBetween(around, layout_.unit(state_, e));
    if (square > least || (square == least && nearest >= 0)) continue;
    least = square;
    nearest = e;
  }
  return nearest;
}

int Mind::nearestMate(int role) const {
  double least = std::numeric_limits<double>::infinity();
  int nearest = -1;
  for (int m = layout_.first(team()); m < layout_.end(team()); ++m) {
    if (m == u_ || layout_.role(m) != role || !layout_.isAlive(state_, m)) continue;
    const double square = squareBetween(self_, layout_.unit(state_, m));
    if (square >= least) continue;
    least = square;
    nearest = m;
  }
  return nearest;
}

int Mind::mostWounded() const {
  double least = 1.0;
  int chosen = -1;
  for (int m = layout_.first(team()); m < layout_.end(team()); ++m) {
    if (m == u_ || !layout_.seesUnit(state_, u_, m)) continue;
    const double share = layout_.unit(state_, m)[kHealth] / layout_.of(attributes_, kMaxHealth, m);
    if (share >= least) continue;
    least = share;
    chosen = m;
  }
  return chosen;
}

}  // namespace gymwright::capture
