#include <array>

#include "check.hpp"
#include "probe_scenario.hpp"
#include "program_builder.hpp"
#include "test_env.hpp"

using namespace gymwright;
using namespace gymwright::test;

namespace {

const Scenario& spread() {
  static const auto scenario = scenarioOf("simple_spread");
  return *scenario;
}

const Scenario& adversary() {
  static const auto scenario = scenarioOf("simple_adversary");
  return *scenario;
}

const std::int32_t kAccel = attributeId(spread(), EntityKind::kAgent, "accel");
const std::int32_t kAgentX = attributeId(spread(), EntityKind::kAgent, "x");

ProgramBuilder rules() {
  ProgramBuilder builder;
  builder.component("bonus").add(Opcode::DECL, 0).constant(0, 1.0);
  return builder;
}

std::string reasonOf(const RawProgram& raw, const Scenario& scenario = spread()) {
  const auto verified = verify(raw, scenario.manifest());
  return verified ? "" : verified.failure().message;
}

void checkRefused(ProgramBuilder builder, const std::string& part, const Scenario& scenario = spread()) {
  const std::string reason = reasonOf(builder.raw(), scenario);
  if (reason.find(part) == std::string::npos) fail(__FILE__, __LINE__, "\"", reason, "\" does not say \"", part, "\"");
}

/// A valid program that uses every opcode.
ProgramBuilder completeProgram() {
  ProgramBuilder b;
  b.component("bonus", 1000, 2.0).add(Opcode::DECL, 0).constant(0, 0.5);
  b.add(Opcode::LOAD, 1, kAgentX, 0).add(Opcode::LOADX, 2, kAgentX, 0).add(Opcode::SIGNAL, 3, 1);
  const Opcode binary[] = {Opcode::ADD, Opcode::SUB, Opcode::MUL, Opcode::DIV, Opcode::MIN, Opcode::MAX,
                           Opcode::LT,  Opcode::LE,  Opcode::EQ,  Opcode::AND, Opcode::OR};
  for (const Opcode op : binary) b.add(op, 4, 0, 1);
  for (const Opcode op : {Opcode::NEG, Opcode::ABS, Opcode::SQRT, Opcode::NOT}) b.add(op, 5, 1);
  b.add(Opcode::DIST, 6, 0, 4).add(Opcode::DISTX, 7, 1, 0).add(Opcode::SELECT, 8, 4, 6, 0);
  for (const Opcode op : {Opcode::SET, Opcode::SCALE, Opcode::SHIFT}) b.add(op, kAccel, 2, 0, 4);
  b.add(Opcode::FIRED, 0, 4).rewards().add(Opcode::DECL, 1).add(Opcode::DIST, 0, 0, 5).constant(1, 1.0);
  return b.add(Opcode::LT, 2, 0, 1).add(Opcode::GIVE, 0, 1, 0, 2).add(Opcode::FIRED, 1, 2);
}

/// Tables that every section's opcodes can refer to.
ProgramBuilder probeProgram() {
  ProgramBuilder b;
  b.component("bonus");
  b.raw().components.push_back({"pull", 0, std::numeric_limits<double>::infinity(), true});
  b.raw().metrics = {{"own", true, MetricFold::kMean}, {"team", false, MetricFold::kSum}};
  b.raw().memory = {0.0};
  return b;
}

/// A valid program in which every section does all that it can.
ProgramBuilder sectionsProgram() {
  ProgramBuilder b = probeProgram();
  const std::int32_t push = ProbeScenario::kPush;
  b.raw().numRegimes = 2;
  b.raw().regimeWord = 0;
  b.in(Section::kControl).add(Opcode::DECL, 0).constant(0, 1.0).add(Opcode::RECALL, 1, 0).add(Opcode::RANDOM, 2, 1, 0);
  b.add(Opcode::LT, 3, 2, 1).add(Opcode::STORE, 0, 0, 3, 0).add(Opcode::BASE, push, 1, 0, 3);
  b.add(Opcode::EVENT, ProbeScenario::kCharge, 2, 0, 3).add(Opcode::EVENT, ProbeScenario::kLottery, 0, 0, 0);
  b.in(Section::kNpc).add(Opcode::DECL, 1).constant(0, 0.0).add(Opcode::RELATE, 1, 0, 1, 0);
  b.add(Opcode::BEHAVE, ProbeScenario::kAct, 0, 0, 1).add(Opcode::BEHAVE, ProbeScenario::kCopyTarget, 1, 0, 1);
  b.in(Section::kRules).add(Opcode::DECL, 0).constant(0, 1.25).add(Opcode::RECALL, 1, 0).add(Opcode::MOD, 2, 0, 1);
  b.add(Opcode::LSET, push, 0, 0, 1).add(Opcode::LSCALE, push, 0, 0, 1).add(Opcode::LSHIFT, push, 1, 0, 1);
  b.in(Section::kRewards).add(Opcode::DECL, 1).constant(0, 0.5).add(Opcode::GIVE, 0, 1, 0, 0);
  b.in(Section::kPotentials).add(Opcode::DECL, 1).add(Opcode::LOAD, 0, ProbeScenario::kEnergy, 1);
  b.constant(1, 1.0).add(Opcode::PHI, 1, 1, 0, 1);
  b.in(Section::kMetrics).add(Opcode::DECL, 0).constant(0, 1.0).add(Opcode::SIGNAL, 1, 0);
  return b.add(Opcode::MEASURE, 0, 1, 1, 0).add(Opcode::MEASURE, 1, 0, 1, 0).add(Opcode::FIRED, 1, 0);
}

}  // namespace

