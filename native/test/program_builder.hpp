#pragma once

#include <initializer_list>
#include <limits>
#include <string>
#include <utility>

#include "gymwright/program.hpp"
#include "gymwright/scenario.hpp"

namespace gymwright::test {

/// Writes bytecode by hand, section after section in their order; it begins in the rules.
class ProgramBuilder {
 public:
  ProgramBuilder() {
    raw_.numRegisters = 16;
    raw_.declarations = {{"first", 11}, {"second", 22}};
  }

  ProgramBuilder& add(Opcode op, std::int32_t dst, std::int32_t a = 0, std::int32_t b = 0, std::int32_t c = 0) {
    for (const std::int32_t word : {static_cast<std::int32_t>(op), dst, a, b, c}) raw_.code.push_back(word);
    if (op == Opcode::EVENT) raw_.eventKeys.push_back(static_cast<std::uint32_t>(raw_.eventKeys.size()));
    ++raw_.numInstructions[static_cast<std::size_t>(section_)];
    return *this;
  }

  ProgramBuilder& constant(std::int32_t dst, double value) {
    raw_.constants.push_back(value);
    return add(Opcode::CONST, dst, static_cast<std::int32_t>(raw_.constants.size()) - 1);
  }

  ProgramBuilder& in(Section section) {
    section_ = section;
    return *this;
  }
  ProgramBuilder& rewards() { return in(Section::kRewards); }

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
  Section section_ = Section::kRules;
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
