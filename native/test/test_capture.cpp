#include "capture_game.hpp"
#include "check.hpp"

using namespace gymwright;
using namespace gymwright::test;

namespace {
// Units of the default teams.
constexpr int kRedA = 0, kRedB = 1, kRedMedic = 2, kBlueA = 3, kBlueB = 4, kBlueMedic = 5;
}  // namespace

TEST("capture: an undisturbed unit takes a point after exactly hold_time and its team earns 100 each") {
  for (const double seconds : {1.0, 10.0, 17.0}) {
    CaptureGame game({{"point.hold_time", seconds}});
    game.putAt(kRedA, "point", 1);
    for (int t = 1; t < static_cast<int>(seconds); ++t) {
      game.step();
      CHECK_EQ(game.components[kRedA], 0.0);
      CHECK_EQ(game.ofPlace("progress", game.landmark("point", 1)), static_cast<double>(t));
    }
    game.step();
    for (const int red : {kRedA, kRedB, kRedMedic}) CHECK_EQ(game.components[static_cast<std::size_t>(red)], 100.0);
    for (const int blue : {kBlueA, kBlueB, kBlueMedic}) CHECK_EQ(game.components[static_cast<std::size_t>(blue)], 0.0);
    CHECK_EQ(game.ofPlace("owner", game.landmark("point", 1)), 0.0);
    CHECK(game.holds("owns", kRedB, game.entity("point", 1)));
    CHECK(!game.holds("owns", kBlueA, game.entity("point", 1)));
    CHECK_EQ(game.metric("captures", kRedA), 1.0);
    CHECK_EQ(game.metric("captures", kRedB), 0.0);
    game.step(20);
    CHECK_EQ(game.components[kRedA], 0.0);
    CHECK_EQ(game.metric("score", kRedA), 100.0 + 21.0);
  }
}

TEST("capture: a contested point stands still, and what the other team began must be undone first") {
  CaptureGame game({{"red.damage_taken", 0}, {"blue.damage_taken", 0}});
  game.putAt(kRedA, "point");
  game.step(6);
  game.putAt(kBlueA, "point");
  game.step(5);
  CHECK_EQ(game.ofPlace("progress", game.landmark("point")), 6.0);
  game.put(kRedA, 0.0, 60.0);
  game.step(6);
  CHECK_EQ(game.ofPlace("progress", game.landmark("point")), 0.0);
  CHECK_EQ(game.ofPlace("taker", game.landmark("point")), -1.0);
  game.step(9);
  CHECK_EQ(game.ofPlace("owner", game.landmark("point")), -1.0);
  game.step();
  CHECK_EQ(game.ofPlace("owner", game.landmark("point")), 1.0);
  CHECK_EQ(game.components[kBlueMedic], 100.0);
}

TEST("capture: progress fades where nobody stands") {
  CaptureGame game({{"point.decay", 0.5}});
  game.putAt(kRedA, "point");
  game.step(4);
  game.put(kRedA, 0.0, 60.0);
  game.step(3);
  CHECK_EQ(game.ofPlace("progress", game.landmark("point")), 2.5);
  game.step(5);
  CHECK_EQ(game.ofPlace("progress", game.landmark("point")), 0.0);
  CHECK_EQ(game.ofPlace("taker", game.landmark("point")), -1.0);
}

TEST("capture: part of the reward can be for those only who stand in the point") {
  CaptureGame game({{"reward.own_share", 0.25}});
  game.putAt(kRedA, "point");
  game.step(10);
  CHECK_EQ(game.components[kRedA], 100.0);
  CHECK_EQ(game.components[kRedB], 75.0);
}

