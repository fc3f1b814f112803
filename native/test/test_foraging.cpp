#include <cmath>
#include <numeric>

#include "check.hpp"
#include "foraging_game.hpp"

using namespace gymwright;
using namespace gymwright::test;

namespace {

using Obs = std::vector<double>;
using Mask = std::vector<int>;

std::optional<std::string> refusalOf(const Settings& settings) {
  const auto made = makeScenario("foraging", settings);
  if (made) return std::nullopt;
  return made.failure().message;
}

/// Fresh episodes with their foods and agents.
ForagingGame fresh(std::uint64_t episode, const Settings& settings) {
  ForagingGame game(8, 8, {{1, 0, 0}, {1, 0, 1}, {1, 0, 2}}, {{1, 2, 2}, {1, 5, 5}, {1, 2, 5}, {1, 5, 2}}, settings);
  game.scenario->reset(game.state.data(), EpisodeRng(11, episode));
  return game;
}

}  // namespace

TEST("foraging: legal are staying, moves inside to cells without food, and loading beside food") {
  // The second agent stands east of the first; that makes no move illegal.
  ForagingGame game(4, 4, {{1, 0, 0}, {1, 0, 1}, {1, 2, 3}}, {{2, 1, 1}});
  CHECK(game.mask(0) == (Mask{1, 0, 1, 0, 1, 0}));
  CHECK(game.mask(1) == (Mask{1, 0, 0, 1, 1, 1}));
  CHECK(game.mask(2) == (Mask{1, 1, 1, 1, 0, 0}));
  // Diagonal is not beside.
  ForagingGame diagonal(4, 4, {{1, 0, 0}}, {{1, 1, 1}});
  CHECK_EQ(diagonal.mask(0)[kLoad], 0);
}

TEST("foraging: what is not legal is as staying, and pays no penalty") {
  ForagingGame game(4, 4, {{1, 0, 1}, {1, 3, 3}}, {{2, 1, 1}}, {{"load.penalty", 0.5}});
  game.act({kSouth, kLoad});
  CHECK_EQ(game.place(0), std::string("0,1"));
  CHECK_EQ(game.reward(0), 0.0);
  CHECK_EQ(game.reward(1), 0.0);
  game.act({kNorth, kEast});
  CHECK_EQ(game.place(0), std::string("0,1"));
  CHECK_EQ(game.place(1), std::string("3,3"));
}

TEST("foraging: north is a row less, south one more, west a column less, east one more") {
  ForagingGame game(5, 5, {{1, 3, 3}}, {{1, 1, 1}});
  const char* places[] = {"2,3", "3,3", "3,2", "3,3"};
  for (int action = kNorth; action <= kEast; ++action) {
    game.act({action});
    CHECK_EQ(game.place(0), std::string(places[action - kNorth]));
  }
}

TEST("foraging: a cell that two want stays as it is, also where one of them only stays in it") {
  ForagingGame game(5, 5, {{1, 2, 0}, {1, 2, 2}, {1, 4, 4}, {1, 4, 3}}, {{1, 1, 3}});
  game.act({kEast, kWest, kNone, kEast});
  CHECK_EQ(game.place(0), std::string("2,0"));
  CHECK_EQ(game.place(1), std::string("2,2"));
  CHECK_EQ(game.place(3), std::string("4,3"));
}

TEST("foraging: two may change places, and one comes into the cell of another that could not leave it") {
  ForagingGame swap(5, 5, {{1, 2, 0}, {1, 2, 1}}, {{1, 1, 3}});
  swap.act({kEast, kWest});
  CHECK_EQ(swap.place(0), std::string("2,1"));
  CHECK_EQ(swap.place(1), std::string("2,0"));
  // 0 and 1 both want the cell between them, 2 wants that of 0, and nobody else does.
  ForagingGame behind(5, 5, {{1, 2, 1}, {1, 2, 3}, {1, 2, 0}}, {{1, 1, 4}});
  behind.act({kEast, kWest, kEast});
  CHECK_EQ(behind.place(0), std::string("2,1"));
  CHECK_EQ(behind.place(2), std::string("2,1"));
}

