#include <algorithm>
#include <cmath>
#include <limits>

#include "sim/mpe_world.hpp"
#include "sim/visited_cells.hpp"

namespace gymwright {
namespace {

constexpr double kNoValue = std::numeric_limits<double>::quiet_NaN();

/// Agents of a side that play a role are counted in so many bits of one word per side.
constexpr int kPlayerBits = 4;
constexpr std::uint64_t kPlayers = (1u << kPlayerBits) - 1;

}  // namespace

void MpeScenario::measureGaps(const double* state, Gaps& gaps) const {
  const int landmarks = numLandmarks();
  const double* spots = landmark(state, 0);
  double* squares = gaps.squares;
  for (int a = 0; a < numAgents(); ++a, squares += landmarks) {
    const double x = agent(state, a)[0];
    const double y = agent(state, a)[1];
    int nearest = 0;
    double least = std::numeric_limits<double>::infinity();
    for (int l = 0; l < landmarks; ++l) {
      const double dx = x - spots[2 * l];
      const double dy = y - spots[2 * l + 1];
      const double square = dx * dx + dy * dy;
      squares[l] = square;
      nearest = square < least ? l : nearest;
      least = std::min(square, least);
    }
    gaps.nearest[a] = nearest;
  }
}

void MpeScenario::divideLandmarks(const Gaps& gaps, Roles& roles) const {
  std::copy_n(gaps.nearest, numAgents(), roles.role);
  markOwn(roles);
}

// Without branches: where agents are tells nothing about where they will be.
void MpeScenario::markOwn(Roles& roles) const {
  static_assert(kMaxRoles * kPlayerBits <= 64 && kMaxAgents <= kPlayers && kMaxLandmarks <= kMaxRoles);
  const int* sides = bodies_.side.data();
  std::uint64_t players[kMaxSides] = {};
  for (int a = 0; a < numAgents(); ++a) players[sides[a]] += std::uint64_t{1} << kPlayerBits * roles.role[a];
  for (int a = 0; a < numAgents(); ++a)
    roles.isOwn[a] = (players[sides[a]] >> kPlayerBits * roles.role[a] & kPlayers) == 1;
}

void MpeScenario::keepBooks(double* state, const Roles& roles) const {
  const auto axisCell = [this](double x) { return visited::axisCell((x + halfWidth_) * cellsPerMetre_); };
  for (int a = 0; a < numAgents(); ++a) {
    double* book = state + bookWord_ + kBookWords * a;
    book[kConstantSteps] += static_cast<double>(static_cast<int>(book[kLastRole]) == roles.role[a] + 1);
    book[kOwnSteps] += static_cast<double>(roles.isOwn[a]);
    book[kLastRole] = roles.role[a] + 1;
    if (areAllMobile_ || isMobile(a)) {
      book[kVisited] = visited::add(book[kVisited], axisCell(agent(state, a)[0]), axisCell(agent(state, a)[1]));
    } else {
      book[kVisited] = visited::add(book[kVisited], std::max(0, word(state, a)), 0);
    }
  }
}

bool MpeScenario::hasValidBooks(const double* state) const {
  for (int a = 0; a < numAgents(); ++a) {
    const double* book = state + bookWord_ + kBookWords * a;
    if (!isWhole(book[kLastRole], 0, kMaxRoles) || !isWhole(book[kConstantSteps], 0, 1e12)) return false;
    if (!isWhole(book[kOwnSteps], 0, 1e12) || !visited::isSet(book[kVisited])) return false;
  }
  return true;
}

void MpeScenario::writeCommonMetrics(const double* state, std::int32_t steps, int a, double* metrics) const {
  const double* book = state + bookWord_ + kBookWords * a;
  const int places = isMobile(a) ? visited::kCells : std::max(1, numWords());
  metrics[0] = hasMates_[static_cast<std::size_t>(a)] ? book[kOwnSteps] / steps : kNoValue;
  metrics[1] = steps > 1 ? book[kConstantSteps] / (steps - 1) : kNoValue;
  metrics[2] = visited::count(book[kVisited]) / static_cast<double>(places);
}

void MpeScenario::describeCommonMetrics(std::string cooperation, std::string adherence) {
  if (cooperation.empty())
    cooperation =
        "Share of the steps in which the landmark nearest to the agent was nearest to none of its mates: they divide "
        "the landmarks.";
  if (adherence.empty())
    adherence =
        "Share of the steps, from the second on, in which the landmark nearest to the agent was the same as in the "
        "step before: it sticks to its part.";
  manifest_.metrics.push_back(
      {"cooperation_index", "none", true, "higher", 0, 1, cooperation + " No value for an agent without mates."});
  manifest_.metrics.push_back(
      {"role_adherence", "none", true, "higher", 0, 1, adherence + " No value for an episode of one step."});
  std::string exploration =
      "Share of the cells of a 7 x 7 grid over the square in which agents and landmarks start that the agent visited; "
      "outside counts as the nearest cell.";
  if (!areAllMobile_) exploration += " For an agent that cannot move: share of the words that it said.";
  manifest_.metrics.push_back({"exploration_ratio", "none", true, "neither", 0, 1, exploration});
}

}  // namespace gymwright
