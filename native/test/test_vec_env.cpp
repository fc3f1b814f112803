#include <algorithm>

#include "check.hpp"
#include "test_env.hpp"

using namespace gymwright;
using namespace gymwright::test;

namespace {

/// Sum of state hashes of episodes 0..1023 after `steps` steps, played in batches of numEnvs.
std::uint64_t hashOfEpisodes(const std::string& name, int numEnvs, int steps) {
  std::uint64_t total = 0;
  for (int first = 0; first < 1024; first += numEnvs) {
    const auto start = static_cast<std::uint64_t>(first);
    TestEnv env(
        {.scenario = scenarioOf(name), .numEnvs = std::min(numEnvs, 1024 - first), .seed = 11, .firstEpisode = start});
    for (int t = 0; t < steps; ++t) env.stepPseudoRandomly(start, t);
    total += env.env->stateHash();
  }
  return total;
}

void stepFrom(TestEnv& env, int first, int count) {
  for (int t = first; t < first + count; ++t) env.stepPseudoRandomly(0, t);
}

}  // namespace

TEST("the state hash of the same episodes is the same for any batch size") {
  for (const std::string& name : scenarioNames()) {
    const std::uint64_t one = hashOfEpisodes(name, 1, 10);
    for (const int numEnvs : {7, 64, 1024}) CHECK_EQ(hashOfEpisodes(name, numEnvs, 10), one);
    CHECK(hashOfEpisodes(name, 64, 11) != one);
  }
}

TEST("the hash of an episode stream is the same on every machine") {
  // Only what IEEE arithmetic fixes: layouts, and the motion where no contact calls the C library's exp. It changes
  // where dynamics, streams or layout change: then raise the scenario's version.
  CHECK_EQ(hashOfEpisodes("simple_spread", 64, 0), std::uint64_t{12939180548061369364u});
  CHECK_EQ(hashOfEpisodes("simple_adversary", 64, 25), std::uint64_t{5223187253282075778u});
  CHECK_EQ(hashOfEpisodes("capture", 64, 60), std::uint64_t{6156074119676404334u});
}

TEST("copies play their own episodes of the stream, whatever the order of play") {
  TestEnv batch({.scenario = scenarioOf("simple_spread"), .numEnvs = 3, .seed = 4});
  for (int t = 0; t < 25; ++t) batch.step();
  // Copy 2 is now in episode 5; a batch that starts there shows the same observation.
  TestEnv single({.scenario = scenarioOf("simple_spread"), .numEnvs = 1, .seed = 4, .firstEpisode = 5});
  CHECK(std::equal(single.obs.begin(), single.obs.end(),
                   batch.obs.end() - static_cast<std::ptrdiff_t>(single.obs.size())));
}

TEST("time limits truncate, keep the last observation, state and mask, and start the next episode") {
  TestEnv env({.scenario = scenarioOf("simple_spread"), .numEnvs = 2});
  stepFrom(env, 0, 24);
  CHECK_EQ(int{env.truncated[0]}, 0);
  TestEnv longer({.scenario = scenarioOf("simple_spread", {{"episode.length", 26}}), .numEnvs = 2});
  stepFrom(longer, 0, 25);
  stepFrom(env, 24, 1);
  CHECK_EQ(int{env.truncated[0]}, 1);
  CHECK_EQ(int{env.terminated[0]}, 0);
  CHECK_EQ(env.episodeLength[1], 25);
  CHECK_EQ(env.endedEpisode[1], 1.0);
  CHECK(env.finalObs == longer.obs);
  CHECK(env.finalState == longer.state);
  CHECK(env.finalAvailActions == longer.availActions);
  TestEnv next({.scenario = scenarioOf("simple_spread"), .numEnvs = 2, .firstEpisode = 2});
  CHECK(env.obs == next.obs);
}

TEST("reaching the goal terminates where that is asked for") {
  const auto scenario = scenarioOf("simple_spread", {{"agent.count", 1}, {"episode.end_on_success", 1}});
  TestEnv env({.scenario = scenario, .scripted = {2}, .numEnvs = 64});
  int terminated = 0;
  for (int t = 0; t < 25; ++t) {
    env.step();
    for (std::size_t e = 0; e < 64; ++e) {
      CHECK(!(env.terminated[e] == 1 && env.truncated[e] == 1));
      terminated += env.terminated[e];
      if (env.terminated[e] == 1) CHECK_EQ(env.episodeMetrics[e * env.numMetrics + 3], 1.0);
    }
  }
  CHECK(terminated > 40);
}

TEST("the episode return is the sum of rewards, and components sum to it") {
  TestEnv env({.scenario = scenarioOf("simple_adversary"), .numEnvs = 5});
  std::vector<double> sums(env.rewards.size());
  for (int t = 0; t < 25; ++t) {
    env.stepPseudoRandomly(0, t);
    for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += static_cast<double>(env.rewards[i]);
  }
  for (std::size_t i = 0; i < sums.size(); ++i) {
    CHECK_NEAR(env.episodeReturn[i], sums[i], 1e-4);
    CHECK_NEAR(env.episodeComponents[2 * i] + env.episodeComponents[2 * i + 1], env.episodeReturn[i], 1e-12);
  }
}

