// What frames of fields with foods tell beside who is where.
#include <numbers>
#include <string>

#include "check.hpp"
#include "foraging_game.hpp"
#include "frame_reading.hpp"

using namespace gymwright;
using namespace gymwright::test;

TEST("a frame of foraging is a grid with levels; what is gone is not there, what is worth nothing is closed") {
  ForagingGame game(5, 6, {{1, 2, 2}, {2, 4, 4}}, {{1, 2, 3}, {2, 0, 5}}, {{"agent.sight", 2}});
  CHECK(!game.problem);
  const Frame frame = frameOf(*game.scenario, game.state);
  CHECK_EQ(frame.box.right, 5.5);
  CHECK_EQ(frame.box.top, 4.5);
  CHECK_EQ(frame.box.cell, 1.0);
  const Shape* apple = findShape(frame, "apple", game.entityOfFood(0));
  CHECK(apple != nullptr && apple->kind == ShapeKind::kRectangle);
  CHECK_EQ(apple->text, std::string("1"));
  CHECK_EQ(apple->x, 3.0);
  CHECK_EQ(apple->y, 2.0);
  CHECK_EQ(findShape(frame, "berry", game.entityOfFood(1))->text, std::string("2"));
  CHECK_EQ(findShape(frame, "agent", 1)->text, std::string("2"));
  CHECK_EQ(countRole(frame, "sight"), std::size_t{0});
  const Frame seen = frameOf(*game.scenario, game.state, {false, true});
  CHECK_EQ(findShape(seen, "sight", 0)->extentX, 2.5);

  game.act({kLoad, kNorth});
  const Frame after = frameOf(*game.scenario, game.state);
  CHECK(findShape(after, "apple", game.entityOfFood(0)) == nullptr);
  CHECK_NEAR(findShape(after, "agent", 1)->heading, std::numbers::pi / 2, 1e-12);
  game.set("counts", game.entityOfFood(1), 0.0);
  CHECK(hasFlag(findShape(frameOf(*game.scenario, game.state), "berry", game.entityOfFood(1)), kShapeClosed));
}