TEST("foraging: a food is loaded by those beside it that load together and are strong enough, and shared by level") {
  // Foods of levels 3 and 5: 8 in all. Levels 1 and 2 load the food of 3: 1 * 3 / (3 * 8) and 2 * 3 / (3 * 8).
  ForagingGame game(6, 6, {{1, 1, 2}, {2, 2, 1}, {2, 2, 3}}, {{3, 2, 2}, {5, 4, 4}}, {{"load.penalty", 0.1}});
  CHECK(!game.act({kLoad, kLoad, kNone}));
  CHECK_NEAR(game.reward(0), 0.125, 1e-15);
  CHECK_NEAR(game.reward(1), 0.25, 1e-15);
  CHECK_EQ(game.reward(2), 0.0);
  CHECK_EQ(game.at("there", game.entityOfFood(0)), 0.0);
  CHECK_EQ(game.at("loads", 1), 1.0);
}

TEST("foraging: those that are too weak together pay the penalty each, and the food stays") {
  ForagingGame game(6, 6, {{1, 1, 2}, {1, 2, 1}, {2, 2, 3}}, {{3, 2, 2}}, {{"load.penalty", 0.1}});
  game.act({kLoad, kLoad, kNone});
  CHECK_NEAR(game.reward(0), -0.1, 1e-15);
  CHECK_NEAR(game.component(1, 1), -0.1, 1e-15);
  CHECK_EQ(game.reward(2), 0.0);
  CHECK_EQ(game.at("there", game.entityOfFood(0)), 1.0);
  CHECK_EQ(game.metric("failed_loads", 0), 1.0);
  CHECK_EQ(game.metric("cooperation_index", 0), 1.0);
  game.act({kLoad, kNone, kNone});
  CHECK_EQ(game.metric("cooperation_index", 0), 0.5);
  CHECK(std::isnan(game.metric("cooperation_index", 2)));
}

TEST("foraging: without a penalty nothing is lost") {
  ForagingGame game(6, 6, {{1, 1, 2}}, {{3, 2, 2}});
  game.act({kLoad});
  CHECK_EQ(game.reward(0), 0.0);
}

TEST("foraging: between two foods north comes before south, west and east") {
  // Cannot come up so by itself: foods keep away from each other.
  ForagingGame game(6, 6, {{2, 2, 2}}, {{1, 2, 3}, {1, 2, 1}, {1, 3, 2}, {1, 1, 2}});
  for (const int f : {3, 2, 1, 0}) {
    game.act({kLoad});
    CHECK_EQ(game.at("there", game.entityOfFood(f)), 0.0);
    CHECK_EQ(game.reward(0), 0.25);
  }
}

TEST("foraging: the last food ends the episode, and all of it makes 1") {
  ForagingGame game(6, 6, {{2, 1, 2}, {1, 2, 1}}, {{3, 2, 2}});
  CHECK(game.act({kLoad, kLoad}));
  CHECK_NEAR(game.reward(0) + game.reward(1), 1.0, 1e-15);
  CHECK_EQ(game.metric("success"), 1.0);
  CHECK_EQ(game.metric("food_share"), 1.0);
}

TEST("foraging: foods are observed in reading order, then self, then the others in index order") {
  ForagingGame game(6, 7, {{1, 5, 6}, {2, 0, 3}, {1, 3, 3}}, {{2, 4, 1}, {3, 1, 5}, {1, 1, 2}});
  CHECK(game.obs(1) == (Obs{1, 2, 1, 1, 5, 3, 4, 1, 2, 0, 3, 2, 5, 6, 1, 3, 3, 1}));
  CHECK(game.obs(2) == (Obs{1, 2, 1, 1, 5, 3, 4, 1, 2, 3, 3, 1, 5, 6, 1, 0, 3, 2}));
}

TEST("foraging: with sight 2 places count from the corner of a window that is cut at the edges") {
  ForagingGame game(8, 8, {{1, 1, 5}, {2, 3, 6}, {1, 7, 7}}, {{2, 3, 4}, {3, 4, 5}}, {{"agent.sight", 2}});
  // Row 1 sees rows 0..3, column 5 columns 3..7: the food in 3,4 lies at 3,1, the one in 4,5 beyond.
  CHECK(game.obs(0) == (Obs{3, 1, 2, -1, -1, 0, 1, 2, 1, 3, 3, 2, -1, -1, 0}));
  CHECK(game.holds("sees", 0, game.entityOfFood(0)));
  CHECK(!game.holds("sees", 0, game.entityOfFood(1)));
  // From the lower right corner: rows 5..7, columns 5..7.
  CHECK(game.obs(2) == (Obs{-1, -1, 0, -1, -1, 0, 2, 2, 1, -1, -1, 0, -1, -1, 0}));
}