TEST("a copy restored from a snapshot goes on as the original does, in a batch of another size") {
  for (const std::string& name : scenarioNames()) {
    const auto scenario = scenarioOf(name);
    TestEnv original({.scenario = scenario, .numEnvs = 1, .seed = 3});
    stepFrom(original, 0, 9);
    const auto bytes = original.env->snapshot(0);
    TestEnv other({.scenario = scenario, .numEnvs = 70, .seed = 99});
    CHECK(!other.env->restore(66, bytes.data(), bytes.size()));
    CHECK(other.env->snapshot(66) == bytes);
    CHECK(std::equal(original.obs.begin(), original.obs.end(),
                     other.obs.begin() + static_cast<std::ptrdiff_t>(66 * original.obs.size())));
    for (int t = 9; t < scenario->manifest().episodeLength; ++t) {
      original.stepPseudoRandomly(0, t);
      std::copy(original.actions.begin(), original.actions.end(),
                other.actions.begin() + static_cast<std::ptrdiff_t>(66 * original.numAgents));
      other.step();
    }
    CHECK_EQ(int{other.truncated[66]}, 1);
    for (std::size_t a = 0; a < original.numAgents; ++a) {
      CHECK_EQ(other.episodeReturn[66 * original.numAgents + a], original.episodeReturn[a]);
    }
  }
}

TEST("foreign, cut and damaged snapshots are refused and change nothing") {
  TestEnv env({.scenario = scenarioOf("simple_adversary"), .numEnvs = 2});
  stepFrom(env, 0, 3);
  const std::uint64_t before = env.env->stateHash();
  const auto good = env.env->snapshot(0);
  TestEnv spread({.scenario = scenarioOf("simple_spread"), .numEnvs = 1});
  const auto foreign = spread.env->snapshot(0);
  CHECK_EQ(env.env->restore(1, foreign.data(), foreign.size())->code, std::string("sim.badSnapshot"));
  for (std::size_t size = 0; size < good.size(); ++size) CHECK(env.env->restore(1, good.data(), size).has_value());
  for (std::size_t word = 48; word + 8 <= good.size(); word += 8) {
    auto damaged = good;
    std::fill_n(damaged.begin() + static_cast<std::ptrdiff_t>(word), 8, std::uint8_t{0xff});
    CHECK(env.env->restore(1, damaged.data(), damaged.size()).has_value());
  }
  CHECK_EQ(env.env->stateHash(), before);
}

TEST("a snapshot with random bits never makes a copy leave its arrays") {
  TestEnv env({.scenario = scenarioOf("simple_adversary"), .numEnvs = 1});
  const auto good = env.env->snapshot(0);
  std::uint64_t word = 17;
  for (int trial = 0; trial < 3000; ++trial) {
    auto bytes = good;
    for (int flips = 0; flips < 3; ++flips) {
      word = mix64(word + 1);
      bytes[word % bytes.size()] ^= static_cast<std::uint8_t>(1u << (word >> 60) % 8);
    }
    env.env->restore(0, bytes.data(), bytes.size());
    env.step();
  }
  for (const float x : env.obs) CHECK(!std::isnan(x));
}

TEST("actions that are none are found before anything is stepped") {
  TestEnv env({.scenario = scenarioOf("simple_adversary"), .numEnvs = 2});
  CHECK(!env.env->findBadAction(env.actions.data()));
  for (const std::int32_t bad : {-1, 5, 1 << 30}) {
    env.actions[4] = bad;
    CHECK_EQ(env.env->findBadAction(env.actions.data()).value_or(99), std::size_t{4});
  }
  TestEnv scripted({.scenario = scenarioOf("simple_adversary"), .scripted = {1, -1}, .numEnvs = 2});
  scripted.actions[3] = 77;
  CHECK(!scripted.env->findBadAction(scripted.actions.data()));
}

TEST("continuous corner actions move agents as the discrete ones do, and values outside [0,1] are clipped") {
  const auto scenario = scenarioOf("simple_spread");
  TestEnv discrete({.scenario = scenario, .numEnvs = 1});
  TestEnv continuous({.scenario = scenario, .numEnvs = 1, .isContinuous = true});
  for (int t = 0; t < 20; ++t) {
    discrete.stepPseudoRandomly(0, t);
    std::vector<float> actions(15, 0.0f);
    for (std::size_t a = 0; a < 3; ++a)
      actions[5 * a + static_cast<std::size_t>(discrete.actions[a])] = t % 2 == 0 ? 1.0f : 7.5f;
    CHECK(!continuous.env->findBadAction(actions.data()));
    continuous.env->stepBatch(actions.data());
  }
  CHECK(discrete.obs == continuous.obs);
  std::vector<float> bad(15, 0.5f);
  bad[11] = std::nanf("");
  CHECK_EQ(continuous.env->findBadAction(bad.data()).value_or(99), std::size_t{11});
}
