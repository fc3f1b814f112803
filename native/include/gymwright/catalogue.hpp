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

/// Names of all scenarios, the built-in ones and those of loaded libraries, sorted.
std::vector<std::string> scenarioNames();

/// Builds a scenario.
/// Throws: never; a refusal is code scenario.unknown or scenario.invalidParameter (unknown name, out of bounds, an
/// int that is not whole, not finite; what the scenario itself refuses), and names the nearest known parameter where
/// there is one; scenario.badLibrary where a loaded library makes a scenario that contradicts itself.
Result<std::shared_ptr<const Scenario>> makeScenario(const std::string& name, const Settings& settings);

/// Loads a shared library of scenarios (scenario_library.hpp), for as long as the process lives, and gives the names of
/// its scenarios. Their manifests are checked under default parameters. Loading a file again changes nothing.
/// Throws: never; a refusal is code scenario.badLibrary and says what to do: no file, no library, built for another
/// version of the headers, a name that is taken, a manifest that contradicts itself. Nothing is added then.
Result<std::vector<std::string>> loadScenarioLibrary(const std::string& path);

}  // namespace gymwright
