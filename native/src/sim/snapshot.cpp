#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include "gymwright/vec_env.hpp"
#include "sim/batch.hpp"

namespace gymwright {
namespace {

/// Little-endian, followed by the state words, the sums (returns, base components), what the program keeps, and what
/// those of its words are known by that other programs may have too.
struct SnapshotHeader {
  std::array<char, 4> magic;
  std::uint32_t version;
  std::uint64_t layout;   ///< scenario, its version and sizes
  std::uint64_t program;  ///< fingerprint
  std::uint64_t seed;
  std::uint64_t episode;
  std::int32_t step;
  std::uint32_t numWords;     ///< f64 words that follow
  std::uint32_t firstShared;  ///< among the words of the program
  std::uint32_t numShared;
};

constexpr std::array<char, 4> kMagic = {'G', 'W', 'S', 'N'};
constexpr std::uint32_t kVersion = 3;
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

/// Words that do not belong to a program.
std::size_t commonWords(const Batch& b) { return Batch::at(b.shape.stateWords + b.shape.sumWords); }

bool isOfProgram(const Batch& b, const SnapshotHeader& header) {
  return header.program == b.config.program.fingerprint;
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
  const std::size_t shared = header.numShared;
  const std::size_t kept = isOfProgram(b, header) ? Batch::at(b.words.size()) : header.firstShared + shared;
  if (size != sizeof(SnapshotHeader) + numWords * sizeof(double) || numWords < commonWords(b) + kept + shared)
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

/// Gives the words that another program kept to those of this one that are known by the same.
void carryOver(Batch& b, int env, const SnapshotHeader& header, const std::vector<double>& words) {
  const auto values = words.begin() + static_cast<std::ptrdiff_t>(commonWords(b) + header.firstShared);
  const auto keys = words.end() - static_cast<std::ptrdiff_t>(header.numShared);
  const std::vector<double>& own = b.words.sharedKeys();
  for (std::size_t w = 0; w < own.size(); ++w) {
    const auto found = own[w] < 0 ? words.end() : std::find(keys, words.end(), own[w]);
    if (found != words.end()) b.words.at(env, b.words.firstShared() + static_cast<int>(w)) = values[found - keys];
  }
}

}  // namespace

std::vector<std::uint8_t> VecEnv::snapshot(int env) const {
  const Batch& b = *batch_;
  const std::size_t i = Batch::at(env);
  std::vector<double> words(b.state(env), b.state(env) + b.shape.stateWords);
  words.insert(words.end(), b.sumRow(env), b.sumRow(env) + b.shape.sumWords);
  for (int w = 0; w < b.words.size(); ++w) words.push_back(b.words.at(env, w));
  const std::vector<double>& keys = b.words.sharedKeys();
  words.insert(words.end(), keys.begin(), keys.end());
  const SnapshotHeader header{kMagic,
                              kVersion,
                              layoutOf(b),
                              b.config.program.fingerprint,
                              b.seeds[i],
                              b.episodes[i],
                              b.steps[i],
                              static_cast<std::uint32_t>(words.size()),
                              static_cast<std::uint32_t>(b.words.firstShared()),
                              static_cast<std::uint32_t>(keys.size())};
  std::vector<std::uint8_t> bytes(sizeof(header) + words.size() * sizeof(double));
  std::memcpy(bytes.data(), &header, sizeof(header));
  std::memcpy(bytes.data() + sizeof(header), words.data(), words.size() * sizeof(double));
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
  const auto sums = words.begin() + b.shape.stateWords;
  std::copy(words.begin(), sums, b.state(env));
  std::copy_n(sums, b.shape.sumWords, b.sumRow(env));
  b.words.begin(env);
  if (isOfProgram(b, header)) {
    for (int w = 0; w < b.words.size(); ++w) b.words.at(env, w) = words[commonWords(b) + Batch::at(w)];
  } else {
    carryOver(b, env, header, words);
    std::array<bool, kLanes> isNew{};
    isNew[i % kLanes] = true;
    const int first = env - env % kLanes;
    b.valuePotentials(first, std::min(kLanes, b.shape.numEnvs - first), isNew.data());
  }
  b.writeOutputs(env, 1);
  b.out.regimes[env] = b.regimeOf(env);
  return std::nullopt;
}

}  // namespace gymwright
