#include "sim/registry.hpp"

#include <algorithm>
#include <exception>
#include <set>

#include "sim/check_scenario.hpp"
#include "sim/check_writes.hpp"
#include "sim/scenario_entry.hpp"

namespace gymwright {
namespace {

/// Result of a function of a library, or what it threw.
template <typename T, typename Function>
Result<T> guarded(const ScenarioEntry& entry, const std::string& library, const char* what, Function call) {
  const std::string where = "scenario " + std::string(entry.name) + ": its " + what + " threw ";
  try {
    return call();
  } catch (const std::exception& error) {
    return badLibrary(library, where + "\"" + error.what() + "\"");
  } catch (...) {
    return badLibrary(library, where + "something that is no std::exception");
  }
}

/// What is told of a parameter but for `isStructural`, which capacities may change.
bool isSame(const Parameter& a, const Parameter& b) {
  const bool haveLive = a.live && b.live;
  const bool isLiveSame =
      haveLive ? a.live->attribute == b.live->attribute && a.live->set == b.live->set && a.live->mode == b.live->mode
               : a.live.has_value() == b.live.has_value();
  return isLiveSame && a.name == b.name && a.kind == b.kind && a.unit == b.unit && a.defaultValue == b.defaultValue &&
         a.min == b.min && a.max == b.max && a.isForCoach == b.isForCoach && a.choices == b.choices;
}

std::optional<std::string> checkMade(const ScenarioEntry& entry, const std::vector<Parameter>& declared,
                                     const std::shared_ptr<const Scenario>& scenario) {
  if (scenario == nullptr) return "its entry makes nothing";
  const Manifest& manifest = scenario->manifest();
  if (manifest.name != entry.name)
    return "its manifest has the name \"" + manifest.name + "\"; entry and manifest must agree";
  const auto [theirs, ours] =
      std::mismatch(manifest.parameters.begin(), manifest.parameters.end(), declared.begin(), declared.end(), isSame);
  if (theirs != manifest.parameters.end() || ours != declared.end()) {
    const std::string& name = ours != declared.end() ? ours->name : theirs->name;
    return "parameter " + name +
           ": the manifest's parameters and those of the entry differ; fill both from one function";
  }
  const std::optional<std::string> problem = checkScenario(*scenario);
  return problem ? problem : checkWrites(*scenario);
}

bool isBefore(const RegisteredScenario& a, const RegisteredScenario& b) {
  return std::string(a.entry->name) < b.entry->name;
}

}  // namespace

Registry::Registry() {
  for (const ScenarioEntry* entry :
       {&kCapture, &kForaging, &kSimple, &kSimpleAdversary, &kSimpleCrypto,
        &kSimplePush, &kSimpleReference, &kSimpleSpeakerListener, &kSimpleSpread,
        &kSimpleTag, &kSimpleWorldComm, &kSkirmish}) {
    scenarios_.push_back({entry, ""});
  }
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

Result<std::vector<Parameter>> parametersOf(const ScenarioEntry& entry, const std::string& library) {
  return guarded<std::vector<Parameter>>(entry, library, "parameters", [&entry] { return entry.parameters(); });
}

Result<std::shared_ptr<const Scenario>> makeForeign(const ScenarioEntry& entry, const ParameterValues& values,
                                                    const std::string& library) {
  using Made = std::shared_ptr<const Scenario>;
  if (entry.check != nullptr) {
    using Verdict = std::optional<Failure>;
    const auto verdict = guarded<Verdict>(entry, library, "check", [&] { return entry.check(values); });
    if (!verdict) return verdict.failure();
    if (verdict.value()) return *verdict.value();
  }
  const auto declared = parametersOf(entry, library);
  if (!declared) return declared.failure();
  auto made = guarded<Made>(entry, library, "make", [&] { return entry.make(values); });
  if (!made) return made;
  using Problem = std::optional<std::string>;
  const auto checked = guarded<Problem>(entry, library, "reset, advance or a write function",
                                        [&] { return checkMade(entry, declared.value(), made.value()); });
  if (!checked) return checked.failure();
  if (const Problem& problem = checked.value())
    return badLibrary(library, "scenario " + std::string(entry.name) + ": " + *problem);
  return made;
}

}  // namespace gymwright
