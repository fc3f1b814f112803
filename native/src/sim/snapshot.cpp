#include <array>
#include <cmath>
#include <cstring>

#include "gymwright/vec_env.hpp"
#include "sim/batch.hpp"

namespace gymwright {
namespace {

/// Little-endian, followed by the state words, then the sums (returns, base, shaping).
struct SnapshotHeader {
  std::array<char, 4> magic;
  std::uint32_t version;
  std::uint64_t layout;   ///< scenario, its version and sizes
  std::uint64_t program;  ///< fingerprint
  std::uint64_t seed;
  std::uint64_t episode;
  std::int32_t step;
  std::uint32_t numWords;  ///< f64 words that follow
};

constexpr std::array<char, 4> kMagic = {'G', 'W', 'S', 'N'};
constexpr std::uint32_t kVersion = 1;
constexpr std::uint64_t kMaxEpisode = std::uint64_t{1} << 53;
constexpr std::int32_t kMaxStep = 1 << 30;

std::uint64_t layoutOf(const Batch& b) {
  const Manifest& manifest = b.scenario.manifest();
  std::uint64_t hash = 0;
  const auto absorb = [&hash](std::uint64_t word) { hash = mix64(hash ^ word) + 0x9E3779B97F4A7C15u; };
  for (const char c : manifest.name) absorb(static_cast<unsigned char>(c));
  for (const int size :
       {manifest.version, manifest.numAgents, manifest.numLandmarks, b.shape.stateWords, b.shape.numBase}) {
    absorb(static_cast<std::uint64_t>(size));
  }
  return hash;
}

Failure badSnapshot(const std::string& reason) { return {"sim.badSnapshot", "snapshot cannot be restored: " + reason}; }

/// Words without the sums of shaping components, which belong to a program.
std::size_t lastingWords(const Batch& b) {
  return Batch::at(b.shape.stateWords + b.shape.numAgents * (1 + b.shape.numBase));
}

std::optional<Failure> check(const Batch& b, const SnapshotHeader& header, std::size_t size) {
  if (header.magic != kMagic) return badSnapshot("it is not a simulator snapshot");
  if (header.version != kVersion)
    return badSnapshot("it has format version " + std::to_string(header.version) + ", this build reads " +
                       std::to_string(kVersion));
  if (header.layout != layoutOf(b)) {
    return badSnapshot("it was taken of another scenario, scenario version or number of agents than " +
                       b.scenario.manifest().name);
  }
  const std::size_t numWords = header.numWords;
  const bool isOwnProgram = header.program == b.config.program.fingerprint;
  const std::size_t least = lastingWords(b) + (isOwnProgram ? Batch::index(b.shape.numAgents, b.shape.numShaping) : 0);
  if (size != sizeof(SnapshotHeader) + numWords * sizeof(double) || numWords < least)
    return badSnapshot("it is cut short");
  if (header.episode > kMaxEpisode || header.step < 0 || header.step > kMaxStep)
    return badSnapshot("its episode or step is out of range");
  return std::nullopt;
}

std::optional<Failure> checkWords(const Batch& b, const std::vector<double>& words) {
  for (const double word : words) {
    if (!std::isfinite(word)) return badSnapshot("it holds a number that is not finite");
  }
  if (!b.scenario.isValidState(words.data()))
    return badSnapshot("its state is not one of " + b.scenario.manifest().name);
  return std::nullopt;
}

}  // namespace

std::vector<std::uint8_t> VecEnv::snapshot(int env) const {
  const Batch& b = *batch_;
  const std::size_t i = Batch::at(env);
  const std::size_t stateBytes = Batch::at(b.shape.stateWords) * sizeof(double);
  const std::size_t sumBytes = Batch::at(b.shape.sumWords) * sizeof(double);
  const SnapshotHeader header{
      kMagic,     kVersion,      layoutOf(b), b.config.program.fingerprint,
      b.seeds[i], b.episodes[i], b.steps[i],  static_cast<std::uint32_t>(b.shape.stateWords + b.shape.sumWords)};
  std::vector<std::uint8_t> bytes(sizeof(header) + stateBytes + sumBytes);
  std::memcpy(bytes.data(), &header, sizeof(header));
  std::memcpy(bytes.data() + sizeof(header), b.state(env), stateBytes);
  std::memcpy(bytes.data() + sizeof(header) + stateBytes, b.sumRow(env), sumBytes);
  return bytes;
}

std::optional<Failure> VecEnv::restore(int env, const std::uint8_t* bytes, std::size_t size) {
  Batch& b = *batch_;
  SnapshotHeader header{};
  if (size < sizeof(header)) return badSnapshot("it is cut short");
  std::memcpy(&header, bytes, sizeof(header));
  if (auto failure = check(b, header, size)) return failure;
  std::vector<double> words(header.numWords);
  std::memcpy(words.data(), bytes + sizeof(header), size - sizeof(header));
  if (auto failure = checkWords(b, words)) return failure;

  const std::size_t i = Batch::at(env);
  b.seeds[i] = header.seed;
  b.episodes[i] = header.episode;
  b.steps[i] = header.step;
  std::memcpy(b.state(env), words.data(), Batch::at(b.shape.stateWords) * sizeof(double));
  const bool isOwnProgram = header.program == b.config.program.fingerprint;
  const std::size_t lasting = lastingWords(b) - Batch::at(b.shape.stateWords);
  const std::size_t kept = isOwnProgram ? Batch::at(b.shape.sumWords) : lasting;
  double* sums = b.sumRow(env);
  for (std::size_t w = 0; w < Batch::at(b.shape.sumWords); ++w)
    sums[w] = w < kept ? words[Batch::at(b.shape.stateWords) + w] : 0.0;
  b.writeOutputs(env);
  return std::nullopt;
}

}  // namespace gymwright
