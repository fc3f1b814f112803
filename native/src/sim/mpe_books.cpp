#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "sim/mpe_world.hpp"

namespace gymwright {
namespace {

constexpr int kGridSide = 7;
/// A set of 49 cells is exact in an f64.
constexpr double kEndOfCells = 0x1.0p49;
constexpr double kNoValue = std::numeric_limits<double>::quiet_NaN();

int cellOf(double x, double halfWidth) {
  return static_cast<int>(std::clamp((x + halfWidth) * (kGridSide / (2.0 * halfWidth)), 0.0, kGridSide - 1.0));
}

/// Index of the spot nearest to `from`; ties go to the lower one.
int nearestOf(const double* spots, int count, const double* from) {
  int nearest = 0;
  double least = std::numeric_limits<double>::infinity();
  for (int i = 0; i < count; ++i) {
    const double dx = from[0] - spots[2 * i];
    const double dy = from[1] - spots[2 * i + 1];
    const double square = dx * dx + dy * dy;
    nearest = square < least ? i : nearest;
    least = std::min(square, least);
  }
  return nearest;
}

}  // namespace

void MpeScenario::keepBooks(double* state) const {
  const double halfWidth = std::max(bodies_.agentSpawn, bodies_.landmarkSpawn);
  const int count = numAgents();
  int nearest[kMaxAgents];
  int seekers[kMaxSides][kMaxAgents] = {};  // agents of a side nearest to a landmark
  for (int a = 0; a < count; ++a) {
    nearest[a] = nearestOf(landmark(state, 0), numLandmarks(), agent(state, a));
    ++seekers[bodies_.side[static_cast<std::size_t>(a)]][nearest[a]];
  }
  for (int a = 0; a < count; ++a) {
    double* book = state + bookWord_ + kBookWords * a;
    const double* self = agent(state, a);
    book[kConstantSteps] += book[kLastLandmark] == nearest[a] + 1 ? 1.0 : 0.0;
    book[kOwnSteps] += seekers[bodies_.side[static_cast<std::size_t>(a)]][nearest[a]] == 1 ? 1.0 : 0.0;
    book[kLastLandmark] = nearest[a] + 1;
    const int cell = cellOf(self[1], halfWidth) * kGridSide + cellOf(self[0], halfWidth);
    book[kCells] = static_cast<double>(static_cast<std::int64_t>(book[kCells]) | std::int64_t{1} << cell);
  }
}

bool MpeScenario::hasValidBooks(const double* state) const {
  const auto isWhole = [](double x, double end) { return x >= 0.0 && x < end && x == std::floor(x); };
  for (int a = 0; a < numAgents(); ++a) {
    const double* book = state + bookWord_ + kBookWords * a;
    if (!isWhole(book[kLastLandmark], numLandmarks() + 1) || !isWhole(book[kConstantSteps], 1e12)) return false;
    if (!isWhole(book[kOwnSteps], 1e12) || !isWhole(book[kCells], kEndOfCells)) return false;
  }
  return true;
}

void MpeScenario::writeCommonMetrics(const double* state, std::int32_t steps, int a, double* metrics) const {
  const double* book = state + bookWord_ + kBookWords * a;
  metrics[0] = hasMates_[static_cast<std::size_t>(a)] ? book[kOwnSteps] / steps : kNoValue;
  metrics[1] = steps > 1 ? book[kConstantSteps] / (steps - 1) : kNoValue;
  metrics[2] = std::popcount(static_cast<std::uint64_t>(book[kCells])) / static_cast<double>(kGridSide * kGridSide);
}

void MpeScenario::describeCommonMetrics() {
  manifest_.metrics.push_back({"cooperation_index", "none", true, "higher", 0, 1,
                               "Share of the steps in which the landmark nearest to the agent was nearest to none of "
                               "its mates: they divide the "
                               "landmarks. No value for an agent without mates."});
  manifest_.metrics.push_back(
      {"role_adherence", "none", true, "higher", 0, 1,
       "Share of the steps, from the second on, in which the landmark nearest to the agent was the same as in the step "
       "before: it sticks to its part. No value for an episode of one step."});
  manifest_.metrics.push_back({"exploration_ratio", "none", true, "neither", 0, 1,
                               "Share of the cells of a 7 x 7 grid over the square in which agents and landmarks start "
                               "that the agent visited; outside counts as the nearest cell."});
}

}  // namespace gymwright