TEST("capture: a killed unit is back after exactly the respawn time, at its base, in full health") {
  for (const double seconds : {1.0, 10.0}) {
    CaptureGame game({{"unit.respawn_time", seconds}, {"assault.damage", 50}, {"blue.support.count", 0}});
    game.put(kRedA, 50, 30);
    game.put(kBlueA, 55, 30);
    game.set("damage", kBlueA, 0.0);
    game.step();
    CHECK(game.holds("hits", kRedA, kBlueA));
    CHECK_EQ(game.at("health", kBlueA), 0.5);
    game.step();
    CHECK_EQ(game.at("alive", kBlueA), 0.0);
    CHECK_EQ(game.at("deaths", kBlueA), 1.0);
    CHECK_EQ(game.at("kills", kRedA), 1.0);
    CHECK_EQ(game.metric("damage_dealt", kRedA), 100.0);
    CHECK_EQ(game.at("respawn", kBlueA), seconds);
    for (int t = 1; t < static_cast<int>(seconds); ++t) {
      game.actions[kBlueA] = kWest;
      game.step();
      CHECK_EQ(game.at("alive", kBlueA), 0.0);
      CHECK(!game.holds("hits", kRedA, kBlueA));
    }
    game.actions[kBlueA] = kStand;
    game.step();
    CHECK_EQ(game.at("alive", kBlueA), 1.0);
    CHECK_EQ(game.at("health", kBlueA), 1.0);
    CHECK_EQ(game.at("in_base", kBlueA), 1.0);
    CHECK_NEAR(game.at("x", kBlueA), 92.0, 1e-12);
  }
}

TEST("capture: who moves does not hit, and two that kill each other both die") {
  CaptureGame game({{"assault.damage", 100}});
  game.put(kRedA, 50, 30);
  game.put(kBlueA, 60, 30);
  game.actions[kRedA] = kEast;
  game.step();
  CHECK_NEAR(game.at("x", kRedA), 54.0, 1e-12);
  CHECK_NEAR(game.at("vx", kRedA), 4.0, 1e-12);
  CHECK_EQ(game.at("alive", kBlueA), 1.0);
  CHECK_EQ(game.at("alive", kRedA), 0.0);
  CaptureGame both({{"assault.damage", 100}});
  both.put(kRedA, 50, 30);
  both.put(kBlueA, 60, 30);
  both.step();
  CHECK_EQ(both.at("kills", kRedA) + both.at("kills", kBlueA), 2.0);
  CHECK_EQ(both.at("deaths", kRedA) + both.at("deaths", kBlueA), 2.0);
}

TEST("capture: a support unit heals the most wounded mate in reach before it hits anybody") {
  CaptureGame game;
  game.put(kRedMedic, 50, 30);
  game.put(kRedA, 55, 30);
  game.put(kRedB, 50, 36);
  game.put(kBlueA, 50, 22);
  game.set("damage", kBlueA, 0.0);
  game.set("hit_points", kRedA, 60.0);
  game.set("hit_points", kRedB, 90.0);
  game.step();
  CHECK(game.holds("heals", kRedMedic, kRedA));
  CHECK(!game.holds("hits", kRedMedic, kBlueA));
  CHECK_EQ(game.at("hit_points", kRedA), 66.0);
  game.step(8);
  CHECK_EQ(game.at("health", kRedA), 1.0);
  CHECK_EQ(game.at("health", kRedB), 1.0);
  CHECK_EQ(game.metric("healing", kRedMedic), 50.0);
  game.step();
  CHECK(game.holds("hits", kRedMedic, kBlueA));
}

TEST("capture: beyond vision and behind an obstacle there is nothing to see, to hit or to observe") {
  CaptureGame game;
  const std::size_t enemies = 10 + 3 * 4 + 2 * 4;
  game.put(kRedA, 50, 30);
  game.put(kBlueA, 81, 30);
  game.step();
  CHECK(!game.holds("sees", kRedA, kBlueA));
  CHECK_EQ(game.obs(kRedA)[enemies], 0.0);
  game.put(kBlueA, 60, 30);
  game.step();
  CHECK(game.holds("sees", kRedA, kBlueA) && game.holds("threatens", kRedA, kBlueA));
  CHECK_EQ(game.obs(kRedA)[enemies], 1.0);
  CHECK_NEAR(game.obs(kRedA)[enemies + 1], 0.1, 1e-12);
  CHECK(game.holds("hits", kRedA, kBlueA));
  game.put(kBlueB, 55, 35);
  game.trigger("spawn", "obstacle", 0, kBlueB);
  game.put(kBlueB, 100, 0);
  game.put(game.entity("obstacle"), 55, 30);
  game.step();
  CHECK(!game.holds("sees", kRedA, kBlueA));
  CHECK(!game.holds("hits", kRedA, kBlueA));
  CHECK(game.holds("sees", kRedA, game.entity("obstacle")));
  for (std::size_t i = 0; i < 4; ++i) CHECK_EQ(game.obs(kRedA)[enemies + i], 0.0);
}

