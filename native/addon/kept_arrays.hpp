#pragma once

#include <string>
#include <vector>

#include <napi.h>

#include "arguments.hpp"

namespace gymwright::addon {

/// The caller's arrays that a batch writes into: alive as long as this is. Whoever writes asks first whether their
/// memory is still there, since JavaScript may transfer it away.
class KeptArrays {
 public:
  /// Memory of the typed array `name` of `buffers`, which must have `length` elements.
  template <typename T>
  T* keep(const Napi::Object& buffers, const char* name, std::size_t length) {
    auto array = toTypedArray<T>(buffers.Get(name), std::string("buffers.") + name, length);
    kept_.push_back(Napi::Persistent<Napi::TypedArray>(array));
    return array.Data();
  }

  /// Throws: TypeError where one is gone; `owner` says whose they are.
  void checkAttached(Napi::Env env, const std::string& owner) const {
    for (const auto& reference : kept_) {
      if (!reference.Value().ArrayBuffer().IsDetached()) continue;
      throw Napi::TypeError::New(
          env, "an output array of the " + owner + " was transferred away: create a new " + owner);
    }
  }

  void clear() { kept_.clear(); }

 private:
  std::vector<Napi::Reference<Napi::TypedArray>> kept_;
};

}  // namespace gymwright::addon
