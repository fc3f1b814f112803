#include <numeric>
#include <utility>

#include "sim/mpe_world.hpp"

namespace gymwright {

void MpeScenario::addAttribute(Attribute attribute, AttributeAddress address) {
  manifest_.attributes.push_back(std::move(attribute));
  addresses_.push_back(address);
}

void MpeScenario::describeBodies() {
  manifest_.stepSeconds = kStepSeconds;
  const int a = numAgents();
  const int speeds = 2 * (a + numLandmarks());
  const auto agentKind = EntityKind::kAgent;
  const auto landmarkKind = EntityKind::kLandmark;
  addAttribute({"x", agentKind, "m", -100, 100, false, "Horizontal position.", {}, true}, {true, 0, 2});
  addAttribute({"y", agentKind, "m", -100, 100, false, "Vertical position, upwards.", {}, true}, {true, 1, 2});
  addAttribute({"vx", agentKind, "m/s", -20, 20, false, "Horizontal velocity.", {}, true}, {true, speeds, 2});
  addAttribute({"vy", agentKind, "m/s", -20, 20, false, "Vertical velocity.", {}, true}, {true, speeds + 1, 2});
  addAttribute({"accel", agentKind, "m/s^2", 0, 10, true, "Acceleration that a full move gives."}, {false, 0, 1});
  addAttribute(
      {"max_speed", agentKind, "m/s", 0.05, 20, true, "Speed is cut to this; 20 is out of reach, so no limit."},
      {false, a, 1});
  if (!bodies_.size.empty()) {
    addAttribute({"size", agentKind, "m", 0.02, 0.4, true, "Radius: closer than the sum of radii is a collision."},
                 {false, 2 * a, 1});
  }
  // Landmarks stay where they are put, within the largest square that landmark.spawn allows.
  addAttribute({"x", landmarkKind, "m", -2, 2, false, "Horizontal position."}, {true, 2 * a, 2});
  addAttribute({"y", landmarkKind, "m", -2, 2, false, "Vertical position, upwards."}, {true, 2 * a + 1, 2});

  std::vector<int> entities(static_cast<std::size_t>(manifest_.numAgents + manifest_.numLandmarks));
  std::iota(entities.begin(), entities.end(), 0);
  const auto split = entities.begin() + a;
  manifest_.sets.push_back({"agent", agentKind, {entities.begin(), split}, false, "All agents."});
  manifest_.sets.push_back({"landmark", landmarkKind, {split, entities.end()}, false, "All landmarks."});
  manifest_.signals.push_back(
      {"time", "steps", 0, static_cast<double>(manifest_.episodeLength), "Steps taken in this episode."});
  describeActs();
}

Group MpeScenario::describeGroup(std::string name, std::vector<std::string> agents, int firstAgent, int obsDim,
                                 std::vector<std::string> scripted) const {
  return {std::move(name), std::move(agents),  firstAgent, obsDim, kNumActions, {"none", "left", "right", "down", "up"},
          kNumActions,     std::move(scripted)};
}

std::vector<Parameter> mpeParameters() {
  return {
      {"episode.length", "int", "steps", 25, 1, 1000, false, false, "Steps after which an episode is truncated."},
      {"agent.spawn", "float", "m", 1, 0.1, 2, false, true, "Agents start uniformly in the square of this half-width."},
      {"landmark.spawn", "float", "m", 1, 0.1, 2, false, true,
       "Landmarks are put uniformly into the square of this half-width."},
      {"world.damping", "float", "none", 0.25, 0.05, 0.95, false, false,
       "Share of the velocity lost in a step: a constant of the physics."},
  };
}

Parameter accelParameter(const std::string& group) {
  return {group + ".accel",
          "float",
          "m/s^2",
          5,
          0.5,
          10,
          false,
          true,
          "Acceleration that a full move gives.",
          LiveSetting{"accel", group, "value"}};
}

Parameter maxSpeedParameter(const std::string& group) {
  return {group + ".max_speed",
          "float",
          "m/s",
          20,
          0.05,
          20,
          false,
          true,
          "Speed is cut to this; 20 is out of reach, so no limit.",
          LiveSetting{"max_speed", group, "value"}};
}

}  // namespace gymwright
