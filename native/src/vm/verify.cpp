#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <optional>

#include "gymwright/program.hpp"
#include "gymwright/rng.hpp"

namespace gymwright {
namespace {

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
  kUnused = '-',
};

struct OpcodeInfo {
  const char* name;
  std::array<Operand, 4> operands;
};

constexpr OpcodeInfo kOpcodes[] = {
#define X(name, dst, a, b, c) {#name, {Operand(#dst[0]), Operand(#a[0]), Operand(#b[0]), Operand(#c[0])}},
#include "gymwright/opcodes.def"
#undef X
};
constexpr std::int32_t kNumOpcodes = static_cast<std::int32_t>(std::size(kOpcodes));
constexpr std::array<const char*, 4> kOperandNames = {"dst", "a", "b", "c"};

bool isRulesOnly(Opcode op) { return op == Opcode::SET || op == Opcode::SCALE || op == Opcode::SHIFT; }

Failure bad(const std::string& reason) { return {"vm.badProgram", "bad program: " + reason}; }

/// One pass over the code of both phases; remembers what has been seen so far.
class Verifier {
 public:
  Verifier(const RawProgram& raw, const Manifest& manifest) : raw_(raw), manifest_(manifest) {}

  std::optional<Failure> run(Program& out) {
    if (auto failure = checkTables()) return failure;
    const std::size_t count = raw_.code.size() / kInstructionWords;
    const auto numRules = static_cast<std::size_t>(raw_.numRuleInstructions);
    for (pc_ = 0; pc_ < count; ++pc_) {
      if (pc_ == 0 || pc_ == numRules) startPhase();
      isRules_ = pc_ < numRules;
      if (auto failure = checkInstruction()) return failure;
      append(out);
    }
    return std::nullopt;
  }

 private:
  std::optional<Failure> checkTables() const {
    const std::size_t words = raw_.code.size();
    if (words % kInstructionWords != 0) return bad("code has " + std::to_string(words) + " words, not a multiple of 5");
    const std::size_t count = words / kInstructionWords;
    if (count > kMaxInstructions)
      return bad(std::to_string(count) + " instructions exceed " + std::to_string(kMaxInstructions));
    if (raw_.numRuleInstructions < 0 || static_cast<std::uint64_t>(raw_.numRuleInstructions) > count) {
      return bad("numRuleInstructions " + std::to_string(raw_.numRuleInstructions) + " is not in 0.." +
                 std::to_string(count));
    }
    if (raw_.numRegisters < 0 || raw_.numRegisters > kMaxRegisters) {
      return bad("numRegisters " + std::to_string(raw_.numRegisters) + " is not in 0.." +
                 std::to_string(kMaxRegisters));
    }
    if (raw_.constants.size() > kMaxInstructions) return bad("too many constants");
    if (raw_.declarations.size() > kMaxTableEntries) return bad("too many declarations");
    if (raw_.components.size() > kMaxTableEntries) return bad("too many shaping components");
    return checkValues();
  }

  std::optional<Failure> checkValues() const {
    for (std::size_t i = 0; i < raw_.constants.size(); ++i) {
      if (!std::isfinite(raw_.constants[i])) return bad("constant " + std::to_string(i) + " is not finite");
    }
    for (const ShapingComponent& component : raw_.components) {
      if (!(component.halfLifeSteps >= 0) || std::isinf(component.halfLifeSteps)) {
        return bad("component " + component.name + ": halfLifeSteps must be finite and not negative");
      }
      if (!(component.episodeLimit >= 0))
        return bad("component " + component.name + ": episodeLimit must not be negative");
    }
    return std::nullopt;
  }

  void startPhase() {
    isWritten_.assign(static_cast<std::size_t>(raw_.numRegisters), false);
    declaration_ = -1;
  }

  std::int32_t word(std::size_t i) const { return raw_.code[pc_ * kInstructionWords + i]; }
  Opcode op() const { return static_cast<Opcode>(word(0)); }

  Failure badInstruction(const std::string& reason) const {
    const std::string name = word(0) >= 0 && word(0) < kNumOpcodes ? kOpcodes[word(0)].name : "?";
    return bad("instruction " + std::to_string(pc_) + " (" + name + "): " + reason);
  }

  Failure badOperand(std::size_t i, const std::string& reason) const {
    return badInstruction("operand " + std::string(kOperandNames[i]) + ": " + reason);
  }

  std::optional<Failure> checkInstruction() {
    if (word(0) < 0 || word(0) >= kNumOpcodes) return badInstruction("unknown opcode " + std::to_string(word(0)));
    if (declaration_ < 0 && op() != Opcode::DECL) return badInstruction("a phase must begin with DECL");
    if (isRules_ && op() == Opcode::GIVE) return badInstruction("GIVE belongs to the rewards phase");
    if (!isRules_ && isRulesOnly(op())) return badInstruction("effects on attributes belong to the rules phase");
    // Reads are checked before the write, so that r1 = r1 + r2 needs r1 beforehand.
    for (const std::size_t i : {1u, 2u, 3u, 0u}) {
      if (auto failure = checkOperand(i)) return failure;
    }
    return checkMeaning();
  }

  std::optional<Failure> checkIndex(std::size_t i, std::size_t size, const char* what) const {
    const std::int32_t value = word(i + 1);
    if (value >= 0 && static_cast<std::size_t>(value) < size) return std::nullopt;
    return badOperand(i, std::string(what) + " " + std::to_string(value) + " is out of range (there are " +
                             std::to_string(size) + ")");
  }

