#pragma once

#include <cmath>
#include <cstdint>

#include "gymwright/rng.hpp"

/// Small arithmetic that scenarios share.
namespace gymwright {

/// Shape: p, q [2]
inline double squareBetween(const double* p, const double* q) {
  const double dx = p[0] - q[0];
  const double dy = p[1] - q[1];
  return dx * dx + dy * dy;
}

inline double distanceBetween(const double* p, const double* q) { return std::sqrt(squareBetween(p, q)); }

/// Whether a word of unknown origin holds a whole number in low..high.
inline bool isWhole(double x, double low, double high) { return x >= low && x <= high && x == std::floor(x); }

/// The same in 0..end-1.
inline bool isIndex(double x, int end) { return isWhole(x, 0.0, end - 1.0); }

/// 0 where there is no whole.
inline double shareOf(double part, double whole) { return whole > 0.0 ? part / whole : 0.0; }

/// A copy's own seed as a state word, for what is drawn within steps: 49 bits are exact in an f64.
inline double seedWord(std::uint64_t bits) { return static_cast<double>(bits >> 15); }

/// 64 random bits of a step, from the copy's own seed and its clock.
/// Shape: `draw` tells the draws of a step apart, 0..2^20-1.
inline std::uint64_t stepBits(double seed, double clock, std::uint64_t draw) {
  const auto steps = static_cast<std::uint64_t>(clock);
  return mix64(static_cast<std::uint64_t>(seed) ^ mix64((steps << 20 | draw) + 0x9E3779B97F4A7C15u));
}

}  // namespace gymwright