TEST("capture: obstacles stop movement and can be removed") {
  CaptureGame game;
  game.put(kBlueB, 60, 30);
  game.trigger("spawn", "obstacle", 0, kBlueB);
  game.put(kBlueB, 100, 0);
  game.put(kRedA, 50, 30);
  game.actions[kRedA] = kEast;
  game.step(5);
  CHECK_NEAR(game.at("x", kRedA), 56.0, 1e-9);
  game.trigger("remove", "obstacle", 0, game.entity("obstacle"));
  game.step();
  CHECK_NEAR(game.at("x", kRedA), 60.0, 1e-9);
}

TEST("capture: a supply heals the nearest wounded unit within three metres, once") {
  CaptureGame game;
  game.put(kRedA, 50, 30);
  game.put(kRedB, 52, 30);
  game.set("hit_points", kRedB, 20.0);
  game.trigger("spawn", "supply", 0, kRedA);
  CHECK_EQ(game.ofPlace("active", game.landmark("supply")), 1.0);
  game.step();
  CHECK_EQ(game.at("hit_points", kRedB), 70.0);
  CHECK_EQ(game.ofPlace("active", game.landmark("supply")), 0.0);
  game.step();
  CHECK_EQ(game.at("hit_points", kRedB), 70.0);
}

TEST("capture: supplies and obstacles come up at free spots, at most as many as there are slots") {
  CaptureGame game({{"supply.capacity", 8}});
  for (std::uint32_t i = 0; i < 10; ++i) game.trigger("spawn", "supply", 0, -1, i);
  for (int i = 0; i < 8; ++i) {
    const int supply = game.landmark("supply", i);
    CHECK_EQ(game.ofPlace("active", supply), 1.0);
    for (int p = 0; p < 3; ++p) {
      const double dx = game.ofPlace("x", supply) - game.ofPlace("x", game.landmark("point", p));
      const double dy = game.ofPlace("y", supply) - game.ofPlace("y", game.landmark("point", p));
      CHECK(std::sqrt(dx * dx + dy * dy) > 13.0);
    }
  }
}

TEST("capture: pushes move a unit and die down, wounds take hit points and can kill") {
  CaptureGame game;
  game.put(kRedA, 50, 30);
  game.trigger("disturb", "push", 8.0, kRedA);
  game.step();
  const double dx = game.at("x", kRedA) - 50;
  const double dy = game.at("y", kRedA) - 30;
  CHECK_NEAR(std::sqrt(dx * dx + dy * dy), 8.0, 1e-9);
  game.step(20);
  CHECK_NEAR(std::hypot(game.at("x", kRedA) - 50, game.at("y", kRedA) - 30), 16.0, 0.05);
  CHECK_EQ(game.at("vx", kRedA), 0.0);
  game.trigger("disturb", "wound", 30.0, kRedA);
  CHECK_NEAR(game.at("health", kRedA), 0.7, 1e-12);
  game.trigger("disturb", "wound", 100.0, kRedA);
  game.step();
  CHECK_EQ(game.at("alive", kRedA), 0.0);
  CHECK_EQ(game.at("deaths", kRedA), 1.0);
}

