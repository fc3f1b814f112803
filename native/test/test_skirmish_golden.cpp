// What a trace of the command line does not tell of the reference trajectories; the rest is compared by
// test/engine/sim/skirmish-trace.test.ts.
#include "check.hpp"
#include "skirmish_game.hpp"
#include "skirmish_golden.hpp"

using namespace gymwright;
using namespace gymwright::test;

namespace {

/// Fixtures carry nine digits after the point.
constexpr double kTolerance = 1e-8;
/// The global state is f32 and holds places up to 32.
constexpr double kStateTolerance = 4e-6;

void compare(const SkirmishGame& game, const GoldenStep& golden) {
  const auto numUnits = static_cast<int>(golden.hitPoints.size());
  const auto width = golden.masks.size() / golden.hitPoints.size();
  for (int u = 0; u < numUnits; ++u) {
    const auto i = static_cast<std::size_t>(u);
    CHECK_NEAR(game.at("hit_points", u), golden.hitPoints[i], kTolerance);
    // Nobody reads the weapon of a dead unit.
    if (golden.hitPoints[i] > 0.0) CHECK_NEAR(game.at("cooldown", u), golden.cooldowns[i], kTolerance);
    const auto mask = game.mask(u);
    for (std::size_t action = 0; action < width; ++action)
      CHECK_EQ(mask[action], golden.masks[i * width + action]);
  }
  std::vector<float> state(golden.state.size());
  CHECK_EQ(game.scenario->manifest().stateDim, static_cast<int>(state.size()));
  game.scenario->writeState(game.state.data(), nullptr, state.data());
  for (std::size_t i = 0; i < state.size(); ++i) CHECK_NEAR(state[i], golden.state[i], kStateTolerance);
}

}  // namespace

TEST("skirmish: hit points, cooldowns, masks and state equal those of the reference") {
  for (const GoldenCase& golden : kGoldenCases) {
    SkirmishGame game(skirmishSettings({{"map", golden.map}}));
    Placement placement;
    for (std::size_t u = 0; u < golden.types.size(); ++u)
      placement.agents.push_back({golden.positions[2 * u], golden.positions[2 * u + 1]});
    CHECK(!game.scenario->place(placement, game.state.data()));
    for (std::size_t u = 0; u < golden.types.size(); ++u)
      CHECK_EQ(game.at("type", static_cast<int>(u)), static_cast<double>(golden.types[u]));
    for (const GoldenStep& step : golden.steps) {
      std::copy(step.actions.begin(), step.actions.end(), game.actions.begin());
      CHECK_EQ(game.step(), step.isOver);
      compare(game, step);
    }
  }
}
