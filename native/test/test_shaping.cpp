#include <cmath>

#include "check.hpp"
#include "program_builder.hpp"
#include "test_env.hpp"

using namespace gymwright;
using namespace gymwright::test;

namespace {

const std::shared_ptr<const Scenario> kSpread = scenarioOf("simple_spread");
constexpr std::size_t kBase = 2;
constexpr std::size_t kAll = 3;

/// Gives `amount` to agent 1 in every step.
Program gift(double amount, double halfLife = 0, double limit = std::numeric_limits<double>::infinity()) {
  ProgramBuilder b;
  b.rewards().component("gift", halfLife, limit).add(Opcode::DECL, 0).constant(0, amount).constant(1, 1.0);
  return b.add(Opcode::GIVE, 0, 1, 0, 1).add(Opcode::FIRED, 0, 1).build(*kSpread);
}

double baseOf(const TestEnv& env, std::size_t agent) {
  return static_cast<double>(env.components[agent * kAll]) + static_cast<double>(env.components[agent * kAll + 1]);
}

/// Traps, in the copies whose agent 0 starts right of `threshold`, while step `step` is taken.
Program trapRightOf(double threshold, double step, bool isInRules) {
  ProgramBuilder b;
  b.component("gift");
  if (!isInRules) b.rewards();
  b.add(Opcode::DECL, 1).constant(0, 0.0).constant(1, threshold).constant(2, step).constant(3, 1.0);
  b.add(Opcode::LOAD, 4, attributeId(*kSpread, EntityKind::kAgent, "x"), 0).add(Opcode::LT, 5, 1, 4);
  b.add(Opcode::SIGNAL, 6, 0).add(Opcode::EQ, 6, 6, 2).add(Opcode::AND, 5, 5, 6);
  b.add(Opcode::DIV, 7, 3, 0);
  if (isInRules)
    return b.add(Opcode::SCALE, attributeId(*kSpread, EntityKind::kAgent, "accel"), 0, 7, 5).build(*kSpread);
  return b.add(Opcode::GIVE, 0, 0, 7, 5).build(*kSpread);
}

}  // namespace

TEST("shaping is added to the reward of the agent it is given to and kept out of the base return") {
  TestEnv env({.scenario = kSpread, .program = gift(0.5), .numEnvs = 2});
  for (int t = 0; t < 25; ++t) env.step();
  CHECK_NEAR(static_cast<double>(env.rewards[1]), baseOf(env, 1) + 0.5, 1e-6);
  CHECK_NEAR(static_cast<double>(env.rewards[0]), baseOf(env, 0), 1e-6);
  CHECK_NEAR(env.episodeComponents[kAll + kBase], 12.5, 1e-9);
  TestEnv plain({.scenario = kSpread, .numEnvs = 2});
  for (int t = 0; t < 25; ++t) plain.step();
  CHECK(env.episodeReturn == plain.episodeReturn);
  CHECK(env.obs == plain.obs);
}

TEST("the episode limit clips the sum per agent from both sides and starts over with the episode") {
  for (const double amount : {0.7, -0.7}) {
    TestEnv env({.scenario = kSpread, .program = gift(amount, 0, 2.0), .numEnvs = 1});
    std::vector<double> added;
    for (int t = 0; t < 26; ++t) {
      env.step();
      added.push_back(static_cast<double>(env.rewards[1]) - baseOf(env, 1));
      CHECK_NEAR(static_cast<double>(env.components[kAll + kBase]), amount, 1e-6);
    }
    CHECK_NEAR(added[1], amount, 1e-5);
    CHECK_NEAR(added[2], amount > 0 ? 0.6 : -0.6, 1e-5);
    CHECK_NEAR(added[3], 0.0, 1e-5);
    CHECK_NEAR(added[25], amount, 1e-5);
    CHECK_NEAR(env.episodeComponents[kAll + kBase], amount > 0 ? 2.0 : -2.0, 1e-12);
  }
}

TEST("decaying components halve with the training steps, raw components do not") {
  TestEnv env({.scenario = kSpread, .program = gift(1.0, 1000), .numEnvs = 1});
  env.env->setTrainingSteps(2000);
  env.step();
  CHECK_NEAR(static_cast<double>(env.rewards[1]) - baseOf(env, 1), 0.25, 1e-6);
  CHECK_NEAR(static_cast<double>(env.components[kAll + kBase]), 1.0, 1e-6);
}

