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
    if (leader >= 0 && boldness < 1.0) return closeIn(layout_.unit(state_, leader), 0.5 * attribute(kRange));
  }
  // It goes for whom it sees within a share of its vision, unless there are more of them than its boldness allows.
  if (enemy >= 0) {
    const double* spot = layout_.unit(state_, enemy);
    const double d = distanceOf(self_, spot);
    const int odds =
        countNear(Layout::other(team()), spot, attribute(kVision)) - countNear(team(), self_, attribute(kVision));
    const bool isDaring = odds <= 2.0 * boldness;
    if (!isDaring && d <= attribute(kVision)) return awayFrom(spot);
    if (d <= std::max(attribute(kRange), boldness * attribute(kVision))) return attack(enemy);
  }
  const int point = choosePoint(boldness);
  return point >= 0 ? closeIn(layout_.place(state_, point), 0.5 * layout_.radius(point)) : 0;
}

/// The point that costs least to get to: open ones that are not the team's before its own, far ones and ones with mates
/// dear, and with enemies in sight the dearer the less bold the unit is.
int Mind::choosePoint(double boldness) const {
  int chosen = -1;
  double least = std::numeric_limits<double>::infinity();
  for (int i = 0; i < layout_.config.numPoints; ++i) {
    const int p = layout_.point(i);
    const double* point = layout_.place(state_, p);
    if (!Layout::isOpenTo(point, team())) continue;
    const int slot = u_ - layout_.first(team());
    double cost = distanceOf(self_, point);
    cost += kFear * (1.0 - boldness) * countNear(Layout::other(team()), point, 2.0 * layout_.radius(p));
    cost += kCrowding * (countNear(team(), point, layout_.radius(p)) - (layout_.isInside(self_, state_, p) ? 1 : 0));
    // Held points are worth a visit only when there is nothing to take; then everybody guards another one.
    if (point[kOwner] == team() && point[kTaker] < 0.0) {
      cost = 1e6 + ((i + slot) % layout_.config.numPoints);
    }
    if (cost >= least) continue;
    least = cost;
    chosen = p;
  }
  return chosen;
}

int Mind::countNear(int wanted, const double* spot, double within) const {
  int count = 0;
  for (int u = layout_.first(wanted); u < layout_.end(wanted); ++u) {
    if (!layout_.isAlive(state_, u) || squareDistance(layout_.unit(state_, u), spot) > within * within) continue;
    count += wanted == team() || layout_.seesUnit(state_, u_, u) ? 1 : 0;
  }
  return count;
}

}  // namespace gymwright::capture