TEST("capture: a locked point opens only when both roles of a team stood at its lock within the window") {
  CaptureGame game({{"lock.count", 2}, {"lock.window", 3}});
  game.putAt(kRedA, "point", 0);
  game.step(15);
  CHECK_EQ(game.ofPlace("progress", game.landmark("point", 0)), 0.0);
  game.putAt(kRedB, "lock", 0);
  game.step(5);
  CHECK(!game.holds("may_take", kRedA, game.entity("point", 0)));
  game.put(kRedB, 0, 60);
  game.step(3);
  game.putAt(kRedMedic, "lock", 0);
  game.step();
  CHECK(!game.holds("may_take", kRedA, game.entity("point", 0)));
  game.putAt(kRedB, "lock", 0);
  game.step();
  CHECK(game.holds("may_take", kRedA, game.entity("point", 0)));
  CHECK(game.holds("may_take", kRedA, game.entity("lock", 0)));
  CHECK(!game.holds("may_take", kBlueA, game.entity("point", 0)));
  // The step that opened the lock was the first of ten.
  game.step(8);
  CHECK_EQ(game.components[kRedA], 0.0);
  game.step();
  CHECK_EQ(game.components[kRedA], 100.0);
}

TEST("capture: information can be split between the roles") {
  CaptureGame game({{"information.split", 1}});
  game.put(kRedA, 50, 30);
  game.put(kRedMedic, 51, 30);
  game.put(kBlueA, 58, 30);
  game.putAt(kRedB, "point", 0);
  game.trigger("spawn", "supply", 0, kRedA);
  game.step(3);
  const std::size_t progress = 10 + 3;
  const std::size_t enemies = 10 + 3 * 4 + 2 * 4;
  CHECK_EQ(game.obs(kRedA)[progress], 0.0);
  CHECK(game.obs(kRedMedic)[progress] > 0.0);
  CHECK_EQ(game.obs(kRedA)[enemies], 1.0);
  CHECK_EQ(game.obs(kRedMedic)[enemies], 0.0);
  // The lead in score would tell who owns the points.
  game.step(12);
  CHECK_EQ(game.obs(kRedA)[9], 0.0);
  CHECK(game.obs(kRedMedic)[9] > 0.0);
}

TEST("capture: friendly fire stops a shot at the mate in its way") {
  for (const double isOn : {0.0, 1.0}) {
    CaptureGame game({{"combat.friendly_fire", isOn}});
    game.put(kRedA, 50, 30);
    game.put(kRedB, 54, 30.2);
    game.put(kBlueA, 58, 30);
    game.actions[kRedB] = kStand;
    game.step();
    CHECK(game.holds("hits", kRedA, isOn != 0.0 ? kRedB : kBlueA));
    CHECK_EQ(game.metric("damage_dealt", kRedA), isOn != 0.0 ? 0.0 : 10.0);
  }
}

TEST("capture: a team that reaches the score ends the episode") {
  CaptureGame game({{"episode.score", 105}});
  game.putAt(kRedA, "point");
  CHECK(!game.step(13));
  CHECK(game.step());
  CHECK_EQ(game.metric("score", kRedA), 105.0);
  CHECK_EQ(game.metric("success", kRedA), 1.0);
  CHECK_EQ(game.metric("score_lead", kRedA), 105.0);
}

TEST("capture: metrics of the match are those of the agent's own team") {
  CaptureGame game;
  game.putAt(kBlueA, "point", 1);
  game.step(20);
  for (const int red : {kRedA, kRedMedic}) {
    CHECK_EQ(game.metric("success", red), 0.0);
    CHECK_EQ(game.metric("score", red), 0.0);
    CHECK_EQ(game.metric("score_lead", red), -111.0);
    CHECK_EQ(game.metric("points_held", red), 0.0);
  }
  for (const int blue : {kBlueA, kBlueMedic}) {
    CHECK_EQ(game.metric("success", blue), 1.0);
    CHECK_EQ(game.metric("score", blue), 111.0);
    CHECK_EQ(game.metric("score_lead", blue), 111.0);
    CHECK_NEAR(game.metric("points_held", blue), 11.0 / 20.0 / 3.0, 1e-12);
  }
}

