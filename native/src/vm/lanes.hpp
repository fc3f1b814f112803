#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace gymwright {

/// Copies that one instruction works on at a time: 512 bytes per register, a few registers fit the first cache.
inline constexpr int kLanes = 64;

using Lanes = std::array<double, kLanes>;

inline constexpr double kUndefined = std::numeric_limits<double>::quiet_NaN();

/// The lane arithmetic of opcodes.def: booleans are 1, 0 or NaN (undefined), and NaN is passed on unless a guard
/// decides without it.
namespace lane {

inline double minimum(double x, double y) { return x < y ? x : (x >= y ? y : x + y); }
inline double maximum(double x, double y) { return x > y ? x : (x <= y ? y : x + y); }
inline double divide(double x, double y) { return y == 0.0 ? kUndefined : x / y; }
inline double less(double x, double y) { return x < y ? 1.0 : (x >= y ? 0.0 : kUndefined); }
inline double lessOrEqual(double x, double y) { return x <= y ? 1.0 : (x > y ? 0.0 : kUndefined); }
inline double equal(double x, double y) { return x == y ? 1.0 : (x < y || x > y ? 0.0 : kUndefined); }
inline bool holds(double x) { return x < 0.0 || x > 0.0; }
inline double conjunction(double x, double y) {
  if (x == 0.0 || y == 0.0) return 0.0;
  return holds(x) && holds(y) ? 1.0 : kUndefined;
}
inline double disjunction(double x, double y) {
  if (holds(x) || holds(y)) return 1.0;
  return x == 0.0 && y == 0.0 ? 0.0 : kUndefined;
}
inline double negation(double x) { return x == 0.0 ? 1.0 : (holds(x) ? 0.0 : kUndefined); }
inline double select(double condition, double x, double y) {
  return condition == 0.0 ? y : (holds(condition) ? x : kUndefined);
}

}  // namespace lane
}  // namespace gymwright
