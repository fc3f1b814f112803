// Behaviours, potentials, metrics, regimes, and what a snapshot keeps of them.
#include <algorithm>
#include <cstring>

#include "check.hpp"
#include "probe_scenario.hpp"
#include "program_builder.hpp"
#include "test_env.hpp"
#include "vm/lanes.hpp"

using namespace gymwright;
using namespace gymwright::test;

namespace {

const std::shared_ptr<const Scenario> kSpread = scenarioOf("simple_spread");
const std::int32_t kAgentX = attributeId(*kSpread, EntityKind::kAgent, "x");

std::shared_ptr<const Scenario> probeScenario(int endsAt = 0, int length = ProbeScenario::kLength) {
  return std::make_shared<ProbeScenario>(endsAt, length);
}

ProgramBuilder& begin(ProgramBuilder& b, Section section, std::int32_t declaration = 0) {
  return b.in(section).add(Opcode::DECL, declaration).constant(14, 0.0).constant(15, 1.0);
}

/// The x position of agent 0 as the potential of agent 0; with a half-life, the weight decays.
Program potential(double halfLife = 0) {
  ProgramBuilder b;
  b.raw().components.push_back({"pull", halfLife, std::numeric_limits<double>::infinity(), true});
  begin(b, Section::kPotentials).add(Opcode::LOAD, 0, kAgentX, 0).add(Opcode::PHI, 0, 0, 0, 15);
  return b.build(*kSpread);
}

/// x of agent 0 in the state a snapshot holds: the first word behind the header of 56 bytes.
double xOf(TestEnv& env) {
  const auto bytes = env.env->snapshot(0);
  double x = 0.0;
  std::memcpy(&x, bytes.data() + 56, sizeof(x));
  return x;
}

/// Sum of potential differences of one copy over its first `steps` steps, cut off there by the episode's length.
struct Played {
  double sum;
  double first;
  double last;
};
Played play(const Program& program, int steps, double gamma) {
  const auto scenario = scenarioOf("simple_spread", {{"episode.length", static_cast<double>(steps)}});
  TestEnv env({.scenario = scenario, .program = program, .numEnvs = 1, .seed = 5, .gamma = gamma});
  const double first = xOf(env);
  double last = first;
  for (int t = 0; t < steps; ++t) {
    if (t + 1 == steps) {
      // The last state is gone after the step: a twin without an end shows it.
      TestEnv twin({.scenario = kSpread, .numEnvs = 1, .seed = 5});
      for (int u = 0; u < steps; ++u) twin.stepPseudoRandomly(0, u);
      last = xOf(twin);
    }
    env.stepPseudoRandomly(0, t);
  }
  return {env.episodeComponents[2], first, last};
}

}  // namespace

TEST("potential differences telescope to gamma^T phi(s_T) - phi(s_0), kept on truncation") {
  for (const double gamma : {0.99, 0.5, 1.0}) {
    double discounted = 0.0;
    double before = 0.0;
    double factor = 1.0;
    Played played{};
    for (int t = 1; t <= 24; ++t, factor *= gamma) {
      played = play(potential(), t, gamma);
      discounted += factor * (played.sum - before);
      before = played.sum;
    }
    CHECK_NEAR(discounted, factor * played.last - played.first, 1e-9);
    CHECK(std::fabs(played.last - played.first) > 1e-3);
  }
}

TEST("a potential is 0 where the episode terminated") {
  ProgramBuilder b;
  b.raw().components.push_back({"pull", 0, std::numeric_limits<double>::infinity(), true});
  begin(b, Section::kPotentials).constant(0, 7.0).add(Opcode::PHI, 0, 1, 0, 15);
  const auto scenario = probeScenario(3);
  TestEnv env({.scenario = scenario, .program = b.build(*scenario), .numEnvs = 2, .gamma = 0.5});
  for (int t = 0; t < 2; ++t) {
    env.step();
    CHECK_EQ(env.components[3], 3.5f - 7.0f);
  }
  env.step();
  CHECK_EQ(int{env.terminated[0]}, 1);
  CHECK_EQ(env.components[3], -7.0f);
  CHECK_EQ(env.rewards[1], -7.0f);
  env.step();
  CHECK_EQ(env.components[3], 3.5f - 7.0f);  // the next episode starts from its own potential
}

