// What frames of matches tell beside who is where.
#include <string>

#include "capture_game.hpp"
#include "check.hpp"
#include "frame_reading.hpp"

using namespace gymwright;
using namespace gymwright::test;

TEST("a frame of capture tells whose a point is, who is taking it and how far that is") {
  CaptureGame game;
  const int point = game.entity("point", 1);
  CHECK_EQ(findShape(frameOf(*game.scenario, game.state), "point", point)->team, -1);
  game.putAt(0, "point", 1);
  game.step(4);
  const Frame taking = frameOf(*game.scenario, game.state);
  const Shape* ring = findShape(taking, "taking", point);
  CHECK(ring != nullptr);
  CHECK_EQ(ring->team, 0);
  CHECK_NEAR(ring->level, 0.4, 1e-12);
  CHECK(hasFlag(findShape(taking, "assault", 0), kShapeHolding));
  CHECK_EQ(taking.status, std::string("red 0, blue 0"));
  game.step(6);
  const Frame taken = frameOf(*game.scenario, game.state);
  CHECK_EQ(findShape(taken, "point", point)->team, 0);
  CHECK(findShape(taken, "taking", point) == nullptr);
  CHECK_EQ(taken.status.substr(0, 7), std::string("red 101"));
  CHECK_EQ(taken.box.right, 100.0);
  CHECK_EQ(taken.box.top, 60.0);
}

TEST("a frame of capture tells of hits, heals, the dead and when they return") {
  CaptureGame game;
  const int healer = game.agent("red_support");
  const int enemy = game.agent("blue_assault");
  game.put(0, 50.0, 30.0);
  game.put(healer, 50.0, 32.0);
  game.put(enemy, 56.0, 30.0);
  game.step(2);
  const Frame fight = frameOf(*game.scenario, game.state);
  CHECK(findShape(fight, "attack", 0, enemy) != nullptr);
  CHECK(findShape(fight, "attack", enemy, 0) != nullptr);
  CHECK(findShape(fight, "heal", healer, 0) != nullptr);
  CHECK_EQ(findShape(fight, "assault", enemy)->level, game.at("health", enemy));
  game.trigger("disturb", "wound", 1000.0, enemy);
  game.step();
  const Frame after = frameOf(*game.scenario, game.state);
  const Shape* dead = findShape(after, "assault", enemy);
  CHECK(hasFlag(dead, kShapeDead));
  CHECK_EQ(dead->text, std::to_string(static_cast<int>(game.at("respawn", enemy))));
  const Frame reach = frameOf(*game.scenario, game.state, {true, true});
  CHECK_EQ(findShape(reach, "range", 0)->extentX, 12.0);
  CHECK_EQ(findShape(reach, "sight", 0)->extentX, 30.0);
  CHECK(findShape(reach, "sight", enemy) == nullptr);
}

TEST("a frame of capture has supplies and obstacles while they are there, and locks until they open") {
  CaptureGame game({{"lock.count", 1}});
  CHECK_EQ(countRole(frameOf(*game.scenario, game.state), "supply"), std::size_t{0});
  game.trigger("spawn", "supply", 0.0, -1);
  game.trigger("spawn", "obstacle", 0.0, -1, 2);
  const Frame spawned = frameOf(*game.scenario, game.state);
  CHECK_EQ(countRole(spawned, "supply"), std::size_t{1});
  CHECK_EQ(countRole(spawned, "obstacle"), std::size_t{1});
  CHECK_EQ(findShape(spawned, "obstacle", game.entity("obstacle"))->extentX, 4.0);
  const int lock = game.entity("lock");
  const int point = game.entity("point", 1);
  CHECK(hasFlag(findShape(spawned, "lock", lock), kShapeClosed));
  CHECK(hasFlag(findShape(spawned, "point", point), kShapeClosed));
  game.trigger("remove", "obstacle", 0.0, game.entity("obstacle"));
  game.putAt(0, "lock");
  game.putAt(game.agent("red_support"), "lock");
  game.step();
  const Frame open = frameOf(*game.scenario, game.state);
  CHECK_EQ(countRole(open, "obstacle"), std::size_t{0});
  CHECK(!hasFlag(findShape(open, "lock", lock), kShapeClosed));
  CHECK_EQ(findShape(open, "point", point)->text, std::string("open to red"));
}

TEST("a frame of capture leaves out units that are not in play") {
  const CaptureGame game({{"red.assault.capacity", 4}});
  const Frame frame = frameOf(*game.scenario, game.state);
  std::size_t numUnits = countRole(frame, "assault") + countRole(frame, "support");
  CHECK_EQ(game.scenario->manifest().numAgents, 8);
  CHECK_EQ(numUnits, std::size_t{6});
}