TEST("capture: damage and healing count what was lost and gained, shared by all that landed at once") {
  CaptureGame game({{"assault.damage", 30}, {"blue.support.count", 0}});
  game.put(kRedA, 50, 30);
  game.put(kRedB, 50, 31);
  game.put(kBlueA, 55, 30);
  game.set("damage", kBlueA, 0.0);
  game.set("damage", kRedB, 10.0);
  game.set("hit_points", kBlueA, 20.0);
  game.step();
  CHECK_EQ(game.at("deaths", kBlueA), 1.0);
  CHECK_NEAR(game.metric("damage_dealt", kRedA), 15.0, 1e-12);
  CHECK_NEAR(game.metric("damage_dealt", kRedB), 5.0, 1e-12);

  CaptureGame medics({{"red.support.count", 2}});
  constexpr int kWounded = 1, kFirst = 2, kSecond = 3;
  for (const int u : {kWounded, kFirst, kSecond}) medics.put(u, 20, 20 + u);
  medics.set("heal", kFirst, 6.0);
  medics.set("heal", kSecond, 12.0);
  medics.set("hit_points", kWounded, 91.0);
  medics.step();
  CHECK_EQ(medics.at("hit_points", kWounded), 100.0);
  CHECK_NEAR(medics.metric("healing", kFirst), 3.0, 1e-12);
  CHECK_NEAR(medics.metric("healing", kSecond), 6.0, 1e-12);
}

TEST("capture: an event's wound that leaves nothing kills, whoever would heal in that step") {
  CaptureGame game({{"support.heal", 100}});
  game.put(kRedMedic, 50, 30);
  game.put(kRedA, 52, 30);
  game.trigger("disturb", "wound", 1000, kRedA);
  game.step();
  CHECK_EQ(game.at("alive", kRedA), 0.0);
  CHECK_EQ(game.metric("healing", kRedMedic), 0.0);
  CHECK_EQ(game.metric("kills", kBlueA), 0.0);
}

TEST("capture: shares that are observed are of the attributes in force and never above 1") {
  CaptureGame game;
  const std::size_t point = 10 + 4;
  game.put(kRedA, 50, 30);
  for (const int u : {kRedA, kBlueA}) game.set("max_health", u, 300.0);
  game.set("hit_points", kRedA, 240.0);
  game.step(8);
  CHECK_NEAR(game.obs(kRedA)[3], 0.8, 1e-12);
  CHECK_NEAR(game.obs(kRedA)[point + 3], 0.8, 1e-12);
  const auto& holdTime =
      game.scenario
          ->addresses()[static_cast<std::size_t>(attributeId(*game.scenario, EntityKind::kLandmark, "hold_time"))];
  const auto ofPoint = static_cast<std::size_t>(holdTime.base + holdTime.stride * game.landmark("point", 1));
  game.row[ofPoint] = 80.0;
  game.step(8);
  CHECK_NEAR(game.obs(kRedA)[point + 3], 0.2, 1e-12);
  game.row[ofPoint] = 3.0;
  game.put(kBlueA, 50, 31);
  game.set("damage", kRedA, 0.0);
  game.set("damage", kBlueA, 0.0);
  game.step();
  CHECK_EQ(game.obs(kRedA)[point + 3], 1.0);
  game.set("respawn_time", kRedA, 40.0);
  game.trigger("disturb", "wound", 1000, kRedA);
  game.step(21);
  CHECK_NEAR(game.obs(kRedA)[4], 0.5, 1e-12);
  game.set("respawn_time", kRedA, 5.0);
  game.step();
  CHECK_EQ(game.obs(kRedA)[4], 1.0);
}

TEST("capture: a shot that a mate stops is no cooperation, and the cell of the start was visited") {
  CaptureGame game({{"combat.friendly_fire", 1}, {"blue.support.count", 0}});
  game.step();
  CHECK_NEAR(game.metric("exploration_ratio", kRedA), 2.0 / 49.0, 1e-12);
  game.put(kRedA, 50, 30);
  game.put(kRedB, 54, 30.2);
  game.put(kBlueA, 58, 30);
  game.put(kBlueB, 57, 36);
  game.set("damage", kRedB, 0.0);
  game.step();
  CHECK(game.holds("hits", kRedA, kRedB));
  CHECK(game.holds("hits", kBlueA, kRedB) && game.holds("hits", kBlueB, kRedB));
  CHECK_EQ(game.metric("cooperation_index", kBlueA), 1.0);
  CHECK_EQ(game.metric("cooperation_index", kRedA), 0.0);
}
