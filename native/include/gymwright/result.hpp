#pragma once

#include <string>
#include <utility>
#include <variant>

namespace gymwright {

/// Why a set-up call was refused. `code` is one of the dotted error codes of the product
/// ("scenario.unknown", "vm.badProgram", ...); `message` says what, where and what to do.
struct Failure {
  std::string code;
  std::string message;
};

/// A value, or why there is none. Set-up returns it; nothing in the core throws.
template <typename T>
class Result {
 public:
  Result(T value) : content_(std::move(value)) {}
  Result(Failure failure) : content_(std::move(failure)) {}

  explicit operator bool() const { return std::holds_alternative<T>(content_); }
  /// Requires: *this holds a value.
  T& value() { return *std::get_if<T>(&content_); }
  const T& value() const { return *std::get_if<T>(&content_); }
  /// Requires: *this holds a failure.
  const Failure& failure() const { return *std::get_if<Failure>(&content_); }

 private:
  std::variant<T, Failure> content_;
};

}  // namespace gymwright
