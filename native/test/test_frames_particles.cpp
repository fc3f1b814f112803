// What frames of particle worlds tell beside who is where.
#include <cmath>
#include <string>

#include "check.hpp"
#include "frame_reading.hpp"
#include "test_env.hpp"

using namespace gymwright;
using namespace gymwright::test;

namespace {

/// One copy of a particle scenario, played by hand.
struct Particles {
  explicit Particles(const std::string& name, const Settings& settings = {}) : scenario(scenarioOf(name, settings)) {
    state.resize(static_cast<std::size_t>(scenario->stateWords()));
    scenario->reset(state.data(), EpisodeRng(3, 0));
  }
  void step(const std::vector<std::int32_t>& actions) {
    const auto width = static_cast<std::size_t>(scenario->controlWords());
    std::vector<double> controls(width * actions.size());
    std::vector<double> components(actions.size() * scenario->manifest().components.size());
    for (std::size_t a = 0; a < actions.size(); ++a)
      scenario->decodeDiscrete(static_cast<int>(a), actions[a], &controls[width * a]);
    scenario->advance(state.data(), scenario->baseAttributes().data(), controls.data(), components.data());
  }
  void put(int entity, double x, double y) {
    double* spot = state.data() + scenario->positionWord(entity);
    spot[0] = x;
    spot[1] = y;
  }
  Frame frame() const { return frameOf(*scenario, state); }

  std::shared_ptr<const Scenario> scenario;
  std::vector<double> state;
};

}  // namespace

TEST("frames of particle worlds have sizes, headings and goals") {
  Particles spread("simple_spread", {{"agent.size", 0.2}});
  for (int a = 0; a < 3; ++a) spread.put(a, a - 1.0, 0.0);
  spread.step({2, 0, 0});
  const Frame moving = spread.frame();
  CHECK_EQ(findShape(moving, "agent", 0)->extentX, 0.2);
  CHECK_EQ(findShape(moving, "agent", 0)->heading, 0.0);
  CHECK(std::isnan(findShape(moving, "agent", 1)->heading));
  CHECK_EQ(moving.box.right, 1.4);
  CHECK_EQ(countRole(moving, "landmark"), std::size_t{3});

  const Particles adversary("simple_adversary");
  const Frame withGoal = adversary.frame();
  int set = 0;
  while (!adversary.scenario->manifest().sets[static_cast<std::size_t>(set)].isDynamic) ++set;
  const Shape* goal = findShape(withGoal, "goal", adversary.scenario->member(set, adversary.state.data()));
  CHECK(goal != nullptr && goal->kind == ShapeKind::kRing);

  const Particles tag("simple_tag");
  const Frame hunt = tag.frame();
  CHECK_EQ(countRole(hunt, "obstacle"), std::size_t{2});
  CHECK_EQ(findShape(hunt, "adversary", 0)->team, 0);
  CHECK_EQ(findShape(hunt, "good", 3)->team, 1);
}

TEST("frames of worlds with speech tell who said what, and to whom it is") {
  Particles pair("simple_reference");
  CHECK_EQ(countRole(pair.frame(), "speech"), std::size_t{0});
  pair.step({5 * 7 + 0, 5 * 2 + 4});
  const Frame told = pair.frame();
  const Shape* first = findShape(told, "agent", 0);
  CHECK(hasFlag(first, kShapeSpeaking));
  CHECK_EQ(first->text, std::string("7"));
  CHECK_EQ(findShape(told, "agent", 1)->text, std::string("2"));
  const Shape* speech = findShape(told, "speech", 0, 1);
  CHECK(speech != nullptr);
  const Shape* second = findShape(told, "agent", 1);
  CHECK_NEAR(speech->x + speech->extentX, second->x, 1e-12);
  CHECK_NEAR(speech->y + speech->extentY, second->y, 1e-12);
  CHECK_EQ(countRole(told, "goal_0"), std::size_t{1});
  CHECK_EQ(countRole(told, "goal_1"), std::size_t{1});

  // Alice is heard by both; what the others say is no message.
  Particles crypto("simple_crypto");
  crypto.step({1, 2, 3});
  const Frame secret = crypto.frame();
  CHECK_EQ(countRole(secret, "speech"), std::size_t{2});
  CHECK(findShape(secret, "speech", 2, 0) != nullptr && findShape(secret, "speech", 2, 1) != nullptr);
  CHECK_EQ(findShape(secret, "eve", 0)->text, std::string("1"));
}

TEST("a frame of simple_world_comm hides who stands in a forest, and the leader speaks to predators alone") {
  Particles world("simple_world_comm");
  const Manifest& m = world.scenario->manifest();
  const auto entityOf = [&m](const std::string& set) {
    for (const EntitySet& each : m.sets) {
      if (each.name == set) return each.entities[0];
    }
    return -1;
  };
  const int prey = entityOf("good");
  const std::size_t forest = static_cast<std::size_t>(world.scenario->positionWord(entityOf("forest")));
  for (int a = 0; a < m.numAgents; ++a) world.put(a, 5.0 + a, 5.0);
  world.put(prey, world.state[forest], world.state[forest + 1]);
  std::vector<std::int32_t> actions(static_cast<std::size_t>(m.numAgents), 0);
  actions[0] = 5 * 2;
  world.step(actions);
  const Frame frame = world.frame();
  CHECK(hasFlag(findShape(frame, "good", prey), kShapeHidden));
  CHECK(!hasFlag(findShape(frame, "good", prey + 1), kShapeHidden));
  CHECK_EQ(findShape(frame, "leader", 0)->text, std::string("2"));
  CHECK_EQ(countRole(frame, "speech"), std::size_t{3});
  CHECK(findShape(frame, "speech", 0, prey) == nullptr);
  CHECK_EQ(countRole(frame, "forest"), std::size_t{2});
  CHECK_EQ(countRole(frame, "food"), std::size_t{2});
  CHECK_EQ(countRole(frame, "obstacle"), std::size_t{1});
}
