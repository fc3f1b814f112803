#include <algorithm>
#include <utility>

#include "scenarios/foraging/layout.hpp"

namespace gymwright::foraging {
namespace {

void addField(std::vector<Parameter>& list) {
  list.push_back({"field.rows", "int", "none", 8, kMinSide, kMaxSide, false, false, "Rows of the field."});
  list.push_back({"field.columns", "int", "none", 8, kMinSide, kMaxSide, false, false, "Columns of the field."});
}

void addAgents(std::vector<Parameter>& list) {
  list.push_back({"agent.count", "int", "none", 2, 1, kMaxAgents, true, false, "Number of agents."});
  list.push_back({"agent.min_level", "int", "none", 1, 1, kMaxLevel, false, true, "Lowest level of an agent."});
  list.push_back({"agent.max_level", "int", "none", 2, 1, kMaxLevel, false, true, "Highest level of an agent."});
  list.push_back({"agent.sight", "int", "none", 0, 0, kMaxSide, false, true,
                  "Cells that an agent sees to each side; 0: the whole field."});
  list.push_back(liveParameter({"agent.strength", "float", "none", 1, 0.1, 5, false, true,
                                "Factor of the level with which an agent loads; it does not show in observations."},
                               "strength", "agent"));
  list.push_back(playedParameter(
      liveParameter(choiceParameter("agent.temper", {{"team", "alone", "idle"}, false, true},
                                    "What agents do under the scripted policy \"temper\": go for one food together, "
                                    "each for the nearest one it can load, or nothing."),
                    "temper", "agent"),
      "agent", "temper"));
}

void addFoods(std::vector<Parameter>& list) {
  list.push_back(liveParameter({"food.count", "int", "none", 2, 1, kMaxFoods, true, true,
                                "Number of foods at the start; as a regime's setting: of foods to load."},
                               "enabled", "food", "count"));
  list.push_back({"food.capacity", "int", "none", 0, 0, kMaxFoods, true, false,
                  "Number of foods that shapes are laid out for; 0: as many as food.count."});
  list.push_back({"food.min_level", "int", "none", 1, 1, kMaxLevel, false, true,
                  "Lowest level of a food; no more than the highest."});
  list.push_back({"food.max_level", "int", "none", 0, 0, 3 * kMaxLevel, false, true,
                  "Highest level of a food; 0: the sum of the three lowest levels of agents."});
  list.push_back({"food.coop", "bool", "none", 0, 0, 1, false, true, "Every food has the highest level."});
  list.push_back(liveParameter({"food.respawn", "int", "steps", 0, 0, 1000, false, true,
                                "Steps after which a food that was loaded comes up elsewhere; 0: never."},
                               "respawn", "food"));
  list.push_back(liveParameter({"food.weight", "float", "none", 1, 0.1, 5, false, true,
                                "Factor of the level that loading needs; what it pays stays."},
                               "weight", "food"));
  for (const char* kind : {"apple", "berry"}) {
    list.push_back(
        liveParameter({std::string(kind) + ".worth", "float", "none", 1, 0, 5, false, true,
                       "Factor of what loading pays, for foods of the " +
                           std::string(kind[0] == 'a' ? "first, third, ... slot." : "second, fourth, ... slot.")},
                      "worth", kind));
  }
}

std::string number(int x) { return std::to_string(x); }

}  // namespace

std::vector<Parameter> parameters() {
  std::vector<Parameter> list;
  addField(list);
  addAgents(list);
  addFoods(list);
  list.push_back(liveParameter({"load.penalty", "float", "none", 0, 0, 10, false, true,
                                "What every agent pays that fails to load a food; 0.1 in the reference's \"pen\"."},
                               "penalty", "agent"));
  list.push_back({"observation.worth", "bool", "none", 0, 0, 1, true, false,
                  "Agents observe what each food is worth, as it was in the last step."});
  list.push_back({"episode.length", "int", "steps", 50, 1, 5000, false, false,
                  "Steps after which an episode is truncated."});
  return list;
}

std::optional<Failure> checkParameters(const ParameterValues& values) {
  const Config config(values);
  if (config.foodCount > config.foodSlots)
    return invalidParameter("food.count of scenario foraging is " + number(config.foodCount) +
                            ", more than food.capacity " + number(config.foodSlots) +
                            "; raise food.capacity or set it to 0");
  if (config.agentMinLevel > config.agentMaxLevel)
    return invalidParameter("agent.min_level of scenario foraging is " + number(config.agentMinLevel) +
                            ", more than agent.max_level " + number(config.agentMaxLevel));
  if (config.foodMaxLevel > 0 && config.foodMinLevel > config.foodMaxLevel)
    return invalidParameter("food.min_level of scenario foraging is " + number(config.foodMinLevel) +
                            ", more than food.max_level " + number(config.foodMaxLevel));
  // One cell more, so that foods can be reached at all.
  if (config.numAgents + config.foodCount >= config.rows * config.columns)
    return invalidParameter("a field of " + number(config.rows) + " x " + number(config.columns) +
                            " cells is too small in scenario foraging for agent.count " + number(config.numAgents) +
                            " and food.count " + number(config.foodCount) + "; raise field.rows or field.columns");
  return std::nullopt;
}

Config::Config(const ParameterValues& values)
    : rows(values.whole("field.rows")),
      columns(values.whole("field.columns")),
      numAgents(values.whole("agent.count")),
      foodCount(values.whole("food.count")),
      foodSlots(slotsOf(values, "food", foodCount)),
      agentMinLevel(values.whole("agent.min_level")),
      agentMaxLevel(values.whole("agent.max_level")),
      foodMinLevel(values.whole("food.min_level")),
      foodMaxLevel(values.whole("food.max_level")),
      isCoop(values.flag("food.coop")),
      sight(values.whole("agent.sight")),
      observesWorth(values.flag("observation.worth")),
      episodeLength(values.whole("episode.length")) {}

Layout::Layout(const ParameterValues& values)
    : config(values), numAgents(config.numAgents), numFoods(config.foodSlots) {
  fillRow(values);
}

void Layout::fillRow(const ParameterValues& values) {
  row.assign(static_cast<std::size_t>(kAgentColumns * numAgents + kFoodColumns * numFoods), 0.0);
  const auto putAgents = [&](AgentColumn column, const char* parameter) {
    std::fill_n(row.begin() + agentColumn(column), numAgents, values.number(parameter));
  };
  putAgents(kStrength, "agent.strength");
  putAgents(kPenalty, "load.penalty");
  putAgents(kTemper, "agent.temper");
  for (int f = 0; f < numFoods; ++f) {
    const auto put = [&](FoodColumn column, double value) {
      row[static_cast<std::size_t>(foodColumn(column) + f)] = value;
    };
    put(kEnabled, f < config.foodCount ? 1.0 : 0.0);
    put(kWorth, values.number(f % 2 == 0 ? "apple.worth" : "berry.worth"));
    put(kWeight, values.number("food.weight"));
    put(kRespawn, values.number("food.respawn"));
  }
}

int Layout::foodAt(const double* state, Cell cell) const {
  for (int f = 0; f < numFoods; ++f) {
    if (isThere(state, f) && foodCell(state, f) == cell) return f;
  }
  return -1;
}

bool Layout::hasAgent(const double* state, Cell cell) const {
  for (int a = 0; a < numAgents; ++a) {
    if (agentCell(state, a) == cell) return true;
  }
  return false;
}

int Layout::foodBeside(const double* state, Cell cell) const {
  for (int move = kNorth; move <= kEast; ++move) {
    const int f = foodAt(state, beyond(cell, move));
    if (f >= 0) return f;
  }
  return -1;
}

std::uint32_t Layout::legalActions(const double* state, int a) const {
  const Cell cell = agentCell(state, a);
  std::uint32_t blocked = 0;
  for (int f = 0; f < numFoods; ++f) {
    if (!isThere(state, f) || stepsBetween(cell, foodCell(state, f)) != 1) continue;
    for (int move = kNorth; move <= kEast; ++move) {
      if (beyond(cell, move) == foodCell(state, f)) blocked |= 1u << move;
    }
  }
  std::uint32_t legal = 1u << kNone;
  if (blocked != 0) legal |= 1u << kLoad;
  if (cell.y < config.rows - 1) legal |= 1u << kNorth & ~blocked;
  if (cell.y > 0) legal |= 1u << kSouth & ~blocked;
  if (cell.x > 0) legal |= 1u << kWest & ~blocked;
  if (cell.x < config.columns - 1) legal |= 1u << kEast & ~blocked;
  return legal;
}

}  // namespace gymwright::foraging
