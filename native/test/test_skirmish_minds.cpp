// Scripted players and behaviours, and what the metrics make of play.
#include "check.hpp"
#include "skirmish_game.hpp"

using namespace gymwright;
using namespace gymwright::test;

namespace {

/// Ally 0 against enemies 3 and 4 near it; the others are far away.
SkirmishGame skirmishOfThree(double firstDistance, double secondDistance) {
  SkirmishGame game;
  game.scatter();
  game.put(0, 16.0, 16.0);
  game.put(3, 16.0 + firstDistance, 16.0);
  game.put(4, 16.0, 16.0 + secondDistance);
  return game;
}

struct Battles {
  double wins, draws, meanReturn, meanLength, standardError;
};

/// Episodes 0..count-1 of a map with both teams scripted, from the allies' side.
Battles fightOut(const std::string& map, const std::string& ally, int count) {
  const auto scenario = scenarioOf("skirmish", skirmishSettings({{"map", map}}));
  const std::vector<std::string>& names = scenario->manifest().groups[0].scripted;
  const auto index = [&names](const std::string& name) {
    return static_cast<int>(std::find(names.begin(), names.end(), name) - names.begin());
  };
  TestEnv env({.scenario = scenario, .scripted = {index(ally), index("closest")}, .numEnvs = count, .seed = 11});
  std::vector<bool> isDone(static_cast<std::size_t>(count));
  Battles sum{};
  double squares = 0.0;
  for (int t = 0; t < 101; ++t) {
    env.step();
    for (std::size_t e = 0; e < isDone.size(); ++e) {
      if (isDone[e] || (env.terminated[e] == 0 && env.truncated[e] == 0)) continue;
      isDone[e] = true;
      const std::size_t row = e * env.numAgents;
      sum.wins += env.episodeMetrics[row * env.numMetrics] / count;
      sum.draws += env.episodeMetrics[row * env.numMetrics + 1] / count;
      sum.meanReturn += env.episodeReturn[row] / count;
      squares += env.episodeReturn[row] * env.episodeReturn[row] / count;
      sum.meanLength += static_cast<double>(env.episodeLength[e]) / count;
    }
  }
  sum.standardError = std::sqrt((squares - sum.meanReturn * sum.meanReturn) / count);
  return sum;
}

}  // namespace

TEST("skirmish: the heuristic shoots the closest, stays with whom it shot at, and then whom is left") {
  SkirmishGame game = skirmishOfThree(4.0, 3.0);
  CHECK_EQ(game.play(0, "closest")[0], kFirstAttack + 1);
  game.actions[0] = kFirstAttack + 1;
  game.step();
  game.put(4, 16.0, 20.5);
  CHECK_EQ(game.play(0, "closest")[0], kFirstAttack + 1);
  game.put(4, 16.0, 22.0);
  CHECK_EQ(game.play(0, "closest")[0], kFirstAttack);
}

TEST("skirmish: the heuristic walks to somebody it sees, else to where the enemies came from") {
  SkirmishGame game = skirmishOfThree(8.0, 20.0);
  CHECK_EQ(game.play(0, "closest")[0], kEast);
  game.put(3, 30.0, 30.0);
  SkirmishGame fresh;
  fresh.scatter();
  fresh.put(0, 16.0, 16.0);
  CHECK_EQ(fresh.play(0, "closest")[0], kEast);
}

TEST("skirmish: \"focus\" shoots the weakest in range") {
  SkirmishGame game = skirmishOfThree(4.0, 3.0);
  game.set("hit_points", 3, 10.0);
  CHECK_EQ(game.play(0, "focus")[0], kFirstAttack);
  game.put(3, 16.0 + 5.5, 16.0);
  CHECK_EQ(game.play(0, "focus")[0], kFirstAttack + 1);
}

TEST("skirmish: \"kite\" steps back from a shorter-ranged enemy only while its weapon cools down") {
  SkirmishGame game = skirmishOfThree(2.5, 12.0);
  game.set("assigned_type", 3, 4.0);
  game.actions[0] = kEast;
  game.put(0, 15.0, 16.0);
  game.step();
  game.put(0, 16.0, 16.0);
  game.set("cooldown", 0, 0.3);
  CHECK_EQ(game.play(0, "kite")[0], kWest);
  game.set("cooldown", 0, 0.0);
  CHECK_EQ(game.play(0, "kite")[0], kFirstAttack);
}

