#include <cstring>
#include <limits>

#include "check.hpp"
#include "gymwright/rng.hpp"
#include "vm/kernels.hpp"

using namespace gymwright;
using namespace gymwright::test;

namespace {

/// Pairs of lanes with all that is special, in every combination somewhere.
struct Sample {
  Lanes lanes[2];
};

Sample draw(std::uint64_t seed) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const double special[] = {0.0,  -0.0,        1.0,    -1.0, kUndefined, kInfinity, -kInfinity, 1e308,
                            1e-8, 4.9406e-324, -1e308, 0.5,  3.0,        2.0,       1e9,        1.0000001e9};
  Sample sample;
  for (int i = 0; i < 2 * kLanes; ++i) {
    const std::uint64_t word = mix64(seed * 1000 + static_cast<std::uint64_t>(i) + 1);
    const double plain = (static_cast<double>(word >> 11) * 0x1.0p-53 - 0.5) * 20.0;
    sample.lanes[i / kLanes].values[i % kLanes] = word % 3 == 0 ? plain : special[(word >> 40) % std::size(special)];
  }
  return sample;
}

/// Bits, where any NaN is like any other.
std::uint64_t bitsOf(double x) {
  if (x != x) return 1;
  std::uint64_t bits = 0;
  std::memcpy(&bits, &x, sizeof(bits));
  return bits;
}

struct Outcome {
  std::uint64_t hash = 0;
  void add(const Lanes& lanes) {
    for (const double x : lanes.values) hash = mix64(hash ^ bitsOf(x)) + 1;
  }
};

std::uint64_t runAll(const Kernels& k) {
  Outcome out;
  const Kernel all[] = {k.add,       k.subtract,    k.multiply,    k.divide,     k.modulo,    k.minimum,
                        k.maximum,   k.negate,      k.absolute,    k.squareRoot, k.less,      k.lessOrEqual,
                        k.equal,     k.conjunction, k.disjunction, k.negation,   k.select,    k.distance,
                        k.setWhere,  k.scaleWhere,  k.addWhere,    k.giveWhere,  k.sampleSum, k.sampleMin,
                        k.sampleMax, k.sampleLast};
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const Sample a = draw(4 * seed), b = draw(4 * seed + 1), c = draw(4 * seed + 2);
    for (const Kernel kernel : all) {
      Sample d = draw(4 * seed + 3);
      const bool isSuspect = kernel(d.lanes[0].data(), a.lanes[0].data(), b.lanes[0].data(), c.lanes[0].data());
      out.add(d.lanes[0]);
      out.add(d.lanes[1]);
      out.hash = mix64(out.hash + (isSuspect ? 1 : 0));
    }
    double count = 0.0;
    k.countHolding(&count, a.lanes[0].data(), nullptr, nullptr);
    out.hash = mix64(out.hash ^ bitsOf(count));
    Sample d = draw(4 * seed + 3);
    k.fold(d.lanes[0].data(),
           {a.lanes[0].data(), a.lanes[1].data(), b.lanes[0].data(), b.lanes[1].data(), c.lanes[0].data()}, -2.0, 1e9);
    k.accumulate(d.lanes[1].data(), d.lanes[0].data(), c.lanes[1].data(), 0.3, 5.0);
    out.add(d.lanes[0]);
    out.add(d.lanes[1]);
  }
  return out.hash;
}

}  // namespace

TEST("all instruction sets of this processor give the same bits") {
  const std::uint64_t baseline = runAll(*availableKernels().front());
  for (const Kernels* kernels : availableKernels()) CHECK_EQ(runAll(*kernels), baseline);
}

TEST("drawn lanes are the numbers of the episodes' own generator") {
  std::uint64_t keys[kLanes];
  std::uint32_t steps[kLanes];
  for (int l = 0; l < kLanes; ++l) {
    keys[l] = EpisodeRng(static_cast<std::uint64_t>(l) * 77, 5).key();
    steps[l] = static_cast<std::uint32_t>(l) * 3;
  }
  for (const Kernels* kernels : availableKernels()) {
    Lanes drawn;
    kernels->uniform(drawn.data(), {keys, steps, static_cast<std::uint32_t>(Stream::kProgram), 0xFEDCBA98u, 12});
    for (int l = 0; l < kLanes; ++l) {
      const double expected = EpisodeRng(static_cast<std::uint64_t>(l) * 77, 5)
                                  .uniform(Stream::kProgram, steps[l], 0xFEDCBA98u, 12, 0.0, 1.0);
      CHECK_EQ(drawn.values[l], expected);
    }
  }
}