TEST("the weight of a decaying potential is taken at each end") {
  ProgramBuilder b;
  b.raw().components.push_back({"pull", 100, std::numeric_limits<double>::infinity(), true});
  begin(b, Section::kPotentials).constant(0, 8.0).add(Opcode::PHI, 0, 0, 0, 15);
  const auto scenario = probeScenario();
  TestEnv env({.scenario = scenario, .program = b.build(*scenario), .numEnvs = 1, .gamma = 1.0});
  env.env->setTrainingSteps(100);
  env.step();
  CHECK_EQ(env.components[1], 4.0f - 8.0f);
  env.step();
  CHECK_EQ(env.components[1], 0.0f);
}

TEST("the first behaviour that holds plays an agent of an npc group, towards its target; none is action 0") {
  ProgramBuilder b;
  begin(b, Section::kNpc).constant(0, 2.0).constant(1, -1.0).add(Opcode::SIGNAL, 2, 0);
  b.add(Opcode::EQ, 3, 2, 14).add(Opcode::BEHAVE, ProbeScenario::kCopyTarget, 0, 0, 3);
  b.add(Opcode::EQ, 4, 2, 15).add(Opcode::BEHAVE, ProbeScenario::kAct, 0, 1, 4);
  b.add(Opcode::DIV, 5, 15, 14).add(Opcode::BEHAVE, ProbeScenario::kAct, 1, 1, 14);
  const auto scenario = probeScenario();
  TestEnv env({.scenario = scenario, .program = b.build(*scenario), .scripted = {kPlayedByNpc}, .numEnvs = 2});
  std::vector<float> actions;
  for (int t = 0; t < 3; ++t) {
    env.step();
    actions.push_back(env.obs[2]);
    CHECK_EQ(env.obs[4 + 2], 0.0f);
  }
  CHECK(actions == std::vector<float>({4.0f, 1.0f, 0.0f}));
}

TEST("metrics fold the samples of an episode; without a sample there is no value") {
  ProgramBuilder b;
  for (const MetricFold fold :
       {MetricFold::kMean, MetricFold::kSum, MetricFold::kMin, MetricFold::kMax, MetricFold::kLast})
    b.raw().metrics.push_back({"m", true, fold});
  b.raw().metrics.push_back({"team", false, MetricFold::kSum});
  begin(b, Section::kMetrics).add(Opcode::SIGNAL, 0, 0).constant(1, 3.0).add(Opcode::SUB, 2, 0, 1);
  for (std::int32_t q = 0; q < 5; ++q) b.add(Opcode::MEASURE, q, 0, 2, 15);
  b.constant(3, -1.0).add(Opcode::DISTX, 4, 0, 3).add(Opcode::MEASURE, 1, 1, 4, 15);  // infinite: no sample
  b.add(Opcode::MEASURE, 5, 0, 15, 15);
  const auto scenario = probeScenario();
  TestEnv env({.scenario = scenario, .program = b.build(*scenario), .numEnvs = 3});
  for (int t = 0; t < ProbeScenario::kLength; ++t) env.step();
  // time - 3 = -2, -1, 0, 1, 2, 3; the manifest's one metric comes first.
  const std::vector<double> first(env.episodeMetrics.begin(), env.episodeMetrics.begin() + 7);
  CHECK(first == std::vector<double>({6, 0.5, 3, -2, 3, 3, 6}));
  CHECK_EQ(env.episodeMetrics[7], 6.0);
  for (std::size_t q = 8; q < 13; ++q) CHECK(std::isnan(env.episodeMetrics[q]));
  CHECK_EQ(env.episodeMetrics[13], 6.0);
  CHECK(env.env->takeTraps().empty());
}

