#include <algorithm>
#include <limits>

#include "scenarios/capture/mind.hpp"

namespace gymwright::capture {
namespace {

/// A unit with boldness b retreats below this share of its health: wary 0.6, steady 0.3, bold never.
constexpr double kRetreatShare = 0.6;
/// Detour in metres that a wary unit takes rather than go where it sees an enemy.
constexpr double kFear = 40.0;
/// Detour that a unit takes rather than go where mates are already taking a point.
constexpr double kCrowding = 12.0;
/// Cost beyond that of any way: held points come last.
constexpr double kHeldCost = 1e6;

}  // namespace

std::int32_t Mind::playWith(double boldness) const {
  const double health = self_[kHealth] / attribute(kMaxHealth);
  const int enemy = nearestEnemy(self_, self_[kSight]);
  const bool isHurt = health < kRetreatShare * (1.0 - boldness);
  if (isHurt && enemy >= 0) return closeIn(home(), 1.0);
  if (layout_.role(u_) == kSupport) {
    const int patient = mostWounded();
    if (patient >= 0) return heal(patient);
    const int leader = nearestMate(kAssault);
    const int lock = leader >= 0 ? lockOfMate(leader) : -1;
    if (lock >= 0) return standAt(lock);
    if (leader >= 0 && boldness < 1.0) return closeIn(layout_.unit(state_, leader), 0.5 * attribute(kRange));
  }
  // It goes for whom it sees within a share of its vision, unless there are more of them than its boldness allows.
  if (enemy >= 0) {
    const double* spot = layout_.unit(state_, enemy);
    const double d = distanceBetween(self_, spot);
    const int odds =
        countNear(Layout::other(team()), spot, attribute(kVision)) - countNear(team(), self_, attribute(kVision));
    const bool isDaring = odds <= 2.0 * boldness;
    if (!isDaring && d <= attribute(kVision)) return awayFrom(spot);
    if (d <= std::max(attribute(kRange), boldness * attribute(kVision))) return attack(enemy);
  }
  const int point = choosePoint(boldness);
  return point >= 0 ? standAt(stationOf(point)) : 0;
}

int Mind::stationOf(int place) const {
  const int i = place - layout_.point(0);
  if (i < 0 || i >= layout_.config.numPoints || Layout::isOpenTo(layout_.place(state_, place), team())) return place;
  return layout_.lock(layout_.lockOf(i));
}

int Mind::lockOfMate(int mate) const {
  for (int i = 0; i < layout_.config.numLocks; ++i) {
    const int lock = layout_.lock(ownOrder(i, layout_.config.numLocks));
    if (Layout::isOpenTo(layout_.place(state_, lock), team())) continue;
    if (layout_.isInside(layout_.unit(state_, mate), state_, lock)) return lock;
  }
  return -1;
}

bool Mind::hasMates(int role) const {
  for (int m = layout_.first(team()); m < layout_.end(team()); ++m) {
    if (m != u_ && layout_.role(m) == role && layout_.unit(state_, m)[kPresent] != 0.0) return true;
  }
  return false;
}

/// The point that costs least to get to. Ones that are closed to the team count where it has both roles.
int Mind::choosePoint(double boldness) const {
  int chosen = -1;
  double least = std::numeric_limits<double>::infinity();
  const int count = layout_.config.numPoints;
  const int slot = rank();
  const bool opensLocks = layout_.config.numLocks > 0 && hasMates(layout_.role(u_) == kAssault ? kSupport : kAssault);
  for (int i = 0; i < count; ++i) {
    const int p = layout_.point(ownOrder(i, count));
    const double* point = layout_.place(state_, p);
    if (!opensLocks && !Layout::isOpenTo(point, team())) continue;
    // Held points are worth a visit only when there is nothing to take; then everybody guards another one.
    const bool isHeld = point[kOwner] == team() && point[kTaker] < 0.0;
    const double cost = isHeld ? kHeldCost + (i + slot) % count : costOf(p, boldness);
    if (cost >= least) continue;
    least = cost;
    chosen = p;
  }
  return chosen;
}

/// Far ones and ones with mates are dear, and with enemies in sight the dearer the less bold the unit is. At a lock one
/// of each role is wanted: assault units choose it, and support units go where one of them is nearest.
double Mind::costOf(int point, double boldness) const {
  const int place = stationOf(point);
  const double* spot = layout_.place(state_, place);
  const double radius = layout_.radius(place);
  const bool isLock = place != point;
  const bool isSupport = layout_.role(u_) == kSupport;
  const int own = layout_.isInside(self_, state_, place) ? 1 : 0;
  const int mates = isLock ? countMates(layout_.role(u_), spot, radius) : countNear(team(), spot, radius);
  double cost = distanceBetween(self_, spot) + kCrowding * (mates - own);
  cost += kFear * (1.0 - boldness) * countNear(Layout::other(team()), spot, 2.0 * layout_.radius(point));
  if (isLock && isSupport) cost += distanceToMate(kAssault, spot);
  return cost;
}

/// Distance from the living mate of a role that is nearest to a spot; 0 where there is none.
double Mind::distanceToMate(int role, const double* spot) const {
  double least = std::numeric_limits<double>::infinity();
  for (int m = layout_.first(team()); m < layout_.end(team()); ++m) {
    if (layout_.role(m) == role && layout_.isAlive(state_, m))
      least = std::min(least, squareBetween(layout_.unit(state_, m), spot));
  }
  return std::isfinite(least) ? std::sqrt(least) : 0.0;
}

int Mind::countMates(int role, const double* spot, double within) const {
  int count = 0;
  for (int m = layout_.first(team()); m < layout_.end(team()); ++m) {
    if (layout_.role(m) != role || !layout_.isAlive(state_, m)) continue;
    count += squareBetween(layout_.unit(state_, m), spot) <= within * within ? 1 : 0;
  }
  return count;
}

int Mind::countNear(int wanted, const double* spot, double within) const {
  int count = 0;
  for (int u = layout_.first(wanted); u < layout_.end(wanted); ++u) {
    if (!layout_.isAlive(state_, u) || squareBetween(layout_.unit(state_, u), spot) > within * within) continue;
    count += wanted == team() || layout_.seesUnit(state_, u_, u) ? 1 : 0;
  }
  return count;
}

}  // namespace gymwright::capture
