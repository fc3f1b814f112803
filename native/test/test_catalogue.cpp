#include <algorithm>
#include <cmath>

#include "check.hpp"
#include "program_builder.hpp"
#include "test_env.hpp"

using namespace gymwright;
using namespace gymwright::test;

namespace {
std::string refusal(const std::string& scenario, const Settings& settings) {
  const auto made = makeScenario(scenario, settings);
  return made ? "" : made.failure().code + ": " + made.failure().message;
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }
}  // namespace

TEST("an unknown scenario is refused with the known names") {
  const std::string reason = refusal("simple_sprad", {});
  CHECK(contains(reason, "scenario.unknown"));
  CHECK(contains(reason, "simple_spread"));
}

TEST("parameters are refused with their name, bounds and the nearest known name") {
  CHECK(contains(refusal("simple_spread", {{"agent.acel", 1}}), "did you mean \"agent.accel\""));
  CHECK(contains(refusal("simple_spread", {{"agent.count", 2.5}}), "whole number"));
  CHECK(contains(refusal("simple_spread", {{"agent.count", 11}}), "between 1 and 10"));
  CHECK(contains(refusal("simple_spread", {{"agent.accel", std::nan("")}}), "agent.accel"));
  CHECK(contains(refusal("simple_adversary", {{"agent.count", 3}}), "scenario.invalidParameter"));
}

TEST("every parameter can be set to both of its bounds and the scenario still steps") {
  for (const std::string& name : scenarioNames()) {
    const auto defaults = scenarioOf(name);
    for (const Parameter& parameter : defaults->manifest().parameters) {
      for (const double value : {parameter.min, parameter.max}) {
        const auto scenario = scenarioOf(name, {{parameter.name, value}});
        // A bound may be too much for the others' defaults: then the refusal says which.
        if (scenario == nullptr) CHECK(contains(refusal(name, {{parameter.name, value}}), parameter.name + " of"));
        if (scenario == nullptr) continue;
        TestEnv env({.scenario = scenario, .numEnvs = 3});
        for (int t = 0; t < 30; ++t) env.stepPseudoRandomly(0, t);
        for (const float x : env.obs) CHECK(std::isfinite(x));
        for (const float x : env.rewards) CHECK(std::isfinite(x));
      }
    }
  }
}

TEST("every scripted policy plays its group with any number of agents") {
  for (const std::string& name : scenarioNames()) {
    const auto plain = scenarioOf(name);
    const auto& parameters = plain->manifest().parameters;
    const auto size = std::find_if(parameters.begin(), parameters.end(), [](const Parameter& parameter) {
      return parameter.isStructural && parameter.name.ends_with(".count");
    });
    for (const double count : {1.0, 2.0, 8.0}) {
      Settings settings;
      if (size != parameters.end()) settings = {{size->name, std::clamp(count, size->min, size->max)}};
      const auto scenario = scenarioOf(name, settings);
      if (scenario == nullptr) continue;  // fewer than its other agents need
      const auto& groups = scenario->manifest().groups;
      for (std::size_t g = 0; g < groups.size(); ++g) {
        for (std::size_t policy = 0; policy < groups[g].scripted.size(); ++policy) {
          std::vector<int> scripted(groups.size(), -1);
          scripted[g] = static_cast<int>(policy);
          TestEnv env({.scenario = scenario, .scripted = scripted, .numEnvs = 2});
          for (int t = 0; t < 60; ++t) env.step();
          for (const float x : env.obs) CHECK(std::isfinite(x));
        }
      }
    }
  }
}

TEST("what a regime can set while a copy plays is the base of the attributes that the parameter names") {
  for (const std::string& name : scenarioNames()) {
    const auto defaults = scenarioOf(name);
    for (const Parameter& parameter : defaults->manifest().parameters) {
      if (!parameter.live) continue;
      const double middle = 0.5 * (parameter.min + parameter.max);
      const double value = parameter.kind == "float" ? middle : std::floor(middle);
      const auto scenario = scenarioOf(name, {{parameter.name, value}});
      const auto& sets = scenario->manifest().sets;
      const auto set =
          std::find_if(sets.begin(), sets.end(), [&](const EntitySet& s) { return s.name == parameter.live->set; });
      CHECK(set != sets.end());
      const int id = attributeId(*scenario, set->kind, parameter.live->attribute);
      CHECK(id >= 0);
      for (std::size_t i = 0; i < set->entities.size(); ++i) {
        const bool isCount = parameter.live->mode == "count";
        const double wanted = isCount ? (static_cast<double>(i) < value ? 1.0 : 0.0) : value;
        CHECK_EQ(scenario->baseAttributes()[scenario->attributeWord(id, set->entities[i])], wanted);
      }
    }
  }
}
