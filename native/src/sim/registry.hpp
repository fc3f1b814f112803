#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "gymwright/scenario_entry.hpp"

namespace gymwright {

/// A scenario by name, and the library it came from; empty for a built-in one.
struct RegisteredScenario {
  const ScenarioEntry* entry;
  std::string library;
};

/// All scenarios that can be made. Entries are added and never removed, by any thread.
class Registry {
 public:
  static Registry& instance();

  std::vector<std::string> names() const;
  std::optional<RegisteredScenario> find(const std::string& name) const;
  /// Names of a library's scenarios, where it is loaded.
  std::optional<std::vector<std::string>> namesOf(const std::string& library) const;
  /// Adds all entries of a library, or none and says which name is taken.
  std::optional<std::string> add(const std::string& library, const std::vector<const ScenarioEntry*>& entries);

 private:
  Registry();

  mutable std::mutex mutex_;
  std::vector<RegisteredScenario> scenarios_;  ///< sorted by name
};

Failure badLibrary(const std::string& path, const std::string& problem);

/// Makes a scenario of a library, whatever its code throws. Fails with scenario.badLibrary, saying what it threw or
/// what in what it made contradicts itself, and with what the entry itself has against the values.
Result<std::shared_ptr<const Scenario>> makeForeign(const ScenarioEntry& entry, const ParameterValues& values,
                                                    const std::string& library);
/// Parameters of a library's entry, whatever its code throws.
Result<std::vector<Parameter>> parametersOf(const ScenarioEntry& entry, const std::string& library);

}  // namespace gymwright
