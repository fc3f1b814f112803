#pragma once

#include <memory>

#include <napi.h>

#include "gymwright/vec_env.hpp"
#include "kept_arrays.hpp"

namespace gymwright::addon {

/// JavaScript's NativeVecEnv: arguments are checked here, then one core function is called. It keeps the caller's
/// output arrays alive and refuses to step into one whose memory has been transferred away.
class VecEnvWrap : public Napi::ObjectWrap<VecEnvWrap> {
 public:
  static Napi::Function define(Napi::Env env);

  /// Arguments: (spec, {numEnvs, seed, firstEpisode, continuousActions, gamma}, buffers).
  explicit VecEnvWrap(const Napi::CallbackInfo& info);

 private:
  void reset(const Napi::CallbackInfo& info);
  void step(const Napi::CallbackInfo& info);
  void stepContinuous(const Napi::CallbackInfo& info);
  void setTrainingSteps(const Napi::CallbackInfo& info);
  void setShapingWeights(const Napi::CallbackInfo& info);
  Napi::Value stateWords(const Napi::CallbackInfo& info);
  void copyStates(const Napi::CallbackInfo& info);
  void copyFinalStates(const Napi::CallbackInfo& info);
  Napi::Value snapshot(const Napi::CallbackInfo& info);
  void restore(const Napi::CallbackInfo& info);
  Napi::Value probe(const Napi::CallbackInfo& info);
  Napi::Value frame(const Napi::CallbackInfo& info);
  Napi::Value finalFrame(const Napi::CallbackInfo& info);
  void trigger(const Napi::CallbackInfo& info);
  Napi::Value stateHash(const Napi::CallbackInfo& info);
  Napi::Value takeFireCounts(const Napi::CallbackInfo& info);
  void startProfile(const Napi::CallbackInfo& info);
  Napi::Value takeProfile(const Napi::CallbackInfo& info);
  Napi::Value takeTraps(const Napi::CallbackInfo& info);
  void dispose(const Napi::CallbackInfo& info);

  Buffers keepBuffers(const Napi::Object& buffers, const Manifest& manifest, const Program& program,
                      std::size_t numEnvs);
  VecEnv& open(const Napi::CallbackInfo& info);
  std::size_t numRows() const;      ///< copies times agents
  std::size_t stateLength() const;  ///< copies times words
  int envIndex(const Napi::Value& value);

  std::unique_ptr<VecEnv> core_;
  KeptArrays kept_;
};

}  // namespace gymwright::addon
