#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "test_env.hpp"

namespace gymwright::test {

enum ForagingAction { kNone, kNorth, kSouth, kWest, kEast, kLoad };

/// A level and the cell of what has it, as rows from above and columns, in which the reference counts.
struct ForagingPiece {
  double level;
  int row;
  int column;
};

/// One copy of foraging on a field of rows x columns, laid out and played by hand without a batch. Everybody does nothing
/// unless told otherwise.
class ForagingGame {
 public:
  ForagingGame(int rows, int columns, const std::vector<ForagingPiece>& agents, const std::vector<ForagingPiece>& foods,
               Settings settings = {})
      : rows_(rows) {
    settings.insert(settings.end(), {{"field.rows", rows},
                                     {"field.columns", columns},
                                     {"agent.count", static_cast<double>(agents.size())},
                                     {"food.count", static_cast<double>(foods.size())}});
    scenario = scenarioOf("foraging", settings);
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
    state.resize(static_cast<std::size_t>(scenario->stateWords()));
    row.assign(scenario->baseAttributes().begin(), scenario->baseAttributes().end());
    components.resize(agents.size() * scenario->manifest().components.size());
    actions.assign(agents.size(), kNone);
    problem = scenario->place(placement, state.data());
  }

  bool step(int count = 1) {
    bool isOver = false;
    const std::vector<double> controls(actions.begin(), actions.end());
    for (int i = 0; i < count; ++i, ++clock)
      isOver = scenario->advance(state.data(), row.data(), controls.data(), components.data());
    return isOver;
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

  double at(const std::string& attribute, int entity) const {
    const std::size_t word = wordOf(attribute, entity);
    return isInState(attribute, entity) ? state[word] : row[word];
  }
  void set(const std::string& attribute, int entity, double value) {
    const std::size_t word = wordOf(attribute, entity);
    (isInState(attribute, entity) ? state[word] : row[word]) = value;
  }

  std::vector<int> mask(int a) const {
    std::vector<std::uint8_t> all(actions.size() * 6);
    scenario->writeAvailActions(state.data(), all.data());
    const auto first = all.begin() + 6 * a;
    return {first, first + 6};
  }
  std::vector<double> obs(int a) const {
    const auto width = static_cast<std::size_t>(scenario->manifest().obsDim);
    std::vector<double> all(width * actions.size());
    scenario->writeObs(state.data(), all.data());
    const auto first = all.begin() + static_cast<std::ptrdiff_t>(width) * a;
    return {first, first + static_cast<std::ptrdiff_t>(width)};
  }
  std::vector<std::int32_t> play(const std::string& policy) const {
    const auto& known = scenario->manifest().groups[0].scripted;
    std::vector<std::int32_t> out(actions.size(), -1);
    scenario->actScripted(0, static_cast<int>(std::find(known.begin(), known.end(), policy) - known.begin()),
                          state.data(), row.data(), rng, clock, out.data());
    return out;
  }
  std::int32_t behave(const std::string& behaviour, int a, int target = -1) const {
    const auto& known = scenario->manifest().behaviours;
    for (std::size_t b = 0; b < known.size(); ++b) {
      if (known[b].name == behaviour)
        return scenario->behave(static_cast<int>(b), a, target, state.data(), row.data(), rng, clock);
    }
    return -1;
  }
  void trigger(const std::string& verb, const std::string& event, int target = -1, std::uint32_t key = 1) {
    const auto& known = scenario->manifest().events;
    for (std::size_t e = 0; e < known.size(); ++e) {
      if (known[e].name == event && known[e].verb == verb)
        scenario->trigger(static_cast<int>(e), 0.0, target, key, rng, clock, state.data());
    }
  }
  bool holds(const std::string& relation, int from, int to) const {
    const int id = relation == "beside" ? 0 : 1;
    return scenario->relation(id, from, to, state.data(), row.data()) == 1.0;
  }
  double metric(const std::string& name, int a = 0) const {
    const auto& metrics = scenario->manifest().metrics;
    std::vector<double> values(metrics.size() * actions.size());
    scenario->writeMetrics(state.data(), clock, values.data());
    for (std::size_t m = 0; m < metrics.size(); ++m) {
      if (metrics[m].name == name) return values[static_cast<std::size_t>(a) * metrics.size() + m];
    }
    return -1.0;
  }

  std::shared_ptr<const Scenario> scenario;
  std::optional<std::string> problem;
  EpisodeRng rng{7, 0};
  std::vector<double> state;
  std::vector<double> row;
  std::vector<double> components;
  std::vector<std::int32_t> actions;
  std::int32_t clock = 0;

 private:
  std::size_t attributeId(const std::string& name, int entity) const {
    const Manifest& m = scenario->manifest();
    std::size_t id = 0;
    while (m.attributes[id].name != name || m.attributes[id].kind != m.kindOf(entity)) ++id;
    return id;
  }
  bool isInState(const std::string& name, int entity) const {
    return scenario->addresses()[attributeId(name, entity)].isInState;
  }
  std::size_t wordOf(const std::string& name, int entity) const {
    return scenario->attributeWord(static_cast<int>(attributeId(name, entity)), entity);
  }

  int rows_;
};

}  // namespace gymwright::test
