#include "vm/binder.hpp"

#include "vm/opcode_table.hpp"

namespace gymwright {
namespace {

/// Kernel of an opcode that only computes, or null.
Kernel kernelOf(Opcode op, const Kernels& k) {
  switch (op) {
    case Opcode::ADD: return k.add;
    case Opcode::SUB: return k.subtract;
    case Opcode::MUL: return k.multiply;
    case Opcode::DIV: return k.divide;
    case Opcode::MOD: return k.modulo;
    case Opcode::MIN: return k.minimum;
    case Opcode::MAX: return k.maximum;
    case Opcode::NEG: return k.negate;
    case Opcode::ABS: return k.absolute;
    case Opcode::SQRT: return k.squareRoot;
    case Opcode::LT: return k.less;
    case Opcode::LE: return k.lessOrEqual;
    case Opcode::EQ: return k.equal;
    case Opcode::AND: return k.conjunction;
    case Opcode::OR: return k.disjunction;
    case Opcode::NOT: return k.negation;
    case Opcode::SELECT: return k.select;
    case Opcode::SET:
    case Opcode::LSET:
    case Opcode::BASE:
    case Opcode::STORE: return k.setWhere;
    case Opcode::SCALE:
    case Opcode::LSCALE: return k.scaleWhere;
    case Opcode::SHIFT:
    case Opcode::LSHIFT: return k.addWhere;
    case Opcode::GIVE:
    case Opcode::PHI: return k.giveWhere;
    default: return nullptr;
  }
}

Kernel sampleKernel(MetricFold fold, const Kernels& k) {
  switch (fold) {
    case MetricFold::kMin: return k.sampleMin;
    case MetricFold::kMax: return k.sampleMax;
    case MetricFold::kLast: return k.sampleLast;
    default: return k.sampleSum;
  }
}

Layer layerOf(Section which) {
  switch (which) {
    case Section::kControl: return Layer::kLasting;
    case Section::kNpc:
    case Section::kRules: return Layer::kBase;
    case Section::kPotentials: return Layer::kNext;
    default: return Layer::kEffective;
  }
}

class Binder {
 public:
  Binder(Section which, Workspace& workspace)
      : which_(which), w_(workspace), inputs_(which < Section::kRewards ? workspace.before : workspace.after) {
    out_.layer = layerOf(which);
    current_.assign(static_cast<std::size_t>(w_.program.numRegisters), nullptr);
    attributeTables_.assign(w_.scenario.manifest().attributes.size(), nullptr);
  }

  BoundSection run() {
    const ProgramSection& section = w_.program.section(which_);
    for (std::size_t pc = 0; pc < section.code.size(); ++pc) {
      const Instruction& i = section.code[pc];
      if (const double* lanes = known(i)) {
        current_[static_cast<std::size_t>(i.dst)] = lanes;
      } else {
        out_.code.push_back(bindOne(i, section.declarations[pc]));
      }
    }
    return std::move(out_);
  }

 private:
  const double* read(std::int32_t reg) const { return current_[static_cast<std::size_t>(reg)]; }

  /// Lanes that hold the result of an instruction already, or null.
  const double* known(const Instruction& i) {
    switch (i.op) {
      case Opcode::CONST: return w_.constant(w_.program.constants[static_cast<std::size_t>(i.a)]).data();
      case Opcode::LOAD: return attribute(i.a, i.b);
      case Opcode::SIGNAL: return inputs_.signal(i.a);
      case Opcode::MEMBER: return inputs_.member(i.a);
      case Opcode::DIST: return inputs_.distance(i.a, i.b);
      case Opcode::RELATE: return fixedRelation(i);
      case Opcode::RECALL: {
        MemoryLanes& word = w_.memory[static_cast<std::size_t>(i.a)];
        // Control is bound before the others.
        return which_ == Section::kControl || !word.isWritten ? word.before.data() : word.after.data();
      }
      default: return nullptr;
    }
  }

  /// Lanes of a relation between entities that are both known, where the section sees the attributes its inputs are
  /// loaded with.
  const double* fixedRelation(const Instruction& i) {
    const Layer loaded = which_ < Section::kRewards ? Layer::kLasting : Layer::kEffective;
    const bool isBaseLasting = out_.layer == Layer::kBase && w_.program.baseSlots.empty();
    const std::optional<double> to = w_.constantIn(read(i.c));
    if ((out_.layer != loaded && !isBaseLasting) || !to) return nullptr;
    const Manifest& manifest = w_.scenario.manifest();
    for (int e = 0; e < manifest.numEntities(); ++e) {
      const auto& wanted = manifest.relations[static_cast<std::size_t>(i.a)].to;
      if (*to == e && (!wanted || manifest.kindOf(e) == *wanted)) return inputs_.relation(i.a, i.b, e);
    }
    return nullptr;
  }

  const double* attribute(int id, int entity) {
    const std::size_t word = w_.scenario.attributeWord(id, entity);
    if (w_.scenario.addresses()[static_cast<std::size_t>(id)].isInState) return inputs_.word(static_cast<int>(word));
    if (const double* changing = w_.attributes.lanes(out_.layer, id, entity)) return changing;
    return w_.constant(w_.scenario.baseAttributes()[word]).data();
  }

