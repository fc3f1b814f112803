#pragma once

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "gymwright/program.hpp"
#include "gymwright/scenario.hpp"
#include "gymwright/vec_env.hpp"

namespace gymwright::test {

/// A second, slow reading of opcodes.def for one copy: undefined is an empty optional here, not a NaN.
class ReferenceEvaluator {
 public:
  using Value = std::optional<double>;

  ReferenceEvaluator(const RawProgram& raw, const Scenario& scenario) : raw_(raw), scenario_(scenario) {}

  TrapReason reason = TrapReason::kNone;
  std::map<std::pair<int, int>, double> gives;    ///< (component, agent)
  std::map<std::pair<int, int>, double> effects;  ///< (attribute, entity), effective values
  std::vector<double> fired;

  /// Runs one phase on a state with its attribute row.
  void run(bool isRules, const double* state, const double* attributes, std::int32_t step) {
    state_ = state;
    attributes_ = attributes;
    step_ = step;
    fired.assign(raw_.declarations.size(), 0.0);
    registers_.assign(static_cast<std::size_t>(raw_.numRegisters), std::nullopt);
    const auto numRules = static_cast<std::size_t>(raw_.numInstructions[2]);
    const std::size_t end = isRules ? numRules : raw_.code.size() / kInstructionWords;
    for (std::size_t pc = isRules ? 0 : numRules; pc < end; ++pc) execute(&raw_.code[pc * kInstructionWords]);
    if (isRules) fold();
  }

 private:
  struct Collected {
    Value set;
    double product = 1.0;
    double sum = 0.0;
  };

  static Value defined(double x) { return std::isnan(x) ? Value() : Value(x); }
  static bool holds(const Value& x) { return x && *x != 0.0; }

  void note(TrapReason cause) {
    if (cause_ == TrapReason::kNone) cause_ = cause;
  }

  void trap() {
    if (reason == TrapReason::kNone) reason = cause_ == TrapReason::kNone ? TrapReason::kNonfinite : cause_;
  }

  int numAgents() const { return scenario_.manifest().numAgents; }

  double attribute(int id, int entity) const {
    const bool isInState = scenario_.addresses()[static_cast<std::size_t>(id)].isInState;
    return (isInState ? state_ : attributes_)[scenario_.attributeWord(id, entity)];
  }

  Value attributeOf(int id, const Value& entity) {
    const Manifest& manifest = scenario_.manifest();
    for (int e = 0; entity && e < manifest.numEntities(); ++e) {
      if (*entity == e && manifest.applies(manifest.attributes[static_cast<std::size_t>(id)], e))
        return attribute(id, e);
    }
    note(TrapReason::kDomain);
    return std::nullopt;
  }

  double distance(int a, int b) const {
    const double* p = state_ + scenario_.positionWord(a);
    const double* q = state_ + scenario_.positionWord(b);
    return std::sqrt((p[0] - q[0]) * (p[0] - q[0]) + (p[1] - q[1]) * (p[1] - q[1]));
  }

  Value distanceTo(int a, const Value& entity) {
    if (entity && *entity == -1.0) return std::numeric_limits<double>::infinity();
    for (int e = 0; entity && e < scenario_.manifest().numEntities(); ++e) {
      if (*entity == e) return distance(a, e);
    }
    note(TrapReason::kDomain);
    return std::nullopt;
  }

  /// The opcodes that need both operands.
  Value strict(Opcode op, const Value& x, const Value& y) {
    if ((op == Opcode::DIV || op == Opcode::MOD) && y && *y == 0.0) note(TrapReason::kDivision);
    if (!x || !y) return std::nullopt;
    switch (op) {
      case Opcode::ADD: return defined(*x + *y);
      case Opcode::SUB: return defined(*x - *y);
      case Opcode::MUL: return defined(*x * *y);
      case Opcode::DIV: return *y == 0.0 ? Value() : defined(*x / *y);
      case Opcode::MOD: return *y == 0.0 ? Value() : defined(*x - *y * std::floor(*x / *y));
      case Opcode::MIN: return std::min(*x, *y);
      case Opcode::MAX: return std::max(*x, *y);
      case Opcode::LT: return *x < *y ? 1.0 : 0.0;
      case Opcode::LE: return *x <= *y ? 1.0 : 0.0;
      default: return *x == *y ? 1.0 : 0.0;
    }
  }

