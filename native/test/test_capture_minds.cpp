#include "capture_game.hpp"
#include "check.hpp"

using namespace gymwright;
using namespace gymwright::test;

namespace {
constexpr int kRedA = 0, kRedB = 1, kRedMedic = 2, kBlueA = 3, kBlueMedic = 5;

/// Lets one unit do a behaviour for some steps, everybody else stands.
void follow(CaptureGame& game, const std::string& behaviour, int u, int target, int steps) {
  for (int t = 0; t < steps; ++t) {
    game.actions[static_cast<std::size_t>(u)] = game.behave(behaviour, u, target);
    game.step();
  }
}

double between(const CaptureGame& game, int u, double x, double y) {
  return std::hypot(game.at("x", u) - x, game.at("y", u) - y);
}
}  // namespace

TEST("capture: attack comes within range and stands, chase goes up to the unit") {
  for (const bool isChase : {false, true}) {
    CaptureGame game({{"blue.damage_taken", 0}, {"red.damage_taken", 0}});
    game.put(kRedA, 30, 30);
    game.put(kBlueA, 55, 33);
    follow(game, isChase ? "chase" : "attack", kRedA, kBlueA, 12);
    const double d = between(game, kRedA, 55, 33);
    CHECK(isChase ? d < 2.5 : (d > 6.0 && d <= 12.0));
    CHECK(game.holds("hits", kRedA, kBlueA));
  }
}

TEST("capture: without a target attack and chase look for the nearest enemy in sight, else stand") {
  CaptureGame game;
  game.put(kRedA, 30, 30);
  CHECK_EQ(game.behave("attack", kRedA, -1), 0);
  game.put(kBlueA, 50, 30);
  CHECK_EQ(game.behave("attack", kRedA, -1), static_cast<int>(kEast));
  CHECK_EQ(game.behave("chase", kRedA, -1), static_cast<int>(kEast));
  CHECK_EQ(game.behave("flee", kRedA, -1), static_cast<int>(kWest));
}

TEST("capture: flee gets away from the target, along the edge where the field ends") {
  CaptureGame game;
  game.put(kRedA, 10, 30);
  game.put(kBlueA, 20, 29);
  double before = between(game, kRedA, 20, 29);
  for (int t = 0; t < 6; ++t) {
    follow(game, "flee", kRedA, kBlueA, 1);
    const double after = between(game, kRedA, 20, 29);
    CHECK(after > before);
    before = after;
  }
}

TEST("capture: guard stays at its place and goes for intruders") {
  CaptureGame game({{"blue.damage_taken", 0}, {"red.damage_taken", 0}});
  game.put(kRedA, 20, 30);
  follow(game, "guard", kRedA, game.entity("point", 1), 20);
  CHECK(between(game, kRedA, 50, 30) <= 3.0);
  game.put(kBlueA, 66, 30);
  follow(game, "guard", kRedA, game.entity("point", 1), 4);
  CHECK(game.at("x", kRedA) > 53.0);
  CHECK(game.holds("hits", kRedA, kBlueA));
}

TEST("capture: protect stands between the mate and the threat") {
  CaptureGame game({{"blue.damage_taken", 0}, {"red.damage_taken", 0}});
  game.put(kRedMedic, 50, 30);
  game.put(kRedA, 40, 30);
  game.put(kBlueA, 70, 30);
  follow(game, "protect", kRedA, kRedMedic, 10);
  CHECK_NEAR(game.at("x", kRedA), 53.0, 2.0);
  follow(game, "protect", kRedA, -1, 3);
  CHECK_NEAR(game.at("x", kRedA), 53.0, 2.0);
}

TEST("capture: heal, take, retreat, goto and patrol end where they say") {
  CaptureGame game;
  game.put(kRedMedic, 20, 30);
  game.put(kRedB, 45, 30);
  game.set("hit_points", kRedB, 1.0);
  follow(game, "heal", kRedMedic, -1, 12);
  CHECK(game.at("hit_points", kRedB) > 30.0);
  game.put(kRedA, 20, 20);
  follow(game, "take", kRedA, game.entity("point", 0), 20);
  CHECK_EQ(game.ofPlace("owner", game.landmark("point", 0)), 0.0);
  follow(game, "retreat", kRedA, -1, 20);
  CHECK_EQ(game.at("in_base", kRedA), 1.0);
  follow(game, "goto", kRedA, game.entity("middle"), 20);
  CHECK(between(game, kRedA, 50, 30) <= 2.0);
  bool hasSeen[3] = {};
  for (int t = 0; t < 80; ++t) {
    follow(game, "patrol", kRedB, -1, 1);
    for (int p = 0; p < 3; ++p) {
      const int point = game.landmark("point", p);
      hasSeen[p] |= between(game, kRedB, game.ofPlace("x", point), game.ofPlace("y", point)) < 3.1;
    }
  }
  CHECK(hasSeen[0] && hasSeen[1] && hasSeen[2]);
}

TEST("capture: behaviours walk around obstacles") {
  CaptureGame game;
  game.put(kRedB, 50, 30);
  game.trigger("spawn", "obstacle", 0, kRedB);
  game.put(kRedB, 0, 60);
  game.put(kRedA, 35, 30);
  follow(game, "goto", kRedA, game.entity("blue_base"), 20);
  CHECK(between(game, kRedA, 92, 30) <= 4.5);
}

TEST("capture: the dead, and whoever is told to go for the dead, stand") {
  CaptureGame game;
  game.put(kRedA, 50, 30);
  game.put(kBlueMedic, 60, 30);
  game.trigger("disturb", "wound", 1000, kBlueMedic);
  game.step();
  for (const std::string behaviour : {"attack", "chase", "flee", "goto", "guard"}) {
    CHECK_EQ(game.behave(behaviour, kRedA, kBlueMedic), 0);
    CHECK_EQ(game.behave(behaviour, kBlueMedic, kRedA), 0);
  }
}
