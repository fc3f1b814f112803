// Recorded episodes evaluated again.
#include <cstring>
#include <limits>
#include <string>

#include "busy_program.hpp"
#include "check.hpp"
#include "probe_scenario.hpp"
#include "program_builder.hpp"
#include "recording.hpp"

using namespace gymwright;
using namespace gymwright::test;

namespace {

/// Plays the first `copies` episodes again and compares what is seen and paid, bit by bit, with what `expected` has.
/// `feed` may change what the copies whose episode is over are given.
template <typename F>
void expectSame(TestPlayback& again, const std::vector<RecordedEpisode>& played,
                const std::vector<RecordedEpisode>& expected, const std::string& where, F feed) {
  CHECK(!again.begin(played));
  std::size_t longest = 0;
  std::size_t numDifferent = 0;
  for (std::size_t e = 0; e < again.numEnvs; ++e) {
    longest = std::max(longest, played[e].length());
    numDifferent += again.moment(e) == expected[e].moments[0] ? 0 : 1;
  }
  for (std::size_t t = 0; t < longest; ++t) {
    again.stage(played, t);
    feed(t);
    CHECK(!again.step());
    for (std::size_t e = 0; e < again.numEnvs; ++e) {
      if (t >= played[e].length()) continue;
      const bool isSame = again.moment(e) == expected[e].moments[t + 1] && again.worth(e) == expected[e].worths[t];
      numDifferent += isSame ? 0 : 1;
    }
  }
  if (numDifferent > 0) fail(__FILE__, __LINE__, where, ": ", numDifferent, " moments differ");
}

void expectSame(TestPlayback& again, const std::vector<RecordedEpisode>& played, const std::string& where) {
  expectSame(again, played, played, where, [](std::size_t) {});
}

/// Rewards by the copy's own count of steps and a potential of where agent 0 is, which fades with training.
Program valuingProgram(const Scenario& scenario) {
  ProgramBuilder b;
  b.component("steps", 0, 6.5).component("pull", 3000);
  b.raw().components[1].isPotential = true;
  b.raw().memory = {0.0};
  b.in(Section::kControl).add(Opcode::DECL, 0).constant(1, 1.0);
  b.add(Opcode::RECALL, 0, 0).add(Opcode::ADD, 0, 0, 1).add(Opcode::STORE, 0, 0, 0, 1);
  b.rewards().add(Opcode::DECL, 1).constant(1, 1.0).add(Opcode::RECALL, 0, 0).add(Opcode::GIVE, 0, 0, 0, 1);
  b.in(Section::kPotentials).add(Opcode::DECL, 1).constant(0, 1.0).add(Opcode::DIST, 1, 0, 1);
  b.add(Opcode::PHI, 1, 0, 1, 0);
  return b.build(scenario);
}

}  // namespace

TEST("a playback of every scenario has the bits of the steps on record") {
  for (const std::string& name : scenarioNames()) {
    const TestEnvOptions options{.scenario = scenarioOf(name, {{"episode.length", 20}}), .numEnvs = 70, .seed = 5};
    TestEnv env(options);
    Recorder recorder(env, options.seed);
    const auto& episodes = recorder.play(100);
    TestPlayback again(options, 100);
    expectSame(again, episodes, name);
  }
}

TEST("and so it has under a program with memory, a limit and a fading potential") {
  for (const std::string& name : scenarioNames()) {
    const auto scenario = scenarioOf(name, {{"episode.length", 20}});
    const TestEnvOptions options{
        .scenario = scenario, .program = valuingProgram(*scenario), .numEnvs = 70, .seed = 5, .gamma = 0.9};
    if (scenario->manifest().numEntities() < 2) continue;
    CHECK_EQ(options.program.components.size(), std::size_t{2});
    TestEnv env(options);
    env.env->setTrainingSteps(1000);
    env.env->reset(9, 3);
    Recorder recorder(env, 9);
    const auto& episodes = recorder.play(100);
    CHECK(episodes[0].worths[7].rewards != Worth{}.rewards);
    TestPlayback again(options, 100);
    again.playback->setTrainingSteps(1000);
    expectSame(again, episodes, name);
  }
}

TEST("events, behaviours, lasting effects, draws and traps of a program come about as they did") {
  const auto probe = std::make_shared<ProbeScenario>();
  for (const bool doesTrap : {false, true}) {
    const TestEnvOptions options{.scenario = probe,
                                 .program = busyProgram(*probe, doesTrap),
                                 .scripted = {kPlayedByNpc},
                                 .numEnvs = 70,
                                 .seed = 77};
    CHECK(options.program.fingerprint != 0);
    TestEnv env(options);
    Recorder recorder(env, options.seed);
    const auto& episodes = recorder.play(130);
    CHECK_EQ(episodes[0].length(), doesTrap ? std::size_t{4} : std::size_t{6});
    TestPlayback again(options, 130);
    expectSame(again, episodes, "busy");
  }
}

