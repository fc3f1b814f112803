#include <algorithm>
#include <cstdint>
#include <limits>

#include "scenarios/capture/rules.hpp"
#include "sim/visited_cells.hpp"

namespace gymwright::capture {
namespace {

/// Whether another living unit of the team stands in a point of `points`.
bool hasCompany(const Layout& layout, const double* state, const StepNotes& notes, int u, int points) {
  const int team = layout.team(u);
  for (int m = layout.first(team); m < layout.end(team); ++m) {
    if (m != u && layout.isAlive(state, m) && (notes.points[static_cast<std::size_t>(m)] & points) != 0) return true;
  }
  return false;
}

void countDeeds(const Layout& layout, double* state, const StepNotes& notes, int u) {
  double* unit = layout.unit(state, u);
  const int taken = unit[kAlive] != 0.0 ? notes.points[static_cast<std::size_t>(u)] & notes.pointsTaken : 0;
  const bool hasMended = unit[kMended] >= 0.0;
  // A hit that a mate stopped is no deed.
  const bool hasHit = unit[kHit] >= 0.0 && layout.team(static_cast<int>(unit[kHit])) != layout.team(u);
  if (!hasMended && !hasHit && taken == 0) return;
  unit[kDeeds] += 1.0;
  const bool isJointHit = hasHit && notes.numHits[static_cast<std::size_t>(unit[kHit])] > 1;
  if (hasMended || isJointHit || hasCompany(layout, state, notes, u, taken)) unit[kJointDeeds] += 1.0;
}

}  // namespace

void visit(const Layout& layout, double* unit) {
  const auto axisCell = [](double x, double size) { return visited::axisCell(x / size * visited::kSide); };
  unit[kCells] =
      visited::add(unit[kCells], axisCell(unit[kX], layout.config.width), axisCell(unit[kY], layout.config.height));
}

void keepBooks(const Layout& layout, double* state, const double* attributes, const StepNotes& notes) {
  for (int u = 0; u < layout.numUnits; ++u) {
    double* unit = layout.unit(state, u);
    countDeeds(layout, state, notes, u);
    unit[kShare] = unit[kHealth] / layout.of(attributes, kMaxHealth, u);
    if (unit[kAlive] == 0.0) {
      unit[kTimerShare] = std::min(1.0, unit[kTimer] / stepsOf(layout.of(attributes, kRespawnTime, u)));
      continue;
    }
    unit[kLivingSteps] += 1.0;
    unit[kRoleSteps] += notes.isAtWork[static_cast<std::size_t>(u)] ? 1.0 : 0.0;
    visit(layout, unit);
  }
}

void writeMetrics(const Layout& layout, const double* state, std::int32_t steps, double* metrics) {
  for (int u = 0; u < layout.numUnits; ++u, metrics += kNumMetrics) {
    const double* unit = layout.unit(state, u);
    const int team = layout.team(u);
    const double lead = state[kScores + team] - state[kScores + Layout::other(team)];
    metrics[kMetricSuccess] = lead > 0.0 ? 1.0 : 0.0;
    metrics[kMetricScore] = state[kScores + team];
    metrics[kMetricLead] = lead;
    metrics[kMetricPointsHeld] = state[kHeldSums + team] / steps;
    if (unit[kLivingSteps] == 0.0 && unit[kDeaths] == 0.0) {
      std::fill(metrics + kMetricKills, metrics + kNumMetrics, std::numeric_limits<double>::quiet_NaN());
      continue;
    }
    metrics[kMetricKills] = unit[kKills];
    metrics[kMetricDeaths] = unit[kDeaths];
    metrics[kMetricCaptures] = unit[kCaptures];
    metrics[kMetricDamageDealt] = unit[kDealt];
    metrics[kMetricHealing] = unit[kHealed];
    metrics[kMetricCooperation] = shareOf(unit[kJointDeeds], unit[kDeeds]);
    metrics[kMetricRole] = shareOf(unit[kRoleSteps], unit[kLivingSteps]);
    metrics[kMetricExploration] = visited::share(unit[kCells]);
  }
}

}  // namespace gymwright::capture
