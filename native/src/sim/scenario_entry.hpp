#pragma once

#include "gymwright/scenario_entry.hpp"

namespace gymwright {

/// The built-in scenarios: each one's source file ends with its entry.
extern const ScenarioEntry kCapture;
extern const ScenarioEntry kSimpleAdversary;
extern const ScenarioEntry kSimpleSpread;
extern const ScenarioEntry kSkirmish;

}  // namespace gymwright
