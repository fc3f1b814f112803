#include <iterator>

#include <napi.h>

#include "arguments.hpp"
#include "gymwright/catalogue.hpp"
#include "gymwright/trace.hpp"
#include "playback_wrap.hpp"
#include "spec.hpp"
#include "vec_env_wrap.hpp"

namespace gymwright::addon {
namespace {

Napi::Array toPairs(Napi::Env env, const std::vector<std::array<double, 2>>& pairs) {
  Napi::Array rows = Napi::Array::New(env, pairs.size());
  for (std::uint32_t i = 0; i < pairs.size(); ++i) {
    Napi::Array row = Napi::Array::New(env, 2);
    row.Set(0u, pairs[i][0]);
    row.Set(1u, pairs[i][1]);
    rows.Set(i, row);
  }
  return rows;
}

Napi::Array toNumbers(Napi::Env env, const std::vector<double>& numbers) {
  Napi::Array list = Napi::Array::New(env, numbers.size());
  for (std::uint32_t i = 0; i < numbers.size(); ++i) list.Set(i, numbers[i]);
  return list;
}

Napi::Value listScenarios(const Napi::CallbackInfo& info) {
  const auto names = scenarioNames();
  Napi::Array list = Napi::Array::New(info.Env(), names.size());
  for (std::uint32_t i = 0; i < names.size(); ++i) list.Set(i, names[i]);
  return list;
}

Napi::Value loadLibrary(const Napi::CallbackInfo& info) {
  const auto loaded = loadScenarioLibrary(toText(info[0], "path"));
  if (!loaded) throw failureError(info.Env(), loaded.failure());
  Napi::Array list = Napi::Array::New(info.Env(), loaded.value().size());
  for (std::uint32_t i = 0; i < loaded.value().size(); ++i) list.Set(i, loaded.value()[i]);
  return list;
}

Napi::Value describeScenario(const Napi::CallbackInfo& info) {
  const auto scenario = toScenario(info.Env(), toText(info[0], "name"), toSettings(info[1], "parameters"));
  return Napi::String::New(info.Env(), toJson(scenario->manifest()));
}

/// The opcode table that programs are verified with, row by row: name and operand kinds.
Napi::Value opcodeRows(const Napi::CallbackInfo& info) {
  constexpr const char* kRows[] = {
#define X(name, dst, a, b, c) #name " " #dst #a #b #c,
#include "gymwright/opcodes.def"
#undef X
  };
  Napi::Array list = Napi::Array::New(info.Env(), std::size(kRows));
  for (std::uint32_t i = 0; i < std::size(kRows); ++i) list.Set(i, kRows[i]);
  return list;
}

void verifySpec(const Napi::CallbackInfo& info) { toSpec(info[0], "spec"); }

Napi::Value traceScenario(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const auto scenario = toScenario(env, toText(info[0], "name"), toSettings(info[1], "parameters"));
  const auto steps = trace(*scenario, toPlacement(info[2], "placement"), toActionRows(info[3], "actions"));
  if (!steps) throw failureError(env, steps.failure());
  Napi::Array list = Napi::Array::New(env, steps.value().size());
  for (std::uint32_t t = 0; t < steps.value().size(); ++t) {
    const TraceStep& step = steps.value()[t];
    Napi::Array obs = Napi::Array::New(env, step.obs.size());
    for (std::uint32_t a = 0; a < step.obs.size(); ++a) obs.Set(a, toNumbers(env, step.obs[a]));
    Napi::Object record = Napi::Object::New(env);
    record.Set("pos", toPairs(env, step.positions));
    record.Set("vel", toPairs(env, step.velocities));
    record.Set("reward", toNumbers(env, step.rewards));
    record.Set("obs", obs);
    list.Set(t, record);
  }
  return list;
}

Napi::Object initialize(Napi::Env env, Napi::Object exports) {
  exports.Set("scenarioNames", Napi::Function::New<listScenarios>(env, "scenarioNames"));
  exports.Set("loadScenarioLibrary", Napi::Function::New<loadLibrary>(env, "loadScenarioLibrary"));
  exports.Set("scenarioManifest", Napi::Function::New<describeScenario>(env, "scenarioManifest"));
  exports.Set("opcodeRows", Napi::Function::New<opcodeRows>(env, "opcodeRows"));
  exports.Set("verifySpec", Napi::Function::New<verifySpec>(env, "verifySpec"));
  exports.Set("trace", Napi::Function::New<traceScenario>(env, "trace"));
  exports.Set("NativeVecEnv", VecEnvWrap::define(env));
  exports.Set("NativePlayback", PlaybackWrap::define(env));
  return exports;
}

}  // namespace
}  // namespace gymwright::addon

// The macro needs a function in the global namespace's reach.
static Napi::Object initializeModule(Napi::Env env, Napi::Object exports) {
  return gymwright::addon::initialize(env, exports);
}

NODE_API_MODULE(gymwright, initializeModule)
