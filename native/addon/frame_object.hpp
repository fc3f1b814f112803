#pragma once

#include <napi.h>

#include "gymwright/frame.hpp"

namespace gymwright::addon {

/// What a caller wants of a frame, from {ranges, sights}.
FrameDetail toFrameDetail(const Napi::Value& value, const std::string& name);

/// A frame as JavaScript gets it: {episode, step, regime, box, status, numbers, codes, texts}, where numbers hold six
/// f32 and codes six i16 for each shape. src/shared/rl/frame.ts says which.
Napi::Object toFrameObject(Napi::Env env, const Frame& frame);

}  // namespace gymwright::addon
