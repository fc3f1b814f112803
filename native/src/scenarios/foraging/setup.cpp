#include <algorithm>
#include <cmath>

#include "scenarios/foraging/rules.hpp"
#include "sim/visited_cells.hpp"

namespace gymwright::foraging {
namespace {

void clear(const Layout& layout, double* state) { std::fill_n(state, layout.stateWords(), 0.0); }

/// The level up to which foods go: as told, or what the three weakest agents make together.
double highestFood(const Layout& layout, const double* state) {
  if (layout.config.foodMaxLevel > 0) return layout.config.foodMaxLevel;
  std::array<double, kMaxAgents> levels;
  for (int a = 0; a < layout.numAgents; ++a) levels[static_cast<std::size_t>(a)] = layout.agent(state, a)[kLevel];
  std::sort(levels.begin(), levels.begin() + layout.numAgents);
  double sum = 0.0;
  for (int a = 0; a < std::min(3, layout.numAgents); ++a) sum += levels[static_cast<std::size_t>(a)];
  return sum;
}

void putAgent(const Layout& layout, double* state, int a, Cell cell, double level) {
  double* agent = layout.agent(state, a);
  agent[kX] = cell.x;
  agent[kY] = cell.y;
  agent[kLevel] = level;
  visit(layout, agent);
}

/// The k-th cell without one of the first `count` agents, in reading order.
Cell freeCell(const Layout& layout, const double* state, int count, int k) {
  for (int i = 0;; ++i) {
    bool isTaken = false;
    for (int a = 0; a < count; ++a) isTaken = isTaken || layout.agentCell(state, a) == layout.cellAt(i);
    if (!isTaken && k-- == 0) return layout.cellAt(i);
  }
}

/// What the start of an episode counts.
void takeStock(const Layout& layout, double* state) {
  state[kSpawned] = state[kArrived];
  for (int f = 0; f < layout.numFoods; ++f) layout.food(state, f)[kListed] = f < layout.config.foodCount ? 1.0 : 0.0;
}

bool isOnField(const Layout& layout, const double* position) {
  return isWhole(position[kX], 0, layout.config.columns - 1) && isWhole(position[kY], 0, layout.config.rows - 1);
}

bool isValidAgent(const Layout& layout, const double* agent) {
  constexpr double kMostSteps = 1e12;
  const bool areSumsWhole =
      std::all_of(agent + kLoads, agent + kCells, [](double sum) { return isWhole(sum, 0, kMostSteps); });
  return isOnField(layout, agent) && isWhole(agent[kVx], -1, 1) && isWhole(agent[kVy], -1, 1) &&
         isWhole(agent[kLevel], 1, kMaxLevel) && areSumsWhole && visited::isSet(agent[kCells]);
}

bool isValidFood(const Layout& layout, const double* food) {
  const double least = food[kThere] == 1.0 ? 1 : 0;
  return isOnField(layout, food) && isWhole(food[kThere], 0, 1) && isWhole(food[kFoodLevel], least, 3 * kMaxLevel) &&
         isWhole(food[kCounts], 0, 1) && isWhole(food[kBack], 0, 1e6) && isWhole(food[kListed], 0, 1) &&
         food[kSeenWorth] >= 0.0 && food[kSeenWorth] < 1e6;
}

/// Cells as told; what is wrong with them, if anything.
std::optional<std::string> checkCells(const Layout& layout, const char* name,
                                      const std::vector<std::array<double, 2>>& places) {
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (isOnField(layout, places[i].data())) continue;
    return std::string(name) + "[" + std::to_string(i) + "] is no cell: x is a column 0.." +
           std::to_string(layout.config.columns - 1) + ", y a row 0.." + std::to_string(layout.config.rows - 1) +
           " from below";
  }
  return std::nullopt;
}

std::optional<std::string> checkSizes(const Layout& layout, const Placement& placement) {
  const auto count = [](std::size_t given, int needed, const std::string& what) -> std::optional<std::string> {
    if (given == static_cast<std::size_t>(needed)) return std::nullopt;
    return what.substr(0, 1) + " has " + std::to_string(given) + " positions, the scenario needs " +
           std::to_string(needed) + ": one for each " + what.substr(2);
  };
  if (auto problem = count(placement.agents.size(), layout.numAgents, "A agent")) return problem;
  return count(placement.landmarks.size(), layout.config.foodCount, "L food");
}

}  // namespace

