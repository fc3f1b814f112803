#pragma once

#include <optional>
#include <string>

#include "gymwright/scenario.hpp"

namespace gymwright {

/// What in a scenario contradicts itself, naming the place in the manifest, if anything: names that are missing, taken
/// or not to be written in EDL, bounds that are crossed or not finite, sets with members that are not there, groups
/// that do not cover the agents, addresses outside the state or the row of attributes, references to nothing.
std::optional<std::string> checkScenario(const Scenario& scenario);

}  // namespace gymwright
