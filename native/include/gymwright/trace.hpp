#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "gymwright/result.hpp"
#include "gymwright/scenario.hpp"

namespace gymwright {

/// What one step left behind, in f64.
struct TraceStep {
  std::vector<std::array<double, 2>> positions;   ///< [A]
  std::vector<std::array<double, 2>> velocities;  ///< [A]
  std::vector<double> rewards;                    ///< [A] base reward
  std::vector<std::vector<double>> obs;           ///< [A] each of its group's width
};

/// Plays listed discrete actions from a prescribed layout, without the f32 outputs of a batch.
/// Shape: actions [steps][A].
/// Throws: never; a bad placement or action, and a scenario whose agents have no x, y, vx, vy in the state, is code
/// input.invalid and names it.
Result<std::vector<TraceStep>> trace(const Scenario& scenario, const Placement& placement,
                                     const std::vector<std::vector<std::int32_t>>& actions);

}  // namespace gymwright
