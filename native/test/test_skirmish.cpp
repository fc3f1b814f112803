#include "check.hpp"
#include "skirmish_game.hpp"

using namespace gymwright;
using namespace gymwright::test;

namespace {

constexpr std::size_t kDamage = 0, kWin = 2;

Settings duel(Settings more = {}) {
  more.insert(more.end(), {{"ally.count", 1}, {"enemy.count", 1}});
  return more;
}

/// Two marines, `distance` apart in the middle of the field, that attack each other.
SkirmishGame faceOff(double distance, Settings more = {}) {
  SkirmishGame game(duel(std::move(more)));
  game.put(0, 16.0 - 0.5 * distance, 16.0);
  game.put(1, 16.0 + 0.5 * distance, 16.0);
  game.actions = {kFirstAttack, kFirstAttack};
  return game;
}

std::optional<std::string> refusalOf(const Settings& settings) {
  const auto made = makeScenario("skirmish", settings);
  if (made) return std::nullopt;
  return made.failure().message;
}

}  // namespace

TEST("skirmish: a step is eight sub-steps: a speed of 5 m/s makes 2.5 m") {
  SkirmishGame game(duel({{"marine.speed", 5}}));
  game.put(0, 10.0, 10.0);
  game.put(1, 20.0, 20.0);
  game.actions = {kEast, kSouth};
  game.step();
  CHECK_NEAR(game.x(0), 12.5, 1e-12);
  CHECK_NEAR(game.y(1), 17.5, 1e-12);
  CHECK_NEAR(game.at("vx", 0), 5.0, 1e-12);
}

TEST("skirmish: a weapon of 0.02 damage each 0.2 s takes 0.04 of one enemy of five in a step, worth 0.008") {
  Settings settings = {{"ally.count", 5},      {"enemy.count", 5},     {"marine.health", 1},
                       {"marine.damage", 0.02}, {"marine.cooldown", 0.2}};
  SkirmishGame game(settings);
  game.scatter();
  game.put(0, 16.0, 16.0);
  game.put(5, 18.0, 16.0);
  game.actions[0] = kFirstAttack;
  game.step();
  CHECK_NEAR(game.at("hit_points", 5), 0.96, 1e-12);
  CHECK_NEAR(game.reward(0, kDamage), 0.008, 1e-12);
  CHECK_NEAR(game.reward(4, kDamage), 0.008, 1e-12);
  CHECK_EQ(game.reward(5, kDamage), 0.0);
}

TEST("skirmish: what lands at once lands at once: two can kill each other, and nobody has won") {
  SkirmishGame game = faceOff(3.0, {{"marine.health", 9}});
  CHECK(game.step());
  CHECK_EQ(game.at("alive", 0), 0.0);
  CHECK_EQ(game.at("alive", 1), 0.0);
  CHECK_EQ(game.reward(0, kWin), 0.0);
  CHECK_EQ(game.reward(1, kWin), 0.0);
  CHECK_EQ(game.metric("draw", 0), 1.0);
  CHECK_EQ(game.metric("success", 0), 0.0);
  CHECK_EQ(game.metric("kills", 0), 1.0);
  CHECK_EQ(game.metric("kills", 1), 1.0);
}

TEST("skirmish: victory pays 1 to all of the team that is left with somebody, and nothing to the other") {
  SkirmishGame game = faceOff(3.0, {{"marine.health", 9}});
  game.actions[1] = kStop;
  CHECK(game.step());
  CHECK_EQ(game.reward(0, kWin), 1.0);
  CHECK_EQ(game.reward(0, kDamage), 1.0);
  CHECK_EQ(game.reward(1, kWin), 0.0);
  CHECK_EQ(game.metric("success", 0), 1.0);
  CHECK_EQ(game.metric("success", 1), 0.0);
  CHECK_EQ(game.metric("survivors", 0), 1.0);
}

TEST("skirmish: range and sight are strict") {
  for (const double distance : {5.0, 5.0 - 1e-9}) {
    SkirmishGame game = faceOff(distance);
    const bool isInRange = distance < 5.0;
    CHECK_EQ(game.mask(0)[kFirstAttack], isInRange ? 1 : 0);
    game.step();
    CHECK_EQ(game.at("hit_points", 1) < 45.0, isInRange);
  }
  CHECK(!faceOff(9.0).holds("sees", 0, 1));
  CHECK(faceOff(9.0 - 1e-9).holds("sees", 0, 1));
}