TEST("foraging: at the upper and left edges agents are seen as far as the whole window would reach, foods are not") {
  ForagingGame game(8, 8, {{1, 0, 0}, {2, 4, 4}}, {{2, 3, 1}}, {{"agent.sight", 2}});
  CHECK(game.obs(0) == (Obs{-1, -1, 0, 0, 0, 1, 4, 4, 2}));
  CHECK(game.holds("sees", 0, 1));
  CHECK(!game.holds("sees", 1, 0));
  ForagingGame beyond(8, 8, {{1, 0, 0}, {2, 4, 5}}, {{2, 3, 1}}, {{"agent.sight", 2}});
  CHECK(!beyond.holds("sees", 0, 1));
}

TEST("foraging: foods come up off the edge and apart: not in the eight cells around, nor two off in a row or column") {
  for (std::uint64_t episode = 0; episode < 300; ++episode) {
    const ForagingGame game = fresh(episode, {});
    for (int f = 0; f < 4; ++f) {
      const int food = game.entityOfFood(f);
      CHECK_EQ(game.at("there", food), 1.0);
      CHECK(game.rowOf(food) >= 1 && game.rowOf(food) <= 6 && game.columnOf(food) >= 1 && game.columnOf(food) <= 6);
      for (int other = 0; other < food; ++other) {
        const int down = std::abs(game.rowOf(food) - game.rowOf(other));
        const int right = std::abs(game.columnOf(food) - game.columnOf(other));
        if (other < game.numAgents()) CHECK(down + right > 0);
        else CHECK(std::max(down, right) > 1 && (std::min(down, right) > 0 || std::max(down, right) > 2));
      }
    }
    for (int a = 0; a < 3; ++a) {
      for (int b = 0; b < a; ++b) CHECK(game.place(a) != game.place(b));
    }
  }
}

TEST("foraging: on a field that is too small for all foods fewer come up, and they make 1") {
  // Of 5 x 5 cells the inner 3 x 3 hold foods; two of them never keep apart but in opposite corners.
  int numFewer = 0;
  for (std::uint64_t episode = 0; episode < 50; ++episode) {
    ForagingGame game(5, 5, {{1, 0, 0}}, {{1, 1, 1}, {1, 3, 3}, {1, 2, 4}}, {});
    game.scenario->reset(game.state.data(), EpisodeRng(5, episode));
    int numThere = 0;
    for (int f = 0; f < 3; ++f) numThere += game.at("there", game.entityOfFood(f)) == 1.0 ? 1 : 0;
    CHECK(numThere >= 1 && numThere <= 2);
    numFewer += numThere < 2 ? 1 : 0;
  }
  CHECK(numFewer > 5);
}

TEST("foraging: levels are drawn up to the highest, foods up to what the three weakest agents make, all so with coop") {
  double most = 0.0;
  double sum = 0.0;
  for (std::uint64_t episode = 0; episode < 400; ++episode) {
    const ForagingGame game = fresh(episode, {{"agent.max_level", 3}});
    const ForagingGame coop = fresh(episode, {{"agent.max_level", 3}, {"food.coop", 1}});
    const double three = game.at("level", 0) + game.at("level", 1) + game.at("level", 2);
    for (int f = 0; f < 4; ++f) {
      const double level = game.at("level", game.entityOfFood(f));
      CHECK(level >= 1.0 && level <= three);
      most = std::max(most, level / three);
      CHECK_EQ(coop.at("level", coop.entityOfFood(f)), three);
    }
    sum += three / 3.0;
  }
  CHECK_EQ(most, 1.0);
  CHECK_NEAR(sum / 400.0, 2.0, 0.1);
}

TEST("foraging: the three weakest of more agents decide how strong foods are") {
  ForagingGame game(8, 8, {{5, 0, 0}, {1, 0, 1}, {4, 0, 2}, {2, 0, 3}}, {{1, 4, 4}}, {{"food.coop", 1}, {"food.capacity", 2}});
  game.trigger("spawn", "food");
  CHECK_EQ(game.at("level", game.entityOfFood(1)), 7.0);
}

TEST("foraging: a food that was loaded comes back elsewhere after exactly the respawn time, and nothing ends meanwhile") {
  for (const int delay : {1, 4}) {
    ForagingGame game(8, 8, {{2, 0, 1}}, {{2, 1, 1}}, {{"food.respawn", delay}});
    CHECK(!game.act({kLoad}));
    CHECK_EQ(game.reward(0), 1.0);
    for (int t = 1; t < delay; ++t) {
      CHECK(!game.act({kNone}));
      CHECK_EQ(game.at("there", game.entityOfFood(0)), 0.0);
    }
    CHECK(!game.act({kNone}));
    CHECK_EQ(game.at("there", game.entityOfFood(0)), 1.0);
    CHECK(game.at("level", game.entityOfFood(0)) >= 1.0);
  }
}

