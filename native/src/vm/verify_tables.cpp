#include "vm/verify_tables.hpp"

#include <bit>
#include <cmath>

#include "gymwright/rng.hpp"

namespace gymwright {
namespace {

std::string number(std::int64_t value) { return std::to_string(value); }

std::optional<Failure> checkSections(const RawProgram& raw) {
  const std::size_t words = raw.code.size();
  if (words % kInstructionWords != 0)
    return badProgram("code has " + std::to_string(words) + " words, not a multiple of 5");
  const auto count = static_cast<std::int64_t>(words / kInstructionWords);
  if (count > static_cast<std::int64_t>(kMaxInstructions))
    return badProgram(number(count) + " instructions exceed " + std::to_string(kMaxInstructions));
  std::int64_t left = count;
  for (std::size_t s = 0; s < kNumSections; ++s) {
    const std::int64_t length = raw.numInstructions[s];
    if (length < 0 || length > left) {
      return badProgram("section " + std::string(kSectionNames[s]) + " has " + number(length) +
                        " instructions, which is not in 0.." + number(left));
    }
    left -= length;
  }
  if (left != 0) return badProgram(number(left) + " instructions belong to no section");
  return std::nullopt;
}

std::optional<Failure> checkSizes(const RawProgram& raw) {
  if (raw.numRegisters < 0 || raw.numRegisters > kMaxRegisters)
    return badProgram("numRegisters " + number(raw.numRegisters) + " is not in 0.." + number(kMaxRegisters));
  if (raw.constants.size() > kMaxInstructions) return badProgram("too many constants");
  if (raw.declarations.size() > kMaxTableEntries) return badProgram("too many declarations");
  if (raw.components.size() > kMaxTableEntries) return badProgram("too many shaping components");
  if (raw.metrics.size() > kMaxTableEntries) return badProgram("too many metrics");
  if (raw.memory.size() > kMaxTableEntries) return badProgram("too many memory words");
  if (!raw.memoryKeys.empty() && raw.memoryKeys.size() != raw.memory.size())
    return badProgram(std::to_string(raw.memoryKeys.size()) + " memoryKeys for " + std::to_string(raw.memory.size()) +
                      " memory words");
  return std::nullopt;
}

std::optional<Failure> checkNumbers(const RawProgram& raw) {
  for (std::size_t i = 0; i < raw.constants.size(); ++i) {
    if (!std::isfinite(raw.constants[i])) return badProgram("constant " + std::to_string(i) + " is not finite");
  }
  for (std::size_t i = 0; i < raw.memory.size(); ++i) {
    if (!std::isfinite(raw.memory[i])) return badProgram("memory word " + std::to_string(i) + " is not finite");
  }
  return std::nullopt;
}

std::optional<Failure> checkComponents(const RawProgram& raw) {
  for (const ShapingComponent& component : raw.components) {
    const std::string where = "component " + component.name + ": ";
    if (!(component.halfLifeSteps >= 0) || std::isinf(component.halfLifeSteps))
      return badProgram(where + "halfLifeSteps must be finite and not negative");
    if (!(component.episodeLimit >= 0)) return badProgram(where + "episodeLimit must not be negative");
    if (component.isPotential && !std::isinf(component.episodeLimit))
      return badProgram(where + "a potential has no episodeLimit; scale its values instead");
  }
  return std::nullopt;
}

std::optional<Failure> checkRegimes(const RawProgram& raw) {
  const auto words = static_cast<std::int64_t>(raw.memory.size());
  if (raw.numRegimes < 0 || raw.numRegimes > static_cast<std::int64_t>(kMaxTableEntries))
    return badProgram("the number of regimes " + number(raw.numRegimes) + " is out of range");
  if (raw.regimeWord < -1 || raw.regimeWord >= words)
    return badProgram("regimeWord " + number(raw.regimeWord) + " is not in -1.." + number(words - 1));
  if ((raw.regimeWord >= 0) != (raw.numRegimes > 0))
    return badProgram("regimes and a regimeWord must be there together");
  return std::nullopt;
}

}  // namespace

std::optional<Failure> checkTables(const RawProgram& raw) {
  for (const auto check : {checkSections, checkSizes, checkNumbers, checkComponents, checkRegimes}) {
    if (auto failure = check(raw)) return failure;
  }
  return std::nullopt;
}

std::uint64_t fingerprintOf(const RawProgram& raw) {
  std::uint64_t hash = 1;
  const auto absorb = [&hash](std::uint64_t value) { hash = mix64(hash ^ value) + 0x9E3779B97F4A7C15u; };
  const auto absorbText = [&absorb](const std::string& text) {
    absorb(text.size());
    for (const char c : text) absorb(static_cast<unsigned char>(c));
  };
  for (const std::int64_t length : raw.numInstructions) absorb(static_cast<std::uint64_t>(length));
  for (const std::int32_t value : raw.code) absorb(static_cast<std::uint32_t>(value));
  for (const double value : raw.constants) absorb(std::bit_cast<std::uint64_t>(value));
  for (const double value : raw.memory) absorb(std::bit_cast<std::uint64_t>(value));
  for (const Declaration& declaration : raw.declarations) absorb(declaration.key);
  for (const std::uint32_t key : raw.memoryKeys) absorb(key);
  for (const std::uint32_t key : raw.eventKeys) absorb(key);
  absorb(static_cast<std::uint64_t>(raw.regimeWord));
  for (const ShapingComponent& component : raw.components) {
    absorbText(component.name);
    absorb(std::bit_cast<std::uint64_t>(component.halfLifeSteps));
    absorb(std::bit_cast<std::uint64_t>(component.episodeLimit));
    absorb(component.isPotential ? 1 : 0);
  }
  for (const ProgramMetric& metric : raw.metrics) {
    absorbText(metric.name);
    absorb(metric.isPerAgent ? 1 : 0);
    absorb(static_cast<std::uint64_t>(metric.fold));
  }
  return hash;
}

}  // namespace gymwright