TEST("a program with every opcode is accepted and split into phases") {
  ProgramBuilder builder = completeProgram();
  CHECK_EQ(reasonOf(builder.raw()), std::string());
  const Program program = builder.build(spread());
  CHECK_EQ(static_cast<std::int64_t>(program.section(Section::kRules).code.size()), builder.raw().numInstructions[2]);
  CHECK_EQ(program.slots.size(), std::size_t{1});
  CHECK_EQ(program.section(Section::kRewards).declarations.back(), 1);
  CHECK(program.fingerprint != 0);
}

TEST("a refusal names the instruction and the operand") {
  checkRefused(rules().add(Opcode::ADD, 1, 0, 3),
               "instruction 2 (ADD): operand b: register 3 is read before it is written");
  checkRefused(rules().add(Opcode::ADD, 1, 0, 16), "operand b: register 16 is out of range");
  checkRefused(rules().add(Opcode::NEG, -1, 0), "operand dst: register -1 is out of range");
  checkRefused(rules().add(Opcode::CONST, 1, 5), "operand a: constant 5 is out of range");
  checkRefused(rules().add(Opcode::LOAD, 1, 99, 0), "operand a: attribute 99 is out of range");
  checkRefused(rules().add(Opcode::LOAD, 1, kAgentX, 6), "operand b: entity 6 is out of range");
  checkRefused(rules().add(Opcode::LOAD, 1, kAgentX, 4), "entity 4 has no attribute x");
  checkRefused(rules().add(Opcode::SIGNAL, 1, 3), "signal 3 is out of range");
  checkRefused(rules().add(Opcode::NOT, 1, 0, 1), "operand b: unused operand must be 0");
  checkRefused(rules().add(Opcode::FIRED, 2, 0), "declaration 2 is out of range");
  checkRefused(rules().add(static_cast<Opcode>(77), 0), "unknown opcode 77");
  checkRefused(rules().add(static_cast<Opcode>(-1), 0), "unknown opcode -1");
}

TEST("a phase holds only what belongs there") {
  checkRefused(rules().add(Opcode::GIVE, 0, 0, 0, 0), "it belongs to section rewards, not to rules");
  checkRefused(rules().rewards().add(Opcode::DECL, 1).constant(0, 1).add(Opcode::SET, kAccel, 0, 0, 0),
               "it belongs to section rules, not to rewards");
  checkRefused(rules().rewards().add(Opcode::DECL, 1).add(Opcode::NEG, 1, 0),
               "read before it is written in this section");
  checkRefused(rules().rewards().constant(0, 1), "a section must begin with DECL");
  checkRefused(rules().add(Opcode::SET, kAgentX, 0, 0, 0), "attribute x is not writable");
  checkRefused(rules().add(Opcode::SET, kAccel, 3, 0, 0), "entity 3 has no attribute accel");
  checkRefused(rules().rewards().add(Opcode::DECL, 1).constant(0, 1).add(Opcode::GIVE, 0, 3, 0, 0),
               "entity 3 is no agent");
  checkRefused(rules().rewards().add(Opcode::DECL, 1).constant(0, 1).add(Opcode::GIVE, 1, 0, 0, 0),
               "shaping component 1 is out of range");
}

TEST("MEMBER takes dynamic sets only") {
  ProgramBuilder b;
  b.add(Opcode::DECL, 0).add(Opcode::MEMBER, 0, 4);
  CHECK_EQ(reasonOf(b.raw(), adversary()), std::string());
  checkRefused(ProgramBuilder().add(Opcode::DECL, 0).add(Opcode::MEMBER, 0, 1), "set landmark is not dynamic",
               adversary());
  checkRefused(ProgramBuilder().add(Opcode::DECL, 0).add(Opcode::MEMBER, 0, 9), "set 9 is out of range", adversary());
}

