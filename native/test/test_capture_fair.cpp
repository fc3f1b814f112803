#include <algorithm>

#include "capture_game.hpp"
#include "check.hpp"

using namespace gymwright;
using namespace gymwright::test;

namespace {

constexpr double kWidth = 100.0, kHeight = 60.0;
constexpr int kBold = 2, kSteady = 3, kWary = 4;

/// A match and the same one turned by half a turn, in which blue does what red does in the other.
class Mirror {
 public:
  explicit Mirror(const Settings& settings) : here_(settings), there_(settings) {
    const int perTeam = here_.scenario->manifest().numAgents / 2;
    here_.scenario->reset(here_.state.data(), here_.rng);
    there_.scenario->reset(there_.state.data(), there_.rng);
    for (int u = 0; u < 2 * perTeam; ++u)
      there_.put(u, kWidth - here_.at("x", other(u)), kHeight - here_.at("y", other(u)));
  }

  void step(int policy) {
    for (CaptureGame* game : {&here_, &there_}) {
      const int perTeam = static_cast<int>(game->actions.size()) / 2;
      for (int team = 0; team < 2; ++team) {
        game->scenario->actScripted(team, policy, game->state.data(), game->row.data(), game->rng, game->clock,
                                    game->actions.data() + team * perTeam);
      }
      game->step();
    }
  }

  /// What is not the same in both, if anything.
  std::string difference() const {
    for (int u = 0; u < static_cast<int>(here_.actions.size()); ++u) {
      const int v = other(u);
      for (const std::string name :
           {"health", "alive", "respawn", "kills", "deaths", "captures", "damage_dealt", "healing"}) {
        if (std::fabs(here_.at(name, u) - there_.at(name, v)) > 1e-6) return name + " of unit " + std::to_string(u);
      }
      if (std::fabs(here_.at("x", u) + there_.at("x", v) - kWidth) > 1e-6) return "x of unit " + std::to_string(u);
      if (std::fabs(here_.at("y", u) + there_.at("y", v) - kHeight) > 1e-6) return "y of unit " + std::to_string(u);
      for (const std::string name : {"success", "score", "score_lead", "points_held", "cooperation_index"}) {
        const double a = here_.metric(name, u);
        const double b = there_.metric(name, v);
        if (std::isnan(a) != std::isnan(b) || std::fabs(a - b) > 1e-6) return name + " of unit " + std::to_string(u);
      }
    }
    const int numPoints = count("point");
    for (int i = 0; i < numPoints; ++i) {
      const double mine = here_.ofPlace("owner", here_.landmark("point", i));
      const double theirs = there_.ofPlace("owner", there_.landmark("point", numPoints - 1 - i));
      if (theirs != (mine < 0.0 ? -1.0 : 1.0 - mine)) return "owner of point " + std::to_string(i);
    }
    return "";
  }

  int count(const std::string& set) const {
    for (const EntitySet& each : here_.scenario->manifest().sets) {
      if (each.name == set) return static_cast<int>(each.entities.size());
    }
    return 0;
  }
  const CaptureGame& here() const { return here_; }

 private:
  int other(int u) const {
    const int perTeam = static_cast<int>(here_.actions.size()) / 2;
    return u < perTeam ? u + perTeam : u - perTeam;
  }

  CaptureGame here_;
  CaptureGame there_;
};

}  // namespace

TEST("capture: half a turn swaps the teams and nothing else, with locks and with capacities") {
  // Distances that no whole number of steps comes to: on the very rim rounding decides, which knows no half turn.
  const Settings roomy = {{"red.assault.capacity", 4},  {"red.support.capacity", 3}, {"blue.assault.capacity", 4},
                          {"blue.support.capacity", 3}, {"assault.range", 11.7},     {"support.range", 11.7},
                          {"assault.vision", 29.3},     {"support.vision", 29.3},    {"point.radius", 9.7}};
  for (const Settings& extra : {Settings{}, Settings{{"lock.count", 1}}, Settings{{"lock.count", 2}},
                                Settings{{"lock.count", 3}}, Settings{{"point.count", 6}, {"lock.count", 4}}}) {
    for (const int policy : {kBold, kSteady, kWary}) {
      Settings settings = roomy;
      settings.insert(settings.end(), extra.begin(), extra.end());
      Mirror mirror(settings);
      for (int t = 0; t < 150; ++t) {
        mirror.step(policy);
        const std::string difference = mirror.difference();
        if (difference.empty()) continue;
        fail(__FILE__, __LINE__, difference, " at step ", t, ", policy ", policy, ", locks ", mirror.count("lock"));
        break;
      }
    }
  }
}