TEST("foraging: what foods are worth and weigh and how strong agents are can change while it is played") {
  ForagingGame game(6, 6, {{1, 1, 2}}, {{2, 2, 2}, {2, 4, 4}}, {{"observation.worth", 1}});
  game.set("worth", game.entityOfFood(0), 3.0);
  game.set("weight", game.entityOfFood(0), 0.5);
  CHECK(game.obs(0) == (Obs{2, 2, 2, 1, 4, 4, 2, 1, 1, 2, 1}));
  game.act({kNone});
  CHECK(game.obs(0) == (Obs{2, 2, 2, 3, 4, 4, 2, 1, 1, 2, 1}));
  game.act({kLoad});
  CHECK_EQ(game.reward(0), 1.5);
  ForagingGame strong(6, 6, {{1, 1, 2}}, {{2, 2, 2}});
  strong.set("strength", 0, 2.0);
  CHECK(strong.act({kLoad}));
  CHECK_EQ(strong.reward(0), 1.0);
}

TEST("foraging: foods that a regime brings in come up, those it takes out are gone") {
  ForagingGame game(8, 8, {{1, 0, 0}}, {{1, 2, 2}}, {{"food.capacity", 3}});
  CHECK_EQ(game.scenario->manifest().numLandmarks, 3);
  for (const int f : {1, 2}) game.set("enabled", game.entityOfFood(f), 1.0);
  game.step();
  for (const int f : {0, 1, 2}) CHECK_EQ(game.at("there", game.entityOfFood(f)), 1.0);
  for (const int f : {0, 1}) game.set("enabled", game.entityOfFood(f), 0.0);
  CHECK(!game.step());
  CHECK_EQ(game.at("there", game.entityOfFood(0)), 0.0);
  game.set("enabled", game.entityOfFood(2), 0.0);
  CHECK(game.step());
}

TEST("foraging: events bring foods up, move them, take them away and change what counts") {
  ForagingGame game(8, 8, {{1, 0, 0}, {1, 0, 1}}, {{1, 2, 2}}, {{"food.capacity", 2}, {"observation.worth", 1}});
  const int first = game.entityOfFood(0);
  const int second = game.entityOfFood(1);
  game.trigger("spawn", "food", 0);
  // The nearest free cell to 0,0: 0,1 is taken.
  CHECK_EQ(game.place(second), std::string("1,0"));
  const std::string before = game.place(first);
  game.trigger("spawn", "food");
  CHECK_EQ(game.place(first), before);
  game.trigger("disturb", "relocation", first);
  CHECK_EQ(game.at("there", first), 1.0);
  game.trigger("remove", "food", second);
  CHECK_EQ(game.at("there", second), 0.0);
  game.trigger("spawn", "food");
  int numMoved = 0;
  int numWorthless = 0;
  for (std::uint32_t key = 0; key < 40; ++key) {
    const std::string old = game.place(first);
    game.trigger("disturb", "layout", -1, key);
    numMoved += game.place(first) != old ? 1 : 0;
    game.trigger("disturb", "goal", -1, key);
    CHECK(game.at("counts", first) + game.at("counts", second) >= 1.0);
    numWorthless += game.at("counts", first) == 0.0 ? 1 : 0;
  }
  CHECK(numMoved > 30);
  CHECK(numWorthless > 3 && numWorthless < 20);
}

TEST("foraging: what does not count pays nothing, and does not stand in the way of success") {
  ForagingGame game(6, 6, {{1, 1, 2}}, {{1, 2, 2}, {1, 4, 4}});
  game.set("worth", game.entityOfFood(1), 0.0);
  game.act({kLoad});
  CHECK_EQ(game.reward(0), 0.5);
  CHECK_EQ(game.metric("success"), 1.0);
  CHECK_EQ(game.metric("food_share"), 0.5);
  ForagingGame none(6, 6, {{1, 1, 2}}, {{1, 2, 2}});
  none.set("counts", none.entityOfFood(0), 0.0);
  none.act({kLoad});
  CHECK_EQ(none.reward(0), 0.0);
}

