#include <algorithm>
#include <cmath>
#include <optional>

#include "gymwright/program.hpp"
#include "vm/opcode_table.hpp"
#include "vm/verify_tables.hpp"

namespace gymwright {
namespace {

/// One pass over the code of all sections; remembers what has been seen so far.
class Verifier {
 public:
  Verifier(const RawProgram& raw, const Manifest& manifest) : raw_(raw), manifest_(manifest) {}

  std::optional<Failure> run(Program& out) {
    for (section_ = 0; section_ < kNumSections; ++section_) {
      isWritten_.assign(static_cast<std::size_t>(raw_.numRegisters), false);
      declaration_ = -1;
      const auto length = static_cast<std::size_t>(raw_.numInstructions[static_cast<std::size_t>(section_)]);
      for (const std::size_t end = pc_ + length; pc_ < end; ++pc_) {
        if (auto failure = checkInstruction()) return failure;
        append(out);
      }
    }
    return checkEventKeys(out);
  }

 private:
  std::optional<Failure> checkEventKeys(const Program& program) const {
    const auto& control = program.section(Section::kControl).code;
    const auto numEvents = static_cast<std::size_t>(
        std::count_if(control.begin(), control.end(), [](const Instruction& i) { return i.op == Opcode::EVENT; }));
    if (numEvents == raw_.eventKeys.size()) return std::nullopt;
    return badProgram(std::to_string(raw_.eventKeys.size()) + " eventKeys for " + std::to_string(numEvents) +
                      " EVENT instructions");
  }

  std::int32_t word(std::size_t i) const { return raw_.code[pc_ * kInstructionWords + i]; }
  Opcode op() const { return static_cast<Opcode>(word(0)); }

  Failure badInstruction(const std::string& reason) const {
    const std::string name = word(0) >= 0 && word(0) < kNumOpcodes ? kOpcodes[word(0)].name : "?";
    return badProgram("instruction " + std::to_string(pc_) + " (" + name + "): " + reason);
  }

  Failure badOperand(std::size_t i, const std::string& reason) const {
    return badInstruction("operand " + std::string(kOperandNames[i]) + ": " + reason);
  }

  std::optional<Failure> checkInstruction() {
    if (word(0) < 0 || word(0) >= kNumOpcodes) return badInstruction("unknown opcode " + std::to_string(word(0)));
    if (declaration_ < 0 && op() != Opcode::DECL) return badInstruction("a section must begin with DECL");
    const int home = homeOf(op());
    if (home >= 0 && home != section_) {
      return badInstruction("it belongs to section " + std::string(kSectionNames[static_cast<std::size_t>(home)]) +
                            ", not to " + kSectionNames[static_cast<std::size_t>(section_)]);
    }
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
      case Operand::kMemory: return checkIndex(i, raw_.memory.size(), "memory word");
      case Operand::kRelation: return checkIndex(i, manifest_.relations.size(), "relation");
      case Operand::kEvent: return checkIndex(i, manifest_.events.size(), "event");
      case Operand::kBehaviour: return checkIndex(i, manifest_.behaviours.size(), "behaviour");
      case Operand::kMetric: return checkIndex(i, raw_.metrics.size(), "metric");
      case Operand::kUnused: break;
    }
    if (word(i + 1) != 0) return badOperand(i, "unused operand must be 0, not " + std::to_string(word(i + 1)));
    return std::nullopt;
  }

  std::optional<Failure> checkRead(std::size_t i) const {
    if (auto failure = checkIndex(i, isWritten_.size(), "register")) return failure;
    if (isWritten_[static_cast<std::size_t>(word(i + 1))]) return std::nullopt;
    return badOperand(i, "register " + std::to_string(word(i + 1)) + " is read before it is written in this section");
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
    if (isEffect(op())) return checkEffect();
    switch (op()) {
      case Opcode::DECL: declaration_ = word(1); return std::nullopt;
      case Opcode::LOAD: return checkApplies(1, 2);
      case Opcode::RANDOM: return checkDraw();
      case Opcode::RELATE: return checkRelation();
      case Opcode::GIVE: return checkComponent(false);
      case Opcode::PHI: return checkComponent(true);
      case Opcode::BEHAVE: return checkAgent("has no behaviour");
      case Opcode::MEASURE: return checkMetric();
      default: return std::nullopt;
    }
  }

  std::optional<Failure> checkEffect() const {
    const Attribute& attribute = manifest_.attributes[static_cast<std::size_t>(word(1))];
    if (!attribute.isWritable && !(op() == Opcode::BASE && isLive(attribute)))
      return badOperand(0, "attribute " + attribute.name + " is not writable");
    return checkApplies(0, 1);
  }

