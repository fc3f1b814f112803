#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "test_env.hpp"

namespace gymwright::test {

/// Actions of skirmish before those that attack.
enum SkirmishAction { kNorth, kEast, kSouth, kWest, kStop, kFirstAttack };

/// Settings of skirmish with choices by name.
inline Settings skirmishSettings(const std::vector<std::pair<std::string, std::string>>& choices,
                                 Settings settings = {}) {
  const auto plain = scenarioOf("skirmish");
  for (const auto& [name, choice] : choices) {
    for (const Parameter& parameter : plain->manifest().parameters) {
      if (parameter.name != name) continue;
      const auto found = std::find(parameter.choices.begin(), parameter.choices.end(), choice);
      settings.emplace_back(name, static_cast<double>(found - parameter.choices.begin()));
    }
  }
  return settings;
}

/// One copy of skirmish, played by hand without a batch. Everybody stops unless told otherwise; weapons reload without
/// noise. Units are where a fresh episode puts them until they are put elsewhere.
class SkirmishGame {
 public:
  explicit SkirmishGame(Settings settings = {}) : scenario(make(std::move(settings))) {
    const Manifest& m = scenario->manifest();
    state.resize(static_cast<std::size_t>(scenario->stateWords()));
    row.assign(scenario->baseAttributes().begin(), scenario->baseAttributes().end());
    components.resize(static_cast<std::size_t>(m.numAgents) * m.components.size());
    actions.assign(static_cast<std::size_t>(m.numAgents), kStop);
    scenario->reset(state.data(), rng);
  }

  double at(const std::string& name, int u) const { return *word(name, u); }
  void set(const std::string& name, int u, double value) { *word(name, u) = value; }

  void put(int entity, double x, double y) {
    double* spot = state.data() + scenario->positionWord(entity);
    spot[0] = x;
    spot[1] = y;
  }
  /// Allies in the lower left, enemies in the upper right, all apart and out of each other's sight.
  void scatter() {
    const int numAllies = static_cast<int>(scenario->manifest().groups[0].agents.size());
    for (int u = 0; u < scenario->manifest().numAgents; ++u)
      put(u, u < numAllies ? 2.0 + 1.5 * u : 30.0 - 1.5 * (u - numAllies), u < numAllies ? 2.0 : 30.0);
  }
  double x(int entity) const { return state[static_cast<std::size_t>(scenario->positionWord(entity))]; }
  double y(int entity) const { return state[static_cast<std::size_t>(scenario->positionWord(entity)) + 1]; }

  bool step(int count = 1) {
    bool isOver = false;
    const std::vector<double> controls(actions.begin(), actions.end());
    for (int i = 0; i < count; ++i, ++clock)
      isOver = scenario->advance(state.data(), row.data(), controls.data(), components.data());
    return isOver;
  }

  double reward(int u, std::size_t component) const {
    return components[static_cast<std::size_t>(u) * scenario->manifest().components.size() + component];
  }

  bool holds(const std::string& relation, int from, int to) const {
    const auto& relations = scenario->manifest().relations;
    for (std::size_t r = 0; r < relations.size(); ++r) {
      if (relations[r].name == relation)
        return scenario->relation(static_cast<int>(r), from, to, state.data(), row.data()) == 1.0;
    }
    return false;
  }

  void trigger(const std::string& verb, const std::string& event, double amount, int target, std::uint32_t key = 1) {
    const auto& events = scenario->manifest().events;
    for (std::size_t e = 0; e < events.size(); ++e) {
      if (events[e].name == event && events[e].verb == verb)
        scenario->trigger(static_cast<int>(e), amount, target, key, rng, clock, state.data());
    }
  }

  std::int32_t behave(const std::string& behaviour, int u, int target = -1) const {
    const auto& behaviours = scenario->manifest().behaviours;
    for (std::size_t b = 0; b < behaviours.size(); ++b) {
      if (behaviours[b].name == behaviour)
        return scenario->behave(static_cast<int>(b), u, target, state.data(), row.data(), rng, clock);
    }
    return -1;
  }

  /// What a scripted policy of a group does now.
  std::vector<std::int32_t> play(int group, const std::string& policy) const {
    const Group& g = scenario->manifest().groups[static_cast<std::size_t>(group)];
    const auto found = std::find(g.scripted.begin(), g.scripted.end(), policy);
    std::vector<std::int32_t> out(g.agents.size(), -1);
    scenario->actScripted(group, static_cast<int>(found - g.scripted.begin()), state.data(), row.data(), rng, clock,
                          out.data());
    return out;
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

  std::vector<int> mask(int u) const {
    const auto width = static_cast<std::size_t>(scenario->manifest().numActions);
    std::vector<std::uint8_t> all(width * actions.size());
    scenario->writeAvailActions(state.data(), all.data());
    const auto first = all.begin() + static_cast<std::ptrdiff_t>(width) * u;
    return {first, first + static_cast<std::ptrdiff_t>(width)};
  }

  std::shared_ptr<const Scenario> scenario;
  EpisodeRng rng{5, 0};
  std::vector<double> state;
  std::vector<double> row;
  std::vector<double> components;
  std::vector<std::int32_t> actions;
  std::int32_t clock = 0;

 private:
  static std::shared_ptr<const Scenario> make(Settings settings) {
    settings.emplace_back("cooldown.noise", 0.0);
    return scenarioOf("skirmish", settings);
  }

  double* word(const std::string& name, int u) {
    return const_cast<double*>(static_cast<const SkirmishGame*>(this)->word(name, u));
  }
  const double* word(const std::string& name, int u) const {
    const auto& attributes = scenario->manifest().attributes;
    std::size_t id = 0;
    while (attributes[id].name != name || attributes[id].kind != EntityKind::kAgent) ++id;
    const bool isInState = scenario->addresses()[id].isInState;
    return (isInState ? state : row).data() + scenario->attributeWord(static_cast<int>(id), u);
  }
};

}  // namespace gymwright::test