TEST("capture: locks lie as much on one side as on the other, the one of the middle point in the middle") {
  for (int numPoints = 1; numPoints <= 6; ++numPoints) {
    for (int numLocks = 1; numLocks <= numPoints; ++numLocks) {
      const Settings settings = {{"point.count", numPoints}, {"lock.count", numLocks}};
      if (numPoints % 2 == 0 && numLocks % 2 == 1) {
        const auto made = makeScenario("capture", settings);
        CHECK(!made && made.failure().message.find("make it even or point.count odd") != std::string::npos);
        continue;
      }
      const CaptureGame game(settings);
      double x = 0.0;
      double y = 0.0;
      int numClosed = 0;
      for (int i = 0; i < numLocks; ++i) {
        x += game.ofPlace("x", game.landmark("lock", i)) - 0.5 * kWidth;
        y += game.ofPlace("y", game.landmark("lock", i)) - 0.5 * kHeight;
      }
      for (int i = 0; i < numPoints; ++i) numClosed += game.holds("may_take", 0, game.entity("point", i)) ? 0 : 1;
      CHECK_NEAR(x, 0.0, 1e-9);
      CHECK_NEAR(y, 0.0, 1e-9);
      CHECK_EQ(numClosed, numLocks);
      for (int i = 0; i < numPoints; ++i) {
        CHECK_EQ(game.holds("may_take", 0, game.entity("point", i)),
                 game.holds("may_take", 0, game.entity("point", numPoints - 1 - i)));
      }
    }
  }
}

TEST("capture: a lock goes with its point where points are scattered") {
  CaptureGame game({{"lock.count", 3}, {"point.scatter", 5}});
  const CaptureGame usual({{"lock.count", 3}});
  for (std::uint64_t episode = 0; episode < 20; ++episode) {
    game.scenario->reset(game.state.data(), EpisodeRng(4, episode));
    for (int i = 0; i < 3; ++i) {
      const auto gap = [i](const CaptureGame& at, const std::string& axis) {
        return at.ofPlace(axis, at.landmark("lock", i)) - at.ofPlace(axis, at.landmark("point", i));
      };
      CHECK_NEAR(gap(game, "x"), gap(usual, "x"), 1e-9);
      // A point at the rim stays inside with all of its radius, its lock does not have to go so far.
      CHECK(std::fabs(gap(game, "y") - gap(usual, "y")) <= 1.8 + 1e-9);
    }
  }
}

TEST("capture: units respawn inside their base whatever the capacity, and as far from it on either side") {
  for (const double radius : {2.0, 8.0}) {
    CaptureGame game({{"red.assault.capacity", 8},
                      {"red.support.capacity", 8},
                      {"blue.assault.capacity", 8},
                      {"blue.support.capacity", 8},
                      {"unit.respawn_time", 1},
                      {"base.radius", radius}});
    const int perTeam = 16;
    for (const int numOn : {3, 16}) {
      for (int u = 0; u < 2 * perTeam; ++u)
        game.set("enabled", u, u % perTeam % 8 < numOn / 2 + 1 ? 1.0 : 0.0);
      for (int u = 0; u < 2 * perTeam; ++u) game.trigger("disturb", "wound", 1000, u);
      game.step(3);
      double sum = 0.0;
      for (int u = 0; u < 2 * perTeam; ++u) {
        if (game.at("alive", u) == 0.0) continue;
        CHECK_EQ(game.at("in_base", u), 1.0);
        sum += game.at("y", u) - 0.5 * kHeight;
        CHECK_NEAR(game.at("y", u) + game.at("y", (u + perTeam) % (2 * perTeam)), kHeight, 1e-9);
      }
      CHECK_NEAR(sum, 0.0, 1e-9);
    }
  }
}

