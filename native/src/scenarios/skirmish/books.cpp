#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>

#include "scenarios/skirmish/rules.hpp"
#include "sim/visited_cells.hpp"

namespace gymwright::skirmish {
namespace {

constexpr double kSmacKill = 10.0;
constexpr double kSmacWin = 200.0;
constexpr double kSmacScale = 20.0;

std::size_t at(int u) { return static_cast<std::size_t>(u); }

/// What a team's enemies lost in the step.
struct Losses {
  double shares = 0.0;
  double health = 0.0;
  int deaths = 0;
};

Losses lossesOf(const Layout& layout, const double* state, const StepNotes& notes, int team) {
  Losses losses;
  for (int u = layout.first(team); u < layout.end(team); ++u) {
    const double* unit = layout.unit(state, u);
    losses.shares += notes.shareBefore[at(u)] - unit[kShare];
    losses.health += notes.healthBefore[at(u)] - unit[kHealth];
    losses.deaths += notes.shareBefore[at(u)] > 0.0 && unit[kAlive] == 0.0 ? 1 : 0;
  }
  return losses;
}

/// -1 defeat, 0 undecided or a draw, 1 victory.
int outcomeOf(const Layout& layout, const double* state, int team) {
  const bool isUp = countAlive(layout, state, team) > 0;
  const bool isOtherUp = countAlive(layout, state, Layout::other(team)) > 0;
  return isUp == isOtherUp ? 0 : (isUp ? 1 : -1);
}

/// Whether a unit is where its type is meant to be: it reaches an enemy, and none of those with a shorter range
/// reaches it.
bool isInPlace(const Layout& layout, const double* state, int u) {
  const double* self = layout.unit(state, u);
  const int foes = Layout::other(layout.team(u));
  bool reaches = false;
  for (int e = layout.first(foes); e < layout.end(foes); ++e) {
    const double* foe = layout.unit(state, e);
    if (foe[kAlive] == 0.0) continue;
    const double square = squareBetween(self, foe);
    if (foe[kRange] < self[kRange] && square < foe[kRange] * foe[kRange]) return false;
    reaches |= square < self[kRange] * self[kRange];
  }
  return reaches;
}

std::int64_t cellOf(double x) { return visited::axisCell(x / kSide * visited::kSide); }

}  // namespace

int countAlive(const Layout& layout, const double* state, int team) {
  int count = 0;
  for (int u = layout.first(team); u < layout.end(team); ++u) count += layout.isAlive(state, u) ? 1 : 0;
  return count;
}

bool payOut(const Layout& layout, const double* state, const StepNotes& notes, double* components) {
  bool isOver = false;
  for (int team = 0; team < kNumTeams; ++team) {
    const Losses losses = lossesOf(layout, state, notes, Layout::other(team));
    const int outcome = outcomeOf(layout, state, team);
    isOver |= countAlive(layout, state, team) == 0;
    double pay[kNumComponents] = {};
    switch (layout.config.reward) {
      case RewardScheme::kSmax:
        pay[kRewardDamage] = std::fabs(losses.shares) / state[kFoes + team];
        pay[kRewardWin] = outcome > 0 ? 1.0 : 0.0;
        break;
      case RewardScheme::kSmac: {
        const double most = kSmacKill * state[kFoes + team] + kSmacWin + state[kFoeHealth + team];
        pay[kRewardDamage] = kSmacScale * std::fabs(losses.health) / most;
        pay[kRewardKill] = kSmacScale * kSmacKill * losses.deaths / most;
        pay[kRewardWin] = outcome > 0 ? kSmacScale * kSmacWin / most : 0.0;
        break;
      }
      case RewardScheme::kSparse: pay[kRewardWin] = outcome; break;
    }
    for (int u = layout.first(team); u < layout.end(team); ++u) {
      const double isPresent = layout.unit(state, u)[kPresent];
      for (int c = 0; c < kNumComponents; ++c) components[u * kNumComponents + c] = isPresent * pay[c];
    }
  }
  return isOver;
}

void visit(double* unit) { unit[kCells] = visited::add(unit[kCells], cellOf(unit[kX]), cellOf(unit[kY])); }

void keepBooks(const Layout& layout, double* state, const StepNotes& notes) {
  std::uint64_t shooters = 0;
  std::uint64_t joint = 0;
  for (int u = 0; u < layout.numUnits; ++u) {
    const std::uint64_t by = notes.hitBy[at(u)];
    shooters |= by;
    if (std::popcount(by) > 1) joint |= by;
  }
  for (int u = 0; u < layout.numUnits; ++u) {
    double* unit = layout.unit(state, u);
    unit[kShotSteps] += static_cast<double>(shooters >> u & 1);
    unit[kJointSteps] += static_cast<double>(joint >> u & 1);
    if (unit[kAlive] == 0.0) continue;
    unit[kLivingSteps] += 1.0;
    unit[kRoleSteps] += isInPlace(layout, state, u) ? 1.0 : 0.0;
    visit(unit);
  }
}

void writeMetrics(const Layout& layout, const double* state, double* metrics) {
  for (int u = 0; u < layout.numUnits; ++u, metrics += kNumMetrics) {
    const double* unit = layout.unit(state, u);
    const int team = layout.team(u);
    const int alive = countAlive(layout, state, team);
    const int outcome = outcomeOf(layout, state, team);
    metrics[kMetricSuccess] = outcome > 0 ? 1.0 : 0.0;
    metrics[kMetricDraw] = alive == 0 && outcome == 0 ? 1.0 : 0.0;
    metrics[kMetricSurvivors] = shareOf(alive, state[kFoes + Layout::other(team)]);
    if (unit[kLivingSteps] == 0.0 && unit[kDeaths] == 0.0) {
      std::fill(metrics + kMetricKills, metrics + kNumMetrics, std::numeric_limits<double>::quiet_NaN());
      continue;
    }
    metrics[kMetricKills] = unit[kKills];
    metrics[kMetricDeaths] = unit[kDeaths];
    metrics[kMetricDamageDealt] = unit[kDealt];
    metrics[kMetricDamageTaken] = unit[kLost];
    metrics[kMetricCooperation] = shareOf(unit[kJointSteps], unit[kShotSteps]);
    metrics[kMetricRole] = shareOf(unit[kRoleSteps], unit[kLivingSteps]);
    metrics[kMetricExploration] = visited::share(unit[kCells]);
  }
}

}  // namespace gymwright::skirmish
