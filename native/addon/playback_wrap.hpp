#pragma once

#include <memory>

#include <napi.h>

#include "gymwright/playback.hpp"
#include "kept_arrays.hpp"

namespace gymwright::addon {

/// JavaScript's NativePlayback: arguments are checked here, then one core function is called.
class PlaybackWrap : public Napi::ObjectWrap<PlaybackWrap> {
 public:
  static Napi::Function define(Napi::Env env);

  /// Arguments: (spec, {numEnvs, gamma}, buffers).
  explicit PlaybackWrap(const Napi::CallbackInfo& info);

 private:
  void begin(const Napi::CallbackInfo& info);
  void step(const Napi::CallbackInfo& info);
  void setTrainingSteps(const Napi::CallbackInfo& info);
  void setShapingWeights(const Napi::CallbackInfo& info);
  Napi::Value frame(const Napi::CallbackInfo& info);
  void dispose(const Napi::CallbackInfo& info);

  PlaybackBuffers keepBuffers(const Napi::Object& buffers, const Manifest& manifest, const Program& program,
                              std::size_t numEnvs);
  Playback& open(const Napi::CallbackInfo& info);

  std::unique_ptr<Playback> core_;
  KeptArrays kept_;
};

}  // namespace gymwright::addon