void layOut(const Layout& layout, double* state, const EpisodeRng& rng) {
  clear(layout, state);
  const auto draw = [&rng](int entity, std::uint32_t which) {
    return rng.bits(Stream::kReset, 0, static_cast<std::uint32_t>(entity), which);
  };
  state[kSeed] = seedWord(draw(kMaxAgents + kMaxFoods, 0));
  const Config& config = layout.config;
  for (int a = 0; a < layout.numAgents; ++a) {
    const int level = config.agentMinLevel + chooseBelow(draw(a, 1), config.agentMaxLevel - config.agentMinLevel + 1);
    putAgent(layout, state, a, freeCell(layout, state, a, chooseBelow(draw(a, 0), layout.numCells() - a)), level);
  }
  state[kFoodMax] = highestFood(layout, state);
  for (int f = 0; f < config.foodCount; ++f)
    bringUp(layout, state, f, draw(layout.numAgents + f, 0), draw(layout.numAgents + f, 1));
  takeStock(layout, state);
}

std::optional<std::string> layOutAsTold(const Layout& layout, const Placement& placement, double* state) {
  if (auto problem = checkSizes(layout, placement)) return problem;
  if (auto problem = checkCells(layout, "A", placement.agents)) return problem;
  if (auto problem = checkCells(layout, "L", placement.landmarks)) return problem;
  std::array<double, kMaxAgents> levels;
  std::array<double, kMaxFoods> foods;
  const auto numAgents = static_cast<std::size_t>(layout.numAgents);
  if (auto problem =
          placement.readIndices("levels", numAgents, kMaxLevel + 1, "the level of each agent", levels.data()))
    return problem;
  if (auto problem = placement.readIndices("foods", placement.landmarks.size(), 3 * kMaxLevel + 1,
                                           "the level of each food", foods.data()))
    return problem;
  clear(layout, state);
  for (int a = 0; a < layout.numAgents; ++a) {
    const auto i = static_cast<std::size_t>(a);
    if (levels[i] < 1.0) return "levels must be in 1.." + std::to_string(kMaxLevel) + ": the level of each agent";
    putAgent(layout, state, a, layout.cellOf(placement.agents[i].data()), levels[i]);
  }
  state[kFoodMax] = highestFood(layout, state);
  for (int f = 0; f < layout.config.foodCount; ++f) {
    const auto i = static_cast<std::size_t>(f);
    const Cell cell = layout.cellOf(placement.landmarks[i].data());
    if (foods[i] < 1.0) return "foods must be in 1.." + std::to_string(3 * kMaxLevel) + ": the level of each food";
    if (layout.hasAgent(state, cell) || layout.foodAt(state, cell) >= 0)
      return "L[" + std::to_string(f) + "] is taken by an agent or another food";
    putFood(layout, state, f, cell, foods[i]);
  }
  takeStock(layout, state);
  return std::nullopt;
}

bool isStateOf(const Layout& layout, const double* state) {
  if (!isWhole(state[kClock], 0, 1e9) || !isWhole(state[kSeed], 0, 1e15)) return false;
  if (!isWhole(state[kFoodMax], 1, 3 * kMaxLevel) || !isWhole(state[kSpawned], 0, 1e12)) return false;
  if (!isWhole(state[kArrived], 0, 1e12) || !isWhole(state[kCollected], 0, 1e12)) return false;
  for (int a = 0; a < layout.numAgents; ++a) {
    if (!isValidAgent(layout, layout.agent(state, a))) return false;
  }
  for (int f = 0; f < layout.numFoods; ++f) {
    if (!isValidFood(layout, layout.food(state, f))) return false;
  }
  return true;
}

}  // namespace gymwright::foraging
