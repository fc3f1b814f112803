#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

#include "gymwright/scenario.hpp"
#include "sim/manifest_parts.hpp"
#include "sim/numbers.hpp"

/// What a copy of `foraging` is made of. foraging.cpp tells the game, rules.hpp its phases.
namespace gymwright::foraging {

inline constexpr int kMinSide = 3, kMaxSide = 24;
inline constexpr int kMaxCells = kMaxSide * kMaxSide;
inline constexpr int kMaxAgents = 16, kMaxFoods = 16, kMaxLevel = 9;

/// North is up: a row less, y one more.
enum Action { kNone, kNorth, kSouth, kWest, kEast, kLoad, kNumActions };
inline constexpr int kMoves[kNumActions][2] = {{0, 0}, {0, 1}, {0, -1}, {-1, 0}, {1, 0}, {0, 0}};

/// A cell: x is its column, y its row counted from below.
struct Cell {
  int x;
  int y;
  bool operator==(const Cell& other) const { return x == other.x && y == other.y; }
};
inline Cell beyond(Cell cell, int action) { return {cell.x + kMoves[action][0], cell.y + kMoves[action][1]}; }
inline int stepsBetween(Cell a, Cell b) { return std::abs(a.x - b.x) + std::abs(a.y - b.y); }

/// Words of the copy; those of the agents follow, then those of the foods.
enum WorldWord {
  kClock,
  kSeed,      ///< of what is drawn within steps
  kSpawned,   ///< level of all foods at the start, which rewards are shares of
  kFoodMax,   ///< highest level a food can have in this episode
  kArrived,   ///< level of all foods that came up so far
  kCollected, ///< level of all foods loaded so far
  kWorldWords
};

enum AgentWord {
  kX,
  kY,
  kVx,  ///< over the last step
  kVy,
  kLevel,
  kLoads,  ///< foods it helped to load; this and the following: sums of the episode
  kFails,
  kJoint,  ///< loads and fails in which a mate took part
  kRoleSteps,
  kCells,
  kAgentWords
};

/// A food begins with x and y as an agent does.
enum FoodWord {
  kFoodLevel = kY + 1,
  kThere,   ///< 1 while it is on the field
  kCounts,  ///< 0 where an event decided that it is worth nothing
  kBack,    ///< steps until it comes back, 0 = it does not
  kListed,  ///< 1 where the slot was among the food.count of the last step
  kSeenWorth,  ///< worth in the last step, as it is observed
  kFoodWords
};

/// Columns of the attribute row: those of the agents, [A] each, then those of the foods, [F] each.
enum AgentColumn { kStrength, kPenalty, kTemper, kAgentColumns };
enum FoodColumn { kEnabled, kWorth, kWeight, kRespawn, kFoodColumns };

enum class Temper { kTeam, kAlone, kIdle };

/// Parameters as the rules of play use them.
struct Config {
  explicit Config(const ParameterValues& values);

  int rows, columns;
  int numAgents;
  int foodCount;
  int foodSlots;
  int agentMinLevel, agentMaxLevel;
  int foodMinLevel, foodMaxLevel;  ///< most: 0 = sum of the three lowest agent levels
  bool isCoop;
  int sight;  ///< cells; 0 = the whole field
  bool observesWorth;
  int episodeLength;
};

/// Every parameter of the scenario.
std::vector<Parameter> parameters();
/// What is wrong with values that are each within bounds, if anything.
std::optional<Failure> checkParameters(const ParameterValues& values);

/// Where things are in a copy's state and attribute row.
class Layout {
 public:
  explicit Layout(const ParameterValues& values);

  Config config;
  int numAgents;
  int numFoods;  ///< slots
  std::vector<double> row;  ///< base attributes