  static Value conjunction(const Value& x, const Value& y) {
    if ((x && *x == 0.0) || (y && *y == 0.0)) return 0.0;
    return x && y ? Value(1.0) : std::nullopt;
  }

  static Value disjunction(const Value& x, const Value& y) {
    if (holds(x) || holds(y)) return 1.0;
    return x && y ? Value(0.0) : std::nullopt;
  }

  Value root(const Value& x) {
    if (x && *x < 0.0) note(TrapReason::kDomain);
    return x && *x >= 0.0 ? Value(std::sqrt(*x)) : std::nullopt;
  }

  /// Whether an effect applies; traps where that or its value is undefined.
  bool applies(const Value& condition, const Value& value, double bound) {
    if (!condition) trap();
    if (!holds(condition)) return false;
    if (value && std::fabs(*value) <= bound) return true;
    trap();
    return false;
  }

  void execute(const std::int32_t* word) {
    const auto op = static_cast<Opcode>(word[0]);
    const auto reg = [this](std::int32_t i) -> Value& { return registers_[static_cast<std::size_t>(i)]; };
    const std::int32_t dst = word[1];
    const std::int32_t a = word[2];
    const std::int32_t b = word[3];
    const std::int32_t c = word[4];
    constexpr double kMax = std::numeric_limits<double>::max();
    switch (op) {
      case Opcode::DECL: cause_ = TrapReason::kNone; return;
      case Opcode::CONST: reg(dst) = raw_.constants[static_cast<std::size_t>(a)]; return;
      case Opcode::LOAD: reg(dst) = attribute(a, b); return;
      case Opcode::LOADX: reg(dst) = attributeOf(a, reg(b)); return;
      case Opcode::SIGNAL: reg(dst) = scenario_.signal(a, state_, step_); return;
      case Opcode::MEMBER: reg(dst) = scenario_.member(a, state_); return;
      case Opcode::NEG: reg(dst) = reg(a) ? Value(-*reg(a)) : std::nullopt; return;
      case Opcode::ABS: reg(dst) = reg(a) ? Value(std::fabs(*reg(a))) : std::nullopt; return;
      case Opcode::SQRT: reg(dst) = root(reg(a)); return;
      case Opcode::DIST: reg(dst) = distance(a, b); return;
      case Opcode::DISTX: reg(dst) = distanceTo(a, reg(b)); return;
      case Opcode::AND: reg(dst) = conjunction(reg(a), reg(b)); return;
      case Opcode::OR: reg(dst) = disjunction(reg(a), reg(b)); return;
      case Opcode::NOT: reg(dst) = reg(a) ? Value(*reg(a) == 0.0 ? 1.0 : 0.0) : std::nullopt; return;
      case Opcode::SELECT: reg(dst) = reg(a) ? (holds(reg(a)) ? reg(b) : reg(c)) : std::nullopt; return;
      case Opcode::SET:
        if (applies(reg(c), reg(b), kMax)) collected_[{dst, a}].set = reg(b);
        return;
      case Opcode::SCALE:
        if (applies(reg(c), reg(b), kMax)) collected_[{dst, a}].product *= *reg(b);
        return;
      case Opcode::SHIFT:
        if (applies(reg(c), reg(b), kMax)) collected_[{dst, a}].sum += *reg(b);
        return;
      case Opcode::GIVE:
        if (applies(reg(c), reg(b), 1e9)) gives[{dst, a}] += *reg(b);
        return;
      case Opcode::FIRED:
        if (!reg(a)) trap();
        if (holds(reg(a))) fired[static_cast<std::size_t>(dst)] += 1.0;
        return;
      default: reg(dst) = strict(op, reg(a), reg(b)); return;
    }
  }

  void fold() {
    for (const auto& [target, what] : collected_) {
      const Attribute& info = scenario_.manifest().attributes[static_cast<std::size_t>(target.first)];
      const double base = attribute(target.first, target.second);
      const double value = what.set.value_or(base) * what.product + what.sum;
      const bool isKept = reason != TrapReason::kNone || std::isnan(value);
      effects[target] = isKept ? base : std::min(std::max(value, info.min), info.max);
    }
  }

  const RawProgram& raw_;
  const Scenario& scenario_;
  const double* state_ = nullptr;
  const double* attributes_ = nullptr;
  std::int32_t step_ = 0;
  TrapReason cause_ = TrapReason::kNone;
  std::vector<Value> registers_;
  std::map<std::pair<int, int>, Collected> collected_;
};

}  // namespace gymwright::test
