// What each section of a program does to a copy: memory, bases, events, behaviours, lasting effects, potentials,
// metrics.
#include <algorithm>

#include "check.hpp"
#include "probe_scenario.hpp"
#include "program_builder.hpp"
#include "test_env.hpp"

using namespace gymwright;
using namespace gymwright::test;

namespace {

const std::shared_ptr<const Scenario> kProbe = std::make_shared<ProbeScenario>();

enum Register { kZero = 14, kOne = 15 };

/// A builder in a section, with registers 14 and 15 holding 0 and 1.
ProgramBuilder& begin(ProgramBuilder& b, Section section, std::int32_t declaration = 0) {
  return b.in(section).add(Opcode::DECL, declaration).constant(kZero, 0.0).constant(kOne, 1.0);
}

TestEnv play(ProgramBuilder& b, int numEnvs = 2) {
  return TestEnv({.scenario = kProbe, .program = b.build(*kProbe), .numEnvs = numEnvs});
}

/// Attribute `push` of an agent as the last step had it: the probe scenario shows it in its first observation.
double pushOf(const TestEnv& env, std::size_t agent, std::size_t copy = 0) {
  return static_cast<double>(env.obs[(copy * 2 + agent) * ProbeScenario::kObsDim]);
}

/// Energy of an agent, which only events change.
double energyOf(const TestEnv& env, std::size_t agent, std::size_t copy = 0) {
  return static_cast<double>(env.obs[(copy * 2 + agent) * ProbeScenario::kObsDim + 1]);
}

}  // namespace

TEST("memory is read as it was when the section began, and stored where the condition holds, the later store winning") {
  ProgramBuilder b;
  b.raw().memory = {10.0, 5.0};
  begin(b, Section::kControl).add(Opcode::RECALL, 0, 0).add(Opcode::ADD, 1, 0, kOne);
  b.add(Opcode::STORE, 0, 0, 1, kOne).add(Opcode::RECALL, 2, 0).add(Opcode::STORE, 1, 0, 2, kOne);
  b.add(Opcode::STORE, 1, 0, 2, kZero).add(Opcode::STORE, 0, 0, kZero, kZero);
  b.component("seen");
  begin(b, Section::kRewards, 1).add(Opcode::RECALL, 0, 0).add(Opcode::GIVE, 0, 0, 0, kOne);
  b.add(Opcode::RECALL, 1, 1).add(Opcode::GIVE, 0, 1, 1, kOne);
  TestEnv env = play(b);
  for (int t = 1; t <= 3; ++t) {
    env.step();
    CHECK_EQ(env.components[1], static_cast<float>(10 + t));      // after control of this step
    CHECK_EQ(env.components[3], static_cast<float>(10 + t - 1));  // the other word got what the section began with
  }
  for (int t = 3; t < ProbeScenario::kLength + 1; ++t) env.step();
  CHECK_EQ(env.components[1], 11.0f);  // the next episode begins anew
}

TEST("BASE sets what the rules fold on for one step, within bounds, the later one winning") {
  ProgramBuilder b;
  begin(b, Section::kControl).constant(0, 3.0).constant(1, 99.0).add(Opcode::SIGNAL, 2, ProbeScenario::kTime);
  b.add(Opcode::EQ, 3, 2, kZero).add(Opcode::BASE, ProbeScenario::kPush, 0, 0, 3);
  b.add(Opcode::BASE, ProbeScenario::kPush, 1, 0, 3).add(Opcode::BASE, ProbeScenario::kPush, 1, 1, 3);
  begin(b, Section::kRules, 1).constant(0, 2.0).add(Opcode::SCALE, ProbeScenario::kPush, 0, 0, kOne);
  TestEnv env = play(b);
  env.step();
  CHECK_EQ(pushOf(env, 0), 6.0);
  CHECK_EQ(pushOf(env, 1), ProbeScenario::kMaxPush);
  env.step();
  CHECK_EQ(pushOf(env, 0), 2.0 * ProbeScenario::kBasePush);
  CHECK_EQ(pushOf(env, 1), ProbeScenario::kBasePush);
}