TEST("probe values the present state alone, and changes nothing") {
  ProgramBuilder b;
  b.raw().metrics.push_back({"push", true, MetricFold::kSum});
  begin(b, Section::kRules).constant(0, 5.0).add(Opcode::SET, ProbeScenario::kPush, 0, 0, 15);
  begin(b, Section::kMetrics).add(Opcode::LOAD, 0, ProbeScenario::kPush, 0).add(Opcode::MEASURE, 0, 0, 0, 15);
  b.add(Opcode::FIRED, 0, 15);
  const auto scenario = probeScenario();
  TestEnv env({.scenario = scenario, .program = b.build(*scenario), .numEnvs = 65});
  env.step();
  env.env->takeFireCounts();
  const std::uint64_t before = env.env->stateHash();
  std::vector<double> values(65 * 2);
  env.env->probe(values.data());
  CHECK_EQ(values[0], ProbeScenario::kBasePush);
  CHECK_EQ(values[128], ProbeScenario::kBasePush);
  CHECK(std::isnan(values[1]));
  CHECK_EQ(env.env->stateHash(), before);
  CHECK_EQ(env.env->takeFireCounts()[0], 0.0);
  for (int t = 1; t < ProbeScenario::kLength; ++t) env.step();
  CHECK_EQ(env.episodeMetrics[1], 5.0 * ProbeScenario::kLength);
}

TEST("the regime of the step just taken is shown, also where the episode ended in it") {
  ProgramBuilder b;
  b.raw().memory = {0.0};
  b.raw().numRegimes = 2;
  b.raw().regimeWord = 0;
  begin(b, Section::kControl).add(Opcode::SIGNAL, 0, 0).constant(1, 2.0).add(Opcode::LE, 2, 1, 0);
  b.add(Opcode::STORE, 0, 0, 2, 15);
  const auto scenario = probeScenario();
  TestEnv env({.scenario = scenario, .program = b.build(*scenario), .numEnvs = 2});
  CHECK_EQ(env.regimes[1], 0);
  std::vector<std::int32_t> seen;
  for (int t = 0; t <= ProbeScenario::kLength; ++t) {
    env.step();
    seen.push_back(env.regimes[1]);
  }
  CHECK(seen == std::vector<std::int32_t>({0, 0, 1, 1, 1, 1, 0}));
}

TEST("a copy restored in the midst of everything goes on as the original does") {
  ProgramBuilder b;
  b.raw().memory = {0.0, 3.0};
  b.raw().numRegimes = 3;
  b.raw().regimeWord = 0;
  b.raw().metrics.push_back({"mean", true, MetricFold::kMean});
  b.raw().components.push_back({"pull", 0, std::numeric_limits<double>::infinity(), true});
  b.raw().components.push_back({"gift", 0, 2.5, false});
  begin(b, Section::kControl).add(Opcode::RANDOM, 0, 0, 0).constant(1, 3.0).add(Opcode::MUL, 2, 0, 1);
  b.constant(3, 2.0).add(Opcode::LT, 4, 2, 15).add(Opcode::STORE, 0, 0, 3, 4).add(Opcode::RECALL, 5, 1);
  b.add(Opcode::ADD, 5, 5, 0).add(Opcode::STORE, 1, 0, 5, 15).add(Opcode::EVENT, ProbeScenario::kLottery, 14, 15, 4);
  begin(b, Section::kRules).constant(0, 1.25).add(Opcode::RECALL, 1, 0).add(Opcode::LT, 2, 14, 1);
  b.add(Opcode::LSCALE, ProbeScenario::kPush, 0, 0, 2).add(Opcode::SHIFT, ProbeScenario::kPush, 1, 1, 15);
  begin(b, Section::kRewards, 1).add(Opcode::RECALL, 0, 1).add(Opcode::GIVE, 1, 0, 0, 15);
  begin(b, Section::kPotentials, 1).add(Opcode::LOAD, 0, ProbeScenario::kEnergy, 1).add(Opcode::PHI, 0, 1, 0, 15);
  begin(b, Section::kMetrics, 1).add(Opcode::LOAD, 0, ProbeScenario::kPush, 0).add(Opcode::MEASURE, 0, 0, 0, 15);
  const auto scenario = probeScenario(0, 12);
  const Program program = b.build(*scenario);
  CHECK(program.fingerprint != 0);
  TestEnv original({.scenario = scenario, .program = program, .numEnvs = 1, .seed = 3});
  for (int t = 0; t < 5; ++t) original.step();
  const auto bytes = original.env->snapshot(0);
  TestEnv other({.scenario = scenario, .program = program, .numEnvs = 70, .seed = 99});
  other.step();
  CHECK(!other.env->restore(66, bytes.data(), bytes.size()));
  CHECK(other.env->snapshot(66) == bytes);
  CHECK_EQ(other.regimes[66], original.regimes[0]);
  for (int t = 5; t < 12; ++t) {
    original.step();
    other.step();
    CHECK(std::equal(original.obs.begin(), original.obs.end(), other.obs.begin() + 66 * 8));
    CHECK(std::equal(original.rewards.begin(), original.rewards.end(), other.rewards.begin() + 66 * 2));
  }
  CHECK(std::equal(original.episodeComponents.begin(), original.episodeComponents.end(),
                   other.episodeComponents.begin() + 66 * 6));
  CHECK_EQ(original.episodeMetrics[1], other.episodeMetrics[66 * 4 + 1]);
  TestEnv plain({.scenario = scenario, .numEnvs = 1});
  CHECK(!plain.env->restore(0, bytes.data(), bytes.size()));
  CHECK_EQ(plain.obs[3], 5.0f);
}

