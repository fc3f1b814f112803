#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace gymwright {

/// Copies that one instruction works on at a time: 512 bytes per register, a few registers fit the first cache.
inline constexpr int kLanes = 64;

using Lanes = std::array<double, kLanes>;

inline constexpr double kUndefined = std::numeric_limits<double>::quiet_NaN();

/// The lane arithmetic of opcodes.def: booleans are 1, 0 or NaN (undefined), and NaN is passed on unless a guard
/// decides without it. Function objects, so that every loop over them is compiled for its own one.
namespace lane {

inline constexpr auto holds = [](double x) { return x < 0.0 || x > 0.0; };

inline constexpr auto minimum = [](double x, double y) { return x < y ? x : (x >= y ? y : x + y); };
inline constexpr auto maximum = [](double x, double y) { return x > y ? x : (x <= y ? y : x + y); };
inline constexpr auto divide = [](double x, double y) { return y == 0.0 ? kUndefined : x / y; };
/// std::fmod is exact; only its sign follows the dividend.
inline constexpr auto modulo = [](double x, double y) {
  if (y == 0.0) return kUndefined;
  const double remainder = std::fmod(x, y);
  return remainder != 0.0 && (remainder < 0.0) != (y < 0.0) ? remainder + y : remainder;
};
inline constexpr auto less = [](double x, double y) { return x < y ? 1.0 : (x >= y ? 0.0 : kUndefined); };
inline constexpr auto lessOrEqual = [](double x, double y) { return x <= y ? 1.0 : (x > y ? 0.0 : kUndefined); };
inline constexpr auto equal = [](double x, double y) { return x == y ? 1.0 : (x < y || x > y ? 0.0 : kUndefined); };
inline constexpr auto conjunction = [](double x, double y) {
  const double both = holds(x) && holds(y) ? 1.0 : kUndefined;
  return x == 0.0 || y == 0.0 ? 0.0 : both;
};
inline constexpr auto disjunction = [](double x, double y) {
  const double neither = x == 0.0 && y == 0.0 ? 0.0 : kUndefined;
  return holds(x) || holds(y) ? 1.0 : neither;
};
inline constexpr auto negation = [](double x) { return x == 0.0 ? 1.0 : (holds(x) ? 0.0 : kUndefined); };
inline constexpr auto select = [](double condition, double x, double y) {
  return condition == 0.0 ? y : (holds(condition) ? x : kUndefined);
};

/// What an effect makes of the value collected so far.
inline constexpr auto setWhere = [](double old, double x, double c) { return holds(c) ? x : old; };
inline constexpr auto scaleWhere = [](double old, double x, double c) { return holds(c) ? old * x : old; };
inline constexpr auto addWhere = [](double old, double x, double c) { return holds(c) ? old + x : old; };

}  // namespace lane
}  // namespace gymwright
