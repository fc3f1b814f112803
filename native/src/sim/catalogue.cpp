#include "gymwright/catalogue.hpp"

#include <algorithm>
#include <cmath>

#include "core/text.hpp"
#include "sim/check_scenario.hpp"
#include "sim/registry.hpp"

namespace gymwright {
namespace {

Failure unknownScenario(const std::string& name) {
  return {"scenario.unknown", "unknown scenario \"" + name + "\"; known are " + joinNames(scenarioNames())};
}

Failure unknownParameter(const std::string& scenario, const std::string& name, const std::vector<Parameter>& known) {
  std::vector<std::string> names;
  for (const Parameter& parameter : known) names.push_back(parameter.name);
  const std::string problem = "scenario " + scenario + " has no parameter \"" + name + "\"";
  if (names.empty()) return {"scenario.invalidParameter", problem + "; it has none"};
  return {"scenario.invalidParameter",
          problem + "; did you mean \"" + nearestName(name, names) + "\"? Known are " + joinNames(names)};
}

std::optional<Failure> checkValue(const std::string& scenario, const Parameter& parameter, double value) {
  const std::string where = "parameter " + parameter.name + " of scenario " + scenario;
  const bool isInRange = value >= parameter.min && value <= parameter.max;
  if (parameter.kind == "choice" && (!isInRange || value != std::floor(value))) {
    return Failure{"scenario.invalidParameter", where + " must be the index, from 0, of one of " +
                                                    joinNames(parameter.choices) + ", not " + formatNumber(value)};
  }
  if (!isInRange) {
    return Failure{"scenario.invalidParameter", where + " must be between " + formatNumber(parameter.min) + " and " +
                                                    formatNumber(parameter.max) + ", not " + formatNumber(value)};
  }
  if (parameter.kind != "float" && value != std::floor(value)) {
    return Failure{"scenario.invalidParameter", where + " must be a whole number, not " + formatNumber(value)};
  }
  return std::nullopt;
}

const Parameter* findParameter(const std::vector<Parameter>& parameters, const std::string& name) {
  const auto found = std::find_if(parameters.begin(), parameters.end(),
                                  [&name](const Parameter& parameter) { return parameter.name == name; });
  return found == parameters.end() ? nullptr : &*found;
}

}  // namespace

std::vector<std::string> scenarioNames() { return Registry::instance().names(); }

Result<std::shared_ptr<const Scenario>> makeScenario(const std::string& name, const Settings& settings) {
  const std::optional<RegisteredScenario> found = Registry::instance().find(name);
  if (!found) return unknownScenario(name);
  const ScenarioEntry& entry = *found->entry;
  const auto declared = parametersOf(entry, found->library);
  if (!declared) return declared.failure();
  const std::vector<Parameter>& parameters = declared.value();
  ParameterValues values(parameters);
  for (const auto& [key, value] : settings) {
    const Parameter* parameter = findParameter(parameters, key);
    if (parameter == nullptr) return unknownParameter(name, key, parameters);
    if (auto failure = checkValue(name, *parameter, value)) return *failure;
    values.set(key, value);
  }
  // Counts resolve with the parameters, so what was right by default may be wrong now.
  if (!found->library.empty()) return makeForeign(entry, values, found->library);
  if (entry.check != nullptr) {
    if (auto failure = entry.check(values)) return *failure;
  }
  return entry.make(values);
}

}  // namespace gymwright
