#include "sim/registry.hpp"

#include <algorithm>
#include <set>

#include "sim/check_scenario.hpp"
#include "sim/scenario_entry.hpp"

namespace gymwright {
namespace {

bool isBefore(const RegisteredScenario& a, const RegisteredScenario& b) {
  return std::string(a.entry->name) < b.entry->name;
}

}  // namespace

Registry::Registry() {
  for (const ScenarioEntry* entry : {&kCapture, &kSimpleAdversary, &kSimpleSpread}) scenarios_.push_back({entry, ""});
  std::sort(scenarios_.begin(), scenarios_.end(), isBefore);
}

Registry& Registry::instance() {
  static Registry registry;
  return registry;
}

std::vector<std::string> Registry::names() const {
  const std::lock_guard lock(mutex_);
  std::vector<std::string> names;
  for (const RegisteredScenario& scenario : scenarios_) names.emplace_back(scenario.entry->name);
  return names;
}

std::optional<RegisteredScenario> Registry::find(const std::string& name) const {
  const std::lock_guard lock(mutex_);
  for (const RegisteredScenario& scenario : scenarios_) {
    if (name == scenario.entry->name) return scenario;
  }
  return std::nullopt;
}

std::optional<std::vector<std::string>> Registry::namesOf(const std::string& library) const {
  const std::lock_guard lock(mutex_);
  std::vector<std::string> names;
  for (const RegisteredScenario& scenario : scenarios_) {
    if (scenario.library == library) names.emplace_back(scenario.entry->name);
  }
  if (names.empty()) return std::nullopt;
  return names;
}

std::optional<std::string> Registry::add(const std::string& library, const std::vector<const ScenarioEntry*>& entries) {
  const std::lock_guard lock(mutex_);
  std::set<std::string> taken;
  for (const RegisteredScenario& scenario : scenarios_) taken.insert(scenario.entry->name);
  for (const ScenarioEntry* entry : entries) {
    if (!taken.insert(entry->name).second) return entry->name;
  }
  for (const ScenarioEntry* entry : entries) scenarios_.push_back({entry, library});
  std::sort(scenarios_.begin(), scenarios_.end(), isBefore);
  return std::nullopt;
}

Failure badLibrary(const std::string& path, const std::string& problem) {
  return {"scenario.badLibrary", "scenario library " + path + ": " + problem};
}

std::optional<std::string> checkEntry(const ScenarioEntry& entry, const std::shared_ptr<const Scenario>& scenario) {
  const std::string where = "scenario " + std::string(entry.name) + ": ";
  if (scenario == nullptr) return where + "its entry makes nothing";
  if (scenario->manifest().name != entry.name)
    return where + "its manifest has the name \"" + scenario->manifest().name + "\"; entry and manifest must agree";
  if (auto problem = checkScenario(*scenario)) return where + *problem;
  return std::nullopt;
}

}  // namespace gymwright
