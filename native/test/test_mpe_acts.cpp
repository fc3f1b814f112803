#include <algorithm>
#include <bit>

#include "check.hpp"
#include "program_builder.hpp"
#include "test_env.hpp"

using namespace gymwright;
using namespace gymwright::test;

namespace {

/// One copy of a particle scenario, played by hand.
struct World {
  World(const std::string& name, const Placement& placement, const Settings& settings = {})
      : scenario(scenarioOf(name, settings)), state(static_cast<std::size_t>(scenario->stateWords())) {
    row.assign(scenario->baseAttributes().begin(), scenario->baseAttributes().end());
    numAgents = static_cast<std::size_t>(scenario->manifest().numAgents);
    actions.assign(numAgents, 0);
    CHECK(!scenario->place(placement, state.data()));
  }

  void step() {
    std::vector<double> controls(2 * numAgents);
    std::vector<double> components(numAgents * scenario->manifest().components.size());
    for (std::size_t a = 0; a < numAgents; ++a)
      scenario->decodeDiscrete(static_cast<int>(a), actions[a], &controls[2 * a]);
    scenario->advance(state.data(), row.data(), controls.data(), components.data());
    ++clock;
  }

  const double* at(int entity) const { return state.data() + scenario->positionWord(entity); }
  double apart(int p, int q) const { return std::hypot(at(p)[0] - at(q)[0], at(p)[1] - at(q)[1]); }

  /// One agent does a behaviour for some steps, the others rest.
  void follow(const std::string& behaviour, int agent, int target, int steps) {
    const auto& all = scenario->manifest().behaviours;
    const auto found = std::find_if(all.begin(), all.end(), [&](const Behaviour& b) { return b.name == behaviour; });
    for (int t = 0; t < steps; ++t) {
      actions[static_cast<std::size_t>(agent)] =
          scenario->behave(static_cast<int>(found - all.begin()), agent, target, state.data(), row.data(), rng, clock);
      step();
    }
  }

  double metric(const std::string& name, std::size_t agent) const {
    const auto& metrics = scenario->manifest().metrics;
    std::vector<double> values(metrics.size() * numAgents);
    scenario->writeMetrics(state.data(), clock, values.data());
    const auto found = std::find_if(metrics.begin(), metrics.end(), [&](const Metric& m) { return m.name == name; });
    return values[agent * metrics.size() + static_cast<std::size_t>(found - metrics.begin())];
  }

  std::shared_ptr<const Scenario> scenario;
  std::vector<double> state;
  std::vector<double> row;
  std::size_t numAgents = 0;
  std::vector<std::int32_t> actions;
  EpisodeRng rng{3, 0};
  std::int32_t clock = 0;
};

const Placement kSpread{{{0.0, 0.0}, {0.25, 0.0}, {-0.9, 0.9}}, {{0.0, 0.0}, {0.9, 0.0}, {-0.9, 0.9}}};
const Placement kAdversary{{{0.0, 0.0}, {0.5, 0.0}, {-0.5, 0.0}}, {{0.8, 0.0}, {-0.8, 0.0}}, {{"goal", {0}}}};

}  // namespace

TEST("simple_spread: agents touch where they are closer than the sum of radii") {
  World world("simple_spread", kSpread);
  const auto touches = [&world](int a, int b) {
    return world.scenario->relation(0, a, b, world.state.data(), world.row.data());
  };
  CHECK_EQ(touches(0, 1), 1.0);
  CHECK_EQ(touches(1, 0), 1.0);
  CHECK_EQ(touches(0, 2), 0.0);
  CHECK_EQ(touches(0, 0), 0.0);
  std::fill(world.row.begin() + 6, world.row.begin() + 9, 0.1);
  CHECK_EQ(touches(0, 1), 0.0);
}

TEST("particle scenarios: a push changes the velocity by its amount, in a direction that only its cause decides") {
  World world("simple_spread", kSpread);
  const auto push = [&world](std::uint32_t key) {
    std::vector<double> state = world.state;
    world.scenario->trigger(0, 0.7, 2, key, world.rng, 4, state.data());
    return std::array<double, 2>{state[16], state[17]};
  };
  const auto one = push(1);
  CHECK_NEAR(std::hypot(one[0], one[1]), 0.7, 1e-12);
  CHECK(push(1) == one);
  CHECK(push(2) != one);
  const std::vector<double> before = world.state;
  world.scenario->trigger(0, 0.7, -1, 1, world.rng, 4, world.state.data());
  CHECK(world.state == before);
}