TEST("capture: as many supplies and obstacles as are set are on the field, however full it is") {
  const Settings packed = {{"field.width", 40},     {"field.height", 40},  {"point.radius", 15},
                           {"base.radius", 15},     {"obstacle.count", 8}, {"obstacle.capacity", 8},
                           {"obstacle.radius", 10}, {"supply.count", 8},   {"supply.capacity", 8}};
  const auto scenario = scenarioOf("capture", packed);
  CaptureGame game(packed);
  for (std::uint64_t episode = 0; episode < 20; ++episode) {
    game.scenario->reset(game.state.data(), EpisodeRng(3, episode));
    for (int i = 0; i < 8; ++i) {
      CHECK_EQ(game.ofPlace("active", game.landmark("supply", i)), 1.0);
      CHECK_EQ(game.ofPlace("active", game.landmark("obstacle", i)), 1.0);
      CHECK(game.ofPlace("x", game.landmark("obstacle", i)) >= 10.0);
    }
  }
}

TEST("capture: scripted teams open locks, alone and against each other") {
  for (const int policy : {kBold, kSteady, kWary}) {
    for (const double isAlone : {1.0, 0.0}) {
      CaptureGame game({{"lock.count", 3}});
      game.scenario->reset(game.state.data(), game.rng);
      for (int t = 0; t < 200; ++t) {
        for (int team = 0; team < 2; ++team) {
          game.scenario->actScripted(team, team == 1 && isAlone != 0.0 ? 0 : policy, game.state.data(), game.row.data(),
                                     game.rng, game.clock, game.actions.data() + 3 * team);
        }
        if (game.step()) break;
      }
      int numOpen = 0;
      for (int i = 0; i < 3; ++i) {
        for (const int u : {0, 3}) numOpen += game.holds("may_take", u, game.entity("lock", i)) ? 1 : 0;
      }
      const double captures = game.metric("score", 0) + game.metric("score", 3);
      if (isAlone != 0.0) CHECK_EQ(numOpen, 3);
      CHECK(numOpen > 0 && captures >= 100.0);
    }
  }
}

TEST("capture: told to take a point that is closed, a unit goes to its lock; without a target it guards a point") {
  CaptureGame game({{"lock.count", 3}});
  game.put(0, 20, 20);
  for (int t = 0; t < 20; ++t) {
    game.actions[0] = game.behave("take", 0, game.entity("point", 0));
    game.step();
  }
  const int lock = game.landmark("lock", 0);
  CHECK(std::hypot(game.at("x", 0) - game.ofPlace("x", lock), game.at("y", 0) - game.ofPlace("y", lock)) <= 4.0);
  CaptureGame open;
  open.put(0, 45, 24);
  for (int t = 0; t < 20; ++t) {
    open.actions[0] = open.behave("guard", 0, -1);
    open.step();
  }
  CHECK_EQ(open.at("in_point", 0), 1.0);
}

TEST("capture: a supply as near to either team is shared by both, a nearer unit takes all of it") {
  for (const double shift : {0.0, 0.5, -0.5}) {
    CaptureGame game;
    game.trigger("spawn", "supply", 0, game.entity("middle"));
    game.putAt(1, "middle", 0, -1.0 + shift);
    game.putAt(4, "middle", 0, 1.0 + shift);
    for (const int u : {1, 4}) game.set("hit_points", u, 20.0);
    for (const int u : {1, 4}) game.set("damage", u, 0.0);
    game.step();
    CHECK_EQ(game.at("hit_points", 1), shift == 0.0 ? 45.0 : (shift > 0.0 ? 70.0 : 20.0));
    CHECK_EQ(game.at("hit_points", 4), shift == 0.0 ? 45.0 : (shift < 0.0 ? 70.0 : 20.0));
    CHECK_EQ(game.ofPlace("active", game.landmark("supply")), 0.0);
  }
}

