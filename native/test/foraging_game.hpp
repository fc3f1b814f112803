#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "hand_game.hpp"

namespace gymwright::test {

enum ForagingAction { kNone, kNorth, kSouth, kWest, kEast, kLoad };

/// A level and the cell of what has it, as rows from above and columns, in which the reference counts.
struct ForagingPiece {
  double level;
  int row;
  int column;
};

/// One copy of foraging on a field of rows x columns, laid out and played by hand. Everybody does nothing unless told
/// otherwise.
class ForagingGame : public HandGame {
 public:
  ForagingGame(int rows, int columns, const std::vector<ForagingPiece>& agents, const std::vector<ForagingPiece>& foods,
               Settings settings = {})
      : HandGame(scenarioOf("foraging", sized(std::move(settings), rows, columns, agents.size(), foods.size())), kNone,
                 7),
        rows_(rows) {
    Placement placement;
    std::vector<double> levels;
    for (const ForagingPiece& piece : agents) {
      placement.agents.push_back({static_cast<double>(piece.column), static_cast<double>(rows - 1 - piece.row)});
      levels.push_back(piece.level);
    }
    placement.values.emplace_back("levels", levels);
    levels.clear();
    for (const ForagingPiece& piece : foods) {
      placement.landmarks.push_back({static_cast<double>(piece.column), static_cast<double>(rows - 1 - piece.row)});
      levels.push_back(piece.level);
    }
    placement.values.emplace_back("foods", levels);
    problem = scenario->place(placement, state.data());
  }

  bool act(const std::vector<std::int32_t>& chosen) {
    actions = chosen;
    return step();
  }

  int numAgents() const { return scenario->manifest().numAgents; }
  int entityOfFood(int f) const { return numAgents() + f; }
  int rowOf(int entity) const {
    return rows_ - 1 - static_cast<int>(state[static_cast<std::size_t>(scenario->positionWord(entity)) + 1]);
  }
  int columnOf(int entity) const {
    return static_cast<int>(state[static_cast<std::size_t>(scenario->positionWord(entity))]);
  }
  std::string place(int entity) const { return std::to_string(rowOf(entity)) + "," + std::to_string(columnOf(entity)); }

  /// Base reward of an agent in the last step.
  double reward(int a) const { return component(a, 0) + component(a, 1); }
  double component(int a, std::size_t which) const { return components[static_cast<std::size_t>(a) * 2 + which]; }

  std::vector<std::int32_t> play(const std::string& policy) const { return HandGame::play(0, policy); }
  void trigger(const std::string& verb, const std::string& event, int target = -1, std::uint32_t key = 1) {
    HandGame::trigger(verb, event, 0.0, target, key);
  }

  std::optional<std::string> problem;

 private:
  static Settings sized(Settings settings, int rows, int columns, std::size_t numAgents, std::size_t numFoods) {
    settings.insert(settings.end(), {{"field.rows", rows},
                                     {"field.columns", columns},
                                     {"agent.count", static_cast<double>(numAgents)},
                                     {"food.count", static_cast<double>(numFoods)}});
    return settings;
  }

  int rows_;
};

}  // namespace gymwright::test
