#pragma once

#include <optional>
#include <string>

#include "gymwright/scenario.hpp"

namespace gymwright {

/// What of a scenario writes past the end of an array that it is to fill, or leaves a part of it out, if anything: each
/// such function is run once, on arrays with room behind. Other functions than these are not called.
/// Requires: checkScenario has found nothing.
std::optional<std::string> checkWrites(const Scenario& scenario);

}  // namespace gymwright