TEST("control reads what lasts, the rules read the base of the step, rewards what the rules made of it") {
  ProgramBuilder b;
  const std::int32_t push = ProbeScenario::kPush;
  b.raw().memory = {0.0};
  begin(b, Section::kControl).constant(0, 3.0).add(Opcode::BASE, push, 0, 0, kOne).add(Opcode::LOAD, 1, push, 0);
  b.add(Opcode::STORE, 0, 0, 1, kOne);
  begin(b, Section::kRules, 1).add(Opcode::LOAD, 0, push, 0).add(Opcode::SHIFT, push, 0, 0, kOne);
  b.component("seen");
  begin(b, Section::kRewards).add(Opcode::LOAD, 0, push, 0).add(Opcode::GIVE, 0, 0, 0, kOne);
  b.add(Opcode::RECALL, 1, 0).add(Opcode::GIVE, 0, 1, 1, kOne);
  TestEnv env = play(b);
  env.step();
  CHECK_EQ(env.components[1], 6.0f);
  CHECK_EQ(env.components[3], static_cast<float>(ProbeScenario::kBasePush));
}

TEST("lasting effects fold into the copy's own base, hold from the next step and end with the episode") {
  ProgramBuilder b;
  const std::int32_t push = ProbeScenario::kPush;
  begin(b, Section::kRules).constant(0, 2.0).constant(1, 0.25).add(Opcode::SIGNAL, 2, ProbeScenario::kTime);
  b.add(Opcode::EQ, 3, 2, kOne).add(Opcode::LSCALE, push, 0, 0, 3).add(Opcode::LSHIFT, push, 0, 1, 3);
  TestEnv env = play(b);
  const double later = ProbeScenario::kBasePush * 2.0 + 0.25;
  std::vector<double> seen;
  for (int t = 0; t < ProbeScenario::kLength; ++t) {
    env.step();
    seen.push_back(t + 1 < ProbeScenario::kLength ? pushOf(env, 0) : later);
  }
  CHECK_EQ(seen[0], ProbeScenario::kBasePush);
  CHECK_EQ(seen[1], ProbeScenario::kBasePush);
  for (std::size_t t = 2; t < seen.size(); ++t) CHECK_EQ(seen[t], later);
  env.step();
  CHECK_EQ(pushOf(env, 0), ProbeScenario::kBasePush);
  CHECK_EQ(pushOf(env, 1), ProbeScenario::kBasePush);
}

TEST("lasting effects do not depend on the order of code, and a trapped copy keeps none") {
  const auto last = [](std::vector<int> order) {
    ProgramBuilder b;
    begin(b, Section::kRules).constant(0, 1.5).constant(1, 0.5).constant(2, 0.125);
    const Opcode ops[] = {Opcode::LSET, Opcode::LSCALE, Opcode::LSHIFT};
    for (const int i : order) b.add(ops[i], ProbeScenario::kPush, 0, i, kOne);
    TestEnv env = play(b);
    env.step();
    env.step();
    return pushOf(env, 0);
  };
  CHECK_EQ(last({0, 1, 2}), 0.875);
  for (const auto& order : std::vector<std::vector<int>>{{2, 1, 0}, {1, 0, 2}, {2, 0, 1}}) CHECK_EQ(last(order), 0.875);
}

TEST("events happen before the rules read the state, in program order, with their own draws") {
  ProgramBuilder b;
  begin(b, Section::kControl).constant(0, 2.0).constant(1, 1.0).add(Opcode::SIGNAL, 2, ProbeScenario::kTime);
  b.add(Opcode::EQ, 3, 2, kZero);
  b.add(Opcode::EVENT, ProbeScenario::kCharge, 0, 1, 3).add(Opcode::EVENT, ProbeScenario::kDouble, kZero, 1, 3);
  begin(b, Section::kRules, 1).add(Opcode::LOAD, 0, ProbeScenario::kEnergy, 1);
  b.add(Opcode::SET, ProbeScenario::kPush, 0, 0, kOne);
  TestEnv env = play(b, 3);
  env.step();
  CHECK_EQ(energyOf(env, 1), 4.0);  // charged by 2, then doubled
  CHECK_EQ(pushOf(env, 0), 4.0);
  CHECK_EQ(energyOf(env, 0), 0.0);
  env.step();
  CHECK_EQ(energyOf(env, 1), 4.0);
}

TEST("an event's amount is held within its bounds; without its target it does not happen; an absurd one traps") {
  const auto charge = [](double amount, double target) {
    ProgramBuilder b;
    begin(b, Section::kControl).constant(0, amount).constant(1, target);
    b.add(Opcode::EVENT, ProbeScenario::kCharge, 0, 1, kOne);
    TestEnv env = play(b, 1);
    env.step();
    const bool isTrapped = !env.env->takeTraps().empty();
    return isTrapped ? -1.0 : energyOf(env, 0);
  };
  CHECK_EQ(charge(1e6, 0), ProbeScenario::kMaxCharge);
  CHECK_EQ(charge(1, -1), 0.0);
  CHECK_EQ(charge(1, 2), -1.0);  // a landmark
  CHECK_EQ(charge(1, 0.5), -1.0);
  CHECK_EQ(charge(1, 77), -1.0);
}