  int stateWords() const { return kWorldWords + kAgentWords * numAgents + kFoodWords * numFoods; }
  int agentWord(int a) const { return kWorldWords + kAgentWords * a; }
  int foodWord(int f) const { return kWorldWords + kAgentWords * numAgents + kFoodWords * f; }
  int positionWord(int entity) const { return entity < numAgents ? agentWord(entity) : foodWord(entity - numAgents); }
  int agentColumn(AgentColumn column) const { return column * numAgents; }
  int foodColumn(FoodColumn column) const { return kAgentColumns * numAgents + column * numFoods; }

  double* agent(double* state, int a) const { return state + agentWord(a); }
  const double* agent(const double* state, int a) const { return state + agentWord(a); }
  double* food(double* state, int f) const { return state + foodWord(f); }
  const double* food(const double* state, int f) const { return state + foodWord(f); }
  double of(const double* attributes, AgentColumn column, int a) const { return attributes[agentColumn(column) + a]; }
  double of(const double* attributes, FoodColumn column, int f) const { return attributes[foodColumn(column) + f]; }

  Cell cellOf(const double* position) const { return {static_cast<int>(position[kX]), static_cast<int>(position[kY])}; }
  Cell agentCell(const double* state, int a) const { return cellOf(agent(state, a)); }
  Cell foodCell(const double* state, int f) const { return cellOf(food(state, f)); }
  Cell entityCell(const double* state, int entity) const { return cellOf(state + positionWord(entity)); }
  int rowOf(Cell cell) const { return config.rows - 1 - cell.y; }
  int indexOf(Cell cell) const { return rowOf(cell) * config.columns + cell.x; }
  /// Cells in reading order: 0 is the one in the upper left.
  Cell cellAt(int index) const { return {index % config.columns, config.rows - 1 - index / config.columns}; }
  int numCells() const { return config.rows * config.columns; }
  bool isInside(Cell cell) const {
    return cell.x >= 0 && cell.x < config.columns && cell.y >= 0 && cell.y < config.rows;
  }

  bool isThere(const double* state, int f) const { return food(state, f)[kThere] != 0.0; }
  /// The food in a cell, or -1.
  int foodAt(const double* state, Cell cell) const;
  bool hasAgent(const double* state, Cell cell) const;
  /// The food that an agent in a cell would load, or -1: the first of north, south, west, east.
  int foodBeside(const double* state, Cell cell) const;
  /// Bit k: action k is legal.
  std::uint32_t legalActions(const double* state, int a) const;
  bool isLegal(const double* state, int a, int action) const { return (legalActions(state, a) >> action & 1u) != 0; }
  /// Level that agents must have together to load a food, and the level with which one of them counts.
  double need(const double* state, const double* attributes, int f) const {
    return food(state, f)[kFoodLevel] * of(attributes, kWeight, f);
  }
  double power(const double* state, const double* attributes, int a) const {
    return agent(state, a)[kLevel] * of(attributes, kStrength, a);
  }
  /// Factor of what loading a food pays.
  double worth(const double* state, const double* attributes, int f) const {
    return food(state, f)[kCounts] * of(attributes, kWorth, f);
  }

  int foodWidth() const { return config.observesWorth ? 4 : 3; }
  int obsDim() const { return foodWidth() * numFoods + 3 * numAgents; }

 private:
  void fillRow(const ParameterValues& values);
};

/// The manifest of a layout, and where each of its attributes lives.
Description describe(const Layout& layout, const ParameterValues& values);

enum RelationId { kBeside, kSees };
enum EventId { kSpawnFood, kRemoveFood, kRelocation, kNewLayout, kNewGoal };
enum BehaviourId { kDoHold, kDoGather, kDoHelp, kDoGoto, kDoFlee, kDoWander };
enum PolicyId { kPlayNoop, kPlayRandom, kPlayForage, kPlayAlone, kPlayTemper };
enum SignalId { kTime, kFoodLeft, kLevelLeft };
enum ComponentId { kRewardLoad, kRewardPenalty, kNumComponents };
enum MetricId {
  kMetricSuccess,
  kMetricShare,
  kMetricLoads,
  kMetricFails,
  kMetricCooperation,
  kMetricRole,
  kMetricExploration,
  kNumMetrics
};

}  // namespace gymwright::foraging
