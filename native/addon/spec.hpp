#pragma once

#include <memory>
#include <vector>

#include <napi.h>

#include "gymwright/catalogue.hpp"
#include "gymwright/program.hpp"
#include "gymwright/trace.hpp"
#include "gymwright/vec_env.hpp"

/// Reads the structured arguments of the addon; src/engine/sim/binding.ts declares their types.
namespace gymwright::addon {

Settings toSettings(const Napi::Value& value, const std::string& name);

/// What NativeSpec means, checked against the scenario.
struct CheckedSpec {
  std::shared_ptr<const Scenario> scenario;
  Program program;
  std::vector<int> scripted;
  std::vector<double> shapingWeights;
  JointLimit jointLimit;
};

/// Throws: TypeError, RangeError, or an Error with code scenario.*, vm.badProgram, input.invalid (unknown group or
/// policy).
CheckedSpec toSpec(const Napi::Value& value, const std::string& name);

/// Options that batches of all kinds take: 1..2^20 copies, `gamma` in 0..1 and `truncationEnds`, a count of training steps.
int toNumEnvs(const Napi::Value& value, const std::string& name);
void readDiscounting(const Napi::Object& options, VecEnvConfig& config);
double toTrainingSteps(const Napi::Value& value, const std::string& name);
/// A Float64Array of finite numbers, one for each shaping component of the program.
std::vector<double> toShapingWeights(const Napi::Value& value, const std::string& name, const Program& program);

std::shared_ptr<const Scenario> toScenario(Napi::Env env, const std::string& scenario, const Settings& settings);
Placement toPlacement(const Napi::Value& value, const std::string& name);
std::vector<std::vector<std::int32_t>> toActionRows(const Napi::Value& value, const std::string& name);

}  // namespace gymwright::addon
