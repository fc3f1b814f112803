#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gymwright/catalogue.hpp"

namespace gymwright {

/// Parameter values of one environment: defaults overlaid with checked settings.
class ParameterValues {
 public:
  explicit ParameterValues(const std::vector<Parameter>& parameters);

  void set(const std::string& name, double value);
  /// Requires: `name` is a declared parameter.
  double number(const char* name) const;
  int whole(const char* name) const { return static_cast<int>(number(name)); }
  bool flag(const char* name) const { return number(name) != 0.0; }

 private:
  Settings values_;
};

/// One line of the catalogue.
struct ScenarioEntry {
  const char* name;
  std::vector<Parameter> (*parameters)();
  std::shared_ptr<const Scenario> (*make)(const ParameterValues& values);
  /// What is wrong with values that are each within their bounds; none: nothing can be.
  std::optional<Failure> (*check)(const ParameterValues& values) = nullptr;
};

/// Each scenario's source file ends with its entry.
extern const ScenarioEntry kCapture;
extern const ScenarioEntry kSimpleAdversary;
extern const ScenarioEntry kSimpleSpread;

}  // namespace gymwright
