#include "arguments.hpp"

#include <cmath>

namespace gymwright::addon {
namespace {

template <typename T>
struct ElementType;
template <>
struct ElementType<float> {
  static constexpr napi_typedarray_type kType = napi_float32_array;
  static constexpr const char* kName = "Float32Array";
};
template <>
struct ElementType<double> {
  static constexpr napi_typedarray_type kType = napi_float64_array;
  static constexpr const char* kName = "Float64Array";
};
template <>
struct ElementType<std::int32_t> {
  static constexpr napi_typedarray_type kType = napi_int32_array;
  static constexpr const char* kName = "Int32Array";
};
template <>
struct ElementType<std::uint32_t> {
  static constexpr napi_typedarray_type kType = napi_uint32_array;
  static constexpr const char* kName = "Uint32Array";
};
template <>
struct ElementType<std::uint64_t> {
  static constexpr napi_typedarray_type kType = napi_biguint64_array;
  static constexpr const char* kName = "BigUint64Array";
};
template <>
struct ElementType<std::uint8_t> {
  static constexpr napi_typedarray_type kType = napi_uint8_array;
  static constexpr const char* kName = "Uint8Array";
};

}  // namespace

Napi::Error typeError(Napi::Env env, const std::string& name, const std::string& expected) {
  return Napi::TypeError::New(env, name + " must be " + expected);
}

Napi::Error rangeError(Napi::Env env, const std::string& name, const std::string& expected) {
  return Napi::RangeError::New(env, name + " must be " + expected);
}

Napi::Error failureError(Napi::Env env, const Failure& failure) {
  Napi::Error error = Napi::Error::New(env, failure.message);
  error.Set("code", Napi::String::New(env, failure.code));
  return error;
}

std::string toText(const Napi::Value& value, const std::string& name) {
  if (!value.IsString()) throw typeError(value.Env(), name, "a string");
  return value.As<Napi::String>().Utf8Value();
}

double toNumber(const Napi::Value& value, const std::string& name) {
  if (!value.IsNumber()) throw typeError(value.Env(), name, "a number");
  const double number = value.As<Napi::Number>().DoubleValue();
  if (!std::isfinite(number)) throw rangeError(value.Env(), name, "finite");
  return number;
}

std::int64_t toInteger(const Napi::Value& value, const std::string& name, std::int64_t min, std::int64_t max) {
  const double number = toNumber(value, name);
  if (number != std::floor(number) || number < static_cast<double>(min) || number > static_cast<double>(max)) {
    throw rangeError(value.Env(), name, "a whole number in " + std::to_string(min) + ".." + std::to_string(max));
  }
  return static_cast<std::int64_t>(number);
}

bool toBoolean(const Napi::Value& value, const std::string& name) {
  if (!value.IsBoolean()) throw typeError(value.Env(), name, "a boolean");
  return value.As<Napi::Boolean>().Value();
}

std::uint64_t toUint64(const Napi::Value& value, const std::string& name) {
  if (!value.IsBigInt()) throw typeError(value.Env(), name, "a bigint");
  bool isLossless = false;
  const std::uint64_t number = value.As<Napi::BigInt>().Uint64Value(&isLossless);
  if (!isLossless) throw rangeError(value.Env(), name, "in 0 .. 2^64-1");
  return number;
}

Napi::Object toObject(const Napi::Value& value, const std::string& name) {
  if (!value.IsObject() || value.IsArray() || value.IsFunction()) throw typeError(value.Env(), name, "an object");
  return value.As<Napi::Object>();
}

Napi::Array toArray(const Napi::Value& value, const std::string& name) {
  if (!value.IsArray()) throw typeError(value.Env(), name, "an array");
  return value.As<Napi::Array>();
}

template <typename T>
Napi::TypedArrayOf<T> toTypedArray(const Napi::Value& value, const std::string& name) {
  const std::string expected = std::string("a ") + ElementType<T>::kName;
  if (!value.IsTypedArray()) throw typeError(value.Env(), name, expected);
  const auto array = value.As<Napi::TypedArray>();
  if (array.TypedArrayType() != ElementType<T>::kType) throw typeError(value.Env(), name, expected);
  if (!array.Get("buffer").IsArrayBuffer()) throw typeError(value.Env(), name, expected + " that is not shared");
  return array.As<Napi::TypedArrayOf<T>>();
}

template <typename T>
Napi::TypedArrayOf<T> toTypedArray(const Napi::Value& value, const std::string& name, std::size_t length) {
  auto array = toTypedArray<T>(value, name);
  if (array.ElementLength() != length) {
    throw rangeError(value.Env(), name,
                     "of length " + std::to_string(length) + ", not " + std::to_string(array.ElementLength()));
  }
  return array;
}

template Napi::TypedArrayOf<float> toTypedArray(const Napi::Value&, const std::string&);
template Napi::TypedArrayOf<double> toTypedArray(const Napi::Value&, const std::string&);
template Napi::TypedArrayOf<std::int32_t> toTypedArray(const Napi::Value&, const std::string&);
template Napi::TypedArrayOf<std::uint32_t> toTypedArray(const Napi::Value&, const std::string&);
template Napi::TypedArrayOf<std::uint8_t> toTypedArray(const Napi::Value&, const std::string&);
template Napi::TypedArrayOf<float> toTypedArray(const Napi::Value&, const std::string&, std::size_t);
template Napi::TypedArrayOf<double> toTypedArray(const Napi::Value&, const std::string&, std::size_t);
template Napi::TypedArrayOf<std::int32_t> toTypedArray(const Napi::Value&, const std::string&, std::size_t);
template Napi::TypedArrayOf<std::uint64_t> toTypedArray(const Napi::Value&, const std::string&, std::size_t);
template Napi::TypedArrayOf<std::uint8_t> toTypedArray(const Napi::Value&, const std::string&, std::size_t);

}  // namespace gymwright::addon
