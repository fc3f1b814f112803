#include "playback_wrap.hpp"

#include <string>
#include <utility>

#include "arguments.hpp"
#include "frame_object.hpp"
#include "spec.hpp"

namespace gymwright::addon {

Napi::Function PlaybackWrap::define(Napi::Env env) {
  return DefineClass(env, "NativePlayback",
                     {
                         InstanceMethod<&PlaybackWrap::begin>("begin"),
                         InstanceMethod<&PlaybackWrap::step>("step"),
                         InstanceMethod<&PlaybackWrap::setTrainingSteps>("setTrainingSteps"),
                         InstanceMethod<&PlaybackWrap::setShapingWeights>("setShapingWeights"),
                         InstanceMethod<&PlaybackWrap::frame>("frame"),
                         InstanceMethod<&PlaybackWrap::dispose>("dispose"),
                     });
}

PlaybackWrap::PlaybackWrap(const Napi::CallbackInfo& info) : Napi::ObjectWrap<PlaybackWrap>(info) {
  CheckedSpec spec = toSpec(info[0], "spec");
  const Napi::Object options = toObject(info[1], "options");
  VecEnvConfig config;
  config.numEnvs = toNumEnvs(options.Get("numEnvs"), "options.numEnvs");
  readDiscounting(options, config);
  const PlaybackBuffers buffers = keepBuffers(toObject(info[2], "buffers"), spec.scenario->manifest(), spec.program,
                                              static_cast<std::size_t>(config.numEnvs));
  config.scenario = std::move(spec.scenario);
  config.program = std::move(spec.program);
  config.scripted = std::move(spec.scripted);
  config.shapingWeights = std::move(spec.shapingWeights);
  config.jointLimit = std::move(spec.jointLimit);
  core_ = std::make_unique<Playback>(std::move(config), buffers);
}

PlaybackBuffers PlaybackWrap::keepBuffers(const Napi::Object& b, const Manifest& m, const Program& program,
                                          std::size_t numEnvs) {
  const std::size_t rows = numEnvs * static_cast<std::size_t>(m.numAgents);
  const std::size_t numComponents = m.components.size() + program.components.size();
  PlaybackBuffers out{};
  out.obs = kept_.keep<float>(b, "obs", rows * static_cast<std::size_t>(m.obsDim));
  out.state = kept_.keep<float>(b, "state", numEnvs * static_cast<std::size_t>(m.stateDim));
  out.availActions = kept_.keep<std::uint8_t>(b, "availActions", rows * static_cast<std::size_t>(m.numActions));
  out.active = kept_.keep<std::uint8_t>(b, "active", rows);
  out.rewards = kept_.keep<float>(b, "rewards", rows);
  out.components = kept_.keep<float>(b, "components", rows * numComponents);
  return out;
}

Playback& PlaybackWrap::open(const Napi::CallbackInfo& info) {
  if (!core_) throw Napi::TypeError::New(info.Env(), "the Playback is disposed");
  kept_.checkAttached(info.Env(), "Playback");
  return *core_;
}

void PlaybackWrap::begin(const Napi::CallbackInfo& info) {
  Playback& core = open(info);
  const auto numEnvs = static_cast<std::size_t>(core.numEnvs());
  const auto numWords = static_cast<std::size_t>(core.scenario().stateWords());
  const auto first = toTypedArray<double>(info[0], "first", numEnvs * numWords);
  const auto seeds = toTypedArray<std::uint64_t>(info[1], "seeds", numEnvs);
  const auto episodes = toTypedArray<double>(info[2], "episodes", numEnvs);
  if (const auto failure = core.begin({first.Data(), seeds.Data(), episodes.Data()}))
    throw failureError(info.Env(), *failure);
}

void PlaybackWrap::step(const Napi::CallbackInfo& info) {
  Playback& core = open(info);
  const Manifest& manifest = core.scenario().manifest();
  const auto numEnvs = static_cast<std::size_t>(core.numEnvs());
  const auto numWords = static_cast<std::size_t>(core.scenario().stateWords());
  const std::size_t rows = numEnvs * static_cast<std::size_t>(manifest.numAgents);
  const auto next = toTypedArray<double>(info[0], "next", numEnvs * numWords);
  const auto base = toTypedArray<float>(info[1], "base", rows * manifest.components.size());
  const auto ended = toTypedArray<std::uint8_t>(info[2], "ended", numEnvs);
  if (const auto failure = core.step({next.Data(), base.Data(), ended.Data()}))
    throw failureError(info.Env(), *failure);
}

void PlaybackWrap::setTrainingSteps(const Napi::CallbackInfo& info) {
  open(info).setTrainingSteps(toTrainingSteps(info[0], "steps"));
}

void PlaybackWrap::setShapingWeights(const Napi::CallbackInfo& info) {
  Playback& core = open(info);
  core.setShapingWeights(toShapingWeights(info[0], "weights", core.program()).data());
}

Napi::Value PlaybackWrap::frame(const Napi::CallbackInfo& info) {
  const Playback& core = open(info);
  const auto env = static_cast<int>(toInteger(info[0], "env", 0, core.numEnvs() - 1));
  const auto frame = core.frame(env, toFrameDetail(info[1], "detail"));
  if (!frame) throw failureError(info.Env(), frame.failure());
  return toFrameObject(info.Env(), frame.value());
}

void PlaybackWrap::dispose(const Napi::CallbackInfo& /*info*/) {
  core_.reset();
  kept_.clear();
}

}  // namespace gymwright::addon
