#include "check.hpp"
#include "gymwright/rng.hpp"

using namespace gymwright;

namespace {
void checkBlock(std::array<std::uint32_t, 4> counter, std::uint64_t key, std::array<std::uint32_t, 4> expected) {
  const auto block = philox4x32(counter, key);
  for (std::size_t i = 0; i < 4; ++i) CHECK_EQ(block[i], expected[i]);
}
}  // namespace

TEST("philox4x32-10 gives the published known answers") {
  checkBlock({0, 0, 0, 0}, 0, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8});
  checkBlock({~0u, ~0u, ~0u, ~0u}, ~std::uint64_t{0}, {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd});
  checkBlock({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, 0x299f31d0a4093822u,
             {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1});
}

TEST("uniform draws stay in range and have the uniform's mean and variance") {
  double sum = 0.0;
  double squares = 0.0;
  constexpr int kDraws = 100000;
  for (int episode = 0; episode < kDraws; ++episode) {
    const double x = EpisodeRng(5, static_cast<std::uint64_t>(episode)).uniform(Stream::kReset, 0, 1, 0, -1.0, 1.0);
    CHECK(x >= -1.0 && x < 1.0);
    sum += x;
    squares += x * x;
  }
  CHECK_NEAR(sum / kDraws, 0.0, 0.01);
  CHECK_NEAR(squares / kDraws, 1.0 / 3.0, 0.005);
}

TEST("below reaches every value about equally often") {
  std::array<int, 5> counts{};
  for (std::uint32_t step = 0; step < 50000; ++step) ++counts[EpisodeRng(9, 3).below(Stream::kScripted, step, 0, 0, 5)];
  for (const int count : counts) CHECK_NEAR(count, 10000, 400);
}

TEST("every part of the counter and the key changes the draw") {
  const std::uint64_t base = EpisodeRng(1, 1).bits(Stream::kReset, 1, 1, 1);
  CHECK(base != EpisodeRng(2, 1).bits(Stream::kReset, 1, 1, 1));
  CHECK(base != EpisodeRng(1, 2).bits(Stream::kReset, 1, 1, 1));
  CHECK(base != EpisodeRng(1, 1).bits(Stream::kScripted, 1, 1, 1));
  CHECK(base != EpisodeRng(1, 1).bits(Stream::kReset, 2, 1, 1));
  CHECK(base != EpisodeRng(1, 1).bits(Stream::kReset, 1, 2, 1));
  CHECK(base != EpisodeRng(1, 1).bits(Stream::kReset, 1, 1, 2));
  CHECK_EQ(base, EpisodeRng(1, 1).bits(Stream::kReset, 1, 1, 1));
}
