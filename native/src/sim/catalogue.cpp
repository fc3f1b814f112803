#include "gymwright/catalogue.hpp"

#include <array>
#include <cassert>
#include <cmath>
#include <cstdlib>

#include "core/text.hpp"
#include "sim/scenario_entry.hpp"

namespace gymwright {
namespace {

const std::array<const ScenarioEntry*, 3> kEntries = {&kCapture, &kSimpleAdversary, &kSimpleSpread};

const ScenarioEntry* findEntry(const std::string& name) {
  for (const ScenarioEntry* entry : kEntries) {
    if (name == entry->name) return entry;
  }
  return nullptr;
}

Failure unknownScenario(const std::string& name) {
  return {"scenario.unknown", "unknown scenario \"" + name + "\"; known are " + joinNames(scenarioNames())};
}

Failure unknownParameter(const std::string& scenario, const std::string& name, const std::vector<Parameter>& known) {
  std::vector<std::string> names;
  for (const Parameter& parameter : known) names.push_back(parameter.name);
  return {"scenario.invalidParameter", "scenario " + scenario + " has no parameter \"" + name + "\"; did you mean \"" +
                                           nearestName(name, names) + "\"? Known are " + joinNames(names)};
}

std::optional<Failure> checkValue(const std::string& scenario, const Parameter& parameter, double value) {
  const std::string where = "parameter " + parameter.name + " of scenario " + scenario;
  if (!(value >= parameter.min && value <= parameter.max)) {
    return Failure{"scenario.invalidParameter", where + " must be between " + formatNumber(parameter.min) + " and " +
                                                    formatNumber(parameter.max) + ", not " + formatNumber(value)};
  }
  if (parameter.kind != "float" && value != std::floor(value)) {
    return Failure{"scenario.invalidParameter", where + " must be a whole number, not " + formatNumber(value)};
  }
  return std::nullopt;
}

const Parameter* findParameter(const std::vector<Parameter>& parameters, const std::string& name) {
  for (const Parameter& parameter : parameters) {
    if (parameter.name == name) return &parameter;
  }
  return nullptr;
}

}  // namespace

ParameterValues::ParameterValues(const std::vector<Parameter>& parameters) {
  for (const Parameter& parameter : parameters) values_.emplace_back(parameter.name, parameter.defaultValue);
}

void ParameterValues::set(const std::string& name, double value) {
  for (auto& entry : values_) {
    if (entry.first == name) entry.second = value;
  }
}

double ParameterValues::number(const char* name) const {
  for (const auto& entry : values_) {
    if (entry.first == name) return entry.second;
  }
  assert(false && "parameter is not declared");
  std::abort();
}

std::vector<std::string> scenarioNames() {
  std::vector<std::string> names;
  for (const ScenarioEntry* entry : kEntries) names.emplace_back(entry->name);
  return names;
}

Result<std::shared_ptr<const Scenario>> makeScenario(const std::string& name, const Settings& settings) {
  const ScenarioEntry* entry = findEntry(name);
  if (entry == nullptr) return unknownScenario(name);
  const std::vector<Parameter> parameters = entry->parameters();
  ParameterValues values(parameters);
  for (const auto& [key, value] : settings) {
    const Parameter* parameter = findParameter(parameters, key);
    if (parameter == nullptr) return unknownParameter(name, key, parameters);
    if (auto failure = checkValue(name, *parameter, value)) return *failure;
    values.set(key, value);
  }
  if (entry->check != nullptr) {
    if (auto failure = entry->check(values)) return *failure;
  }
  return entry->make(values);
}

}  // namespace gymwright