TEST("an event that draws gives the same whatever the number of copies, and other events shift nothing") {
  const auto energies = [](int numEnvs, bool hasOther) {
    ProgramBuilder b;
    if (hasOther) begin(b, Section::kControl, 1).add(Opcode::EVENT, ProbeScenario::kLottery, kZero, kOne, kOne);
    begin(b, Section::kControl, 0).add(Opcode::EVENT, ProbeScenario::kLottery, kZero, kZero, kOne);
    b.raw().eventKeys = hasOther ? std::vector<std::uint32_t>{77, 123} : std::vector<std::uint32_t>{123};
    TestEnv env = play(b, numEnvs);
    env.step();
    env.step();
    return energyOf(env, 0, static_cast<std::size_t>(numEnvs) - 1);
  };
  TestEnv single = [] {
    ProgramBuilder b;
    begin(b, Section::kControl, 0).add(Opcode::EVENT, ProbeScenario::kLottery, kZero, kZero, kOne);
    b.raw().eventKeys = {123};
    return TestEnv({.scenario = kProbe, .program = b.build(*kProbe), .numEnvs = 1, .firstEpisode = 69});
  }();
  single.step();
  single.step();
  CHECK_EQ(energies(70, false), energyOf(single, 0));
  CHECK_EQ(energies(70, true), energyOf(single, 0));
  CHECK(energyOf(single, 0) > 0.0);
}

TEST("RANDOM is the draw of the documented stream, and fair") {
  ProgramBuilder b;
  b.raw().declarations[1].key = 4242;
  b.component("draw");
  begin(b, Section::kRewards).constant(0, 3.0).add(Opcode::RANDOM, 1, 1, 2).add(Opcode::GIVE, 0, 0, 1, kOne);
  TestEnv env = play(b, 500);
  double sum = 0.0;
  for (int t = 1; t <= 2; ++t) {
    env.step();
    for (std::size_t e = 0; e < 500; ++e) {
      const double expected =
          EpisodeRng(1, e).uniform(Stream::kProgram, static_cast<std::uint32_t>(t), 4242, 3, 0.0, 1.0);
      CHECK_EQ(env.components[e * 4 + 1], static_cast<float>(expected));
      sum += expected;
    }
  }
  CHECK_NEAR(sum / 1000, 0.5, 0.05);
}

TEST("RELATE asks the scenario with the attributes of its section; nobody has no relation") {
  ProgramBuilder b;
  b.component("related");
  begin(b, Section::kRules).constant(0, 3.0).add(Opcode::SET, ProbeScenario::kPush, 0, 0, kOne);
  begin(b, Section::kRewards, 1).constant(0, -1.0).add(Opcode::ADD, 3, kOne, kZero);
  b.add(Opcode::RELATE, 1, 0, 0, 3).add(Opcode::RELATE, 4, 0, 0, kOne).add(Opcode::EQ, 5, 1, 4);
  b.add(Opcode::GIVE, 0, 0, 1, 5).add(Opcode::RELATE, 2, 0, 1, 0).add(Opcode::GIVE, 0, 1, 2, kOne);
  TestEnv env = play(b);
  env.step();
  CHECK_EQ(env.components[1], 31.0f);  // 10 * push of the asking agent + index of the other, asked in two ways
  CHECK_EQ(env.components[3], 0.0f);
}

TEST("the distance to nobody is infinite, an attribute of nobody undefined") {
  ProgramBuilder b;
  b.component("far");
  begin(b, Section::kRewards).constant(0, -1.0).add(Opcode::DISTX, 1, 0, 0).constant(2, 5.0).add(Opcode::LT, 3, 1, 2);
  b.add(Opcode::GIVE, 0, 0, 1, 3).add(Opcode::FIRED, 0, 3);
  TestEnv env = play(b);
  env.step();
  CHECK(env.env->takeTraps().empty());
  b.add(Opcode::LOADX, 4, ProbeScenario::kEnergy, 0).add(Opcode::FIRED, 0, 4);
  TestEnv trapped = play(b);
  trapped.step();
  const auto traps = trapped.env->takeTraps();
  CHECK_EQ(traps.size(), std::size_t{2});
  CHECK(traps[0].reason == TrapReason::kDomain);
}
