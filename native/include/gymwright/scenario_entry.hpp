#pragma once

#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "gymwright/manifest.hpp"
#include "gymwright/result.hpp"
#include "gymwright/scenario.hpp"

namespace gymwright {

/// Parameter values of one environment: defaults overlaid with checked settings.
class ParameterValues {
 public:
  explicit ParameterValues(const std::vector<Parameter>& parameters) {
    for (const Parameter& parameter : parameters) values_.emplace_back(parameter.name, parameter.defaultValue);
  }

  void set(const std::string& name, double value) {
    for (auto& entry : values_) {
      if (entry.first == name) entry.second = value;
    }
  }

  /// Throws: std::invalid_argument where `name` is no declared parameter.
  double number(const char* name) const {
    for (const auto& entry : values_) {
      if (entry.first == name) return entry.second;
    }
    throw std::invalid_argument(std::string("there is no parameter ") + name);
  }
  int whole(const char* name) const { return static_cast<int>(number(name)); }
  bool flag(const char* name) const { return number(name) != 0.0; }

 private:
  std::vector<std::pair<std::string, double>> values_;
};

/// One line of the catalogue.
struct ScenarioEntry {
  const char* name;  ///< that of its manifest
  std::vector<Parameter> (*parameters)();
  std::shared_ptr<const Scenario> (*make)(const ParameterValues& values);
  /// What is wrong with values that are each within their bounds; none: nothing can be.
  std::optional<Failure> (*check)(const ParameterValues& values) = nullptr;
};

}  // namespace gymwright