TEST("skirmish: under SMAC's rule attacks are legal up to 6 m and the attacker walks up to its range") {
  SkirmishGame game = faceOff(6.0, {{"attack.rule", 1}});
  CHECK_EQ(game.mask(0)[kFirstAttack], 1);
  game.actions[1] = kStop;
  game.step();
  CHECK(game.x(0) > 13.0);
  CHECK(game.x(0) < 14.6);
  CHECK(game.at("hit_points", 1) < 45.0);
  CHECK_EQ(faceOff(6.01, {{"attack.rule", 1}}).mask(0)[kFirstAttack], 0);
}

TEST("skirmish: walls kill, and do not where they may not") {
  for (const double isLethal : {1.0, 0.0}) {
    SkirmishGame game(duel({{"walls.lethal", isLethal}}));
    game.put(0, 0.5, 16.0);
    game.actions[0] = kWest;
    CHECK_EQ(game.step(), isLethal == 1.0);
    CHECK_EQ(game.at("alive", 0), 1.0 - isLethal);
    CHECK_EQ(game.reward(1, kDamage), isLethal);
    CHECK_EQ(game.x(0), 0.0);
  }
}

TEST("skirmish: a dead unit observes nothing, can only stop, and is inactive") {
  SkirmishGame game({{"marine.damage", 0}});
  game.scatter();
  game.put(0, 0.1, 16.0);
  game.actions[0] = kWest;
  game.step();
  const auto mask = game.mask(0);
  for (int action = 0; action < static_cast<int>(mask.size()); ++action)
    CHECK_EQ(mask[static_cast<std::size_t>(action)], action == kStop ? 1 : 0);
  for (const double x : game.obs(0)) CHECK_EQ(x, 0.0);
  std::vector<std::uint8_t> active(6);
  game.scenario->writeActive(game.state.data(), active.data());
  CHECK_EQ(active[0], 0);
  CHECK_EQ(active[1], 1);
  const double where = game.x(0);
  game.actions[0] = kEast;
  game.step();
  CHECK_EQ(game.x(0), where);
  // Mates go on without it.
  CHECK_EQ(game.obs(1)[0], 0.0);
}

TEST("skirmish: the enemies number the allies backwards") {
  SkirmishGame game;
  game.scatter();
  game.put(2, 16.0, 16.0);
  game.put(3, 18.0, 16.0);
  CHECK_EQ(game.mask(3)[kFirstAttack], 1);
  CHECK_EQ(game.mask(3)[kFirstAttack + 2], 0);
  game.actions[3] = kFirstAttack;
  game.step();
  CHECK(game.at("hit_points", 2) < 45.0);
  CHECK(game.holds("attacks", 3, 2));
  CHECK(!game.holds("attacks", 3, 0));
  CHECK_EQ(game.scenario->manifest().groups[1].actionNames[kFirstAttack], std::string("attack_ally_2"));
}

TEST("skirmish: overlapping units are pushed apart, each by half the overlap") {
  SkirmishGame game(duel({{"marine.speed", 0}}));
  game.put(0, 16.0, 16.0);
  game.put(1, 16.5, 16.0);
  game.step();
  CHECK_NEAR(game.x(1) - game.x(0), 0.75, 1e-5);
  CHECK_NEAR(0.5 * (game.x(0) + game.x(1)), 16.25, 1e-12);
}

TEST("skirmish: rewards of a battle won add up to 2, to 20 in SMAC's scale, and to 1 where they are sparse") {
  const double totals[] = {2.0, 20.0, 1.0};
  for (int scheme = 0; scheme < 3; ++scheme) {
    SkirmishGame game({{"reward.scheme", static_cast<double>(scheme)}, {"enemy.damage", 0}});
    double sum = 0.0;
    bool isOver = false;
    for (int t = 0; t < 100 && !isOver; ++t) {
      const auto allies = game.play(0, "focus");
      std::copy(allies.begin(), allies.end(), game.actions.begin());
      isOver = game.step();
      for (std::size_t c = 0; c < 3; ++c) sum += game.reward(1, c);
    }
    CHECK(isOver);
    CHECK_NEAR(sum, totals[scheme], 1e-12);
  }
}

