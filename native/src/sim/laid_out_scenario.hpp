#pragma once

#include <optional>
#include <string>
#include <utility>

#include "gymwright/scenario.hpp"
#include "sim/manifest_parts.hpp"
#include "sim/scenario_entry.hpp"

namespace gymwright {

/// What scenarios share whose rules are free functions over a layout, found in its namespace: `describe`,
/// `layOutAsTold`, `isStateOf`, `writeObsAs`. A layout knows `stateWords`, `positionWord` and its base attributes,
/// `row`.
template <typename Layout>
class LaidOutScenario : public Scenario {
 public:
  std::optional<std::string> place(const Placement& placement, double* state) const final {
    return layOutAsTold(layout_, placement, state);
  }
  bool isValidState(const double* state) const final { return isStateOf(layout_, state); }
  void writeObs(const double* state, float* obs) const final { writeObsAs(layout_, state, obs); }
  void writeObs(const double* state, double* obs) const final { writeObsAs(layout_, state, obs); }
  int positionWord(int entity) const final { return layout_.positionWord(entity); }

 protected:
  LaidOutScenario(const ParameterValues& values, int controlWords) : layout_(values) {
    stateWords_ = layout_.stateWords();
    controlWords_ = controlWords;
    baseAttributes_ = layout_.row;
    Description description = describe(layout_, values);
    manifest_ = std::move(description.manifest);
    addresses_ = std::move(description.addresses);
  }

  const Layout layout_;
};

}  // namespace gymwright
