#include "check.hpp"
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

TEST("20000 mutated programs are refused or run, and never harm anything") {
  const auto scenario = scenarioOf("simple_spread");
  const RawProgram good = completeProgram().raw();
  std::uint64_t word = 1;
  const auto next = [&word] { return word = mix64(word + 0x9E3779B97F4A7C15u); };
  int accepted = 0;
  for (int trial = 0; trial < 20000; ++trial) {
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
  CHECK(accepted > 1000 && accepted < 19000);
}
