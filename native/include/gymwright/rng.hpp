#pragma once

#include <array>
#include <cstdint>

namespace gymwright {

/// One round function of Philox4x32-10 applied ten times: 128 counter bits and 64 key bits to 128 random bits.
/// Source: Salmon et al., "Parallel random numbers: as easy as 1, 2, 3" (SC 2011), section 3.3.
inline std::array<std::uint32_t, 4> philox4x32(std::array<std::uint32_t, 4> counter, std::uint64_t key) {
  constexpr std::uint64_t kMultiplier0 = 0xD2511F53u;
  constexpr std::uint64_t kMultiplier1 = 0xCD9E8D57u;
  auto key0 = static_cast<std::uint32_t>(key);
  auto key1 = static_cast<std::uint32_t>(key >> 32);
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t product0 = kMultiplier0 * counter[0];
    const std::uint64_t product1 = kMultiplier1 * counter[2];
    counter = {static_cast<std::uint32_t>(product1 >> 32) ^ counter[1] ^ key0, static_cast<std::uint32_t>(product1),
               static_cast<std::uint32_t>(product0 >> 32) ^ counter[3] ^ key1, static_cast<std::uint32_t>(product0)};
    key0 += 0x9E3779B9u;
    key1 += 0xBB67AE85u;
  }
  return counter;
}

/// Finaliser of SplitMix64: a bijection of 64-bit words that spreads every input bit.
inline std::uint64_t mix64(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
  return x ^ (x >> 31);
}

/// Who draws. A new consumer gets a new number, so it shifts nobody else's draws.
enum class Stream : std::uint32_t { kReset = 1, kScripted = 2, kEvent = 3, kProgram = 4 };

/// Random numbers of one episode. A draw is a pure function of (seed, episode, stream, step, entity, draw): it
/// depends neither on the number of copies nor on what was drawn before.
class EpisodeRng {
 public:
  EpisodeRng(std::uint64_t seed, std::uint64_t episode) : key_(mix64(seed ^ mix64(episode + 0x9E3779B97F4A7C15u))) {}

  /// The Philox key of the episode.
  std::uint64_t key() const { return key_; }

  std::uint64_t bits(Stream stream, std::uint32_t step, std::uint32_t entity, std::uint32_t draw) const {
    const auto block = philox4x32({draw, entity, step, static_cast<std::uint32_t>(stream)}, key_);
    return (static_cast<std::uint64_t>(block[1]) << 32) | block[0];
  }

  /// Uniform in [low, high).
  double uniform(Stream stream, std::uint32_t step, std::uint32_t entity, std::uint32_t draw, double low,
                 double high) const {
    const double unit = static_cast<double>(bits(stream, step, entity, draw) >> 11) * 0x1.0p-53;
    return low + (high - low) * unit;
  }

  /// Uniform in 0..count-1, free of modulo bias to within count / 2^32.
  /// Requires: count >= 1.
  std::uint32_t below(Stream stream, std::uint32_t step, std::uint32_t entity, std::uint32_t draw,
                      std::uint32_t count) const {
    const std::uint64_t high = bits(stream, step, entity, draw) >> 32;
    return static_cast<std::uint32_t>((high * count) >> 32);
  }

 private:
  std::uint64_t key_;
};

}  // namespace gymwright