TEST("particle scenarios: chase and goto arrive, flee leaves, patrol goes round, guard stands in between") {
  World chase("simple_adversary", kAdversary);
  chase.follow("chase", 0, 1, 25);
  CHECK(chase.apart(0, 1) < 0.1);
  World nearest("simple_adversary", kAdversary);
  nearest.follow("chase", 0, -1, 25);
  CHECK(std::min(nearest.apart(0, 1), nearest.apart(0, 2)) < 0.1);
  World flee("simple_adversary", kAdversary);
  flee.follow("flee", 1, -1, 15);
  CHECK(flee.apart(0, 1) > 1.5);
  World go("simple_adversary", kAdversary);
  go.follow("goto", 2, 4, 25);
  CHECK(go.apart(2, 4) < 0.1);
  World guard("simple_adversary", kAdversary);
  guard.follow("guard", 1, 3, 25);
  CHECK_NEAR(guard.at(1)[0], 0.6, 0.1);
  World patrol("simple_adversary", kAdversary);
  double least[2] = {9, 9};
  for (int t = 0; t < 50; ++t) {
    patrol.follow("patrol", 0, -1, 1);
    for (int l = 0; l < 2; ++l) least[l] = std::min(least[l], patrol.apart(0, 3 + l));
  }
  CHECK(least[0] < 0.2 && least[1] < 0.2);
}

TEST("particle scenarios: who is quicker or slower for now steers by the acceleration in force") {
  // 2 cm off: a push of 10 m/s^2 would overshoot, one of 0.5 m/s^2 would not.
  const Placement near{{{0.0, 0.0}}, {{0.02, 0.0}}};
  for (const double accel : {0.5, 10.0}) {
    World world("simple", near);
    world.row[0] = accel;
    std::int32_t action = -1;
    world.scenario->actScripted(0, 2, world.state.data(), world.row.data(), world.rng, 0, &action);
    CHECK_EQ(action, accel < 1.0 ? 2 : 0);
    world.follow("goto", 0, 1, 1);
    CHECK_EQ(world.actions[0], accel < 1.0 ? 2 : 0);
  }
}

TEST("particle scenarios: prey foresees its moves under both orders of a step") {
  for (const double dynamics : {0.0, 1.0}) {
    World world("simple_tag", {{{0.0, 0.0}, {0.0, 0.1}, {0.0, -0.1}, {0.8, 0.0}}, {{-0.9, -0.9}, {-0.9, 0.9}}},
                {{"world.dynamics", dynamics}});
    double* v = world.state.data() + 2 * (2 * 4 + 2 - 1);
    const auto chosen = [&](double vx) {
      v[0] = vx;
      std::int32_t action = -1;
      world.scenario->actScripted(1, 2, world.state.data(), world.row.data(), world.rng, 0, &action);
      return action;
    };
    // At rest it runs on. At 0.7 m/s only a push back keeps it within 0.9 m under v3; v2 has not carried it that far.
    CHECK_EQ(chosen(0.0), 2);
    CHECK_EQ(chosen(0.7) == 1, dynamics == 0.0);
  }
}

TEST("particle scenarios: general metrics follow their definitions on a known play") {
  World world("simple_spread", kSpread);
  // Nearest landmarks: agents 0 and 1 share landmark 0, agent 2 has landmark 2 for itself. Nobody moves but for
  // contact.
  for (int t = 0; t < 2; ++t) world.step();
  CHECK_EQ(world.metric("cooperation_index", 0), 0.0);
  CHECK_EQ(world.metric("cooperation_index", 2), 1.0);
  for (std::size_t a = 0; a < 3; ++a) {
    CHECK_EQ(world.metric("role_adherence", a), 1.0);
    CHECK(world.metric("exploration_ratio", a) >= 1.0 / 49);
  }
  CHECK_EQ(world.metric("exploration_ratio", 2), 1.0 / 49);
  // Agent 1 goes to landmark 1: from then on they divide the landmarks.
  world.follow("goto", 1, 4, 23);
  CHECK(world.metric("cooperation_index", 1) > 0.4 && world.metric("cooperation_index", 1) < 1.0);
  CHECK_EQ(world.metric("role_adherence", 1), 23.0 / 24);
  CHECK(world.metric("exploration_ratio", 1) >= 3.0 / 49);
}

TEST("particle scenarios: metrics without a meaning have no value") {
  World adversary("simple_adversary", kAdversary);
  adversary.step();
  CHECK(std::isnan(adversary.metric("cooperation_index", 0)));
  CHECK(!std::isnan(adversary.metric("cooperation_index", 1)));
  CHECK(std::isnan(adversary.metric("role_adherence", 1)));
}