TEST("skirmish: the policy \"tactics\" follows tactics and temper in force") {
  SkirmishGame game = skirmishOfThree(8.0, 20.0);
  const auto enemy = [&game] { return game.play(1, "tactics")[0]; };
  CHECK_EQ(enemy(), kWest);
  game.set("tactics", 3, 3.0);  // hold
  CHECK_EQ(enemy(), kStop);
  game.set("tactics", 3, 4.0);  // retreat to where it came into play
  CHECK(enemy() != kStop);
  game.set("tactics", 3, 0.0);
  game.set("temper", 3, 2.0);  // wary, and hurt, with an enemy near
  game.put(0, 20.0, 16.0);
  game.trigger("disturb", "wound", 30, 3);
  CHECK_EQ(enemy(), kEast);
  game.put(3, 26.5, 16.0);
  CHECK_EQ(enemy(), kNorth);  // not east: that is too near to the wall
  game.set("temper", 3, 1.0);
  game.set("cooldown", 3, 0.5);
  CHECK_EQ(enemy(), kWest);
}

TEST("skirmish: behaviours do what they are named after") {
  SkirmishGame game = skirmishOfThree(4.0, 7.0);
  const int middle = game.scenario->manifest().numAgents + 2;
  CHECK_EQ(game.behave("attack", 0, 4), kNorth);
  CHECK_EQ(game.behave("attack", 0, 3), kFirstAttack);
  CHECK_EQ(game.behave("attack", 0, 1), kStop);  // a mate
  CHECK_EQ(game.behave("hold", 0), kFirstAttack);
  CHECK_EQ(game.behave("flee", 0, 3), kWest);
  CHECK_EQ(game.behave("chase", 0, 4), kNorth);
  CHECK_EQ(game.behave("goto", 1, middle), kNorth);
  CHECK_EQ(game.behave("guard", 0, middle), kFirstAttack);
  CHECK_EQ(game.behave("guard", 1, middle), kNorth);
  CHECK(game.behave("retreat", 0) != kStop);
  CHECK_EQ(game.behave("focus", 0), kFirstAttack);
  for (int t = 0; t < 20; ++t, ++game.clock) {
    const std::int32_t action = game.behave("wander", 0);
    CHECK_EQ(game.mask(0)[static_cast<std::size_t>(action)], 1);
  }
  game.set("alive", 0, 0.0);
  CHECK_EQ(game.behave("attack", 0, 3), kStop);
}

TEST("skirmish: cooperation counts shots at whom a mate hits too, role who keeps its distance") {
  SkirmishGame game = skirmishOfThree(3.0, 12.0);
  game.put(1, 16.0, 15.0);
  game.actions[0] = game.actions[1] = kFirstAttack;
  game.step();
  CHECK_EQ(game.metric("cooperation_index", 0), 1.0);
  CHECK_EQ(game.metric("role_adherence", 0), 1.0);
  game.actions[1] = kStop;
  game.step(2);
  CHECK_NEAR(game.metric("cooperation_index", 0), 1.0 / 3.0, 1e-12);
  CHECK_NEAR(game.metric("damage_dealt", 0), 9.0 * 3, 1e-12);
  CHECK_NEAR(game.metric("damage_taken", 3), 45.0 - game.at("hit_points", 3), 1e-12);
  CHECK(game.metric("exploration_ratio", 0) > 0.0);
}

TEST("skirmish: scripted teams fare as they do in the reference") {
  struct Row {
    const char* map;
    const char* policy;
    double wins, meanReturn, meanLength;
  };
  constexpr int kCount = 600;
  for (const Row& row : {Row{"3m", "random", 0, 0.179, 17.8}, Row{"3m", "closest", 0.495, 1.41, 13.9},
                         Row{"3m", "focus", 0.607, 1.54, 14.2}, Row{"2s3z", "closest", 0.484, 1.40, 71.4},
                         Row{"2s3z", "focus", 0.808, 1.79, 72.4}, Row{"2s3z", "kite", 0.848, 1.84, 77.3},
                         Row{"5m_vs_6m", "closest", 0.001, 0.572, 12.5}, Row{"3s_vs_5z", "kite", 0.686, 1.66, 92.8},
                         Row{"smacv2_5", "closest", 0.486, 1.34, 36.4}}) {
    const Battles battles = fightOut(row.map, row.policy, kCount);
    const double winError = std::sqrt(std::max(row.wins * (1.0 - row.wins), 1e-3) / kCount);
    CHECK_NEAR(battles.wins, row.wins, 3.5 * winError);
    CHECK_NEAR(battles.meanReturn, row.meanReturn, 3.5 * battles.standardError + 0.005);
    CHECK_NEAR(battles.meanLength, row.meanLength, 0.06 * row.meanLength);
  }
}

TEST("skirmish: who stops earns nothing") {
  const Battles battles = fightOut("3m", "stop", 200);
  CHECK_EQ(battles.wins, 0.0);
  CHECK_EQ(battles.meanReturn, 0.0);
  CHECK_NEAR(battles.meanLength, 15.0, 0.3);
}