TEST("foraging: behaviours go to foods and agents, help, keep away and stay") {
  ForagingGame game(8, 8, {{1, 0, 0}, {1, 4, 6}}, {{2, 3, 3}, {1, 6, 6}});
  CHECK_EQ(game.behave("hold", 0), static_cast<std::int32_t>(kNone));
  // Alone it can load only the farther one.
  for (int t = 0; t < 20 && !game.holds("beside", 0, game.entityOfFood(1)); ++t) game.act({game.behave("gather", 0), kNone});
  CHECK(game.holds("beside", 0, game.entityOfFood(1)));
  CHECK_EQ(game.behave("gather", 0), static_cast<std::int32_t>(kLoad));
  CHECK_EQ(game.behave("help", 0, 1), static_cast<std::int32_t>(kLoad));
  for (int t = 0; t < 20 && !game.holds("beside", 0, game.entityOfFood(0)); ++t)
    game.act({game.behave("gather", 0, game.entityOfFood(0)), kNone});
  CHECK_EQ(game.behave("gather", 0, game.entityOfFood(0)), static_cast<std::int32_t>(kLoad));
  const int away = std::abs(game.rowOf(0) - 4) + std::abs(game.columnOf(0) - 6);
  game.act({game.behave("flee", 0, 1), kNone});
  CHECK_EQ(std::abs(game.rowOf(0) - 4) + std::abs(game.columnOf(0) - 6), away + 1);
  for (int t = 0; t < 20; ++t) game.act({game.behave("goto", 0, 1), kNone});
  CHECK_EQ(std::abs(game.rowOf(0) - 4) + std::abs(game.columnOf(0) - 6), 1);
}

TEST("foraging: a layout that cannot be is refused with the field at fault") {
  CHECK(ForagingGame(4, 4, {{1, 1, 1}}, {{1, 1, 1}}).problem->find("L[0] is taken") != std::string::npos);
  CHECK(ForagingGame(4, 4, {{1, 1, 1}}, {{1, 4, 1}}).problem->find("L[0] is no cell") != std::string::npos);
  CHECK(ForagingGame(4, 4, {{0, 1, 1}}, {{1, 2, 1}}).problem->find("levels") != std::string::npos);
  CHECK(ForagingGame(4, 4, {{1, 1, 1}}, {{40, 2, 1}}).problem->find("foods") != std::string::npos);
  Placement none;
  std::vector<double> state(static_cast<std::size_t>(scenarioOf("foraging")->stateWords()));
  CHECK(scenarioOf("foraging")->place(none, state.data())->find("A has 0 positions") != std::string::npos);
}

TEST("foraging: states of unknown origin are checked before they are stepped") {
  ForagingGame game(6, 6, {{1, 1, 2}, {2, 3, 3}}, {{2, 2, 2}});
  CHECK(game.scenario->isValidState(game.state.data()));
  for (const char* attribute : {"x", "y", "level"}) {
    ForagingGame broken = game;
    broken.set(attribute, 0, attribute[0] == 'l' ? 0.0 : 6.0);
    CHECK(!broken.scenario->isValidState(broken.state.data()));
    broken.set(attribute, 0, std::nan(""));
    CHECK(!broken.scenario->isValidState(broken.state.data()));
  }
}

TEST("foraging: what cannot be is refused with what to do about it") {
  CHECK(refusalOf({{"food.count", 3}, {"food.capacity", 2}})->find("raise food.capacity") != std::string::npos);
  CHECK(refusalOf({{"agent.min_level", 3}})->find("agent.max_level 2") != std::string::npos);
  CHECK(refusalOf({{"food.min_level", 4}, {"food.max_level", 3}}).has_value());
  CHECK(refusalOf({{"field.rows", 3}, {"field.columns", 3}, {"agent.count", 8}})->find("too small") != std::string::npos);
  CHECK(refusalOf({{"agent.count", 0}}).has_value());
}

TEST("foraging: a capacity lays slots out and changes nothing of what an episode holds, nor of what comes back") {
  const auto foods = [](double capacity, std::uint64_t episode) {
    Settings settings = {{"food.capacity", capacity}, {"food.respawn", 1}};
    ForagingGame game(8, 8, {{9, 0, 0}, {9, 0, 1}}, {{1, 2, 2}, {1, 5, 5}}, settings);
    game.scenario->reset(game.state.data(), EpisodeRng(11, episode));
    std::vector<double> seen;
    for (int t = 0; t < 30; ++t) {
      game.act(game.play("forage"));
      for (int f = 0; f < 2; ++f) {
        const int food = game.entityOfFood(f);
        seen.insert(seen.end(), {game.at("x", food), game.at("y", food), game.at("there", food)});
      }
    }
    return seen;
  };
  for (std::uint64_t episode = 0; episode < 20; ++episode) CHECK(foods(0, episode) == foods(6, episode));
}
