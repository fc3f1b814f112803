#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "gymwright/result.hpp"
#include "gymwright/scenario.hpp"

namespace gymwright {

/// Settings by manifest parameter name; what is not named keeps its default.
using Settings = std::vector<std::pair<std::string, double>>;

/// Names of all built-in scenarios, sorted.
std::vector<std::string> scenarioNames();

/// Builds a scenario.
/// Throws: never; a refusal is code scenario.unknown or scenario.invalidParameter (unknown name, out of bounds, an
/// int that is not whole, not finite), and names the nearest known parameter where there is one.
Result<std::shared_ptr<const Scenario>> makeScenario(const std::string& name, const Settings& settings);

}  // namespace gymwright
