// What frames of battles tell beside who is where.
#include <numbers>
#include <string>

#include "check.hpp"
#include "frame_reading.hpp"
#include "skirmish_game.hpp"

using namespace gymwright;
using namespace gymwright::test;

TEST("a frame of skirmish tells who attacks whom, what is left of them, and who is dead") {
  SkirmishGame game;
  game.scatter();
  game.put(0, 16.0, 16.0);
  game.put(3, 16.0, 18.0);
  const double shareBefore = game.at("health", 3);
  game.actions[0] = kFirstAttack;
  game.step();
  const Frame frame = frameOf(*game.scenario, game.state);
  const Shape* attack = findShape(frame, "attack", 0, 3);
  CHECK(attack != nullptr && attack->kind == ShapeKind::kLine);
  CHECK_EQ(attack->team, 0);
  CHECK_EQ(countRole(frame, "attack"), std::size_t{1});
  const Shape* victim = findShape(frame, "marine", 3);
  CHECK(victim->level < shareBefore);
  CHECK_EQ(victim->level, game.at("health", 3));
  CHECK_NEAR(findShape(frame, "marine", 0)->heading, std::numbers::pi / 2, 1e-9);
  CHECK_EQ(findShape(frame, "marine", 0)->extentX, 0.375);
  CHECK_EQ(findShape(frame, "field", -1)->extentX, 16.0);

  game.step(20);
  CHECK_EQ(game.at("alive", 3), 0.0);
  const Frame over = frameOf(*game.scenario, game.state);
  CHECK(hasFlag(findShape(over, "marine", 3), kShapeDead));
  CHECK_EQ(findShape(over, "marine", 3)->level, 0.0);
  CHECK(findShape(over, "attack", 3, 0) == nullptr);
}

TEST("a frame of skirmish leaves out the reserve, and draws reach only where it is asked for") {
  SkirmishGame game({{"ally.capacity", 6}});
  game.scatter();
  const Frame frame = frameOf(*game.scenario, game.state);
  CHECK_EQ(game.scenario->manifest().numAgents, 9);
  CHECK_EQ(countRole(frame, "marine"), std::size_t{6});
  for (int u = 3; u < 6; ++u) CHECK(findShape(frame, "marine", u) == nullptr);
  CHECK_EQ(countRole(frame, "range") + countRole(frame, "sight"), std::size_t{0});
  const Frame detailed = frameOf(*game.scenario, game.state, {true, true});
  CHECK_EQ(findShape(detailed, "range", 0)->extentX, 5.0);
  CHECK_EQ(findShape(detailed, "sight", 0)->extentX, 9.0);
  CHECK_EQ(countRole(detailed, "range"), std::size_t{6});
}

TEST("a frame of skirmish hides an infiltrator that no enemy sees, and shows where a mortar's shell lands") {
  const Settings special = {{"units.special", 1}};
  SkirmishGame game(special);
  game.scatter();
  const auto assign = [&game](int u, int type) { game.set("assigned_type", u, 1.0 + type); };
  assign(0, 6);
  assign(1, 7);
  game.put(1, 16.0, 16.0);
  game.put(3, 16.0, 20.0);
  game.actions[1] = kFirstAttack;
  game.step();
  const Frame far = frameOf(*game.scenario, game.state);
  CHECK(hasFlag(findShape(far, "infiltrator", 0), kShapeHidden));
  const Shape* splash = findShape(far, "splash", 3);
  CHECK(splash != nullptr);
  CHECK_EQ(splash->team, 0);
  game.put(4, game.x(0), game.y(0) + 0.9);
  CHECK(!hasFlag(findShape(frameOf(*game.scenario, game.state), "infiltrator", 0), kShapeHidden));
}
