#include <algorithm>
#include <cmath>
#include <limits>

#include "scenarios/capture/rules.hpp"

namespace gymwright::capture {
namespace {

/// m^2; what differs by less is as near: rounding does not decide between teams.
constexpr double kEqualSquares = 1e-9;

/// Bit set of the points in which living units of a team stand.
int pointsWith(const Layout& layout, const double* state, const StepNotes& notes, int team) {
  int points = 0;
  for (int u = layout.first(team); u < layout.end(team); ++u) {
    if (layout.isAlive(state, u)) points |= notes.points[static_cast<std::size_t>(u)];
  }
  return points;
}

void rewardCapture(const Layout& layout, double* state, const StepNotes& notes, int team, int point,
                   double* components) {
  const double own = layout.config.captureReward * layout.config.ownShare;
  const double common = layout.config.captureReward - own;
  for (int u = layout.first(team); u < layout.end(team); ++u) {
    double* unit = layout.unit(state, u);
    if (unit[kPresent] != 0.0) components[u] += common;
    if (unit[kAlive] == 0.0 || (notes.points[static_cast<std::size_t>(u)] >> point & 1) == 0) continue;
    components[u] += own;
    unit[kCaptures] += 1.0;
  }
}

/// A unit that may take a supply, and the square of its distance; infinitely far where there is none.
struct Taker {
  int unit;
  double square;
};

/// The nearest wounded unit of a team that reaches a supply; ties go to the lower number.
Taker nearestWounded(const Layout& layout, const double* state, const double* attributes, int team,
                     const double* supply) {
  Taker taker{-1, std::numeric_limits<double>::infinity()};
  for (int u = layout.first(team); u < layout.end(team); ++u) {
    const double* unit = layout.unit(state, u);
    const double square = squareBetween(unit, supply);
    if (unit[kAlive] == 0.0 || square > kSupplyRadius * kSupplyRadius || square >= taker.square) continue;
    if (unit[kHealth] < layout.of(attributes, kMaxHealth, u)) taker = {u, square};
  }
  return taker;
}

/// Undoes up to `amount` of the progress made by whoever was taking the point.
void undo(double* point, double amount) {
  point[kProgress] = std::max(0.0, point[kProgress] - amount);
  if (point[kProgress] == 0.0) point[kTaker] = -1.0;
}

/// One step of a team alone in a point: it undoes what the other team began, then takes. Returns whether it is taken.
bool hold(double* point, int team, double holdSteps, bool& isProgress) {
  if (point[kTaker] == Layout::other(team)) {
    isProgress = true;
    undo(point, 1.0);
    return false;
  }
  if (point[kOwner] == team || !Layout::isOpenTo(point, team)) return false;
  isProgress = true;
  point[kTaker] = team;
  point[kProgress] += 1.0;
  if (point[kProgress] < holdSteps) return false;
  point[kOwner] = team;
  point[kTaker] = -1.0;
  point[kProgress] = 0.0;
  return true;
}

}  // namespace

void takePoints(const Layout& layout, double* state, const double* attributes, StepNotes& notes, double* components) {
  std::fill_n(components, layout.numUnits, 0.0);
  notes.pointsTaken = 0;
  const int withRed = pointsWith(layout, state, notes, kRed);
  const int withBlue = pointsWith(layout, state, notes, kBlue);
  for (int i = 0; i < layout.config.numPoints; ++i) {
    double* point = layout.place(state, layout.point(i));
    const double holdSteps = stepsOf(layout.ofPlace(attributes, kHoldTime, layout.point(i)));
    const bool isRedThere = (withRed >> i & 1) != 0;
    const bool isBlueThere = (withBlue >> i & 1) != 0;
    if (!isRedThere && !isBlueThere) undo(point, layout.config.pointDecay);
    if (isRedThere != isBlueThere) {
      const int team = isRedThere ? kRed : kBlue;
      bool isProgress = false;
      const bool isTaken = hold(point, team, holdSteps, isProgress);
      if (isProgress) notes.pointsTaken |= 1 << i;
      if (isTaken) {
        state[kScores + team] += kScorePerCapture;
        rewardCapture(layout, state, notes, team, i, components);
      }
    }
    point[kTaken] = std::min(1.0, point[kProgress] / holdSteps);
    if (point[kOwner] < 0.0) continue;
    const int owner = static_cast<int>(point[kOwner]);
    state[kScores + owner] += layout.config.holdScore * kStepSeconds;
    state[kHeldSums + owner] += 1.0 / layout.config.numPoints;
  }
}

void operateLocks(const Layout& layout, double* state) {
  for (int i = 0; i < layout.config.numLocks; ++i) {
    double* lock = layout.place(state, layout.lock(i));
    for (int u = 0; u < layout.numUnits; ++u) {
      if (!layout.isAlive(state, u) || !layout.isInside(layout.unit(state, u), state, layout.lock(i))) continue;
      lock[kStood + layout.team(u) * kNumRoles + layout.role(u)] = state[kClock];
    }
    for (int team = 0; team < kNumTeams; ++team) {
      const double* stood = lock + kStood + team * kNumRoles;
      if (!stoodLately(layout, state, stood[kAssault]) || !stoodLately(layout, state, stood[kSupport])) continue;
      lock[kOpenTo] = static_cast<int>(lock[kOpenTo]) | 1 << team;
      const int point = layout.lockedPoints[static_cast<std::size_t>(i)];
      layout.place(state, layout.point(point))[kOpenTo] = lock[kOpenTo];
    }
  }
}

void takeSupplies(const Layout& layout, double* state, const double* attributes) {
  for (int i = 0; i < layout.config.numSupplies; ++i) {
    double* supply = layout.place(state, layout.supply(i));
    if (supply[kActive] == 0.0) continue;
    const Taker red = nearestWounded(layout, state, attributes, kRed, supply);
    const Taker blue = nearestWounded(layout, state, attributes, kBlue, supply);
    const double nearest = std::min(red.square, blue.square);
    if (!std::isfinite(nearest)) continue;
    const auto isNearest = [nearest](const Taker& taker) { return taker.square <= nearest + kEqualSquares; };
    const double part = layout.config.supplyHealth * (isNearest(red) && isNearest(blue) ? 0.5 : 1.0);
    for (const Taker& taker : {red, blue}) {
      if (!isNearest(taker)) continue;
      double* health = layout.unit(state, taker.unit) + kHealth;
      *health = std::min(*health + part, layout.of(attributes, kMaxHealth, taker.unit));
    }
    supply[kActive] = 0.0;
  }
}

}  // namespace gymwright::capture
