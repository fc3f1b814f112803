#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

/// The cells of a square grid that somebody was in, as one state word: what `exploration_ratio` counts. 49 bits are
/// exact in an f64.
namespace gymwright::visited {

inline constexpr int kSide = 7;
inline constexpr int kCells = kSide * kSide;

/// A place along an axis as a whole number of cells from the grid's edge; outside counts as the nearest one.
inline std::int64_t axisCell(double cellsFromEdge) {
  return std::clamp(static_cast<std::int64_t>(cellsFromEdge), std::int64_t{0}, std::int64_t{kSide - 1});
}

/// The set with one cell more. Requires: isSet(cells), column and row from axisCell.
inline double add(double cells, std::int64_t column, std::int64_t row) {
  return static_cast<double>(static_cast<std::int64_t>(cells) | std::int64_t{1} << (row * kSide + column));
}

inline int count(double cells) { return std::popcount(static_cast<std::uint64_t>(cells)); }

inline double share(double cells) { return count(cells) / static_cast<double>(kCells); }

/// Whether a word of unknown origin is a set of cells.
inline bool isSet(double word) {
  return word >= 0.0 && word < static_cast<double>(std::uint64_t{1} << kCells) && word == std::floor(word);
}

}  // namespace gymwright::visited