TEST("skirmish: an episode has 101 steps, or what SMAC allows on the map") {
  CHECK_EQ(scenarioOf("skirmish")->manifest().episodeLength, 101);
  CHECK_EQ(scenarioOf("skirmish", skirmishSettings({{"episode.limit", "smac"}}))->manifest().episodeLength, 60);
  const auto big = skirmishSettings({{"episode.limit", "smac"}, {"map", "27m_vs_30m"}});
  CHECK_EQ(scenarioOf("skirmish", big)->manifest().episodeLength, 180);
}

TEST("skirmish: shapes of the maps are those of SMAX") {
  struct Shape {
    const char* map;
    int obs, state, actions;
  };
  for (const Shape& shape :
       {Shape{"3m", 75, 72, 8}, Shape{"2s3z", 127, 120, 10}, Shape{"5m_vs_6m", 140, 132, 11}, Shape{"8m", 205, 192, 13},
        Shape{"3s5z", 205, 192, 13}, Shape{"10m_vs_11m", 270, 252, 16}, Shape{"27m_vs_30m", 738, 684, 35},
        Shape{"smacv2_5", 127, 120, 10}, Shape{"smacv2_10", 257, 240, 15}, Shape{"smacv2_20", 517, 480, 25},
        Shape{"8m_vs_9m", 218, 204, 14}, Shape{"3s_vs_3z", 75, 72, 8}, Shape{"3s_vs_4z", 88, 84, 9},
        Shape{"2m_vs_1z", 36, 36, 6}, Shape{"corridor", 387, 360, 29}}) {
    const auto scenario = scenarioOf("skirmish", skirmishSettings({{"map", shape.map}}));
    CHECK_EQ(scenario->manifest().obsDim, shape.obs);
    CHECK_EQ(scenario->manifest().stateDim, shape.state);
    CHECK_EQ(scenario->manifest().groups[0].numActions, shape.actions);
  }
}

TEST("skirmish: maps of SMACv2 give both teams the same types and put nobody in both halves at once when mirrored") {
  int numReflected = 0;
  for (std::uint64_t episode = 0; episode < 40; ++episode) {
    SkirmishGame game(skirmishSettings({{"map", "smacv2_5"}}));
    game.scenario->reset(game.state.data(), EpisodeRng(3, episode));
    bool isReflected = true;
    for (int u = 0; u < 5; ++u) {
      CHECK_EQ(game.at("type", u), game.at("type", 5 + u));
      isReflected = isReflected && std::fabs(game.x(u) + game.x(5 + u) - 32.0) < 1e-12 && game.y(u) == game.y(5 + u);
    }
    numReflected += isReflected ? 1 : 0;
  }
  CHECK(numReflected > 8);
  CHECK(numReflected < 32);
}

TEST("skirmish: what cannot be is refused with what to do about it") {
  CHECK(refusalOf({{"enemy.count", 5}, {"enemy.capacity", 4}})->find("raise enemy.capacity") != std::string::npos);
  // A capacity below what the map has.
  CHECK(refusalOf({{"ally.capacity", 2}})->find("set ally.count") != std::string::npos);
  CHECK(refusalOf(skirmishSettings({{"enemy.type", "mortar"}}))->find("units.special") != std::string::npos);
  CHECK(!refusalOf(skirmishSettings({{"enemy.type", "mortar"}}, {{"units.special", 1}})));
  CHECK(refusalOf({{"map", 99}}).has_value());
  CHECK(refusalOf({{"enemy.count", 33}}).has_value());
  CHECK(refusalOf({{"ally.count", 0}})->find("between 1 and 32") != std::string::npos);
}

TEST("skirmish: a capacity lays slots out and changes nothing of who starts where as what") {
  const auto start = [](double capacity, std::uint64_t episode) {
    SkirmishGame game(skirmishSettings({{"map", "smacv2_5"}},
                                       {{"enemy.count", 7}, {"ally.capacity", capacity}, {"enemy.capacity", 7}}));
    game.scenario->reset(game.state.data(), EpisodeRng(3, episode));
    const int numAllies = capacity > 0.0 ? static_cast<int>(capacity) : 5;
    std::vector<double> seen;
    for (int u = 0; u < numAllies + 7; ++u) {
      if (u >= 5 && u < numAllies) continue;
      seen.insert(seen.end(), {game.x(u), game.y(u), game.at("type", u)});
    }
    return seen;
  };
  for (std::uint64_t episode = 0; episode < 20; ++episode) CHECK(start(0, episode) == start(9, episode));
}
