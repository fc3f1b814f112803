// What changes while an episode runs: numbers, types, behaviour; special units; events.
#include "check.hpp"
#include "skirmish_game.hpp"

using namespace gymwright;
using namespace gymwright::test;

TEST("skirmish: units beyond the count are absent until they are enabled, then stand at their team's start") {
  SkirmishGame game(skirmishSettings({{"enemy.reserve_type", "zealot"}}, {{"enemy.capacity", 5}}));
  game.scatter();
  CHECK_EQ(game.scenario->manifest().obsDim, 13 * 7 + 10);
  CHECK_EQ(game.at("present", 6), 0.0);
  game.step();
  CHECK_EQ(game.at("alive", 6), 0.0);
  for (const double x : game.obs(6)) CHECK_EQ(x, 0.0);
  CHECK_EQ(game.metric("kills", 6) == game.metric("kills", 6), false);  // no value: NaN

  game.set("enabled", 6, 1.0);
  game.step();
  CHECK_EQ(game.at("alive", 6), 1.0);
  CHECK_EQ(game.at("health", 6), 1.0);
  CHECK_EQ(game.at("type", 6), 3.0);
  CHECK(std::fabs(game.x(6) - 24.0) <= 2.5);
  CHECK(std::fabs(game.y(6) - 16.0) <= 2.5);

  game.set("enabled", 6, 0.0);
  game.step();
  CHECK_EQ(game.at("present", 6), 0.0);
  CHECK_EQ(game.at("alive", 6), 0.0);
}

TEST("skirmish: a reinforced team is not beaten before its reinforcements are") {
  SkirmishGame game(skirmishSettings({}, {{"enemy.capacity", 2}, {"enemy.count", 1}, {"ally.count", 1}}));
  game.scatter();
  game.set("enabled", 2, 1.0);
  game.step();
  game.put(1, 0.05, 10.0);
  game.actions[1] = kWest;
  CHECK(!game.step());
  CHECK_EQ(game.at("alive", 1), 0.0);
}

TEST("skirmish: a unit made another type keeps its share of health and takes on the rest") {
  SkirmishGame game;
  game.scatter();
  game.trigger("disturb", "wound", 9, 3);
  game.set("assigned_type", 3, 4.0);
  game.step();
  CHECK_EQ(game.at("type", 3), 3.0);
  CHECK_NEAR(game.at("hit_points", 3), 0.8 * 150, 1e-9);
  CHECK_EQ(game.at("range", 3), 2.0);
  CHECK_EQ(game.at("damage", 3), 8.0);
  game.set("assigned_type", 3, 0.0);
  game.step();
  CHECK_EQ(game.at("type", 3), 0.0);
  CHECK_NEAR(game.at("hit_points", 3), 36, 1e-9);
}

TEST("skirmish: special types are not assigned where observations have no place for them") {
  SkirmishGame game;
  game.set("assigned_type", 3, 7.0);
  game.step();
  CHECK_EQ(game.at("type", 3), 0.0);
}

TEST("skirmish: factors in force scale what a unit is and does") {
  SkirmishGame game({{"ally.count", 1}, {"enemy.count", 1}});
  game.put(0, 14.0, 16.0);
  game.put(1, 17.0, 16.0);
  game.set("damage_factor", 0, 2.0);
  game.set("damage_taken", 1, 0.5);
  game.set("range_factor", 0, 0.8);
  game.set("speed_factor", 1, 2.0);
  game.actions = {kFirstAttack, kNorth};
  game.step();
  CHECK_NEAR(game.at("hit_points", 1), 36.0, 1e-12);
  CHECK_NEAR(game.at("range", 0), 4.0, 1e-12);
  CHECK_NEAR(game.y(1), 16.0 + 3.15, 1e-12);
}

