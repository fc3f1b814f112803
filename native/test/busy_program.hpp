#pragma once

#include <limits>

#include "probe_scenario.hpp"
#include "program_builder.hpp"

namespace gymwright::test {

/// Every section at work on the probe: memory, draws, events, bases, behaviours, lasting effects, gifts, potentials,
/// samples, and with `doesTrap` a trap in every fourth step.
inline Program busyProgram(const Scenario& probe, bool doesTrap = true) {
  ProgramBuilder b;
  b.component("gift");
  b.raw().components.push_back({"pull", 0, std::numeric_limits<double>::infinity(), true});
  b.raw().metrics.push_back({"mean", true, MetricFold::kMean});
  b.raw().memory = {0.0};
  const std::int32_t push = ProbeScenario::kPush;
  b.in(Section::kControl).add(Opcode::DECL, 0).constant(0, 1.0).add(Opcode::RANDOM, 1, 0, 0);
  b.add(Opcode::STORE, 0, 0, 1, 0).add(Opcode::BASE, push, 0, 0, 0);
  b.add(Opcode::EVENT, ProbeScenario::kLottery, 0, 0, 0).add(Opcode::EVENT, ProbeScenario::kCharge, 0, 0, 0);
  b.in(Section::kNpc).add(Opcode::DECL, 0).constant(0, 1.0).constant(1, -1.0).add(Opcode::RELATE, 2, 0, 0, 0);
  b.add(Opcode::BEHAVE, ProbeScenario::kAct, 0, 1, 0).add(Opcode::BEHAVE, ProbeScenario::kAct, 1, 1, 2);
  b.in(Section::kRules).add(Opcode::DECL, 0).constant(0, 1.01).add(Opcode::LSCALE, push, 0, 0, 0);
  b.add(Opcode::SCALE, push, 1, 0, 0);
  b.in(Section::kRewards).add(Opcode::DECL, 1).constant(0, 1.0).constant(1, 4.0).add(Opcode::SIGNAL, 2, 0);
  b.add(Opcode::RECALL, 6, 0).add(Opcode::GIVE, 0, 0, 6, 0);
  if (doesTrap) {
    b.add(Opcode::EQ, 3, 2, 1).add(Opcode::SUB, 4, 2, 1).add(Opcode::DIV, 5, 0, 4).add(Opcode::GIVE, 0, 1, 5, 3);
  }
  b.in(Section::kPotentials).add(Opcode::DECL, 1).constant(0, 1.0).add(Opcode::LOAD, 1, ProbeScenario::kEnergy, 0);
  b.add(Opcode::PHI, 1, 0, 1, 0);
  b.in(Section::kMetrics).add(Opcode::DECL, 1).constant(0, 1.0).add(Opcode::MEASURE, 0, 0, 0, 0);
  return b.build(probe);
}

}  // namespace gymwright::test
