#include <algorithm>

#include "scenarios/capture/rules.hpp"

namespace gymwright::capture {
namespace {

constexpr double kDriftKept = 0.5;    ///< share of a push that is left after a step
constexpr double kLeastDrift = 0.01;  ///< m/s
constexpr double kLeastMove = 0.1;    ///< shorter controls stand

/// A unit on a rim may be this far inside by rounding.
constexpr double kRimWidth = 1e-9;

/// Puts a unit on the rim of an obstacle that came up around it; in the very middle it goes
/// towards the side of the other base.
void leaveObstacles(const Layout& layout, const double* state, int u, double* unit) {
  if (state[kNumUp] == 0.0) return;
  for (int i = 0; i < layout.config.numObstacles; ++i) {
    const double* obstacle = layout.place(state, layout.obstacle(i));
    if (obstacle[kActive] == 0.0) continue;
    const double radius = layout.radius(layout.obstacle(i));
    const double d = distanceBetween(unit, obstacle);
    if (d >= radius - kRimWidth) continue;
    const double ux = d > 0.0 ? (unit[kX] - obstacle[kPlaceX]) / d : (layout.team(u) == kRed ? 1.0 : -1.0);
    const double uy = d > 0.0 ? (unit[kY] - obstacle[kPlaceY]) / d : 0.0;
    unit[kX] = obstacle[kPlaceX] + radius * ux;
    unit[kY] = obstacle[kPlaceY] + radius * uy;
  }
}

/// Share of the way (dx, dy) from `spot` up to the rim of a disc; 1 where the way does not enter it.
double shareBefore(const double* spot, double dx, double dy, const double* centre, double radius) {
  const double px = spot[0] - centre[0];
  const double py = spot[1] - centre[1];
  const double inward = px * dx + py * dy;
  const double outside = px * px + py * py - radius * radius;
  const double square = dx * dx + dy * dy;
  // Moving away, or the whole way too short to get there.
  if (inward >= 0.0) return 1.0;
  if (outside <= radius * kRimWidth) return 0.0;
  const double discriminant = inward * inward - square * outside;
  if (discriminant <= 0.0) return 1.0;
  return std::min(1.0, (-inward - std::sqrt(discriminant)) / square);
}

void drift(double* unit) {
  for (const int word : {kDriftX, kDriftY}) {
    unit[word] *= kDriftKept;
    if (std::fabs(unit[word]) < kLeastDrift) unit[word] = 0.0;
  }
}

}  // namespace

void moveUnits(const Layout& layout, double* state, const double* attributes, const double* controls,
               StepNotes& notes) {
  for (int u = 0; u < layout.numUnits; ++u) {
    double* unit = layout.unit(state, u);
    const auto i = static_cast<std::size_t>(u);
    notes.isStanding[i] = notes.isAtWork[i] = false;
    notes.points[i] = 0;
    unit[kHit] = unit[kMended] = -1.0;
    unit[kVx] = unit[kVy] = 0.0;
    if (unit[kAlive] == 0.0) continue;
    const double cx = controls[2 * u];
    const double cy = controls[2 * u + 1];
    notes.isStanding[i] = cx * cx + cy * cy < kLeastMove * kLeastMove;
    const double speed = notes.isStanding[i] ? 0.0 : layout.of(attributes, kSpeed, u);
    const double x = unit[kX];
    const double y = unit[kY];
    leaveObstacles(layout, state, u, unit);
    const double dx = (cx * speed + unit[kDriftX]) * kStepSeconds;
    const double dy = (cy * speed + unit[kDriftY]) * kStepSeconds;
    const double share = layout.freeShare(state, unit, dx, dy);
    unit[kX] += share * dx;
    unit[kY] += share * dy;
    drift(unit);
    unit[kX] = std::clamp(unit[kX], 0.0, layout.config.width);
    unit[kY] = std::clamp(unit[kY], 0.0, layout.config.height);
    unit[kVx] = (unit[kX] - x) / kStepSeconds;
    unit[kVy] = (unit[kY] - y) / kStepSeconds;
    unit[kSight] = layout.of(attributes, kVision, u);
    notes.points[i] = noteGround(layout, state, u);
  }
}

double Layout::freeShare(const double* state, const double* spot, double dx, double dy) const {
  double share = 1.0;
  if (state[kNumUp] == 0.0) return share;
  for (int i = 0; i < config.numObstacles; ++i) {
    const double* obstacle = place(state, this->obstacle(i));
    if (obstacle[kActive] == 0.0) continue;
    share = std::min(share, shareBefore(spot, dx, dy, obstacle, radius(this->obstacle(i))));
  }
  return share;
}

bool Layout::isClear(const double* state, const double* from, const double* to) const {
  if (!config.isSightBlocked || state[kNumUp] == 0.0) return true;
  for (int i = 0; i < config.numObstacles; ++i) {
    const double* obstacle = place(state, this->obstacle(i));
    if (obstacle[kActive] == 0.0 || obstacle == to) continue;
    const double r = radius(this->obstacle(i));
    if (squareToSegment(obstacle, from, to) < r * r) return false;
  }
  return true;
}

double squareToSegment(const double* spot, const double* from, const double* to) {
  const double dx = to[0] - from[0];
  const double dy = to[1] - from[1];
  const double square = dx * dx + dy * dy;
  const double along = (spot[0] - from[0]) * dx + (spot[1] - from[1]) * dy;
  const double t = square > 0.0 ? std::clamp(along / square, 0.0, 1.0) : 0.0;
  const double nearest[2] = {from[0] + t * dx, from[1] + t * dy};
  return squareBetween(spot, nearest);
}

}  // namespace gymwright::capture
