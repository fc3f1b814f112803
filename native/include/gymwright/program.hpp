#pragma once

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

/// A rule or reward of the environment's text, as the program names it.
struct Declaration {
  std::string name;
};

/// One shaping component: what rewards give to.
struct ShapingComponent {
  std::string name;
  double halfLifeSteps;  ///< training steps in which the weight halves; 0 = no decay
  double episodeLimit;   ///< bound of |sum over the episode| per agent; infinity = none
};

/// Straight-line bytecode as it comes from outside: not to be trusted before `verify`.
struct RawProgram {
  std::vector<std::int32_t> code;  ///< kInstructionWords per instruction, rules first
  std::int64_t numRuleInstructions = 0;
  std::int64_t numRegisters = 0;
  std::vector<double> constants;
  std::vector<Declaration> declarations;
  std::vector<ShapingComponent> components;
};

/// One (attribute, entity) pair that the rules write.
struct EffectSlot {
  int attribute;
  int entity;
};

/// A verified program: every operand is in range, every register is written before it is read, and each phase holds
/// only what belongs there. Only `verify` makes one with instructions.
struct Program {
  std::vector<Instruction> rules;
  std::vector<Instruction> rewards;
  std::vector<int> ruleDeclarations;    ///< declaration of each rules instruction
  std::vector<int> rewardDeclarations;  ///< declaration of each rewards instruction
  int numRegisters = 0;
  std::vector<double> constants;
  std::vector<Declaration> declarations;
  std::vector<ShapingComponent> components;
  std::vector<EffectSlot> slots;  ///< distinct pairs written; effects carry the slot's index in dst
  std::uint64_t fingerprint = 0;  ///< of the code, constants and components; 0 for the empty program
};

/// Bounds of what `verify` accepts.
inline constexpr std::size_t kMaxInstructions = 1u << 16;
inline constexpr std::int64_t kMaxRegisters = 1 << 12;
inline constexpr std::size_t kMaxTableEntries = 1u << 12;

/// Checks a program against the scenario's manifest.
/// Throws: never; a refusal is code vm.badProgram and names the instruction and the operand.
Result<Program> verify(const RawProgram& raw, const Manifest& manifest);

}  // namespace gymwright