TEST("capture: who stands where an obstacle comes up is put towards the other base, on either side") {
  CaptureGame game;
  game.put(0, 30, 20);
  game.trigger("spawn", "obstacle", 0, 0);
  game.put(3, 70, 40);
  game.trigger("spawn", "obstacle", 0, 3);
  game.step();
  CHECK_EQ(game.at("x", 0), 34.0);
  CHECK_EQ(game.at("x", 3), 66.0);
}

TEST("capture: room for more, and another count of others, change nobody's draws") {
  const Settings roomy = {{"red.assault.capacity", 5}, {"red.support.capacity", 3}, {"blue.assault.capacity", 8},
                          {"supply.capacity", 8},      {"obstacle.capacity", 6},    {"supply.count", 2},
                          {"obstacle.count", 2},       {"point.scatter", 6}};
  Settings more = roomy;
  more.insert(more.end(), {{"red.assault.count", 4}, {"blue.support.count", 0}, {"lock.count", 1}});
  CaptureGame usual({{"supply.count", 2}, {"obstacle.count", 2}, {"point.scatter", 6}});
  for (const Settings& settings : {roomy, more}) {
    CaptureGame other(settings);
    for (std::uint64_t episode = 0; episode < 5; ++episode) {
      for (CaptureGame* game : {&usual, &other}) {
        game->rng = EpisodeRng(9, episode);
        game->clock = 0;
        game->scenario->reset(game->state.data(), game->rng);
      }
      for (const std::string set : {"red_assault", "red_support", "blue_assault"}) {
        const int count = set == "red_support" ? 1 : 2;
        for (int i = 0; i < count; ++i) {
          const int u = usual.agent(set, i);
          const int v = other.agent(set, i);
          for (const std::string name : {"x", "y"}) CHECK_EQ(usual.at(name, u), other.at(name, v));
          for (CaptureGame* game : {&usual, &other}) game->trigger("disturb", "push", 50, game == &usual ? u : v);
          CHECK_EQ(usual.behave("wander", u, -1), other.behave("wander", v, -1));
        }
      }
      for (const std::string set : {"point", "supply", "obstacle"}) {
        for (int i = 0; i < 2; ++i) {
          const int p = usual.landmark(set, i);
          const int q = other.landmark(set, i);
          for (const std::string name : {"x", "y"}) CHECK_EQ(usual.ofPlace(name, p), other.ofPlace(name, q));
        }
      }
      for (CaptureGame* game : {&usual, &other}) game->step();
      for (int i = 0; i < 2; ++i) {
        const int u = usual.agent("red_assault", i);
        const int v = other.agent("red_assault", i);
        for (const std::string name : {"vx", "vy"}) CHECK_EQ(usual.at(name, u), other.at(name, v));
      }
    }
  }
}

TEST("capture: room for more units sends nobody elsewhere") {
  CaptureGame usual;
  CaptureGame roomy({{"red.assault.capacity", 8}, {"blue.assault.capacity", 4}, {"blue.support.capacity", 8}});
  const auto units = [](const CaptureGame& game) {
    std::vector<int> list;
    for (const std::string team : {"red", "blue"}) {
      for (int i = 0; i < 2; ++i) list.push_back(game.agent(team + "_assault", i));
      list.push_back(game.agent(team + "_support", 0));
    }
    return list;
  };
  const std::vector<int> here = units(usual);
  const std::vector<int> there = units(roomy);
  for (CaptureGame* game : {&usual, &roomy}) game->scenario->reset(game->state.data(), game->rng);
  for (int t = 0; t < 150; ++t) {
    for (CaptureGame* game : {&usual, &roomy}) {
      const std::vector<int>& list = game == &usual ? here : there;
      for (const int u : list)
        game->actions[static_cast<std::size_t>(u)] = game->behave(t < 60 ? "patrol" : "take", u, -1);
      game->step();
    }
    for (std::size_t i = 0; i < here.size(); ++i) {
      for (const std::string name : {"x", "y", "health"}) CHECK_EQ(usual.at(name, here[i]), roomy.at(name, there[i]));
    }
  }
}
