#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "program_builder.hpp"
#include "test_env.hpp"

namespace gymwright::test {

/// Actions of capture by name.
enum CaptureAction { kStand, kEast, kNorthEast, kNorth, kNorthWest, kWest, kSouthWest, kSouth, kSouthEast };

/// One copy of capture, played by hand without a batch. Units: 2 red assault, 1 red support, 2 blue assault, 1 blue
/// support by default; everybody stands unless told otherwise.
class CaptureGame {
 public:
  explicit CaptureGame(const Settings& settings = {}) : scenario(scenarioOf("capture", settings)) {
    const Manifest& m = scenario->manifest();
    state.resize(static_cast<std::size_t>(scenario->stateWords()));
    row.assign(scenario->baseAttributes().begin(), scenario->baseAttributes().end());
    components.resize(static_cast<std::size_t>(m.numAgents));
    actions.assign(static_cast<std::size_t>(m.numAgents), kStand);
    scenario->reset(state.data(), rng);
    // Out of everybody's way, in the corners.
    for (int u = 0; u < m.numAgents; ++u) put(u, team(u) == 0 ? 0.0 : 100.0, team(u) == 0 ? 60.0 : 0.0);
  }

  int team(int u) const { return static_cast<int>(at("team", u)); }

  /// Value of an agent's attribute, as EDL reads it.
  double at(const std::string& name, int u) const { return word(EntityKind::kAgent, name, u); }
  /// Value of a landmark's attribute; landmarks count from 0.
  double ofPlace(const std::string& name, int p) const { return word(EntityKind::kLandmark, name, p); }

  void put(int entity, double x, double y) {
    double* spot = state.data() + scenario->positionWord(entity);
    spot[0] = x;
    spot[1] = y;
  }
  void setAttribute(const std::string& name, int u, double value) {
    const auto& address = scenario->addresses()[id(EntityKind::kAgent, name)];
    (address.isInState ? state : row)[static_cast<std::size_t>(address.base + address.stride * u)] = value;
  }

  int entity(const std::string& set, int i = 0) const {
    for (const EntitySet& each : scenario->manifest().sets) {
      if (each.name == set) return each.entities[static_cast<std::size_t>(i)];
    }
    return -1;
  }
  int agent(const std::string& set, int i = 0) const { return entity(set, i); }
  int landmark(const std::string& set, int i = 0) const { return entity(set, i) - scenario->manifest().numAgents; }

  /// Puts a unit into the middle of a place.
  void putAt(int u, const std::string& set, int i = 0, double dx = 0.0) {
    put(u, ofPlace("x", landmark(set, i)) + dx, ofPlace("y", landmark(set, i)));
  }

  bool step(int count = 1) {
    bool isOver = false;
    std::vector<double> controls(2 * actions.size());
    for (int i = 0; i < count; ++i, ++clock) {
      for (std::size_t u = 0; u < actions.size(); ++u) {
        scenario->decodeDiscrete(static_cast<int>(u), actions[u], &controls[2 * u]);
      }
      isOver = scenario->advance(state.data(), row.data(), controls.data(), components.data());
    }
    return isOver;
  }

  bool holds(const std::string& relation, int from, int to) const {
    const auto& relations = scenario->manifest().relations;
    for (std::size_t r = 0; r < relations.size(); ++r) {
      if (relations[r].name != relation) continue;
      return scenario->relation(static_cast<int>(r), from, to, state.data(), row.data()) == 1.0;
    }
    return false;
  }

  void trigger(const std::string& verb, const std::string& event, double amount, int target, std::uint32_t key = 1) {
    const auto& events = scenario->manifest().events;
    for (std::size_t e = 0; e < events.size(); ++e) {
      if (events[e].name != event || events[e].verb != verb) continue;
      scenario->trigger(static_cast<int>(e), amount, target, key, rng, clock, state.data());
    }
  }

  std::int32_t behave(const std::string& behaviour, int u, int target) const {
    const auto& behaviours = scenario->manifest().behaviours;
    for (std::size_t b = 0; b < behaviours.size(); ++b) {
      if (behaviours[b].name != behaviour) continue;
      return scenario->behave(static_cast<int>(b), u, target, state.data(), row.data(), rng, clock);
    }
    return -1;
  }

  double metric(const std::string& name, int u) const {
    const auto& metrics = scenario->manifest().metrics;
    std::vector<double> values(metrics.size() * actions.size());
    scenario->writeMetrics(state.data(), clock, values.data());
    for (std::size_t m = 0; m < metrics.size(); ++m) {
      if (metrics[m].name == name) return values[static_cast<std::size_t>(u) * metrics.size() + m];
    }
    return -1.0;
  }

  std::vector<double> obs(int u) const {
    const auto width = static_cast<std::size_t>(scenario->manifest().obsDim);
    std::vector<double> all(width * actions.size());
    scenario->writeObs(state.data(), all.data());
    const auto first = all.begin() + static_cast<std::ptrdiff_t>(width) * u;
    return {first, first + static_cast<std::ptrdiff_t>(width)};
  }

  std::vector<std::uint8_t> mask(int u) const {
    std::vector<std::uint8_t> all(9 * actions.size());
    scenario->writeAvailActions(state.data(), all.data());
    return {all.begin() + 9 * u, all.begin() + 9 * u + 9};
  }

  std::shared_ptr<const Scenario> scenario;
  EpisodeRng rng{5, 0};
  std::vector<double> state;
  std::vector<double> row;
  std::vector<double> components;
  std::vector<std::int32_t> actions;
  std::int32_t clock = 0;

 private:
  std::size_t id(EntityKind kind, const std::string& name) const {
    return static_cast<std::size_t>(attributeId(*scenario, kind, name));
  }
  double word(EntityKind kind, const std::string& name, int index) const {
    const auto& address = scenario->addresses()[id(kind, name)];
    return (address.isInState ? state : row)[static_cast<std::size_t>(address.base + address.stride * index)];
  }
};

}  // namespace gymwright::test
