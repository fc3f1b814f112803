#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace gymwright {

/// Copies that one instruction works on at a time: 512 bytes per value, what a section needs fits the first cache.
inline constexpr int kLanes = 64;

/// One value of each of kLanes copies.
struct alignas(64) Lanes {
  double values[kLanes];

  double& operator[](std::size_t lane) { return values[lane]; }
  const double& operator[](std::size_t lane) const { return values[lane]; }
  double* data() { return values; }
  const double* data() const { return values; }
  void fill(double value) {
    for (double& each : values) each = value;
  }
};

inline constexpr double kUndefined = std::numeric_limits<double>::quiet_NaN();
inline constexpr double kMaxFinite = std::numeric_limits<double>::max();

/// Largest |value| that one GIVE or PHI may add, so that sums of rewards stay far inside f32.
inline constexpr double kMaxGive = 1e9;

// The functions below are compiled for several instruction sets; never emitted on their own, they cannot be mixed up.
#if defined(_MSC_VER)
#define GYMWRIGHT_LANE_FUNCTION __forceinline
#else
#define GYMWRIGHT_LANE_FUNCTION inline __attribute__((always_inline))
#endif

/// The lane arithmetic of opcodes.def: booleans are 1, 0 or NaN (undefined), and NaN is passed on unless a guard
/// decides without it.
namespace lane {

GYMWRIGHT_LANE_FUNCTION bool holds(double x) { return x < 0.0 || x > 0.0; }
GYMWRIGHT_LANE_FUNCTION bool isUndefined(double x) { return x != x; }
GYMWRIGHT_LANE_FUNCTION double magnitude(double x) { return x < 0.0 ? -x : x; }

GYMWRIGHT_LANE_FUNCTION double minimum(double x, double y) { return x < y ? x : (x >= y ? y : x + y); }
GYMWRIGHT_LANE_FUNCTION double maximum(double x, double y) { return x > y ? x : (x <= y ? y : x + y); }
GYMWRIGHT_LANE_FUNCTION double divide(double x, double y) { return y == 0.0 ? kUndefined : x / y; }
/// Exact for whole numbers below 2^53, and for the part of a number behind its point (y = 1).
GYMWRIGHT_LANE_FUNCTION double modulo(double x, double y) { return y == 0.0 ? kUndefined : x - std::floor(x / y) * y; }
GYMWRIGHT_LANE_FUNCTION double less(double x, double y) { return x < y ? 1.0 : (x >= y ? 0.0 : kUndefined); }
GYMWRIGHT_LANE_FUNCTION double lessOrEqual(double x, double y) { return x <= y ? 1.0 : (x > y ? 0.0 : kUndefined); }
GYMWRIGHT_LANE_FUNCTION double equal(double x, double y) { return x == y ? 1.0 : (x < y || x > y ? 0.0 : kUndefined); }
GYMWRIGHT_LANE_FUNCTION double conjunction(double x, double y) {
  const double both = holds(x) && holds(y) ? 1.0 : kUndefined;
  return x == 0.0 || y == 0.0 ? 0.0 : both;
}
GYMWRIGHT_LANE_FUNCTION double disjunction(double x, double y) {
  const double neither = x == 0.0 && y == 0.0 ? 0.0 : kUndefined;
  return holds(x) || holds(y) ? 1.0 : neither;
}
GYMWRIGHT_LANE_FUNCTION double negation(double x) { return x == 0.0 ? 1.0 : (holds(x) ? 0.0 : kUndefined); }
GYMWRIGHT_LANE_FUNCTION double select(double condition, double x, double y) {
  return condition == 0.0 ? y : (holds(condition) ? x : kUndefined);
}
/// Held within bounds; NaN stays NaN.
GYMWRIGHT_LANE_FUNCTION double clamp(double x, double low, double high) {
  const double raised = x < low ? low : x;
  return high < raised ? high : raised;
}

}  // namespace lane
}  // namespace gymwright
