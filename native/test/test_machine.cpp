#include <chrono>

#include "check.hpp"
#include "program_builder.hpp"
#include "test_env.hpp"
#include "vm/lanes.hpp"

using namespace gymwright;
using namespace gymwright::test;

namespace {

const std::shared_ptr<const Scenario> kSpread = scenarioOf("simple_spread");
const std::int32_t kAccel = attributeId(*kSpread, EntityKind::kAgent, "accel");
const std::int32_t kMaxSpeed = attributeId(*kSpread, EntityKind::kAgent, "max_speed");
const std::int32_t kAgentX = attributeId(*kSpread, EntityKind::kAgent, "x");
const std::int32_t kLandmarkX = attributeId(*kSpread, EntityKind::kLandmark, "x");
constexpr std::size_t kBase = 2;  // components of simple_spread

ProgramBuilder rewardProgram(double halfLife = 0, double limit = std::numeric_limits<double>::infinity()) {
  ProgramBuilder b;
  b.rewards().component("bonus", halfLife, limit).add(Opcode::DECL, 1);
  return b;
}

/// Gives register 0 to agent 0 in every copy and steps once; what agent 0 of each copy was given.
std::vector<double> give(ProgramBuilder b, int numEnvs = 70) {
  b.constant(15, 1.0).add(Opcode::GIVE, 0, 0, 0, 15);
  TestEnv env({.scenario = kSpread, .program = b.build(*kSpread), .numEnvs = numEnvs});
  env.step();
  std::vector<double> given;
  for (std::size_t e = 0; e < static_cast<std::size_t>(numEnvs); ++e)
    given.push_back(static_cast<double>(env.components[e * 3 * (kBase + 1) + kBase]));
  return given;
}

/// Result of op on constants, or NaN where the copy traps.
double evaluate(Opcode op, double x, double y) {
  ProgramBuilder b = rewardProgram();
  b.constant(1, x).constant(2, y).constant(15, 1.0);
  const bool isUnary = op == Opcode::NEG || op == Opcode::ABS || op == Opcode::SQRT || op == Opcode::NOT;
  b.add(op, 0, 1, isUnary ? 0 : 2).add(Opcode::GIVE, 0, 0, 0, 15);
  TestEnv env({.scenario = kSpread, .program = b.build(*kSpread), .numEnvs = 1});
  env.step();
  return env.env->takeTraps().empty() ? static_cast<double>(env.components[kBase]) : std::nan("");
}

/// x velocity of an agent after one push to the right under a rules program.
double pushed(const Program& program, std::size_t agent = 0) {
  TestEnv env({.scenario = kSpread, .program = program, .numEnvs = 1});
  env.actions.assign(3, 2);
  env.step();
  return static_cast<double>(env.obs[agent * 18]);
}

ProgramBuilder ruleProgram() {
  ProgramBuilder b;
  b.add(Opcode::DECL, 0).constant(15, 1.0).constant(14, 0.0);
  return b;
}

}  // namespace

TEST("arithmetic and comparisons on constants") {
  CHECK_EQ(evaluate(Opcode::ADD, 2, 3), 5.0);
  CHECK_EQ(evaluate(Opcode::SUB, 2, 3), -1.0);
  CHECK_EQ(evaluate(Opcode::MUL, 2, 3), 6.0);
  CHECK_EQ(evaluate(Opcode::DIV, 3, 2), 1.5);
  CHECK_EQ(evaluate(Opcode::MIN, 2, 3), 2.0);
  CHECK_EQ(evaluate(Opcode::MAX, 2, 3), 3.0);
  CHECK_EQ(evaluate(Opcode::NEG, 2, 0), -2.0);
  CHECK_EQ(evaluate(Opcode::ABS, -2, 0), 2.0);
  CHECK_EQ(evaluate(Opcode::SQRT, 9, 0), 3.0);
  CHECK_EQ(evaluate(Opcode::LT, 2, 2), 0.0);
  CHECK_EQ(evaluate(Opcode::LE, 2, 2), 1.0);
  CHECK_EQ(evaluate(Opcode::EQ, 2, 2), 1.0);
  CHECK_EQ(evaluate(Opcode::AND, 1, 0), 0.0);
  CHECK_EQ(evaluate(Opcode::OR, 1, 0), 1.0);
  CHECK_EQ(evaluate(Opcode::NOT, 0, 0), 1.0);
  CHECK(std::isnan(evaluate(Opcode::DIV, 3, 0)));
  CHECK(std::isnan(evaluate(Opcode::SQRT, -1, 0)));
  CHECK(std::isnan(evaluate(Opcode::MUL, 1e200, 1e200)));
}

TEST("undefined passes through until a guard decides without it") {
  const double u = kUndefined;
  for (const double x :
       {lane::minimum(u, 1), lane::minimum(1, u), lane::maximum(u, 1), lane::maximum(1, u), lane::less(u, 1),
        lane::lessOrEqual(1, u), lane::equal(u, u), lane::conjunction(1, u), lane::conjunction(u, u),
        lane::disjunction(0, u), lane::negation(u), lane::select(u, 1, 1), lane::select(1, u, 0)}) {
    CHECK(std::isnan(x));
  }
  CHECK_EQ(lane::conjunction(0, u), 0.0);
  CHECK_EQ(lane::conjunction(u, 0), 0.0);
  CHECK_EQ(lane::disjunction(1, u), 1.0);
  CHECK_EQ(lane::disjunction(u, 1), 1.0);
  CHECK_EQ(lane::select(0, u, 7), 7.0);
  CHECK_EQ(lane::select(1, 7, u), 7.0);
}

