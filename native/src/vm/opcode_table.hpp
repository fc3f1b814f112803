#pragma once

#include <array>
#include <cstdint>
#include <iterator>

#include "gymwright/program.hpp"

namespace gymwright {

/// What an operand of opcodes.def refers to.
enum class Operand : char {
  kRead = 'r',
  kWrite = 'w',
  kConstant = 'k',
  kAttribute = 'A',
  kEntity = 'E',
  kSignal = 'S',
  kMember = 'M',
  kComponent = 'C',
  kDeclaration = 'D',
  kMemory = 'P',
  kRelation = 'R',
  kEvent = 'V',
  kBehaviour = 'B',
  kMetric = 'Q',
  kUnused = '-',
};

struct OpcodeInfo {
  const char* name;
  std::array<Operand, 4> operands;  ///< dst, a, b, c
};

inline constexpr OpcodeInfo kOpcodes[] = {
#define X(name, dst, a, b, c) {#name, {Operand(#dst[0]), Operand(#a[0]), Operand(#b[0]), Operand(#c[0])}},
#include "gymwright/opcodes.def"
#undef X
};
inline constexpr std::int32_t kNumOpcodes = static_cast<std::int32_t>(std::size(kOpcodes));
inline constexpr std::array<const char*, 4> kOperandNames = {"dst", "a", "b", "c"};

inline const OpcodeInfo& infoOf(Opcode op) { return kOpcodes[static_cast<std::int32_t>(op)]; }

/// The one section an opcode belongs to, or -1 where it belongs to every one.
inline int homeOf(Opcode op) {
  switch (op) {
    case Opcode::BASE:
    case Opcode::STORE:
    case Opcode::EVENT: return static_cast<int>(Section::kControl);
    case Opcode::BEHAVE: return static_cast<int>(Section::kNpc);
    case Opcode::SET:
    case Opcode::SCALE:
    case Opcode::SHIFT:
    case Opcode::LSET:
    case Opcode::LSCALE:
    case Opcode::LSHIFT: return static_cast<int>(Section::kRules);
    case Opcode::GIVE: return static_cast<int>(Section::kRewards);
    case Opcode::PHI: return static_cast<int>(Section::kPotentials);
    case Opcode::MEASURE: return static_cast<int>(Section::kMetrics);
    default: return -1;
  }
}

/// Whether an opcode writes an attribute of an entity (dst, a).
inline bool isEffect(Opcode op) { return op == Opcode::BASE || (op >= Opcode::SET && op <= Opcode::LSHIFT); }

}  // namespace gymwright