TEST("what belongs to one section is refused in every other") {
  struct Case {
    Opcode op;
    Section home;
    std::int32_t dst, a, b, c;
  };
  constexpr Case kCases[] = {{Opcode::BASE, Section::kControl, ProbeScenario::kPush, 0, 0, 0},
                             {Opcode::STORE, Section::kControl, 0, 0, 0, 0},
                             {Opcode::EVENT, Section::kControl, ProbeScenario::kCharge, 0, 0, 0},
                             {Opcode::BEHAVE, Section::kNpc, ProbeScenario::kAct, 0, 0, 0},
                             {Opcode::SET, Section::kRules, ProbeScenario::kPush, 0, 0, 0},
                             {Opcode::LSET, Section::kRules, ProbeScenario::kPush, 0, 0, 0},
                             {Opcode::LSCALE, Section::kRules, ProbeScenario::kPush, 0, 0, 0},
                             {Opcode::LSHIFT, Section::kRules, ProbeScenario::kPush, 0, 0, 0},
                             {Opcode::GIVE, Section::kRewards, 0, 0, 0, 0},
                             {Opcode::PHI, Section::kPotentials, 1, 0, 0, 0},
                             {Opcode::MEASURE, Section::kMetrics, 0, 0, 0, 0}};
  const ProbeScenario probe;
  for (const Case& each : kCases) {
    for (int s = 0; s < kNumSections; ++s) {
      ProgramBuilder b = probeProgram();
      b.in(static_cast<Section>(s)).add(Opcode::DECL, 0).constant(0, 1.0);
      b.add(each.op, each.dst, each.a, each.b, each.c);
      const std::string reason = reasonOf(b.raw(), probe);
      const bool isHome = s == static_cast<int>(each.home);
      CHECK_EQ(reason.empty(), isHome);
      if (!isHome) CHECK(reason.find(kSectionNames[static_cast<std::size_t>(each.home)]) != std::string::npos);
    }
  }
}

TEST("operands of memory, relations, events, behaviours, draws, potentials and metrics are checked") {
  const ProbeScenario probe;
  const auto refused = [&probe](Section section, Opcode op, std::array<std::int32_t, 4> operands, const char* part) {
    ProgramBuilder b = probeProgram();
    b.in(section).add(Opcode::DECL, 0).constant(0, 1.5);
    b.add(op, operands[0], operands[1], operands[2], operands[3]);
    checkRefused(b, part, probe);
  };
  refused(Section::kRules, Opcode::RECALL, {1, 7, 0, 0}, "memory word 7 is out of range");
  refused(Section::kControl, Opcode::STORE, {-1, 0, 0, 0}, "memory word -1 is out of range");
  refused(Section::kRules, Opcode::RANDOM, {1, 0, 0, 0}, "the draw must be a whole number");
  refused(Section::kRules, Opcode::RELATE, {1, 5, 0, 0}, "relation 5 is out of range");
  refused(Section::kRules, Opcode::RELATE, {1, 0, 2, 0}, "entity 2 has no relation tens");
  refused(Section::kControl, Opcode::EVENT, {ProbeScenario::kNumEvents, 0, 0, 0}, "event 3 is out of range");
  refused(Section::kNpc, Opcode::BEHAVE, {9, 0, 0, 0}, "behaviour 9 is out of range");
  refused(Section::kNpc, Opcode::BEHAVE, {0, 2, 0, 0}, "entity 2 is no agent");
  refused(Section::kRewards, Opcode::GIVE, {1, 0, 0, 0}, "component pull is a potential");
  refused(Section::kPotentials, Opcode::PHI, {0, 0, 0, 0}, "component bonus is no potential");
  refused(Section::kMetrics, Opcode::MEASURE, {3, 0, 0, 0}, "metric 3 is out of range");
  refused(Section::kMetrics, Opcode::MEASURE, {1, 1, 0, 0}, "metric team is kept under agent 0");
  refused(Section::kControl, Opcode::BASE, {ProbeScenario::kEnergy, 0, 0, 0}, "attribute energy is not writable");
  Manifest twins = probe.manifest();
  twins.parameters = {{"push", "float", "m", 1, 0, 10, false, true, "", LiveSetting{"push", "agent", "value"}}};
  twins.attributes.push_back({"push", EntityKind::kLandmark, "m", 0, 10, false, "In the state."});
  ProgramBuilder base = probeProgram();
  base.in(Section::kControl).add(Opcode::DECL, 0).constant(0, 1.0).add(Opcode::BASE, 2, 2, 0, 0);
  const auto verified = verify(base.raw(), twins);
  CHECK(!verified && verified.failure().message.find("attribute push is not writable") != std::string::npos);
  ProgramBuilder limited = probeProgram();
  limited.raw().components[1].episodeLimit = 3;
  checkRefused(limited, "a potential has no episodeLimit", probe);
  ProgramBuilder regimes = probeProgram();
  regimes.raw().regimeWord = 1;
  checkRefused(regimes, "regimeWord 1 is not in -1..0", probe);
  regimes.raw().regimeWord = 0;
  checkRefused(regimes, "must be there together", probe);
  ProgramBuilder events = sectionsProgram();
  events.raw().eventKeys.pop_back();
  checkRefused(events, "1 eventKeys for 2 EVENT instructions", probe);
  ProgramBuilder memory = probeProgram();
  memory.raw().memory = {std::nan("")};
  checkRefused(memory, "memory word 0 is not finite", probe);
  ProgramBuilder orphan = probeProgram();
  orphan.in(Section::kMetrics).add(Opcode::DECL, 0);
  orphan.raw().numInstructions[5] = 0;
  checkRefused(orphan, "belong to no section", probe);
}

