#include <algorithm>
#include <bit>
#include <map>

#include "capture_game.hpp"
#include "check.hpp"

using namespace gymwright;
using namespace gymwright::test;

namespace {

constexpr int kMatches = 100;

/// Index of a scripted policy of either team.
int policy(const std::string& name) {
  const auto scenario = scenarioOf("capture");
  const auto& names = scenario->manifest().groups.front().scripted;
  return static_cast<int>(std::find(names.begin(), names.end(), name) - names.begin());
}

/// Means over matches, from red's side.
struct Outcome {
  double redReturn = 0, blueReturn = 0, wins = 0, kills = 0, deaths = 0;
  std::map<std::string, double> metrics;  ///< of the team
};

Outcome play(const std::string& red, const std::string& blue, const Settings& settings = {}) {
  const auto scenario = scenarioOf("capture", settings);
  TestEnv env({.scenario = scenario, .scripted = {policy(red), policy(blue)}, .numEnvs = kMatches, .seed = 12});
  Outcome outcome;
  std::vector<bool> isDone(kMatches, false);
  for (int t = 0; t < scenario->manifest().episodeLength; ++t) {
    env.step();
    for (std::size_t e = 0; e < kMatches; ++e) {
      if (isDone[e] || env.terminated[e] + env.truncated[e] == 0) continue;
      isDone[e] = true;
      outcome.redReturn += env.episodeReturn[e * env.numAgents] / kMatches;
      outcome.blueReturn += env.episodeReturn[e * env.numAgents + 3] / kMatches;
      for (std::size_t a = 0; a < 3; ++a) {
        for (std::size_t m = 0; m < env.numMetrics; ++m) {
          outcome.metrics[scenario->manifest().metrics[m].name] +=
              env.episodeMetrics[(e * env.numAgents + a) * env.numMetrics + m] / (3 * kMatches);
        }
      }
    }
  }
  CHECK(std::count(isDone.begin(), isDone.end(), false) == 0);
  return outcome;
}

Settings crowded() {
  return {{"red.assault.capacity", 4}, {"red.support.capacity", 2}, {"blue.assault.capacity", 3},
          {"supply.count", 2},         {"obstacle.count", 2},       {"lock.count", 1},
          {"point.scatter", 8},        {"combat.friendly_fire", 1}, {"episode.score", 0}};
}

}  // namespace

TEST("capture: every temperament takes all points from a team that does nothing") {
  for (const std::string red : {"bold", "steady", "wary", "mixed", "tempered"}) {
    const Outcome outcome = play(red, "noop");
    CHECK_NEAR(outcome.redReturn, 300.0, 0.0);
    CHECK_NEAR(outcome.blueReturn, 0.0, 0.0);
    CHECK_NEAR(outcome.metrics.at("success"), 1.0, 1e-9);
  }
}

TEST("capture: temperaments differ in what they risk") {
  const Outcome bold = play("bold", "random");
  const Outcome steady = play("steady", "random");
  const Outcome wary = play("wary", "random");
  CHECK(bold.metrics.at("kills") > 4 * steady.metrics.at("kills"));
  CHECK(steady.metrics.at("success") > 0.99 && wary.metrics.at("success") > 0.95);
  const Outcome careful = play("wary", "bold");
  const Outcome daring = play("bold", "bold");
  CHECK(careful.metrics.at("deaths") < 0.7 * daring.metrics.at("deaths"));
  CHECK(careful.metrics.at("success") < daring.metrics.at("success"));
}

TEST("capture: even teams of one temperament are even") {
  const Outcome outcome = play("steady", "steady");
  CHECK_NEAR(outcome.redReturn, outcome.blueReturn, 60.0);
  CHECK_NEAR(outcome.metrics.at("success"), 0.5, 0.17);
}

TEST("capture: tempered plays by the boldness that is set") {
  const Outcome bold = play("bold", "steady");
  const Outcome tempered = play("tempered", "tempered", {{"red.boldness", 1}, {"blue.boldness", 0.5}});
  CHECK_EQ(tempered.redReturn, bold.redReturn);
  CHECK_EQ(tempered.metrics.at("deaths"), bold.metrics.at("deaths"));
}

TEST("capture: mixed draws a temperament for each unit and episode, whatever the batch") {
  const auto scenario = scenarioOf("capture");
  const int mixed = policy("mixed");
  TestEnv batch({.scenario = scenario, .scripted = {mixed, mixed}, .numEnvs = 6, .seed = 4});
  TestEnv single({.scenario = scenario, .scripted = {mixed, mixed}, .numEnvs = 1, .seed = 4, .firstEpisode = 5});
  for (int t = 0; t < 90; ++t) {
    batch.step();
    single.step();
    CHECK(std::equal(single.obs.begin(), single.obs.end(),
                     batch.obs.end() - static_cast<std::ptrdiff_t>(single.obs.size())));
  }
}

