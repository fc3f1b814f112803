#pragma once

#include <algorithm>

namespace gymwright {

/// Writes one agent's observation from left to right, in f32 or f64.
template <typename T>
class ObsRow {
 public:
  ObsRow(T* start, const double* self) : at_(start), self_(self) {}

  void put(double number) { *at_++ = static_cast<T>(number); }
  void put(const double* numbers, int count) {
    for (int i = 0; i < count; ++i) put(numbers[i]);
  }
  void putPoint(const double* point) { put(point, 2); }
  /// A place as seen from the agent.
  void putRelative(const double* point) {
    put(point[0] - self_[0]);
    put(point[1] - self_[1]);
  }
  void putZeros(int count) { at_ = std::fill_n(at_, count, T{0}); }
  /// Zeros up to the width of the widest agent.
  void padTo(const T* end) { putZeros(static_cast<int>(end - at_)); }

 private:
  T* at_;
  const double* self_;
};

}  // namespace gymwright