  std::optional<Failure> checkOperand(std::size_t i) {
    switch (kOpcodes[word(0)].operands[i]) {
      case Operand::kRead: return checkRead(i);
      case Operand::kWrite: return checkWrite(i);
      case Operand::kConstant: return checkIndex(i, raw_.constants.size(), "constant");
      case Operand::kAttribute: return checkIndex(i, manifest_.attributes.size(), "attribute");
      case Operand::kEntity: return checkIndex(i, static_cast<std::size_t>(manifest_.numEntities()), "entity");
      case Operand::kSignal: return checkIndex(i, manifest_.signals.size(), "signal");
      case Operand::kMember: return checkMember(i);
      case Operand::kComponent: return checkIndex(i, raw_.components.size(), "shaping component");
      case Operand::kDeclaration: return checkIndex(i, raw_.declarations.size(), "declaration");
      case Operand::kUnused: break;
    }
    if (word(i + 1) != 0) return badOperand(i, "unused operand must be 0, not " + std::to_string(word(i + 1)));
    return std::nullopt;
  }

  std::optional<Failure> checkRead(std::size_t i) const {
    if (auto failure = checkIndex(i, isWritten_.size(), "register")) return failure;
    if (isWritten_[static_cast<std::size_t>(word(i + 1))]) return std::nullopt;
    return badOperand(i, "register " + std::to_string(word(i + 1)) + " is read before it is written in this phase");
  }

  std::optional<Failure> checkWrite(std::size_t i) {
    if (auto failure = checkIndex(i, isWritten_.size(), "register")) return failure;
    isWritten_[static_cast<std::size_t>(word(i + 1))] = true;
    return std::nullopt;
  }

  std::optional<Failure> checkMember(std::size_t i) const {
    if (auto failure = checkIndex(i, manifest_.sets.size(), "set")) return failure;
    const EntitySet& set = manifest_.sets[static_cast<std::size_t>(word(i + 1))];
    if (set.isDynamic) return std::nullopt;
    return badOperand(i, "set " + set.name + " is not dynamic: its members are known beforehand");
  }

  /// What the operand kinds alone cannot say.
  std::optional<Failure> checkMeaning() {
    if (op() == Opcode::DECL) declaration_ = word(1);
    if (op() == Opcode::LOAD) return checkKind(1, 2);
    if (op() == Opcode::GIVE && word(2) >= manifest_.numAgents) {
      return badOperand(1, "entity " + std::to_string(word(2)) + " is no agent and has no reward");
    }
    if (!isRulesOnly(op())) return std::nullopt;
    const Attribute& attribute = manifest_.attributes[static_cast<std::size_t>(word(1))];
    if (!attribute.isWritable) return badOperand(0, "attribute " + attribute.name + " is not writable");
    return checkKind(0, 1);
  }

  std::optional<Failure> checkKind(std::size_t attributeOperand, std::size_t entityOperand) const {
    const Attribute& attribute = manifest_.attributes[static_cast<std::size_t>(word(attributeOperand + 1))];
    const std::int32_t entity = word(entityOperand + 1);
    const EntityKind kind = entity < manifest_.numAgents ? EntityKind::kAgent : EntityKind::kLandmark;
    if (kind == attribute.kind) return std::nullopt;
    return badOperand(entityOperand, "entity " + std::to_string(entity) + " has no attribute " + attribute.name);
  }

  void append(Program& out) const {
    Instruction instruction{op(), word(1), word(2), word(3), word(4)};
    if (isRulesOnly(op())) instruction.dst = slotOf(out, {word(1), word(2)});
    (isRules_ ? out.rules : out.rewards).push_back(instruction);
    (isRules_ ? out.ruleDeclarations : out.rewardDeclarations).push_back(declaration_);
  }

  static std::int32_t slotOf(Program& out, EffectSlot wanted) {
    for (std::size_t i = 0; i < out.slots.size(); ++i) {
      if (out.slots[i].attribute == wanted.attribute && out.slots[i].entity == wanted.entity)
        return static_cast<std::int32_t>(i);
    }
    out.slots.push_back(wanted);
    return static_cast<std::int32_t>(out.slots.size() - 1);
  }

  const RawProgram& raw_;
  const Manifest& manifest_;
  std::vector<bool> isWritten_;
  std::size_t pc_ = 0;
  int declaration_ = -1;
  bool isRules_ = true;
};

std::uint64_t fingerprintOf(const RawProgram& raw) {
  std::uint64_t hash = mix64(static_cast<std::uint64_t>(raw.numRuleInstructions) + 1);
  const auto absorb = [&hash](std::uint64_t value) { hash = mix64(hash ^ value) + 0x9E3779B97F4A7C15u; };
  for (const std::int32_t value : raw.code) absorb(static_cast<std::uint32_t>(value));
  for (const double value : raw.constants) absorb(std::bit_cast<std::uint64_t>(value));
  for (const ShapingComponent& component : raw.components) {
    for (const char c : component.name) absorb(static_cast<unsigned char>(c));
    absorb(std::bit_cast<std::uint64_t>(component.halfLifeSteps));
    absorb(std::bit_cast<std::uint64_t>(component.episodeLimit));
  }
  return hash;
}

}  // namespace

Result<Program> verify(const RawProgram& raw, const Manifest& manifest) {
  Program program;
  if (auto failure = Verifier(raw, manifest).run(program)) return *failure;
  program.numRegisters = static_cast<int>(raw.numRegisters);
  program.constants = raw.constants;
  program.declarations = raw.declarations;
  program.components = raw.components;
  program.fingerprint = fingerprintOf(raw);
  return program;
}

}  // namespace gymwright