TEST("a trapped copy is truncated and reset while its neighbours go on untouched") {
  for (const bool isInRules : {true, false}) {
    const double step = isInRules ? 3 : 4;  // both fall into the fourth step
    TestEnv env({.scenario = kSpread, .program = trapRightOf(0.0, step, isInRules), .numEnvs = 100, .seed = 8});
    TestEnv plain({.scenario = kSpread, .numEnvs = 100, .seed = 8});
    for (int t = 0; t < 4; ++t) {
      env.step();
      plain.step();
    }
    const auto traps = env.env->takeTraps();
    CHECK(traps.size() > 20 && traps.size() < 80);
    std::size_t next = 0;
    const std::size_t width = plain.obs.size() / 100;
    for (std::size_t e = 0; e < 100; ++e) {
      const bool isTrapped = next < traps.size() && traps[next].env == static_cast<int>(e);
      CHECK_EQ(int{env.truncated[e]}, isTrapped ? 1 : 0);
      const auto first = static_cast<std::ptrdiff_t>(e * width);
      const auto& shown = isTrapped ? env.finalObs : env.obs;
      CHECK(std::equal(shown.begin() + first, shown.begin() + first + static_cast<std::ptrdiff_t>(width),
                       plain.obs.begin() + first));
      if (!isTrapped) continue;
      CHECK_EQ(traps[next].declaration, 1);
      CHECK_EQ(traps[next].step, 4);
      CHECK_EQ(traps[next].episode, std::uint64_t{e});
      CHECK(traps[next].reason == TrapReason::kDivision);
      CHECK_EQ(env.components[e * 3 * kAll + kBase], 0.0f);
      ++next;
    }
    CHECK(env.env->takeTraps().empty());
  }
}

TEST("a copy that traps in a rule keeps none of the step's effects") {
  const std::int32_t accel = attributeId(*kSpread, EntityKind::kAgent, "accel");
  ProgramBuilder b;
  b.add(Opcode::DECL, 0).constant(0, 0.5).constant(1, 1.0).add(Opcode::SCALE, accel, 1, 0, 1);
  b.add(Opcode::DECL, 1).constant(2, 0.0).add(Opcode::DIV, 3, 1, 2).add(Opcode::SCALE, accel, 0, 3, 1);
  TestEnv env({.scenario = kSpread, .program = b.build(*kSpread), .numEnvs = 1});
  env.actions.assign(3, 2);
  env.step();
  CHECK_EQ(int{env.truncated[0]}, 1);
  for (std::size_t a = 0; a < 3; ++a) CHECK_NEAR(static_cast<double>(env.finalObs[a * 18]), 0.5, 1e-6);
}

TEST("a trap's reason is what happened in its own declaration") {
  ProgramBuilder b;
  // A guarded division by zero in the first declaration, an overflow in the second.
  b.component("gift").rewards().add(Opcode::DECL, 0).constant(0, 0.0).constant(1, 1.0);
  b.add(Opcode::DIV, 2, 1, 0).add(Opcode::GIVE, 0, 0, 2, 0);
  b.add(Opcode::DECL, 1).constant(3, 1e300).add(Opcode::MUL, 3, 3, 3).add(Opcode::GIVE, 0, 0, 3, 1);
  TestEnv env({.scenario = kSpread, .program = b.build(*kSpread), .numEnvs = 1});
  env.step();
  const auto traps = env.env->takeTraps();
  CHECK_EQ(traps.size(), std::size_t{1});
  CHECK_EQ(traps[0].declaration, 1);
  CHECK(traps[0].reason == TrapReason::kNonfinite);
}

TEST("at most so many trap records are kept") {
  TestEnv env({.scenario = kSpread, .program = trapRightOf(-100.0, 1, false), .numEnvs = 700});
  for (int t = 0; t < 3; ++t) env.step();
  CHECK_EQ(env.env->takeTraps().size(), kMaxTrapRecords);
}

TEST("sums of shaping survive a restore under the same program and start over under another") {
  TestEnv first({.scenario = kSpread, .program = gift(0.5), .numEnvs = 1});
  for (int t = 0; t < 10; ++t) first.step();
  const auto bytes = first.env->snapshot(0);
  TestEnv same({.scenario = kSpread, .program = gift(0.5), .numEnvs = 1});
  TestEnv other({.scenario = kSpread, .program = gift(0.25), .numEnvs = 1});
  TestEnv none({.scenario = kSpread, .numEnvs = 1});
  for (TestEnv* env : {&same, &other, &none}) {
    CHECK(!env->env->restore(0, bytes.data(), bytes.size()));
    for (int t = 10; t < 25; ++t) env->step();
    CHECK_EQ(int{env->truncated[0]}, 1);
  }
  CHECK_NEAR(same.episodeComponents[kAll + kBase], 12.5, 1e-12);
  CHECK_NEAR(other.episodeComponents[kAll + kBase], 0.25 * 15, 1e-12);
  CHECK_EQ(same.episodeReturn[1], none.episodeReturn[1]);
}

