#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "gymwright/manifest.hpp"
#include "gymwright/result.hpp"

namespace gymwright {

/// Opcodes in the order of opcodes.def.
enum class Opcode : std::int32_t {
#define X(name, dst, a, b, c) name,
#include "gymwright/opcodes.def"
#undef X
};

/// One instruction; the operand kinds of each opcode stand in opcodes.def.
struct Instruction {
  Opcode op;
  std::int32_t dst;
  std::int32_t a;
  std::int32_t b;
  std::int32_t c;
};

inline constexpr std::size_t kInstructionWords = 5;

/// The parts of a program in the order of its code and of a step: control, npc and rules read the state a step starts
/// from, the others the state it leads to.
enum class Section { kControl, kNpc, kRules, kRewards, kPotentials, kMetrics };
inline constexpr int kNumSections = 6;
inline constexpr std::array<const char*, kNumSections> kSectionNames = {"control", "npc",        "rules",
                                                                        "rewards", "potentials", "metrics"};

/// Something the environment's text declares, as the program names it.
struct Declaration {
  std::string name;
  std::uint32_t key = 0;  ///< keys its RANDOM draws
};

/// One shaping component: what rewards give to, or a potential whose differences are given.
struct ShapingComponent {
  std::string name;
  double halfLifeSteps;      ///< training steps in which the weight halves; 0 = no decay
  double episodeLimit;       ///< bound of |sum over the episode| per agent; infinity = none, as for every potential
  bool isPotential = false;  ///< PHI feeds it, GIVE the others
};

enum class MetricFold { kMean, kSum, kMin, kMax, kLast };

/// A metric the text declares: how an episode's samples become its value.
struct ProgramMetric {
  std::string name;
  bool isPerAgent;
  MetricFold fold;
};

/// Straight-line bytecode as it comes from outside: not to be trusted before `verify`.
struct RawProgram {
  std::vector<std::int32_t> code;  ///< kInstructionWords per instruction, section after section
  std::array<std::int64_t, kNumSections> numInstructions{};  ///< of each section
  std::int64_t numRegisters = 0;
  std::vector<double> constants;
  std::vector<Declaration> declarations;
  std::vector<ShapingComponent> components;
  std::vector<ProgramMetric> metrics;
  std::vector<double> memory;  ///< what each memory word of a copy holds when an episode begins
  std::vector<std::uint32_t> memoryKeys;  ///< of each memory word: what it is known by to other programs; empty: nothing
  std::vector<std::uint32_t> eventKeys;  ///< of each EVENT in code order: keys what the scenario draws for it
  std::int64_t numRegimes = 0;
  std::int64_t regimeWord = -1;  ///< memory word that holds the index of the regime; -1 = there are none
};

/// One (attribute, entity) pair that a program writes.
struct EffectSlot {
  int attribute;
  int entity;
};

/// The instructions of one section and the declaration of each.
struct ProgramSection {
  std::vector<Instruction> code;
  std::vector<int> declarations;
};

/// A verified program: every operand is in range, every register is written before it is read, and each section holds
/// only what belongs there. Only `verify` makes one with instructions.
struct Program {
  std::array<ProgramSection, kNumSections> sections;
  int numRegisters = 0;
  std::vector<double> constants;
  std::vector<Declaration> declarations;
  std::vector<ShapingComponent> components;
  std::vector<ProgramMetric> metrics;
  std::vector<double> memory;
  std::vector<std::uint32_t> memoryKeys;  ///< of each memory word, or empty
  std::vector<std::uint32_t> eventKeys;  ///< of each EVENT in code order
  int numRegimes = 0;
  int regimeWord = -1;
  // Distinct pairs written; the instructions that write them carry the slot's index in dst.
  std::vector<EffectSlot> slots;         ///< SET, SCALE, SHIFT
  std::vector<EffectSlot> lastingSlots;  ///< LSET, LSCALE, LSHIFT
  std::vector<EffectSlot> baseSlots;     ///< BASE
  std::vector<bool> hasBehaviour;        ///< per agent: a BEHAVE plays it
  std::uint64_t fingerprint = 0;         ///< of everything that decides what it does; 0 for the empty program

  const ProgramSection& section(Section which) const { return sections[static_cast<std::size_t>(which)]; }
  bool has(Section which) const { return !section(which).code.empty(); }
};

/// Bounds of what `verify` accepts.
inline constexpr std::size_t kMaxInstructions = 1u << 16;
inline constexpr std::int64_t kMaxRegisters = 1 << 12;
inline constexpr std::size_t kMaxTableEntries = 1u << 12;

/// Checks a program against the scenario's manifest.
/// Throws: never; a refusal is code vm.badProgram and names the instruction and the operand.
Result<Program> verify(const RawProgram& raw, const Manifest& manifest);

}  // namespace gymwright
