#pragma once

#include <cstdint>
#include <vector>

#include "vm/lanes.hpp"

namespace gymwright {

/// One instruction over all kLanes lanes. Its result says whether a lane is worth a look: a division by zero, a square
/// root of a negative number, a condition that is undefined, a value that may not be used. Sources never overlap dst
/// partly; they may be dst.
using Kernel = bool (*)(double* dst, const double* a, const double* b, const double* c);

/// What was collected for one attribute of one entity.
struct FoldLanes {
  const double* base;
  const double* isSet;
  const double* value;  ///< where isSet
  const double* product;
  const double* sum;
};

/// Which random number each lane draws.
struct LaneDraw {
  const std::uint64_t* keys;   ///< EpisodeRng::key of each lane
  const std::uint32_t* steps;  ///< of each lane
  std::uint32_t stream;
  std::uint32_t entity;
  std::uint32_t draw;
};

/// The loops over lanes, compiled for one instruction set. All give the same bits.
struct Kernels {
  const char* name;
  Kernel add, subtract, multiply, divide, modulo, minimum, maximum;
  Kernel negate, absolute, squareRoot;
  Kernel less, lessOrEqual, equal;
  Kernel conjunction, disjunction, negation, select;
  /// a, b: points, x lanes and then y lanes.
  Kernel distance;
  /// *dst += lanes in which a holds.
  Kernel countHolding;
  /// Where c: dst = b, and the lanes behind dst become 1.
  Kernel setWhere;
  /// Where c: dst *= b; dst += b; dst += b with |b| <= kMaxGive.
  Kernel scaleWhere, addWhere, giveWhere;
  /// Where c and b is finite: b joins the samples in dst, and the count behind dst rises.
  Kernel sampleSum, sampleMin, sampleMax, sampleLast;
  /// dst = EpisodeRng(key of the lane).uniform(stream, step of the lane, entity, draw, 0, 1).
  void (*uniform)(double* dst, const LaneDraw& draw);
  /// dst = base or what it is set to, times product, plus sum, within bounds; base where that is no number.
  void (*fold)(double* dst, const FoldLanes& lanes, double low, double high);
  /// Adds given * weight to sum, held within +-limit, and what that changed to total.
  void (*accumulate)(double* sum, double* total, const double* given, double weight, double limit);
};

/// The kernels for the instruction sets that this processor has, the best one last; there is at least one.
const std::vector<const Kernels*>& availableKernels();

}  // namespace gymwright
