#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <napi.h>

#include "gymwright/result.hpp"

/// Checks of what JavaScript hands over. Each throws a TypeError or RangeError that names the argument.
namespace gymwright::addon {

Napi::Error typeError(Napi::Env env, const std::string& name, const std::string& expected);
Napi::Error rangeError(Napi::Env env, const std::string& name, const std::string& expected);
/// An Error whose `code` is the failure's, for the TypeScript side to turn into an AppError.
Napi::Error failureError(Napi::Env env, const Failure& failure);

std::string toText(const Napi::Value& value, const std::string& name);
/// A finite number.
double toNumber(const Napi::Value& value, const std::string& name);
/// A whole number in [min, max], at most 2^53 apart from zero.
std::int64_t toInteger(const Napi::Value& value, const std::string& name, std::int64_t min, std::int64_t max);
bool toBoolean(const Napi::Value& value, const std::string& name);
/// A bigint in 0 .. 2^64-1.
std::uint64_t toUint64(const Napi::Value& value, const std::string& name);
Napi::Object toObject(const Napi::Value& value, const std::string& name);
Napi::Array toArray(const Napi::Value& value, const std::string& name);

/// The typed array of element type T in `value`, of exactly `length` elements, attached and not shared.
template <typename T>
Napi::TypedArrayOf<T> toTypedArray(const Napi::Value& value, const std::string& name, std::size_t length);
/// The same of any length.
template <typename T>
Napi::TypedArrayOf<T> toTypedArray(const Napi::Value& value, const std::string& name);

}  // namespace gymwright::addon