TEST("a guard protects the division it guards") {
  ProgramBuilder b = rewardProgram();
  // when 0 < x give 1 / x, with x = 0
  b.constant(1, 0.0).constant(2, 1.0).add(Opcode::LT, 3, 1, 1).add(Opcode::DIV, 4, 2, 1);
  b.add(Opcode::FIRED, 1, 3).add(Opcode::GIVE, 0, 0, 4, 3);
  TestEnv env({.scenario = kSpread, .program = b.build(*kSpread), .numEnvs = 2});
  env.step();
  CHECK(env.env->takeTraps().empty());
  CHECK_EQ(env.components[kBase], 0.0f);
}

TEST("distances and loads read the state of each copy") {
  const auto direct = give(rewardProgram().add(Opcode::DIST, 0, 0, 4));
  const auto indexed = give(rewardProgram().constant(1, 4.0).add(Opcode::DISTX, 0, 0, 1));
  const auto byHand = [] {
    ProgramBuilder b = rewardProgram();
    b.add(Opcode::LOAD, 1, kAgentX, 0).constant(9, 4.0).add(Opcode::LOADX, 2, kLandmarkX, 9).add(Opcode::SUB, 3, 1, 2);
    b.add(Opcode::LOAD, 1, kAgentX + 1, 0).add(Opcode::LOAD, 2, kLandmarkX + 1, 4).add(Opcode::SUB, 4, 1, 2);
    b.add(Opcode::MUL, 3, 3, 3).add(Opcode::MUL, 4, 4, 4).add(Opcode::ADD, 0, 3, 4).add(Opcode::SQRT, 0, 0);
    return give(b);
  }();
  CHECK(direct == indexed);
  CHECK(direct == byHand);
  CHECK(direct[0] != direct[69] && direct[69] > 0.0);
}

TEST("the reward phase sees the step that was just taken") {
  CHECK_EQ(give(rewardProgram().add(Opcode::SIGNAL, 0, 0))[69], 1.0);
}

TEST("effects fold as set, then products, then sums, then the bounds, in any order of code") {
  const auto fold = [](const std::vector<int>& order) {
    ProgramBuilder b = ruleProgram();
    b.constant(0, 4.0).constant(1, 0.5).constant(2, 1.0);
    const Opcode ops[] = {Opcode::SET, Opcode::SCALE, Opcode::SHIFT};
    for (const int i : order) b.add(ops[i], kAccel, 0, i, 15);
    return pushed(b.build(*kSpread));
  };
  CHECK_NEAR(fold({0, 1, 2}), 0.3, 1e-6);  // (4 * 0.5 + 1) * 0.1
  CHECK_EQ(fold({2, 1, 0}), fold({0, 1, 2}));
  CHECK_NEAR(fold({}), 0.5, 1e-6);
}

TEST("effects respect the attribute's bounds, their condition and their entity") {
  CHECK_NEAR(pushed(ruleProgram().constant(0, 1e6).add(Opcode::SCALE, kAccel, 0, 0, 15).build(*kSpread)), 1.0, 1e-6);
  CHECK_NEAR(pushed(ruleProgram().constant(0, -3).add(Opcode::SET, kAccel, 0, 0, 15).build(*kSpread)), 0.0, 1e-6);
  CHECK_NEAR(pushed(ruleProgram().constant(0, 2).add(Opcode::SCALE, kAccel, 0, 0, 14).build(*kSpread)), 0.5, 1e-6);
  CHECK_NEAR(pushed(ruleProgram().constant(0, 0.5).add(Opcode::SCALE, kAccel, 0, 0, 15).build(*kSpread), 1), 0.5, 1e-6);
  CHECK_NEAR(pushed(ruleProgram().constant(0, 0.1).add(Opcode::SET, kMaxSpeed, 2, 0, 15).build(*kSpread), 2), 0.1,
             1e-6);
}

TEST("effects do not compound over steps and rules read base attributes") {
  ProgramBuilder b = ruleProgram();
  b.add(Opcode::LOAD, 0, kAccel, 0).constant(1, 10.0).add(Opcode::DIV, 2, 0, 1).add(Opcode::SCALE, kAccel, 0, 2, 15);
  TestEnv env({.scenario = kSpread, .program = b.build(*kSpread), .numEnvs = 1});
  env.actions.assign(3, 2);
  env.step();
  CHECK_NEAR(static_cast<double>(env.obs[0]), 0.25, 1e-6);
  env.step();
  CHECK_NEAR(static_cast<double>(env.obs[0]), 0.25 * 0.75 + 0.25, 1e-6);
}

TEST("fire counts are per declaration and start over when taken") {
  ProgramBuilder b = ruleProgram();
  b.add(Opcode::FIRED, 0, 15).add(Opcode::FIRED, 0, 15).add(Opcode::DECL, 1).add(Opcode::FIRED, 1, 14);
  TestEnv env({.scenario = kSpread, .program = b.build(*kSpread), .numEnvs = 70});
  env.step();
  env.step();
  const auto counts = env.env->takeFireCounts();
  CHECK_EQ(counts[0], 280.0);
  CHECK_EQ(counts[1], 0.0);
  CHECK_EQ(env.env->takeFireCounts()[0], 0.0);
}

TEST("a program of as many constants as may be is bound at once, each to its own value") {
  constexpr std::int32_t kCount = 60'000;
  ProgramBuilder b = rewardProgram();
  for (std::int32_t i = 0; i < kCount; ++i) b.constant(i % 2, i + 0.5);
  b.add(Opcode::SUB, 2, 1, 0).add(Opcode::GIVE, 0, 0, 1, 2);
  const Program program = b.build(*kSpread);
  const auto start = std::chrono::steady_clock::now();
  TestEnv env({.scenario = kSpread, .program = program});
  // Far above what it takes, far below what a search for each of them among all would.
  CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(5));
  env.step();
  CHECK_EQ(env.components[kBase], kCount - 0.5f);
}
