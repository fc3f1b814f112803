#pragma once

#include <initializer_list>
#include <limits>
#include <string>
#include <utility>

#include "gymwright/program.hpp"
#include "gymwright/scenario.hpp"

namespace gymwright::test {

/// Writes bytecode by hand. Rules come first; call rewards() before the first reward instruction.
class ProgramBuilder {
 public:
  ProgramBuilder() {
    raw_.numRegisters = 16;
    raw_.declarations = {{"first"}, {"second"}};
  }

  ProgramBuilder& add(Opcode op, std::int32_t dst, std::int32_t a = 0, std::int32_t b = 0, std::int32_t c = 0) {
    for (const std::int32_t word : {static_cast<std::int32_t>(op), dst, a, b, c}) raw_.code.push_back(word);
    if (isInRules_) ++raw_.numRuleInstructions;
    return *this;
  }

  ProgramBuilder& constant(std::int32_t dst, double value) {
    raw_.constants.push_back(value);
    return add(Opcode::CONST, dst, static_cast<std::int32_t>(raw_.constants.size()) - 1);
  }

  ProgramBuilder& rewards() {
    isInRules_ = false;
    return *this;
  }

  ProgramBuilder& component(std::string name, double halfLife = 0,
                            double limit = std::numeric_limits<double>::infinity()) {
    raw_.components.push_back({std::move(name), halfLife, limit});
    return *this;
  }

  RawProgram& raw() { return raw_; }

  /// Requires: the program passes.
  Program build(const Scenario& scenario) const {
    auto verified = verify(raw_, scenario.manifest());
    return verified ? verified.value() : Program{};
  }

 private:
  RawProgram raw_;
  bool isInRules_ = true;
};

/// Id of an attribute. Requires: it exists.
inline std::int32_t attributeId(const Scenario& scenario, EntityKind kind, const std::string& name) {
  const auto& attributes = scenario.manifest().attributes;
  for (std::size_t i = 0; i < attributes.size(); ++i) {
    if (attributes[i].kind == kind && attributes[i].name == name) return static_cast<std::int32_t>(i);
  }
  return -1;
}

}  // namespace gymwright::test