TEST("under another program a copy keeps the memory and lasting bases that both know, whatever their order") {
  const std::int32_t push = ProbeScenario::kPush;
  const auto program = [&](const Scenario& scenario, bool isOther) {
    ProgramBuilder b;
    b.raw().memory = isOther ? std::vector<double>{0.5, 0.25, 0.125} : std::vector<double>{0.25, 0.5};
    b.raw().memoryKeys = isOther ? std::vector<std::uint32_t>{7, 5, 9} : std::vector<std::uint32_t>{5, 7};
    const int known = isOther ? 1 : 0;
    begin(b, Section::kControl).add(Opcode::RECALL, 0, known).add(Opcode::ADD, 0, 0, 15);
    b.add(Opcode::STORE, known, 0, 0, 15);
    begin(b, Section::kRules).constant(0, 0.125);
    if (isOther) b.add(Opcode::LSHIFT, push, 1, 0, 14);
    b.add(Opcode::LSHIFT, push, 0, 0, isOther ? 14 : 15);
    b.component("known").component("own");
    begin(b, Section::kRewards).add(Opcode::RECALL, 0, known).add(Opcode::GIVE, 0, 0, 0, 15);
    b.add(Opcode::RECALL, 1, isOther ? 2 : 1).add(Opcode::GIVE, 1, 0, 1, 15);
    b.add(Opcode::LOAD, 2, push, 0).add(Opcode::GIVE, 1, 1, 2, 15);
    return b.build(scenario);
  };
  const auto scenario = probeScenario(0, 12);
  TestEnv original({.scenario = scenario, .program = program(*scenario, false), .numEnvs = 1});
  for (int t = 0; t < 3; ++t) original.step();
  const auto bytes = original.env->snapshot(0);
  TestEnv other({.scenario = scenario, .program = program(*scenario, true), .numEnvs = 2});
  CHECK(!other.env->restore(1, bytes.data(), bytes.size()));
  other.step();
  const float* copy = other.components.data() + other.components.size() / 2;
  CHECK_EQ(copy[1], 4.25f);
  CHECK_EQ(copy[2], 0.125f);
  CHECK_EQ(copy[5], static_cast<float>(ProbeScenario::kBasePush + 3 * 0.125));
}

TEST("episodes of a program with everything depend neither on the number of copies nor on their order") {
  const auto scenario = probeScenario();
  ProgramBuilder b;
  b.raw().memory = {0.0};
  begin(b, Section::kControl).add(Opcode::RANDOM, 0, 1, 1).add(Opcode::STORE, 0, 0, 0, 15);
  b.add(Opcode::EVENT, ProbeScenario::kLottery, 14, 14, 15);
  begin(b, Section::kRules).add(Opcode::RECALL, 0, 0).add(Opcode::LSHIFT, ProbeScenario::kPush, 0, 0, 15);
  const Program program = b.build(*scenario);
  const auto hashOf = [&](int numEnvs) {
    std::uint64_t total = 0;
    for (int first = 0; first < 130; first += numEnvs) {
      TestEnv env({.scenario = scenario,
                   .program = program,
                   .numEnvs = std::min(numEnvs, 130 - first),
                   .seed = 11,
                   .firstEpisode = static_cast<std::uint64_t>(first)});
      for (int t = 0; t < 5; ++t) env.step();
      total += env.env->stateHash();
    }
    return total;
  };
  const std::uint64_t one = hashOf(1);
  for (const int numEnvs : {7, 64, 130}) CHECK_EQ(hashOf(numEnvs), one);
}