namespace {

/// Gives agent 1 in every step: 0.7, -0.2 and 0.4, as three components.
Program threeGifts() {
  ProgramBuilder b;
  b.rewards().component("a").component("b").component("c");
  b.add(Opcode::DECL, 0).constant(0, 0.7).constant(1, -0.2).constant(2, 0.4).constant(3, 1.0);
  for (int c = 0; c < 3; ++c) b.add(Opcode::GIVE, c, 1, c, 3);
  return b.build(*kSpread);
}

/// The place of agent 0, ten times, as two potentials of agent 0.
Program placeTwice() {
  ProgramBuilder b;
  for (const char* name : {"a", "b"}) b.component(name).raw().components.back().isPotential = true;
  b.in(Section::kPotentials).add(Opcode::DECL, 0).constant(0, 10.0).constant(1, 1.0);
  b.add(Opcode::LOAD, 2, attributeId(*kSpread, EntityKind::kAgent, "x"), 0).add(Opcode::MUL, 2, 2, 0);
  return b.add(Opcode::PHI, 0, 0, 2, 1).add(Opcode::PHI, 1, 0, 2, 1).build(*kSpread);
}

/// What shaping added to the reward of an agent of the first copy in the step just taken.
double shapedBy(const TestEnv& env, std::size_t agent, std::size_t numShaping) {
  const std::size_t width = kBase + numShaping;
  const double base = static_cast<double>(env.components[agent * width]) +
                      static_cast<double>(env.components[agent * width + 1]);
  return static_cast<double>(env.rewards[agent]) - base;
}

}  // namespace

TEST("weights multiply what components give, beside decay, and may change within an episode") {
  TestEnv env({.scenario = kSpread, .program = gift(1.0, 1000), .numEnvs = 1, .shapingWeights = {0.5}});
  env.step();
  CHECK_NEAR(shapedBy(env, 1, 1), 0.5, 1e-6);
  const double later = -2.0;
  env.env->setShapingWeights(&later);
  env.step();
  CHECK_NEAR(shapedBy(env, 1, 1), -2.0, 1e-6);
  env.env->setTrainingSteps(1000);
  env.step();
  CHECK_NEAR(shapedBy(env, 1, 1), -1.0, 1e-6);
  CHECK_NEAR(static_cast<double>(env.components[kAll + kBase]), 1.0, 1e-6);
}

TEST("a potential telescopes to its ends while its weight moves in every step") {
  TestEnv env({.scenario = kSpread,
               .program = placeTwice(),
               .numEnvs = 40,
               .gamma = 1.0,
               .shapingWeights = {0.0, 0.0}});
  std::vector<double> weights = {0.0, 1.0};
  for (int t = 0; t < 25; ++t) {
    weights[0] = 3.0 * std::sin(t + 1.0);
    env.env->setShapingWeights(weights.data());
    for (auto& action : env.actions) action = (t / 3) % 5;
    env.step();
  }
  const std::size_t width = kBase + 2;
  for (std::size_t e = 0; e < 40; ++e) {
    // Both begun at weight 0: the second ends at phi(s_T) itself.
    const double* sums = &env.episodeComponents[e * 3 * width + kBase];
    CHECK(std::abs(sums[1]) > 1e-3);
    CHECK_NEAR(sums[0], weights[0] * sums[1], 1e-9);
  }
}

TEST("components that are bounded together stay within it for every agent, and each gives way by the same part") {
  TestEnv env({.scenario = kSpread, .program = threeGifts(), .numEnvs = 2, .jointLimit = {{0, 2}, 4.0}});
  TestEnv free({.scenario = kSpread, .program = threeGifts(), .numEnvs = 2});
  double sum = 0.0;
  for (int t = 0; t < 24; ++t) {
    env.step();
    free.step();
    sum += shapedBy(env, 1, 3);
    // 1.1 a step of the two: the fourth step reaches the bound; the one beside them goes on.
    const double joint = std::min(1.1 * (t + 1), 4.0);
    CHECK_NEAR(sum, joint - 0.2 * (t + 1), 1e-4);
    CHECK_NEAR(shapedBy(free, 1, 3), 0.9, 1e-5);
  }
  env.step();
  const std::size_t row = kBase + 3;
  const double a = env.episodeComponents[row + kBase];
  const double c = env.episodeComponents[row + kBase + 2];
  CHECK_NEAR(a + c, 4.0, 1e-12);
  CHECK_NEAR(a / c, 0.7 / 0.4, 1e-9);
  CHECK_NEAR(env.episodeComponents[row + kBase + 1], -5.0, 1e-9);
}

TEST("a bound that is never reached changes nothing, and weights may leave it from both sides") {
  TestEnv env({.scenario = kSpread, .program = threeGifts(), .numEnvs = 1, .jointLimit = {{0, 1, 2}, 2.0}});
  std::vector<double> sums;
  double sum = 0.0;
  for (int t = 0; t < 20; ++t) {
    const double sign = (t / 5) % 2 == 0 ? 1.0 : -1.0;
    const std::vector<double> weights(3, sign);
    env.env->setShapingWeights(weights.data());
    env.step();
    sum += shapedBy(env, 1, 3);
    CHECK(std::abs(sum) <= 2.0 + 1e-5);
    sums.push_back(sum);
  }
  CHECK_NEAR(sums[1], 1.8, 1e-5);
  CHECK_NEAR(sums[4], 2.0, 1e-5);
  CHECK_NEAR(sums[9], -2.0, 1e-5);
}