TEST("absurd sizes and values are refused") {
  RawProgram raw = completeProgram().raw();
  raw.code.push_back(0);
  CHECK(reasonOf(raw).find("not a multiple of 5") != std::string::npos);
  raw = completeProgram().raw();
  raw.numInstructions[2] = 1000;
  CHECK(reasonOf(raw).find("section rules has 1000 instructions") != std::string::npos);
  raw = completeProgram().raw();
  raw.numRegisters = std::int64_t{1} << 40;
  CHECK(reasonOf(raw).find("numRegisters") != std::string::npos);
  raw = completeProgram().raw();
  raw.constants[0] = std::nan("");
  CHECK(reasonOf(raw).find("constant 0 is not finite") != std::string::npos);
  raw = completeProgram().raw();
  raw.components[0].episodeLimit = -1;
  CHECK(reasonOf(raw).find("episodeLimit") != std::string::npos);
  raw = completeProgram().raw();
  raw.components[0].halfLifeSteps = std::nan("");
  CHECK(reasonOf(raw).find("halfLifeSteps") != std::string::npos);
  raw = RawProgram();
  raw.code.assign((kMaxInstructions + 1) * kInstructionWords, 0);
  CHECK(reasonOf(raw).find("instructions exceed") != std::string::npos);
}

namespace {

/// Mutates a valid program many times; what is accepted runs for some steps, and every output stays finite.
void mutate(const RawProgram& good, const std::shared_ptr<const Scenario>& scenario, int trials) {
  std::uint64_t word = 1;
  const auto next = [&word] { return word = mix64(word + 0x9E3779B97F4A7C15u); };
  int accepted = 0;
  for (int trial = 0; trial < trials; ++trial) {
    RawProgram raw = good;
    const int mutations = 1 + static_cast<int>(next() % 3);
    for (int m = 0; m < mutations; ++m) {
      std::int32_t& target = raw.code[next() % raw.code.size()];
      const std::uint64_t kind = next() % 4;
      target = kind == 0   ? static_cast<std::int32_t>(next())
               : kind == 1 ? target + 1
               : kind == 2 ? target - 1
                           : static_cast<std::int32_t>(next() % 32);
    }
    if (next() % 8 == 0) raw.numInstructions[next() % 6] += static_cast<std::int64_t>(next() % 5) - 2;
    if (next() % 8 == 0) raw.numRegisters = static_cast<std::int64_t>(next() % 12);
    auto verified = verify(raw, scenario->manifest());
    if (!verified) {
      CHECK_EQ(verified.failure().code, std::string("vm.badProgram"));
      continue;
    }
    ++accepted;
    if (accepted % 8 != 0) continue;
    TestEnv env({.scenario = scenario, .program = verified.value(), .numEnvs = 3});
    for (int t = 0; t < 3; ++t) env.step();
    for (const float x : env.rewards) CHECK(std::isfinite(x));
    for (const float x : env.obs) CHECK(std::isfinite(x));
  }
  CHECK(accepted > trials / 20 && accepted < trials * 19 / 20);
}

}  // namespace

TEST("20000 mutated programs are refused or run, and never harm anything") {
  mutate(completeProgram().raw(), scenarioOf("simple_spread"), 10000);
  CHECK_EQ(reasonOf(sectionsProgram().raw(), ProbeScenario()), std::string());
  mutate(sectionsProgram().raw(), std::make_shared<ProbeScenario>(), 10000);
}