TEST("a trap in any section ends its copy alone and names the declaration") {
  for (int s = 0; s < kNumSections; ++s) {
    const auto section = static_cast<Section>(s);
    ProgramBuilder b;
    b.raw().memory = {0.0};
    b.raw().metrics.push_back({"m", true, MetricFold::kSum});
    b.raw().components.push_back({"pull", 0, std::numeric_limits<double>::infinity(), true});
    b.component("gift");
    // Undefined in the third step, in copies whose draw of this episode is below one half.
    begin(b, section, 1).add(Opcode::SIGNAL, 0, 0).constant(1, section < Section::kRewards ? 2.0 : 3.0);
    b.add(Opcode::EQ, 2, 0, 1).add(Opcode::DIV, 3, 14, 14).add(Opcode::SELECT, 4, 2, 3, 14);
    b.add(Opcode::FIRED, 1, 4);
    const auto scenario = probeScenario();
    TestEnv env({.scenario = scenario, .program = b.build(*scenario), .numEnvs = 66});
    for (int t = 0; t < 3; ++t) env.step();
    const auto traps = env.env->takeTraps();
    CHECK_EQ(traps.size(), std::size_t{66});
    for (const TrapRecord& trap : traps) {
      CHECK_EQ(trap.declaration, 1);
      CHECK_EQ(trap.step, 3);
      CHECK(trap.reason == TrapReason::kDivision);
    }
    CHECK_EQ(int{env.truncated[65]}, 1);
    CHECK_EQ(env.obs[3], 0.0f);
  }
}

TEST("a potential that is undefined at the first state counts as 0 there and is recorded") {
  ProgramBuilder b;
  b.raw().components.push_back({"pull", 0, std::numeric_limits<double>::infinity(), true});
  begin(b, Section::kPotentials).add(Opcode::SIGNAL, 0, 0).add(Opcode::DIV, 1, 15, 0).add(Opcode::PHI, 0, 0, 1, 15);
  const auto scenario = probeScenario();
  TestEnv env({.scenario = scenario, .program = b.build(*scenario), .numEnvs = 1, .gamma = 1.0});
  const auto traps = env.env->takeTraps();
  CHECK_EQ(traps.size(), std::size_t{1});
  CHECK_EQ(traps[0].step, 0);
  env.step();
  CHECK_EQ(env.components[1], 1.0f);
  CHECK(env.env->takeTraps().empty());
}

TEST("a potential that is infinite where the episode terminates counts as 0 there and traps nothing") {
  ProgramBuilder b;
  b.raw().components.push_back({"pull", 0, std::numeric_limits<double>::infinity(), true});
  // 1 / (3 - time): infinite after the third step.
  begin(b, Section::kPotentials).add(Opcode::SIGNAL, 0, 0).constant(1, 3.0).add(Opcode::SUB, 2, 1, 0);
  b.add(Opcode::DIV, 3, 15, 2).add(Opcode::PHI, 0, 0, 3, 15);
  for (const bool isTerminal : {true, false}) {
    const auto scenario = probeScenario(isTerminal ? 3 : 0);
    TestEnv env({.scenario = scenario, .program = b.build(*scenario), .numEnvs = 65, .gamma = 1.0});
    for (int t = 0; t < 3; ++t) env.step();
    CHECK_EQ(env.env->takeTraps().size(), std::size_t{isTerminal ? 0u : 65u});
    CHECK_EQ(int{env.terminated[64]}, isTerminal ? 1 : 0);
    CHECK_EQ(int{env.truncated[64]}, isTerminal ? 0 : 1);
    CHECK_EQ(env.components[1], isTerminal ? -1.0f : 0.0f);
  }
}

TEST("trigger makes an event happen now and shows it") {
  const auto scenario = probeScenario();
  TestEnv env({.scenario = scenario, .numEnvs = 2});
  env.env->trigger(1, ProbeScenario::kCharge, 2.0, 0, 0);
  CHECK_EQ(env.obs[8 + 1], 2.0f);
  CHECK_EQ(env.obs[1], 0.0f);
}
