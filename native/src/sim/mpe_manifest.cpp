#include <algorithm>
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
  if (isAnyMobile_) {
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

  manifest_.sets.push_back({"agent", agentKind, numbersFrom(0, a), false, "All agents."});
  manifest_.sets.push_back({"landmark", landmarkKind, allLandmarks(), false, "All landmarks."});
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
    describeTopSpeed(group.name, values);
  }
}

void MpeScenario::describeTopSpeed(const std::string& group, const ParameterValues& values) {
  const auto has = [this](const std::string& name) {
    return std::any_of(manifest_.parameters.begin(), manifest_.parameters.end(),
                       [&name](const Parameter& parameter) { return parameter.name == name; });
  };
  const std::string accel = group + ".accel";
  const std::string speed = group + ".max_speed";
  if (!has(accel) || !has(speed)) return;
  // Where what a full move adds in a step is what damping takes from it; only a collision goes beyond.
  describeReach(manifest_, speed, values.number(accel.c_str()) * kStepSeconds / values.number("world.damping"));
}

void MpeScenario::describeTeam(const std::string& group, std::string doc) {
  for (const Group& each : manifest_.groups) {
    if (each.name != group) continue;
    const std::vector<int> members = numbersFrom(each.firstAgent, static_cast<int>(each.agents.size()));
    manifest_.sets.push_back({group, EntityKind::kAgent, members, false, std::move(doc)});
    return;
  }
}

Parameter episodeLengthParameter() {
  return {"episode.length", "int", "steps", 25, 1, 1000, false, false, "Steps after which an episode is truncated."};
}

std::vector<Parameter> teamParameters(const MpeTeam& team) {
  const std::string group = team.name;
  const auto make = [&group](const char* what, const char* unit, double value, double min, double max,
                             std::string doc) -> Parameter {
    return {group + "." + what,
            "float",
            unit,
            value,
            min,
            max,
            false,
            true,
            std::move(doc),
            LiveSetting{what, group, "value"}};
  };
  std::vector<Parameter> list = {
      make("accel", "m/s^2", team.accel, 0.5, 10, "Acceleration that a full move gives."),
      make("max_speed", "m/s", team.maxSpeed, 0.05, 20, "Speed is cut to this; 20 is out of reach, so no limit.")};
  if (team.size > 0.0) list.push_back(make("size", "m", team.size, 0.02, 0.4, "Radius."));
  if (team.isTempered) {
    list.push_back(playedParameter(
        make("boldness", "none", 0.5, 0, 1,
             "Temperament of " + group + " under the scripted policy \"tempered\": 0 wary, 0.5 steady, 1 bold."),
        group, "tempered"));
  }
  return list;
}

std::vector<Parameter> mpeParameters(std::initializer_list<std::vector<Parameter>> own, double landmarkSpawn) {
  std::vector<Parameter> all;
  for (const std::vector<Parameter>& list : own) all.insert(all.end(), list.begin(), list.end());
  all.insert(
      all.end(),
      {episodeLengthParameter(),
       {"agent.spawn", "float", "m", 1, 0.1, 2, false, true,
        "Agents start uniformly in the square of this half-width."},
       {"landmark.spawn", "float", "m", landmarkSpawn, 0.1, 2, false, true,
        "Landmarks are put uniformly into the square of this half-width."},
       {"world.damping", "float", "none", 0.25, 0.05, 0.95, false, false,
        "Share of the velocity lost in a step: a constant of the physics."},
       choiceParameter("world.dynamics", {{"v3", "v2"}},
                       "Order of a step. v3: positions move with the old velocities, so that an action shows one step "
                       "later (PettingZoo from 1.23 on, MPE2, JaxMARL). v2: velocities change first (the original, and "
                       "what EPyMARL, on-policy and VMAS use).")});
  return all;
}

MpeBodies mpeBodies(const ParameterValues& values, int numLandmarks) {
  return {.numLandmarks = numLandmarks,
          .damping = values.number("world.damping"),
          .agentSpawn = values.number("agent.spawn"),
          .landmarkSpawn = values.number("landmark.spawn"),
          .isVelocityFirst = values.flag("world.dynamics")};
}

void addTeam(MpeBodies& bodies, const ParameterValues& values, const MpeTeam& team, int count) {
  const auto append = [&](std::vector<double>& column, const char* what) {
    column.resize(static_cast<std::size_t>(bodies.numAgents));
    column.insert(column.end(), static_cast<std::size_t>(count),
                  values.number((std::string(team.name) + "." + what).c_str()));
  };
  append(bodies.accel, "accel");
  append(bodies.maxSpeed, "max_speed");
  if (team.size > 0.0) append(bodies.size, "size");
  if (team.isTempered) append(bodies.boldness, "boldness");
  bodies.side.insert(bodies.side.end(), static_cast<std::size_t>(count), team.side);
  bodies.numAgents += count;
}

void addStill(MpeBodies& bodies, int side) {
  bodies.accel.push_back(0.0);
  bodies.maxSpeed.push_back(20.0);
  bodies.side.push_back(side);
  ++bodies.numAgents;
}

}  // namespace gymwright