TEST("skirmish: enemies see an infiltrator only from nearby, and cannot attack it from farther") {
  Settings settings = skirmishSettings({{"enemy.type", "infiltrator"}}, {{"units.special", 1}});
  for (const double distance : {2.4, 2.6}) {
    SkirmishGame game(settings);
    game.scatter();
    game.put(0, 16.0, 16.0);
    game.put(3, 16.0 + distance, 16.0);
    const bool isNear = distance < 2.5;
    CHECK_EQ(game.holds("sees", 0, 3), isNear);
    CHECK(game.holds("sees", 3, 0));
    CHECK_EQ(game.mask(0)[kFirstAttack], isNear ? 1 : 0);
    // Of the others: two mates, then the enemies, 15 numbers each.
    CHECK_EQ(game.obs(0)[2 * 15], isNear ? 1.0 : 0.0);
    game.actions[0] = kFirstAttack;
    game.step();
    CHECK_EQ(game.at("health", 3) < 1.0, isNear);
  }
}

TEST("skirmish: a mortar hits whoever stands around its target, but for its own team") {
  SkirmishGame game(skirmishSettings({{"enemy.type", "mortar"}}, {{"units.special", 1}}));
  game.scatter();
  game.put(0, 10.0, 10.0);
  game.put(1, 11.5, 10.0);
  game.put(2, 12.0, 10.0);
  game.put(3, 16.0, 10.0);
  game.put(4, 10.0, 11.0);
  game.actions[3] = kFirstAttack + 2;  // ally 0
  game.step();
  CHECK_NEAR(game.at("hit_points", 0), 31, 1e-12);
  CHECK_NEAR(game.at("hit_points", 1), 31, 1e-12);
  CHECK_NEAR(game.at("hit_points", 2), 45, 1e-12);
  CHECK_NEAR(game.at("health", 4), 1, 1e-12);
}

TEST("skirmish: reinforcements by event take the first free slot, and stay") {
  SkirmishGame game({{"enemy.capacity", 4}});
  game.scatter();
  const int middle = game.scenario->manifest().numAgents + 2;
  game.trigger("spawn", "enemy", 0, middle);
  CHECK_EQ(game.at("alive", 6), 1.0);
  CHECK_EQ(game.x(6), 16.0);
  game.trigger("spawn", "enemy", 0, middle);  // no slot left
  game.step(3);
  CHECK_EQ(game.at("alive", 6), 1.0);
}

TEST("skirmish: places drawn for reinforcements keep away from the walls") {
  for (std::uint32_t key = 0; key < 200; ++key) {
    SkirmishGame game({{"ally.capacity", 4}});
    game.trigger("spawn", "ally", 0, -1, key);
    CHECK(game.x(3) >= 2.0 && game.x(3) <= 30.0 && game.y(3) >= 2.0 && game.y(3) <= 30.0);
  }
}

TEST("skirmish: disturbances wound, push, jam, and never the dead") {
  SkirmishGame game({{"ally.count", 2}, {"enemy.count", 1}});
  game.scatter();
  game.trigger("disturb", "wound", 20, 0);
  CHECK_NEAR(game.at("health", 0), 25.0 / 45.0, 1e-12);
  game.trigger("disturb", "push", 3, 0);
  CHECK(game.x(0) != 2.0 || game.y(0) != 2.0);
  game.trigger("disturb", "jam", 1.5, 0);
  CHECK_NEAR(game.at("cooldown", 0), 1.5, 1e-12);
  game.trigger("disturb", "wound", 100, 0);
  CHECK(!game.step());
  CHECK_EQ(game.at("alive", 0), 0.0);
  CHECK_EQ(game.at("deaths", 0), 1.0);
  // Wounds pay nobody.
  CHECK_EQ(game.reward(2, 0), 0.0);
  game.trigger("disturb", "push", 3, 0);
  game.trigger("disturb", "jam", 3, 0);
  CHECK_EQ(game.at("deaths", 0), 1.0);
  // The last one dead: the episode is over.
  game.trigger("disturb", "wound", 100, 1);
  CHECK(game.step());
  CHECK_EQ(game.metric("success", 2), 1.0);
}
