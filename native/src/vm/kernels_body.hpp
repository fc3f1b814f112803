// The kernels for the instruction set this file is compiled for; GYMWRIGHT_KERNELS names their table. Included by one
// source file per instruction set and by nothing else. Everything but the table is internal to that file.
#include <cmath>
#include <cstdint>

#include "vm/kernels.hpp"

namespace gymwright {
namespace {

// Tells the compiler that dst may equal a source but never overlaps one otherwise.
#if defined(__clang__)
#define GYMWRIGHT_INDEPENDENT_LANES _Pragma("clang loop vectorize(assume_safety)")
#elif defined(__GNUC__)
#define GYMWRIGHT_INDEPENDENT_LANES _Pragma("GCC ivdep")
#else
#define GYMWRIGHT_INDEPENDENT_LANES
#endif

using Words = double*;
using Source = const double*;

// clang-format off
#define GYMWRIGHT_MAP(NAME, EXPRESSION)                                                                      \
  bool NAME([[maybe_unused]] Words d, [[maybe_unused]] Source a, [[maybe_unused]] Source b, [[maybe_unused]] Source c) { \
    GYMWRIGHT_INDEPENDENT_LANES                                                                              \
    for (int l = 0; l < kLanes; ++l) d[l] = EXPRESSION;                                                      \
    return false;                                                                                            \
  }
// clang-format on

GYMWRIGHT_MAP(add, a[l] + b[l])
GYMWRIGHT_MAP(subtract, a[l] - b[l])
GYMWRIGHT_MAP(multiply, a[l] * b[l])
GYMWRIGHT_MAP(minimum, lane::minimum(a[l], b[l]))
GYMWRIGHT_MAP(maximum, lane::maximum(a[l], b[l]))
GYMWRIGHT_MAP(negate, -a[l])
GYMWRIGHT_MAP(absolute, std::fabs(a[l]))
GYMWRIGHT_MAP(less, lane::less(a[l], b[l]))
GYMWRIGHT_MAP(lessOrEqual, lane::lessOrEqual(a[l], b[l]))
GYMWRIGHT_MAP(equal, lane::equal(a[l], b[l]))
GYMWRIGHT_MAP(conjunction, lane::conjunction(a[l], b[l]))
GYMWRIGHT_MAP(disjunction, lane::disjunction(a[l], b[l]))
GYMWRIGHT_MAP(negation, lane::negation(a[l]))
GYMWRIGHT_MAP(select, lane::select(a[l], b[l], c[l]))

bool divide(Words d, Source a, Source b, Source) {
  std::int64_t zeros = 0;
  GYMWRIGHT_INDEPENDENT_LANES
  for (int l = 0; l < kLanes; ++l) {
    zeros |= b[l] == 0.0 ? 1 : 0;
    d[l] = lane::divide(a[l], b[l]);
  }
  return zeros != 0;
}

bool modulo(Words d, Source a, Source b, Source) {
  std::int64_t zeros = 0;
  for (int l = 0; l < kLanes; ++l) {
    zeros |= b[l] == 0.0 ? 1 : 0;
    d[l] = lane::modulo(a[l], b[l]);
  }
  return zeros != 0;
}

bool squareRoot(Words d, Source a, Source, Source) {
  std::int64_t negatives = 0;
  GYMWRIGHT_INDEPENDENT_LANES
  for (int l = 0; l < kLanes; ++l) {
    negatives |= a[l] < 0.0 ? 1 : 0;
    d[l] = a[l] < 0.0 ? kUndefined : std::sqrt(a[l]);
  }
  return negatives != 0;
}

bool distance(Words d, Source a, Source b, Source) {
  GYMWRIGHT_INDEPENDENT_LANES
  for (int l = 0; l < kLanes; ++l) {
    const double dx = a[l] - b[l];
    const double dy = a[kLanes + l] - b[kLanes + l];
    d[l] = std::sqrt(dx * dx + dy * dy);
  }
  return false;
}

bool countHolding(Words d, Source a, Source, Source) {
  std::int64_t holding = 0;
  std::int64_t undefined = 0;
  for (int l = 0; l < kLanes; ++l) {
    holding += lane::holds(a[l]) ? 1 : 0;
    undefined |= lane::isUndefined(a[l]) ? 1 : 0;
  }
  *d += static_cast<double>(holding);
  return undefined != 0;
}

/// Whether a value with |value| > bound is used, or a condition is undefined.
GYMWRIGHT_LANE_FUNCTION std::int64_t isSuspect(double value, double condition, double bound) {
  const bool isUsable = std::fabs(value) <= bound || condition == 0.0;
  return isUsable && !lane::isUndefined(condition) ? 0 : 1;
}

bool setWhere(Words d, Source, Source b, Source c) {
  std::int64_t suspects = 0;
  GYMWRIGHT_INDEPENDENT_LANES
  for (int l = 0; l < kLanes; ++l) {
    suspects |= isSuspect(b[l], c[l], kMaxFinite);
    d[l] = lane::holds(c[l]) ? b[l] : d[l];
    d[kLanes + l] = lane::holds(c[l]) ? 1.0 : d[kLanes + l];
  }
  return suspects != 0;
}

bool scaleWhere(Words d, Source, Source b, Source c) {
  std::int64_t suspects = 0;
  GYMWRIGHT_INDEPENDENT_LANES
  for (int l = 0; l < kLanes; ++l) {
    suspects |= isSuspect(b[l], c[l], kMaxFinite);
    d[l] = lane::holds(c[l]) ? d[l] * b[l] : d[l];
  }
  return suspects != 0;
}

GYMWRIGHT_LANE_FUNCTION bool addBounded(Words d, Source b, Source c, double bound) {
  std::int64_t suspects = 0;
  GYMWRIGHT_INDEPENDENT_LANES
  for (int l = 0; l < kLanes; ++l) {
    suspects |= isSuspect(b[l], c[l], bound);
    d[l] = lane::holds(c[l]) ? d[l] + b[l] : d[l];
  }
  return suspects != 0;
}

bool addWhere(Words d, Source, Source b, Source c) { return addBounded(d, b, c, kMaxFinite); }
bool giveWhere(Words d, Source, Source b, Source c) { return addBounded(d, b, c, kMaxGive); }

// What an undefined condition leaves out is looked at; a value that is not finite is merely no sample.
// clang-format off
#define GYMWRIGHT_SAMPLE(NAME, JOIN)                                             \
  bool NAME(Words d, Source, Source b, Source c) {                               \
    Words counts = d + kLanes;                                                   \
    std::int64_t undefined = 0;                                                  \
    GYMWRIGHT_INDEPENDENT_LANES                                                  \
    for (int l = 0; l < kLanes; ++l) {                                           \
      const double old = d[l];                                                   \
      const double x = b[l];                                                     \
      [[maybe_unused]] const double count = counts[l];                           \
      const double wanted = lane::holds(c[l]) ? 1.0 : 0.0;                       \
      const double taken = std::fabs(x) <= kMaxFinite ? wanted : 0.0;            \
      const double joined = JOIN;                                                \
      undefined |= lane::isUndefined(c[l]) ? 1 : 0;                              \
      d[l] = taken > 0.0 ? joined : old;                                         \
      counts[l] = count + taken;                                                 \
    }                                                                            \
    return undefined != 0;                                                       \
  }
// clang-format on

GYMWRIGHT_SAMPLE(sampleSum, lane::clamp(old + x, -kMaxFinite, kMaxFinite))
GYMWRIGHT_SAMPLE(sampleMin, count == 0.0 || x < old ? x : old)
GYMWRIGHT_SAMPLE(sampleMax, count == 0.0 || x > old ? x : old)
GYMWRIGHT_SAMPLE(sampleLast, x)

/// Philox4x32-10 of rng.hpp, all lanes in every round.
void uniform(Words d, const LaneDraw& draw) {
  std::uint32_t c0[kLanes], c1[kLanes], c2[kLanes], c3[kLanes], key0[kLanes], key1[kLanes];
  for (int l = 0; l < kLanes; ++l) {
    c0[l] = draw.draw;
    c1[l] = draw.entity;
    c2[l] = draw.steps[l];
    c3[l] = draw.stream;
    key0[l] = static_cast<std::uint32_t>(draw.keys[l]);
    key1[l] = static_cast<std::uint32_t>(draw.keys[l] >> 32);
  }
  for (int round = 0; round < 10; ++round) {
    for (int l = 0; l < kLanes; ++l) {
      const std::uint64_t product0 = std::uint64_t{0xD2511F53u} * c0[l];
      const std::uint64_t product1 = std::uint64_t{0xCD9E8D57u} * c2[l];
      c0[l] = static_cast<std::uint32_t>(product1 >> 32) ^ c1[l] ^ key0[l];
      c1[l] = static_cast<std::uint32_t>(product1);
      c2[l] = static_cast<std::uint32_t>(product0 >> 32) ^ c3[l] ^ key1[l];
      c3[l] = static_cast<std::uint32_t>(product0);
      key0[l] += 0x9E3779B9u;
      key1[l] += 0xBB67AE85u;
    }
  }
  // The upper 53 bits of c1:c0, put together from two exact parts.
  for (int l = 0; l < kLanes; ++l) {
    const double high = c1[l];
    const double low = c0[l] >> 11;
    d[l] = (high * 0x1.0p21 + low) * 0x1.0p-53;
  }
}

void fold(Words d, const FoldLanes& lanes, double low, double high) {
  const Source base = lanes.base;
  const Source isSet = lanes.isSet;
  const Source value = lanes.value;
  const Source product = lanes.product;
  const Source sum = lanes.sum;
  GYMWRIGHT_INDEPENDENT_LANES
  for (int l = 0; l < kLanes; ++l) {
    const double start = lane::holds(isSet[l]) ? value[l] : base[l];
    const double folded = start * product[l] + sum[l];
    d[l] = lane::isUndefined(folded) ? base[l] : lane::clamp(folded, low, high);
  }
}

void accumulate(Words sum, Words total, Source given, double weight, double limit) {
  GYMWRIGHT_INDEPENDENT_LANES
  for (int l = 0; l < kLanes; ++l) {
    const double before = sum[l];
    const double after = lane::clamp(before + given[l] * weight, -limit, limit);
    total[l] += after - before;
    sum[l] = after;
  }
}

}  // namespace

extern const Kernels GYMWRIGHT_KERNELS;
const Kernels GYMWRIGHT_KERNELS = {
    GYMWRIGHT_KERNELS_NAME,
    add,
    subtract,
    multiply,
    divide,
    modulo,
    minimum,
    maximum,
    negate,
    absolute,
    squareRoot,
    less,
    lessOrEqual,
    equal,
    conjunction,
    disjunction,
    negation,
    select,
    distance,
    countHolding,
    setWhere,
    scaleWhere,
    addWhere,
    giveWhere,
    sampleSum,
    sampleMin,
    sampleMax,
    sampleLast,
    uniform,
    fold,
    accumulate,
};

}  // namespace gymwright