TEST("capture: the three general metrics are shares and rise with team play") {
  const Outcome steady = play("steady", "steady");
  const Outcome random = play("random", "random");
  const Outcome idle = play("noop", "noop");
  for (const std::string name : {"cooperation_index", "role_adherence", "exploration_ratio"}) {
    for (const Outcome* outcome : {&steady, &random, &idle}) {
      CHECK(outcome->metrics.at(name) >= 0.0 && outcome->metrics.at(name) <= 1.0);
    }
  }
  CHECK(steady.metrics.at("cooperation_index") > random.metrics.at("cooperation_index") + 0.3);
  CHECK(steady.metrics.at("role_adherence") > random.metrics.at("role_adherence") + 0.3);
  CHECK_EQ(idle.metrics.at("cooperation_index"), 0.0);
  CHECK(idle.metrics.at("exploration_ratio") < 0.1);
}

TEST("capture: masks let the dead and the absent only stand, and nobody walk out of the field") {
  CaptureGame game({{"blue.assault.capacity", 3}});
  constexpr int kAbsent = 5;
  CHECK_EQ(game.at("alive", kAbsent), 0.0);
  const std::vector<int> onlyStand = {1, 0, 0, 0, 0, 0, 0, 0, 0};
  CHECK(game.mask(kAbsent) == onlyStand);
  CHECK(game.mask(0) == (std::vector<int>{1, 1, 0, 0, 0, 0, 0, 1, 1}));
  game.put(0, 50, 30);
  CHECK(game.mask(0) == std::vector<int>(9, 1));
  game.trigger("disturb", "wound", 1000, 0);
  game.step();
  CHECK(game.mask(0) == onlyStand);
  const auto dead = game.obs(0);
  CHECK(dead[4] > 0.9);
  for (std::size_t i = 10; i < dead.size(); ++i) CHECK_EQ(dead[i], 0.0);
  for (const double x : game.obs(kAbsent)) CHECK_EQ(x, 0.0);
  CHECK(std::isnan(game.metric("kills", kAbsent)));
}

TEST("capture: masks of a batch never offer what play does not allow, and always something") {
  TestEnv env({.scenario = scenarioOf("capture", crowded()), .numEnvs = 32});
  for (int t = 0; t < 120; ++t) {
    for (std::size_t i = 0; i < env.actions.size(); ++i) {
      const auto* mask = env.availActions.data() + 9 * i;
      CHECK_EQ(int{mask[0]}, 1);
      const auto wanted = static_cast<std::size_t>(mix64(i * 977 + static_cast<std::uint64_t>(t)) % 9);
      env.actions[i] = mask[wanted] == 1 ? static_cast<std::int32_t>(wanted) : 0;
    }
    env.step();
    for (const float x : env.obs) CHECK(std::isfinite(x) && std::fabs(x) < 20.0f);
    for (const float x : env.state) CHECK(std::isfinite(x) && std::fabs(x) < 20.0f);
  }
}

TEST("capture: a regime that switches units on and off makes them appear at their base and vanish") {
  CaptureGame game({{"blue.assault.capacity", 4}});
  constexpr int kReserve = 5;
  game.set("enabled", kReserve, 1.0);
  game.step();
  CHECK_EQ(game.at("alive", kReserve), 1.0);
  CHECK_EQ(game.at("in_base", kReserve), 1.0);
  game.set("enabled", kReserve, 0.0);
  game.step();
  CHECK_EQ(game.at("alive", kReserve), 0.0);
  CHECK_EQ(game.at("deaths", kReserve), 0.0);
  CHECK(!std::isnan(game.metric("deaths", kReserve)));
  for (const double x : game.obs(kReserve)) CHECK_EQ(x, 0.0);
}

TEST("capture: crowded matches step the same alone, in a batch, and after a restore") {
  const auto scenario = scenarioOf("capture", crowded());
  const int mixed = policy("mixed");
  TestEnv batch({.scenario = scenario, .scripted = {-1, mixed}, .numEnvs = 5, .seed = 8});
  TestEnv single({.scenario = scenario, .scripted = {-1, mixed}, .numEnvs = 1, .seed = 8, .firstEpisode = 3});
  std::vector<std::uint8_t> kept;
  for (int t = 0; t < 150; ++t) {
    if (t == 70) kept = single.env->snapshot(0);
    batch.stepPseudoRandomly(0, t);
    single.stepPseudoRandomly(3, t);
    CHECK(batch.env->snapshot(3) == single.env->snapshot(0));
  }
  const std::uint64_t after = single.env->stateHash();
  TestEnv again({.scenario = scenario, .scripted = {-1, mixed}, .numEnvs = 1, .seed = 77});
  CHECK(!again.env->restore(0, kept.data(), kept.size()));
  for (int t = 70; t < 150; ++t) again.stepPseudoRandomly(3, t);
  CHECK_EQ(again.env->stateHash(), after);
}

