#include "check.hpp"
#include "gymwright/trace.hpp"
#include "test_env.hpp"

using namespace gymwright;
using namespace gymwright::test;

TEST("an action moves an agent one step later, and velocity decays by the damping") {
  const auto scenario = scenarioOf("simple_spread", {{"agent.count", 1}});
  const auto steps = trace(*scenario, {{{0, 0}}, {{1, 1}}}, {{2}, {0}, {0}}).value();
  CHECK_NEAR(steps[0].positions[0][0], 0.0, 0.0);
  CHECK_NEAR(steps[0].velocities[0][0], 0.5, 1e-15);
  CHECK_NEAR(steps[1].positions[0][0], 0.05, 1e-15);
  CHECK_NEAR(steps[1].velocities[0][0], 0.375, 1e-15);
  CHECK_NEAR(steps[2].positions[0][0], 0.0875, 1e-15);
}

TEST("max_speed cuts the speed and keeps the direction") {
  const auto scenario = scenarioOf("simple_spread", {{"agent.count", 1}, {"agent.max_speed", 0.3}});
  const auto steps = trace(*scenario, {{{0, 0}}, {{1, 1}}}, {{2}, {4}, {4}}).value();
  CHECK_NEAR(steps[0].velocities[0][0], 0.3, 1e-15);
  const auto v = steps[2].velocities[0];
  CHECK_NEAR(std::hypot(v[0], v[1]), 0.3, 1e-12);
  CHECK(v[0] > 0.0 && v[1] > v[0]);
}

TEST("agents on the very same spot are pushed apart, not to NaN") {
  const auto scenario = scenarioOf("simple_spread", {{"agent.count", 2}});
  const auto steps =
      trace(*scenario, {{{0.2, 0.2}, {0.2, 0.2}}, {{1, 1}, {0, 1}}}, {{0, 0}, {0, 0}, {0, 0}}).value();
  const auto& last = steps.back().positions;
  CHECK(std::isfinite(last[0][0]) && std::isfinite(last[0][1]));
  CHECK(last[0][0] > last[1][0]);
  CHECK_NEAR(last[0][0] + last[1][0], 0.4, 1e-12);
}

TEST("contact ends a little outside the radii and is symmetric") {
  const auto scenario = scenarioOf("simple_spread", {{"agent.count", 2}});
  const auto far = trace(*scenario, {{{0, 0}, {0.36, 0}}, {{1, 1}, {0, 1}}}, {{0, 0}}).value();
  CHECK_EQ(far[0].velocities[0][0], 0.0);
  const auto near = trace(*scenario, {{{0, 0}, {0.29, 0}}, {{1, 1}, {0, 1}}}, {{0, 0}}).value();
  // 100 * 0.001 * ln(1 + e^10) = 1.0000045 N for a tenth of a second.
  CHECK_NEAR(near[0].velocities[0][0], -0.10000045, 1e-7);
  CHECK_EQ(near[0].velocities[0][0], -near[0].velocities[1][0]);
  CHECK_NEAR(near[0].rewards[0] - 0.5 * (near[0].rewards[0] + near[0].rewards[1]), 0.0, 1e-15);
}

TEST("a trace names the field it cannot use") {
  const auto scenario = scenarioOf("simple_adversary");
  const Placement placement{{{0, 0}, {0, 0}, {0, 0}}, {{1, 1}, {0, 1}}, {{"goal", {1}}}};
  const auto reason = [&](const Placement& p, const std::vector<std::vector<std::int32_t>>& acts) {
    const auto steps = trace(*scenario, p, acts);
    return steps ? std::string() : steps.failure().message;
  };
  CHECK_EQ(reason(placement, {{0, 1, 2}}), std::string());
  CHECK(reason(placement, {{0, 1}}).find("acts[0]") == 0);
  CHECK(reason(placement, {{0, 1, 2}, {0, 5, 0}}).find("acts[1][1]") == 0);
  CHECK(reason({{{0, 0}}, placement.landmarks, placement.values}, {}).find("A has 1") == 0);
  CHECK(reason({placement.agents, {}, placement.values}, {}).find("L has 0") == 0);
  CHECK(reason({placement.agents, placement.landmarks}, {}).find("goal") == 0);
  CHECK(reason({placement.agents, placement.landmarks, {{"goal", {2}}}}, {}).find("goal") == 0);
}
