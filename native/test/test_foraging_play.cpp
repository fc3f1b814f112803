#include <algorithm>
#include <cmath>

#include "check.hpp"
#include "foraging_game.hpp"

using namespace gymwright;
using namespace gymwright::test;

namespace {

struct Play {
  double total;  ///< sum of base returns over agents, mean over episodes
  double standardError;
  double success;
  double meanLength;
};

/// Whole episodes 0.. of one scripted policy, each counted once.
Play playOut(const std::string& policy, Settings settings, int episodes = 1000) {
  const auto scenario = scenarioOf("foraging", settings);
  const Manifest& m = scenario->manifest();
  const auto& known = m.groups[0].scripted;
  const auto id = static_cast<int>(std::find(known.begin(), known.end(), policy) - known.begin());
  TestEnv env({.scenario = scenario, .scripted = {id}, .numEnvs = episodes, .seed = 2024});
  std::vector<bool> isDone(static_cast<std::size_t>(episodes));
  double sum = 0.0, squares = 0.0, success = 0.0, length = 0.0;
  for (int t = 0; t < m.episodeLength; ++t) {
    env.step();
    for (std::size_t e = 0; e < isDone.size(); ++e) {
      if (isDone[e] || (env.terminated[e] == 0 && env.truncated[e] == 0)) continue;
      isDone[e] = true;
      double total = 0.0;
      for (std::size_t a = 0; a < env.numAgents; ++a) total += env.episodeReturn[e * env.numAgents + a];
      sum += total;
      squares += total * total;
      success += env.episodeMetrics[e * env.numAgents * env.numMetrics];
      length += env.episodeLength[e];
    }
  }
  const double mean = sum / episodes;
  return {mean, std::sqrt(std::max(squares / episodes - mean * mean, 0.0) / episodes), success / episodes, length / episodes};
}

Settings coop(Settings more = {}) {
  more.insert(more.end(), {{"food.coop", 1}});
  return more;
}

}  // namespace

TEST("foraging: a team that forages together loads everything, so that rewards add up to 1 in every episode") {
  const Play play = playOut("forage", coop());
  CHECK_NEAR(play.total, 1.0, 1e-6);
  CHECK_NEAR(play.standardError, 0.0, 1e-6);
  CHECK_EQ(play.success, 1.0);
  CHECK(play.meanLength < 25.0);
  CHECK_NEAR(playOut("forage", {{"agent.count", 4}, {"food.count", 4}, {"load.penalty", 0.1}}).total, 1.0, 0.01);
}

TEST("foraging: who does nothing gets nothing, and who goes alone for what two must load gets next to nothing") {
  CHECK_EQ(playOut("noop", coop(), 50).total, 0.0);
  CHECK(playOut("alone", {}).success < 0.9);
  CHECK_EQ(playOut("alone", {{"agent.count", 1}, {"food.max_level", 1}}).success, 1.0);
}

// Random play over legal actions, 4000 episodes of lbforaging 2.0.0 each (foraging-cases.json).
TEST("foraging: random play gets what it gets in the reference") {
  struct Case {
    Settings settings;
    double mean, standardError;
  };
  for (const Case& known : {Case{coop(), 0.006375, 0.000887},
                            Case{{{"agent.count", 3}, {"food.count", 3}, {"load.penalty", 0.1}}, -0.24068, 0.00726},
                            Case{{{"agent.count", 4}, {"food.count", 1}, {"field.rows", 5}, {"field.columns", 5}},
                                 0.5355,
                                 0.007886}}) {
    const Play play = playOut("random", known.settings, 3000);
    CHECK_NEAR(play.total, known.mean, 3.5 * std::hypot(play.standardError, known.standardError));
  }
}

TEST("foraging: the policy \"temper\" does what the temper says") {
  CHECK_NEAR(playOut("temper", coop(), 200).total, 1.0, 1e-6);
  CHECK_EQ(playOut("temper", coop({{"agent.temper", 2}}), 50).total, 0.0);
  ForagingGame game(8, 8, {{1, 0, 0}, {1, 7, 7}}, {{2, 3, 3}}, {{"agent.temper", 1}});
  CHECK(game.play("temper") == game.play("alone"));
}
