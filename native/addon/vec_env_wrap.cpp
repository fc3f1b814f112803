#include "vec_env_wrap.hpp"

#include <array>
#include <cstdio>
#include <cstring>
#include <utility>

#include "arguments.hpp"
#include "frame_object.hpp"
#include "spec.hpp"

namespace gymwright::addon {
namespace {

constexpr std::int64_t kMaxEpisode = (std::int64_t{1} << 53) - 1;

const char* reasonName(TrapReason reason) {
  switch (reason) {
    case TrapReason::kDivision: return "division";
    case TrapReason::kDomain: return "domain";
    default: return "nonfinite";
  }
}

Napi::Float64Array toArray(Napi::Env env, const std::vector<double>& numbers) {
  auto array = Napi::Float64Array::New(env, numbers.size());
  for (std::size_t i = 0; i < numbers.size(); ++i) array[i] = numbers[i];
  return array;
}

}  // namespace

Napi::Function VecEnvWrap::define(Napi::Env env) {
  return DefineClass(env, "NativeVecEnv",
                     {
                         InstanceMethod<&VecEnvWrap::reset>("reset"),
                         InstanceMethod<&VecEnvWrap::step>("step"),
                         InstanceMethod<&VecEnvWrap::stepContinuous>("stepContinuous"),
                         InstanceMethod<&VecEnvWrap::setTrainingSteps>("setTrainingSteps"),
                         InstanceMethod<&VecEnvWrap::setShapingWeights>("setShapingWeights"),
                         InstanceMethod<&VecEnvWrap::stateWords>("stateWords"),
                         InstanceMethod<&VecEnvWrap::copyStates>("copyStates"),
                         InstanceMethod<&VecEnvWrap::copyFinalStates>("copyFinalStates"),
                         InstanceMethod<&VecEnvWrap::snapshot>("snapshot"),
                         InstanceMethod<&VecEnvWrap::restore>("restore"),
                         InstanceMethod<&VecEnvWrap::probe>("probe"),
                         InstanceMethod<&VecEnvWrap::frame>("frame"),
                         InstanceMethod<&VecEnvWrap::finalFrame>("finalFrame"),
                         InstanceMethod<&VecEnvWrap::trigger>("trigger"),
                         InstanceMethod<&VecEnvWrap::stateHash>("stateHash"),
                         InstanceMethod<&VecEnvWrap::takeFireCounts>("takeFireCounts"),
                         InstanceMethod<&VecEnvWrap::startProfile>("startProfile"),
                         InstanceMethod<&VecEnvWrap::takeProfile>("takeProfile"),
                         InstanceMethod<&VecEnvWrap::takeTraps>("takeTraps"),
                         InstanceMethod<&VecEnvWrap::dispose>("dispose"),
                     });
}

VecEnvWrap::VecEnvWrap(const Napi::CallbackInfo& info) : Napi::ObjectWrap<VecEnvWrap>(info) {
  CheckedSpec spec = toSpec(info[0], "spec");
  const Napi::Object options = toObject(info[1], "options");
  VecEnvConfig config;
  config.numEnvs = toNumEnvs(options.Get("numEnvs"), "options.numEnvs");
  config.seed = toUint64(options.Get("seed"), "options.seed");
  config.firstEpisode =
      static_cast<std::uint64_t>(toInteger(options.Get("firstEpisode"), "options.firstEpisode", 0, kMaxEpisode));
  config.isContinuous = toBoolean(options.Get("continuousActions"), "options.continuousActions");
  if (config.isContinuous && spec.scenario->manifest().continuousDim == 0) {
    throw rangeError(info.Env(), "options.continuousActions",
                     "false: scenario " + spec.scenario->manifest().name + " has discrete actions only");
  }
  readDiscounting(options, config);
  const Buffers buffers = keepBuffers(toObject(info[2], "buffers"), spec.scenario->manifest(), spec.program,
                                      static_cast<std::size_t>(config.numEnvs));
  config.scenario = std::move(spec.scenario);
  config.program = std::move(spec.program);
  config.scripted = std::move(spec.scripted);
  config.shapingWeights = std::move(spec.shapingWeights);
  config.jointLimit = std::move(spec.jointLimit);
  core_ = std::make_unique<VecEnv>(std::move(config), buffers);
}

Buffers VecEnvWrap::keepBuffers(const Napi::Object& b, const Manifest& m, const Program& program, std::size_t numEnvs) {
  const std::size_t numComponents = m.components.size() + program.components.size();
  const std::size_t numMetrics = m.metrics.size() + program.metrics.size();
  const std::size_t rows = numEnvs * static_cast<std::size_t>(m.numAgents);
  const std::size_t obs = rows * static_cast<std::size_t>(m.obsDim);
  const std::size_t state = numEnvs * static_cast<std::size_t>(m.stateDim);
  const std::size_t actions = rows * static_cast<std::size_t>(m.numActions);
  Buffers out{};
  out.obs = kept_.keep<float>(b, "obs", obs);
  out.state = kept_.keep<float>(b, "state", state);
  out.availActions = kept_.keep<std::uint8_t>(b, "availActions", actions);
  out.active = kept_.keep<std::uint8_t>(b, "active", rows);
  out.rewards = kept_.keep<float>(b, "rewards", rows);
  out.components = kept_.keep<float>(b, "components", rows * numComponents);
  out.terminated = kept_.keep<std::uint8_t>(b, "terminated", numEnvs);
  out.truncated = kept_.keep<std::uint8_t>(b, "truncated", numEnvs);
  out.finalObs = kept_.keep<float>(b, "finalObs", obs);
  out.finalState = kept_.keep<float>(b, "finalState", state);
  out.finalAvailActions = kept_.keep<std::uint8_t>(b, "finalAvailActions", actions);
  out.finalActive = kept_.keep<std::uint8_t>(b, "finalActive", rows);
  out.endedEpisode = kept_.keep<double>(b, "endedEpisode", numEnvs);
  out.episodeLength = kept_.keep<std::int32_t>(b, "episodeLength", numEnvs);
  out.episodeReturn = kept_.keep<double>(b, "episodeReturn", rows);
  out.episodeComponents = kept_.keep<double>(b, "episodeComponents", rows * numComponents);
  out.episodeMetrics = kept_.keep<double>(b, "episodeMetrics", rows * numMetrics);
  out.regimes = kept_.keep<std::int32_t>(b, "regimes", numEnvs);
  return out;
}

VecEnv& VecEnvWrap::open(const Napi::CallbackInfo& info) {
  if (!core_) throw Napi::TypeError::New(info.Env(), "the VecEnv is disposed");
  kept_.checkAttached(info.Env(), "VecEnv");
  return *core_;
}

std::size_t VecEnvWrap::numRows() const {
  return static_cast<std::size_t>(core_->numEnvs()) * static_cast<std::size_t>(core_->scenario().manifest().numAgents);
}

std::size_t VecEnvWrap::stateLength() const {
  return static_cast<std::size_t>(core_->numEnvs()) * static_cast<std::size_t>(core_->scenario().stateWords());
}

int VecEnvWrap::envIndex(const Napi::Value& value) {
  return static_cast<int>(toInteger(value, "env", 0, core_->numEnvs() - 1));
}

void VecEnvWrap::reset(const Napi::CallbackInfo& info) {
  VecEnv& core = open(info);
  const std::uint64_t seed = toUint64(info[0], "seed");
  core.reset(seed, static_cast<std::uint64_t>(toInteger(info[1], "firstEpisode", 0, kMaxEpisode)));
}

void VecEnvWrap::step(const Napi::CallbackInfo& info) {
  VecEnv& core = open(info);
  if (core.isContinuous())
    throw Napi::TypeError::New(info.Env(), "this VecEnv takes continuous actions: call stepContinuous");
  const std::size_t length = numRows();
  const auto actions = toTypedArray<std::int32_t>(info[0], "actions", length);
  if (const auto bad = core.findBadAction(actions.Data())) {
    throw rangeError(info.Env(), "actions[" + std::to_string(*bad) + "]",
                     "an action of its agent, not " + std::to_string(actions[*bad]));
  }
  core.stepBatch(actions.Data());
}

void VecEnvWrap::stepContinuous(const Napi::CallbackInfo& info) {
  VecEnv& core = open(info);
  if (!core.isContinuous()) throw Napi::TypeError::New(info.Env(), "this VecEnv takes discrete actions: call step");
  const std::size_t length = numRows() * static_cast<std::size_t>(core.scenario().manifest().continuousDim);
  const auto actions = toTypedArray<float>(info[0], "actions", length);
  if (const auto bad = core.findBadAction(actions.Data())) {
    throw rangeError(info.Env(), "actions[" + std::to_string(*bad) + "]", "a number, not NaN");
  }
  core.stepBatch(actions.Data());
}

void VecEnvWrap::setTrainingSteps(const Napi::CallbackInfo& info) {
  VecEnv& core = open(info);
  core.setTrainingSteps(toTrainingSteps(info[0], "steps"));
}

void VecEnvWrap::setShapingWeights(const Napi::CallbackInfo& info) {
  VecEnv& core = open(info);
  core.setShapingWeights(toShapingWeights(info[0], "weights", core.program()).data());
}

Napi::Value VecEnvWrap::stateWords(const Napi::CallbackInfo& info) {
  return Napi::Number::New(info.Env(), open(info).scenario().stateWords());
}

void VecEnvWrap::copyStates(const Napi::CallbackInfo& info) {
  const VecEnv& core = open(info);
  core.copyStates(toTypedArray<double>(info[0], "out", stateLength()).Data());
}

void VecEnvWrap::copyFinalStates(const Napi::CallbackInfo& info) {
  const VecEnv& core = open(info);
  core.copyFinalStates(toTypedArray<double>(info[0], "out", stateLength()).Data());
}

Napi::Value VecEnvWrap::snapshot(const Napi::CallbackInfo& info) {
  const VecEnv& core = open(info);
  const auto bytes = core.snapshot(envIndex(info[0]));
  auto array = Napi::Uint8Array::New(info.Env(), bytes.size());
  std::memcpy(array.Data(), bytes.data(), bytes.size());
  return array;
}

void VecEnvWrap::restore(const Napi::CallbackInfo& info) {
  VecEnv& core = open(info);
  const int env = envIndex(info[0]);
  const auto bytes = toTypedArray<std::uint8_t>(info[1], "snapshot");
  if (const auto failure = core.restore(env, bytes.Data(), bytes.ByteLength()))
    throw failureError(info.Env(), *failure);
}

Napi::Value VecEnvWrap::probe(const Napi::CallbackInfo& info) {
  VecEnv& core = open(info);
  auto array = Napi::Float64Array::New(info.Env(), numRows() * core.program().metrics.size());
  core.probe(array.Data());
  return array;
}

Napi::Value VecEnvWrap::frame(const Napi::CallbackInfo& info) {
  const VecEnv& core = open(info);
  const auto frame = core.frame(envIndex(info[0]), toFrameDetail(info[1], "detail"));
  if (!frame) throw failureError(info.Env(), frame.failure());
  return toFrameObject(info.Env(), frame.value());
}

Napi::Value VecEnvWrap::finalFrame(const Napi::CallbackInfo& info) {
  const VecEnv& core = open(info);
  const int env = envIndex(info[0]);
  if (!core.hasEnded(env)) throw rangeError(info.Env(), "env", "a copy whose episode ended in the step just taken");
  const auto frame = core.finalFrame(env, toFrameDetail(info[1], "detail"));
  if (!frame) throw failureError(info.Env(), frame.failure());
  return toFrameObject(info.Env(), frame.value());
}

void VecEnvWrap::trigger(const Napi::CallbackInfo& info) {
  VecEnv& core = open(info);
  const int env = envIndex(info[0]);
  const Manifest& manifest = core.scenario().manifest();
  const auto numEvents = static_cast<std::int64_t>(manifest.events.size());
  const auto event = static_cast<int>(toInteger(info[1], "event", 0, numEvents - 1));
  const Event& kind = manifest.events[static_cast<std::size_t>(event)];
  const double amount = toNumber(info[2], "amount");
  const double least = kind.amount ? kind.amount->min : 0.0;
  const double most = kind.amount ? kind.amount->max : 0.0;
  if (!(amount >= least && amount <= most))
    throw rangeError(info.Env(), "amount", "in " + std::to_string(least) + ".." + std::to_string(most));
  const auto entity = static_cast<int>(toInteger(info[3], "entity", -1, manifest.numEntities() - 1));
  if (!manifest.accepts(kind, entity)) throw rangeError(info.Env(), "entity", "what event " + kind.name + " is for");
  constexpr std::int64_t kMaxKey = 0xFFFFFFFF;
  core.trigger(env, event, amount, entity, static_cast<std::uint32_t>(toInteger(info[4], "key", 0, kMaxKey)));
}

Napi::Value VecEnvWrap::stateHash(const Napi::CallbackInfo& info) {
  std::array<char, 17> digits{};
  std::snprintf(digits.data(), digits.size(), "%016llx", static_cast<unsigned long long>(open(info).stateHash()));
  return Napi::String::New(info.Env(), digits.data());
}

Napi::Value VecEnvWrap::takeFireCounts(const Napi::CallbackInfo& info) {
  return toArray(info.Env(), open(info).takeFireCounts());
}

void VecEnvWrap::startProfile(const Napi::CallbackInfo& info) { open(info).startProfile(); }

Napi::Value VecEnvWrap::takeProfile(const Napi::CallbackInfo& info) {
  return toArray(info.Env(), open(info).takeProfile());
}

Napi::Value VecEnvWrap::takeTraps(const Napi::CallbackInfo& info) {
  VecEnv& core = open(info);
  const std::vector<TrapRecord> traps = core.takeTraps();
  Napi::Array list = Napi::Array::New(info.Env(), traps.size());
  for (std::uint32_t i = 0; i < traps.size(); ++i) {
    const TrapRecord& trap = traps[i];
    Napi::Object record = Napi::Object::New(info.Env());
    record.Set("declaration", core.program().declarations[static_cast<std::size_t>(trap.declaration)].name);
    record.Set("env", trap.env);
    record.Set("episode", static_cast<double>(trap.episode));
    record.Set("step", trap.step);
    record.Set("reason", reasonName(trap.reason));
    list.Set(i, record);
  }
  return list;
}

void VecEnvWrap::dispose(const Napi::CallbackInfo& /*info*/) {
  core_.reset();
  kept_.clear();
}

}  // namespace gymwright::addon