  BoundInstruction bindOne(const Instruction& i, int declaration) {
    BoundInstruction bound{i.op, declaration, kernelOf(i.op, w_.kernels), nullptr, nullptr, nullptr, nullptr, 0, 0,
                           0,    nullptr};
    const auto& operands = infoOf(i.op).operands;
    const auto readOperand = [this, &operands](std::size_t at, std::int32_t value) {
      return operands[at] == Operand::kRead ? read(value) : nullptr;
    };
    bound.a = readOperand(1, i.a);
    bound.b = readOperand(2, i.b);
    bound.c = readOperand(3, i.c);
    if (operands[0] == Operand::kWrite) {
      bound.dst = target(i, bound);
      current_[static_cast<std::size_t>(i.dst)] = bound.dst;
    }
    bindRest(i, bound);
    return bound;
  }

  /// Where a result goes: to its register, or to the spare of it where the sources are looked at afterwards.
  double* target(const Instruction& i, const BoundInstruction& bound) {
    const auto reg = static_cast<std::size_t>(i.dst);
    double* lanes = w_.registers[reg].data();
    const bool isExamined = i.op == Opcode::DIV || i.op == Opcode::MOD || i.op == Opcode::SQRT;
    return isExamined && (lanes == bound.a || lanes == bound.b) ? w_.registers[current_.size() + reg].data() : lanes;
  }

  /// Operands that are no registers.
  void bindRest(const Instruction& i, BoundInstruction& bound) {
    switch (i.op) {
      case Opcode::LOADX: bound.table = attributeTable(i.a); return;
      case Opcode::DISTX:
        bound.table = pointTable();
        bound.a = inputs_.point(i.a);
        return;
      case Opcode::RANDOM:
        bound.index = i.a;
        bound.key = static_cast<std::uint32_t>(w_.program.constants[static_cast<std::size_t>(i.b)]);
        return;
      case Opcode::RELATE:
        bound.index = i.a;
        bound.entity = i.b;
        out_.readsRows = true;
        return;
      case Opcode::EVENT:
        bound.index = i.dst;
        bound.key = w_.program.eventKeys[numEvents_++];
        return;
      case Opcode::BEHAVE:
        bound.index = i.dst;
        bound.entity = i.a;
        return;
      case Opcode::FIRED: bound.dst = &w_.fireCounts[static_cast<std::size_t>(i.dst)]; return;
      case Opcode::GIVE: bound.dst = w_.give(i.dst, i.a).data(); return;
      case Opcode::PHI: bound.dst = w_.potential(i.dst, i.a).data(); return;
      case Opcode::MEASURE:
        bound.dst = w_.sample(i.dst, i.a).value.data();
        bound.kernel = sampleKernel(w_.program.metrics[static_cast<std::size_t>(i.dst)].fold, w_.kernels);
        return;
      case Opcode::STORE:
        w_.memory[static_cast<std::size_t>(i.dst)].isWritten = true;
        bound.dst = w_.memory[static_cast<std::size_t>(i.dst)].stored.data();
        return;
      default:
        if (isEffect(i.op)) bound.dst = collector(i);
        return;
    }
  }

  double* collector(const Instruction& i) {
    AttributeLanes& attributes = w_.attributes;
    const bool isLasting = i.op >= Opcode::LSET && i.op <= Opcode::LSHIFT;
    Fold& fold = i.op == Opcode::BASE ? attributes.baseFold(i.dst)
                 : isLasting          ? attributes.lastingFold(i.dst)
                                      : attributes.fold(i.dst);
    switch (i.op) {
      case Opcode::SCALE:
      case Opcode::LSCALE: fold.hasProduct = true; return fold.product.data();
      case Opcode::SHIFT:
      case Opcode::LSHIFT: fold.hasSum = true; return fold.sum.data();
      default: fold.hasSet = true; return fold.value.data();
    }
  }

  const EntityTable* attributeTable(int id) {
    const EntityTable*& known = attributeTables_[static_cast<std::size_t>(id)];
    if (known != nullptr) return known;
    const Manifest& manifest = w_.scenario.manifest();
    EntityTable table(static_cast<std::size_t>(manifest.numEntities()), nullptr);
    for (int e = 0; e < manifest.numEntities(); ++e) {
      if (manifest.applies(manifest.attributes[static_cast<std::size_t>(id)], e))
        table[static_cast<std::size_t>(e)] = attribute(id, e);
    }
    return known = &out_.tables.emplace_back(std::move(table));
  }

  const EntityTable* pointTable() {
    if (pointTable_ != nullptr) return pointTable_;
    EntityTable table;
    for (int e = 0; e < w_.scenario.manifest().numEntities(); ++e) table.push_back(inputs_.point(e));
    return pointTable_ = &out_.tables.emplace_back(std::move(table));
  }

  Section which_;
  Workspace& w_;
  Inputs& inputs_;
  BoundSection out_{};
  std::vector<const double*> current_;  ///< lanes that hold each register's value now
  std::vector<const EntityTable*> attributeTables_;  ///< [attributes] made so far, or null
  const EntityTable* pointTable_ = nullptr;
  std::size_t numEvents_ = 0;  ///< EVENT instructions bound so far
};

}  // namespace

BoundSection bind(Section which, Workspace& workspace) { return Binder(which, workspace).run(); }

}  // namespace gymwright