TEST("capture: snapshots with random bits never make a copy leave its arrays") {
  TestEnv env({.scenario = scenarioOf("capture", crowded()), .scripted = {3, 5}, .numEnvs = 1});
  for (int t = 0; t < 40; ++t) env.step();
  const auto good = env.env->snapshot(0);
  std::uint64_t word = 23;
  int accepted = 0;
  for (int trial = 0; trial < 3000; ++trial) {
    auto bytes = good;
    for (int flips = 0; flips < 2; ++flips) {
      word = mix64(word + 1);
      bytes[56 + word % (bytes.size() - 56)] ^= static_cast<std::uint8_t>(1u << (word >> 60) % 8);
    }
    accepted += env.env->restore(0, bytes.data(), bytes.size()) ? 0 : 1;
    env.step();
  }
  CHECK(accepted > 100 && accepted < 3000);
  for (const float x : env.obs) CHECK(!std::isnan(x));
}

TEST("capture: a state in which a point is open to others than its lock is none") {
  const auto scenario = scenarioOf("capture", {{"lock.count", 1}});
  CaptureGame game({{"lock.count", 1}});
  const auto word = [&](const std::string& set, int i) -> double& {
    constexpr int kOpenWord = 7;  // behind x
    return game.state[static_cast<std::size_t>(scenario->positionWord(game.entity(set, i)) + kOpenWord)];
  };
  CHECK(scenario->isValidState(game.state.data()));
  CHECK_EQ(word("point", 0), 3.0);
  CHECK_EQ(word("point", 1), 0.0);
  word("point", 0) = 1.0;
  CHECK(!scenario->isValidState(game.state.data()));
  word("point", 0) = 3.0;
  word("lock", 0) = word("point", 1) = 2.0;
  CHECK(scenario->isValidState(game.state.data()));
  word("point", 1) = 3.0;
  CHECK(!scenario->isValidState(game.state.data()));
}

TEST("capture: continuous actions move as the discrete ones do") {
  const auto scenario = scenarioOf("capture");
  double discrete[2];
  double continuous[2];
  const float corner[4] = {0.0f, 3.0f, 0.0f, 1.0f};
  scenario->decodeDiscrete(0, kNorthEast, discrete);
  scenario->decodeContinuous(0, corner, continuous);
  CHECK_NEAR(discrete[0], continuous[0], 1e-15);
  CHECK_NEAR(discrete[1], continuous[1], 1e-15);
  const float half[4] = {0.5f, 0.0f, 0.0f, 0.0f};
  scenario->decodeContinuous(0, half, continuous);
  CHECK_EQ(continuous[0], -0.5);
}

TEST("capture: counts beyond their capacity, teams of nobody and locks without points are refused with the way out") {
  const auto reason = [](const Settings& settings) {
    const auto made = makeScenario("capture", settings);
    return made ? std::string() : made.failure().code + ": " + made.failure().message;
  };
  CHECK(reason({{"red.assault.count", 5}, {"red.assault.capacity", 4}}).find("raise red.assault.capacity") !=
        std::string::npos);
  CHECK(reason({{"blue.assault.count", 0}, {"blue.support.count", 0}}).find("no units") != std::string::npos);
  CHECK(reason({{"lock.count", 4}}).find("points there are to lock") != std::string::npos);
  CHECK(reason({{"blue.assault.count", 0}, {"blue.support.count", 0}, {"blue.assault.capacity", 2}}).find("no units") !=
        std::string::npos);
  CHECK(reason({{"blue.assault.count", 0}, {"blue.assault.capacity", 2}}).empty());
}

TEST("capture: shapes follow capacities, not counts") {
  const auto small = scenarioOf("capture", {{"red.assault.count", 1}, {"red.assault.capacity", 4}});
  const auto large = scenarioOf("capture", {{"red.assault.count", 4}, {"red.assault.capacity", 4}});
  CHECK_EQ(small->manifest().obsDim, large->manifest().obsDim);
  CHECK_EQ(small->manifest().stateDim, large->manifest().stateDim);
  CHECK_EQ(small->manifest().numAgents, 8);
  for (const Parameter& parameter : small->manifest().parameters) {
    if (parameter.name == "red.assault.count") CHECK(!parameter.isStructural);
    if (parameter.name == "red.support.count") CHECK(parameter.isStructural);
  }
}
