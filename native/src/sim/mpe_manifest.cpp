#include <algorithm>
#include <numeric>
#include <utility>

#include "sim/mpe_world.hpp"

namespace gymwright {

void MpeScenario::addAttribute(Attribute attribute, AttributeAddress address) {
  manifest_.attributes.push_back(std::move(attribute));
  addresses_.push_back(address);
}

void MpeScenario::describeBodies(const MpeSetNames& sets) {
  manifest_.stepSeconds = kStepSeconds;
  const int a = numAgents();
  const int speeds = 2 * (a + numLandmarks());
  const auto agentKind = EntityKind::kAgent;
  const auto landmarkKind = EntityKind::kLandmark;
  addAttribute({"x", agentKind, "m", -100, 100, false, "Horizontal position.", {}, true}, {true, 0, 2});
  addAttribute({"y", agentKind, "m", -100, 100, false, "Vertical position, upwards.", {}, true}, {true, 1, 2});
  addAttribute({"vx", agentKind, "m/s", -20, 20, false, "Horizontal velocity.", {}, true}, {true, speeds, 2});
  addAttribute({"vy", agentKind, "m/s", -20, 20, false, "Vertical velocity.", {}, true}, {true, speeds + 1, 2});
  const bool doMove = std::any_of(bodies_.accel.begin(), bodies_.accel.end(), [](double x) { return x > 0.0; });
  if (doMove) {
    addAttribute({"accel", agentKind, "m/s^2", 0, 10, true, "Acceleration that a full move gives.", sets.movers},
                 {false, 0, 1});
    addAttribute({"max_speed", agentKind, "m/s", 0.05, 20, true,
                  "Speed is cut to this; 20 is out of reach, so no limit.", sets.movers},
                 {false, a, 1});
  }
  if (!bodies_.size.empty()) {
    addAttribute({"size", agentKind, "m", 0.02, 0.4, true, "Radius: closer than the sum of radii is a collision."},
                 {false, 2 * a, 1});
  }
  // Landmarks stay where they are put, within the largest square that landmark.spawn allows.
  addAttribute({"x", landmarkKind, "m", -2, 2, false, "Horizontal position."}, {true, 2 * a, 2});
  addAttribute({"y", landmarkKind, "m", -2, 2, false, "Vertical position, upwards."}, {true, 2 * a + 1, 2});
  if (!bodies_.landmarkSize.empty())
    addAttribute({"size", landmarkKind, "m", 0.02, 1, true, "Radius."}, {false, 3 * a, 1});
  if (numWords() > 0) describeSpeech(sets);
  if (!bodies_.boldness.empty()) {
    addAttribute({"boldness", agentKind, "none", 0, 1, true,
                  "Temperament under the scripted policy \"tempered\": 0 wary, 0.5 steady, 1 bold.", sets.tempered},
                 {false, boldnessBase_, 1});
  }

  std::vector<int> entities(static_cast<std::size_t>(manifest_.numAgents + manifest_.numLandmarks));
  std::iota(entities.begin(), entities.end(), 0);
  const auto split = entities.begin() + a;
  manifest_.sets.push_back({"agent", agentKind, {entities.begin(), split}, false, "All agents."});
  manifest_.sets.push_back({"landmark", landmarkKind, {split, entities.end()}, false, "All landmarks."});
  manifest_.signals.push_back(
      {"time", "steps", 0, static_cast<double>(manifest_.episodeLength), "Steps taken in this episode."});
  describeActs();
}

void MpeScenario::describeSpeech(const MpeSetNames& sets) {
  addAttribute({"word", EntityKind::kAgent, "none", -1, numWords() - 1.0, false,
                "Word that it said in the last step, counted from 0; -1: none yet.", sets.speakers},
               {true, speechWord_ + numWords(), numWords() + 1});
}

void MpeScenario::describeShapes(const ParameterValues& values) {
  manifest_.numAgents = numAgents();
  manifest_.numLandmarks = numLandmarks();
  manifest_.episodeLength = values.whole("episode.length");
  manifest_.obsDim = manifest_.stateDim = manifest_.numActions = manifest_.continuousDim = 0;
  for (const Group& group : manifest_.groups) {
    manifest_.obsDim = std::max(manifest_.obsDim, group.obsDim);
    manifest_.stateDim += group.obsDim * static_cast<int>(group.agents.size());
    manifest_.numActions = std::max(manifest_.numActions, group.numActions);
    manifest_.continuousDim = std::max(manifest_.continuousDim, group.continuousDim);
  }
}

void MpeScenario::describeTeam(const std::string& group, std::string doc) {
  for (const Group& each : manifest_.groups) {
    if (each.name != group) continue;
    std::vector<int> members(each.agents.size());
    std::iota(members.begin(), members.end(), each.firstAgent);
    manifest_.sets.push_back({group, EntityKind::kAgent, members, false, std::move(doc)});
    return;
  }
}

std::vector<std::string> numberedNames(const std::string& stem, int count) {
  std::vector<std::string> names;
  for (int i = 0; i < count; ++i) names.push_back(stem + "_" + std::to_string(i));
  return names;
}

std::vector<Parameter> mpeParameters(double landmarkSpawn) {
  return {
      {"episode.length", "int", "steps", 25, 1, 1000, false, false, "Steps after which an episode is truncated."},
      {"agent.spawn", "float", "m", 1, 0.1, 2, false, true, "Agents start uniformly in the square of this half-width."},
      {"landmark.spawn", "float", "m", landmarkSpawn, 0.1, 2, false, true,
       "Landmarks are put uniformly into the square of this half-width."},
      {"world.damping", "float", "none", 0.25, 0.05, 0.95, false, false,
       "Share of the velocity lost in a step: a constant of the physics."},
      choiceParameter("world.dynamics", {{"v3", "v2"}},
                      "Order of a step. v3: positions move with the old velocities, so that an action shows one step "
                      "later (PettingZoo from 1.23 on, MPE2, JaxMARL). v2: velocities change first (the original, and "
                      "what EPyMARL, on-policy and VMAS use)."),
  };
}

Parameter accelParameter(const std::string& group, double value) {
  return {group + ".accel",
          "float",
          "m/s^2",
          value,
          0.5,
          10,
          false,
          true,
          "Acceleration that a full move gives.",
          LiveSetting{"accel", group, "value"}};
}

Parameter maxSpeedParameter(const std::string& group, double value) {
  return {group + ".max_speed",
          "float",
          "m/s",
          value,
          0.05,
          20,
          false,
          true,
          "Speed is cut to this; 20 is out of reach, so no limit.",
          LiveSetting{"max_speed", group, "value"}};
}

Parameter sizeParameter(const std::string& group, double value) {
  return {group + ".size", "float", "m", value, 0.02, 0.4, false, true, "Radius.", LiveSetting{"size", group, "value"}};
}

Parameter boldnessParameter(const std::string& group) {
  return {group + ".boldness",
          "float",
          "none",
          0.5,
          0,
          1,
          false,
          true,
          "Temperament of " + group + " under the scripted policy \"tempered\": 0 wary, 0.5 steady, 1 bold.",
          LiveSetting{"boldness", group, "value"}};
}

MpeBodies mpeBodies(const ParameterValues& values, int numAgents, int numLandmarks) {
  const auto agents = static_cast<std::size_t>(numAgents);
  return {numAgents,
          numLandmarks,
          values.number("world.damping"),
          values.number("agent.spawn"),
          values.number("landmark.spawn"),
          values.flag("world.dynamics"),
          std::vector<int>(agents, 0),
          std::vector<double>(agents, 5.0),
          std::vector<double>(agents, 20.0)};
}

void setTeam(MpeBodies& bodies, const ParameterValues& values, const std::string& group, int firstAgent, int count,
             int side) {
  const auto fill = [&](auto& column, auto value) { std::fill_n(column.begin() + firstAgent, count, value); };
  fill(bodies.side, side);
  fill(bodies.accel, values.number((group + ".accel").c_str()));
  fill(bodies.maxSpeed, values.number((group + ".max_speed").c_str()));
  if (!bodies.size.empty()) fill(bodies.size, values.number((group + ".size").c_str()));
}

void setBoldness(MpeBodies& bodies, const ParameterValues& values, const std::string& group, int firstAgent,
                 int count) {
  bodies.boldness.resize(static_cast<std::size_t>(bodies.numAgents));
  std::fill_n(bodies.boldness.begin() + firstAgent, count, values.number((group + ".boldness").c_str()));
}

}  // namespace gymwright
