#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "test_env.hpp"

namespace gymwright::test {

/// One copy of a scenario, played by hand without a batch; what it says and does is asked for by name. Its state is to
/// be filled first.
class HandGame {
 public:
  HandGame(std::shared_ptr<const Scenario> played, std::int32_t usualAction, std::uint64_t seed)
      : scenario(std::move(played)), rng(seed, 0) {
    const auto numAgents = static_cast<std::size_t>(scenario->manifest().numAgents);
    state.resize(static_cast<std::size_t>(scenario->stateWords()));
    row.assign(scenario->baseAttributes().begin(), scenario->baseAttributes().end());
    components.resize(numAgents * scenario->manifest().components.size());
    actions.assign(numAgents, usualAction);
  }

  /// Value of an attribute of a world entity, as EDL reads it.
  double at(const std::string& attribute, int entity) const { return *word(attribute, entity); }
  void set(const std::string& attribute, int entity, double value) {
    *const_cast<double*>(word(attribute, entity)) = value;
  }

  void put(int entity, double x, double y) {
    double* spot = state.data() + scenario->positionWord(entity);
    spot[0] = x;
    spot[1] = y;
  }
  double x(int entity) const { return state[static_cast<std::size_t>(scenario->positionWord(entity))]; }
  double y(int entity) const { return state[static_cast<std::size_t>(scenario->positionWord(entity)) + 1]; }

  /// Takes the actions that are set; returns whether the last step ended the episode.
  bool step(int count = 1) {
    const auto width = static_cast<std::size_t>(scenario->controlWords());
    std::vector<double> controls(width * actions.size());
    bool isOver = false;
    for (int i = 0; i < count; ++i, ++clock) {
      for (std::size_t a = 0; a < actions.size(); ++a)
        scenario->decodeDiscrete(static_cast<int>(a), actions[a], &controls[width * a]);
      isOver = scenario->advance(state.data(), row.data(), controls.data(), components.data());
    }
    return isOver;
  }

  /// A base component of the last step.
  double reward(int agent, std::size_t component) const {
    return components[static_cast<std::size_t>(agent) * scenario->manifest().components.size() + component];
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

  std::int32_t behave(const std::string& behaviour, int agent, int target = -1) const {
    const auto& behaviours = scenario->manifest().behaviours;
    for (std::size_t b = 0; b < behaviours.size(); ++b) {
      if (behaviours[b].name == behaviour)
        return scenario->behave(static_cast<int>(b), agent, target, state.data(), row.data(), rng, clock);
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

  double metric(const std::string& name, int agent = 0) const {
    const auto& metrics = scenario->manifest().metrics;
    std::vector<double> values(metrics.size() * actions.size());
    scenario->writeMetrics(state.data(), clock, values.data());
    for (std::size_t m = 0; m < metrics.size(); ++m) {
      if (metrics[m].name == name) return values[static_cast<std::size_t>(agent) * metrics.size() + m];
    }
    return -1.0;
  }

  std::vector<double> obs(int agent) const {
    const auto width = static_cast<std::size_t>(scenario->manifest().obsDim);
    std::vector<double> all(width * actions.size());
    scenario->writeObs(state.data(), all.data());
    const auto first = all.begin() + static_cast<std::ptrdiff_t>(width) * agent;
    return {first, first + static_cast<std::ptrdiff_t>(width)};
  }

  std::vector<int> mask(int agent) const {
    const auto width = static_cast<std::size_t>(scenario->manifest().numActions);
    std::vector<std::uint8_t> all(width * actions.size());
    scenario->writeAvailActions(state.data(), all.data());
    const auto first = all.begin() + static_cast<std::ptrdiff_t>(width) * agent;
    return {first, first + static_cast<std::ptrdiff_t>(width)};
  }

  std::shared_ptr<const Scenario> scenario;
  EpisodeRng rng;
  std::vector<double> state;
  std::vector<double> row;
  std::vector<double> components;
  std::vector<std::int32_t> actions;
  std::int32_t clock = 0;

 private:
  const double* word(const std::string& name, int entity) const {
    const Manifest& m = scenario->manifest();
    std::size_t id = 0;
    while (m.attributes[id].name != name || m.attributes[id].kind != m.kindOf(entity)) ++id;
    const bool isInState = scenario->addresses()[id].isInState;
    return (isInState ? state : row).data() + scenario->attributeWord(static_cast<int>(id), entity);
  }
};

}  // namespace gymwright::test