  /// Whether a regime may set an attribute by way of a parameter. One of the other kind may have the same name.
  bool isLive(const Attribute& attribute) const {
    return std::any_of(manifest_.parameters.begin(), manifest_.parameters.end(), [&](const Parameter& parameter) {
      return parameter.live && parameter.live->attribute == attribute.name &&
             std::any_of(manifest_.sets.begin(), manifest_.sets.end(), [&](const EntitySet& set) {
               return set.name == parameter.live->set && set.kind == attribute.kind;
             });
    });
  }

  /// Whether the entity is of the attribute's kind and in one of the sets it applies to.
  std::optional<Failure> checkApplies(std::size_t attributeOperand, std::size_t entityOperand) const {
    const Attribute& attribute = manifest_.attributes[static_cast<std::size_t>(word(attributeOperand + 1))];
    const std::int32_t entity = word(entityOperand + 1);
    if (manifest_.applies(attribute, entity)) return std::nullopt;
    return badOperand(entityOperand, "entity " + std::to_string(entity) + " has no attribute " + attribute.name);
  }

  std::optional<Failure> checkDraw() const {
    const double draw = raw_.constants[static_cast<std::size_t>(word(3))];
    if (draw >= 0.0 && draw < 0x1.0p32 && draw == std::floor(draw)) return std::nullopt;
    return badOperand(2, "the draw must be a whole number in 0..2^32-1");
  }

  std::optional<Failure> checkRelation() const {
    const Relation& relation = manifest_.relations[static_cast<std::size_t>(word(2))];
    if (manifest_.kindOf(word(3)) == relation.from) return std::nullopt;
    return badOperand(2, "entity " + std::to_string(word(3)) + " has no relation " + relation.name);
  }

  std::optional<Failure> checkAgent(const char* problem) const {
    if (word(2) < manifest_.numAgents) return std::nullopt;
    return badOperand(1, "entity " + std::to_string(word(2)) + " is no agent and " + problem);
  }

  std::optional<Failure> checkComponent(bool isPotential) const {
    const ShapingComponent& component = raw_.components[static_cast<std::size_t>(word(1))];
    if (component.isPotential != isPotential) {
      return badOperand(
          0, "component " + component.name +
                 (component.isPotential ? " is a potential: PHI feeds it" : " is no potential: GIVE feeds it"));
    }
    return checkAgent("has no reward");
  }

  std::optional<Failure> checkMetric() const {
    const ProgramMetric& metric = raw_.metrics[static_cast<std::size_t>(word(1))];
    if (!metric.isPerAgent && word(2) != 0) return badOperand(1, "metric " + metric.name + " is kept under agent 0");
    return checkAgent("has no metrics");
  }

  void append(Program& out) const {
    Instruction instruction{op(), word(1), word(2), word(3), word(4)};
    if (isEffect(op())) instruction.dst = slotOf(slotsFor(out), {word(1), word(2)});
    if (op() == Opcode::BEHAVE) out.hasBehaviour[static_cast<std::size_t>(word(2))] = true;
    ProgramSection& section = out.sections[static_cast<std::size_t>(section_)];
    section.code.push_back(instruction);
    section.declarations.push_back(declaration_);
  }

  std::vector<EffectSlot>& slotsFor(Program& out) const {
    if (op() == Opcode::BASE) return out.baseSlots;
    return op() >= Opcode::LSET ? out.lastingSlots : out.slots;
  }

  static std::int32_t slotOf(std::vector<EffectSlot>& slots, EffectSlot wanted) {
    const auto found = std::find_if(slots.begin(), slots.end(), [wanted](EffectSlot slot) {
      return slot.attribute == wanted.attribute && slot.entity == wanted.entity;
    });
    if (found != slots.end()) return static_cast<std::int32_t>(found - slots.begin());
    slots.push_back(wanted);
    return static_cast<std::int32_t>(slots.size() - 1);
  }

  const RawProgram& raw_;
  const Manifest& manifest_;
  std::vector<bool> isWritten_;
  std::size_t pc_ = 0;
  int section_ = 0;
  int declaration_ = -1;
};

}  // namespace

Result<Program> verify(const RawProgram& raw, const Manifest& manifest) {
  Program program;
  if (auto failure = checkTables(raw)) return *failure;
  program.hasBehaviour.assign(static_cast<std::size_t>(manifest.numAgents), false);
  if (auto failure = Verifier(raw, manifest).run(program)) return *failure;
  program.numRegisters = static_cast<int>(raw.numRegisters);
  program.constants = raw.constants;
  program.declarations = raw.declarations;
  program.components = raw.components;
  program.metrics = raw.metrics;
  program.memory = raw.memory;
  program.memoryKeys = raw.memoryKeys;
  program.eventKeys = raw.eventKeys;
  program.numRegimes = static_cast<int>(raw.numRegimes);
  program.regimeWord = static_cast<int>(raw.regimeWord);
  program.fingerprint = fingerprintOf(raw);
  return program;
}

}  // namespace gymwright