TEST("under another program a record is worth what it would have been under that") {
  const auto scenario = scenarioOf("simple_spread");
  const TestEnvOptions plain{.scenario = scenario, .numEnvs = 9, .seed = 4};
  TestEnvOptions valued = plain;
  valued.program = valuingProgram(*scenario);
  TestEnv plainEnv(plain);
  TestEnv valuedEnv(valued);
  Recorder one(plainEnv, plain.seed);
  Recorder other(valuedEnv, valued.seed);
  const auto& episodes = one.play(18);
  const auto& expected = other.play(18);
  CHECK(!(episodes[0].worths == expected[0].worths));
  TestPlayback again(valued, 18);
  expectSame(again, episodes, expected, "valued", [](std::size_t) {});
  TestPlayback back(plain, 18);
  expectSame(back, expected, episodes, "plain", [](std::size_t) {});
}

TEST("a playback can begin again, in the middle of its episodes too") {
  const TestEnvOptions options{.scenario = scenarioOf("simple_tag"), .numEnvs = 3, .seed = 4};
  TestEnv env(options);
  Recorder recorder(env, options.seed);
  const auto& episodes = recorder.play(3);
  TestPlayback again(options, 3);
  CHECK(!again.begin(episodes));
  again.stage(episodes, 0);
  CHECK(!again.step());
  expectSame(again, episodes, "second time");
}

TEST("what a copy is fed after its episode does not matter, to itself or to the others") {
  const auto scenario = scenarioOf("skirmish");
  const TestEnvOptions options{.scenario = scenario, .numEnvs = 40, .seed = 8};
  TestEnv env(options);
  Recorder recorder(env, options.seed);
  const auto& episodes = recorder.play(60);
  TestPlayback again(options, 60);
  std::uint64_t word = 1;
  int numFed = 0;
  expectSame(again, episodes, episodes, "junk", [&](std::size_t t) {
    for (std::size_t e = 0; e < 60; ++e) {
      if (t < episodes[e].length()) continue;
      ++numFed;
      for (std::size_t i = 0; i < again.numWords; ++i) {
        const std::uint64_t bits = e % 2 == 0 ? 0 : mix64(++word);
        std::memcpy(&again.next[e * again.numWords + i], &bits, sizeof(bits));
      }
      std::fill_n(again.base.data() + e * again.numBase, again.numBase, std::numeric_limits<float>::quiet_NaN());
      again.ended[e] = static_cast<std::uint8_t>(e % 3);
    }
  });
  CHECK(numFed > 100);
}

TEST("words that are no state of the scenario are refused, and change nothing") {
  for (const std::string& name : scenarioNames()) {
    const TestEnvOptions options{.scenario = scenarioOf(name), .numEnvs = 2, .seed = 8};
    TestEnv env(options);
    Recorder recorder(env, options.seed);
    const auto& episodes = recorder.play(2);
    TestPlayback again(options, 2);
    CHECK(!again.begin(episodes));
    again.stage(episodes, 0);
    const std::vector<double> good = again.next;
    const Moment before = again.moment(1);
    using Limits = std::numeric_limits<double>;
    for (const double bad : {Limits::quiet_NaN(), Limits::infinity(), 1e300}) {
      std::fill_n(again.next.data() + again.numWords, again.numWords, bad);
      const auto failure = again.step();
      CHECK(failure && failure->code == "sim.badRecord");
      CHECK(failure && failure->message.find("copy 1 is not one of " + name) != std::string::npos);
      CHECK(again.moment(1) == before);
      const std::vector<double> starts = again.next;
      CHECK(again.playback->begin({starts.data(), again.seeds.data(), again.indices.data()}));
      CHECK(again.moment(1) == before);
    }
    again.next = good;
    again.base[0] = std::numeric_limits<float>::infinity();
    CHECK(again.step());
    again.stage(episodes, 0);
    CHECK(!again.step());
    CHECK(again.moment(1) == episodes[1].moments[1]);
  }
}

TEST("an episode without an index is refused") {
  const TestEnvOptions options{.scenario = scenarioOf("simple_spread"), .numEnvs = 1};
  TestEnv env(options);
  Recorder recorder(env, options.seed);
  std::vector<RecordedEpisode> episodes = recorder.play(1);
  TestPlayback again(options, 1);
  for (const double index : {-1.0, 0.5, 1e17, std::numeric_limits<double>::quiet_NaN()}) {
    episodes[0].index = index;
    CHECK(again.begin(episodes));
  }
  episodes[0].index = 9007199254740992.0;
  CHECK(!again.begin(episodes));
}

TEST("a playback that has not begun shows nothing wrong when it is stepped") {
  for (const std::string& name : scenarioNames()) {
    TestPlayback again({.scenario = scenarioOf(name)}, 3);
    CHECK(!again.step());
    for (const float value : again.obs) CHECK(std::isfinite(value));
  }
}

TEST("final states are those of the copies that ended, and no others") {
  TestEnv env({.scenario = scenarioOf("simple_spread", {{"episode.length", 3}}), .numEnvs = 2});
  const auto numWords = static_cast<std::size_t>(env.env->scenario().stateWords());
  std::vector<double> finals(2 * numWords, -7.0);
  const std::vector<double> untouched = finals;
  for (int t = 0; t < 2; ++t) env.step();
  std::vector<double> before(2 * numWords);
  env.env->copyStates(before.data());
  env.env->copyFinalStates(finals.data());
  CHECK(finals == untouched);
  env.step();
  std::vector<double> after(2 * numWords);
  env.env->copyStates(after.data());
  env.env->copyFinalStates(finals.data());
  CHECK(finals != untouched && finals != after && finals != before);
}
