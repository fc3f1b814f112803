#include "gymwright/trace.hpp"

#include <algorithm>
#include <array>

namespace gymwright {
namespace {

enum Reading { kX, kY, kVx, kVy, kNumReadings };
constexpr std::array<const char*, kNumReadings> kReadings = {"x", "y", "vx", "vy"};
using Addresses = std::array<AttributeAddress, kNumReadings>;

/// Where the readings of agents are in the state.
Result<Addresses> findReadings(const Scenario& scenario) {
  const auto& attributes = scenario.manifest().attributes;
  Addresses addresses{};
  for (std::size_t r = 0; r < kNumReadings; ++r) {
    const auto found = std::find_if(attributes.begin(), attributes.end(), [r](const Attribute& attribute) {
      return attribute.kind == EntityKind::kAgent && attribute.of.empty() && attribute.name == kReadings[r];
    });
    const auto id = static_cast<std::size_t>(found - attributes.begin());
    if (found == attributes.end() || !scenario.addresses()[id].isInState) {
      return Failure{"input.invalid", "scenario " + scenario.manifest().name +
                                          " cannot be traced: its agents have no " + kReadings[r] + " in their state"};
    }
    addresses[r] = scenario.addresses()[id];
  }
  return addresses;
}

std::optional<std::string> checkActions(const Manifest& m, const std::vector<std::int32_t>& row, std::size_t step) {
  const std::string where = "acts[" + std::to_string(step) + "]";
  if (row.size() != static_cast<std::size_t>(m.numAgents)) {
    return where + " has " + std::to_string(row.size()) + " actions, the scenario has " + std::to_string(m.numAgents) +
           " agents";
  }
  std::size_t a = 0;
  for (const Group& group : m.groups) {
    for (const std::string& agent : group.agents) {
      const std::int32_t action = row[a++];
      if (action >= 0 && action < group.numActions) continue;
      return where + "[" + std::to_string(a - 1) + "] is " + std::to_string(action) + ", actions of " + agent +
             " are 0.." + std::to_string(group.numActions - 1);
    }
  }
  return std::nullopt;
}

class Tracer {
 public:
  Tracer(const Scenario& scenario, const Addresses& readings)
      : scenario_(scenario),
        readings_(readings),
        state_(static_cast<std::size_t>(scenario.stateWords())),
        width_(static_cast<std::size_t>(scenario.controlWords())),
        controls_(static_cast<std::size_t>(scenario.manifest().numAgents) * width_),
        components_(static_cast<std::size_t>(scenario.manifest().numAgents) * scenario.manifest().components.size()),
        obs_(static_cast<std::size_t>(scenario.manifest().numAgents * scenario.manifest().obsDim)) {}

  double* state() { return state_.data(); }

  TraceStep step(const std::vector<std::int32_t>& actions) {
    for (std::size_t a = 0; a < actions.size(); ++a) {
      scenario_.decodeDiscrete(static_cast<int>(a), actions[a], controls_.data() + width_ * a);
    }
    scenario_.advance(state_.data(), scenario_.baseAttributes().data(), controls_.data(), components_.data());
    return describe();
  }

 private:
  TraceStep describe() {
    const Manifest& m = scenario_.manifest();
    TraceStep out;
    const std::size_t width = m.components.size();
    for (std::size_t a = 0; a < static_cast<std::size_t>(m.numAgents); ++a) {
      out.positions.push_back({read(kX, a), read(kY, a)});
      out.velocities.push_back({read(kVx, a), read(kVy, a)});
      double reward = 0.0;
      for (std::size_t c = 0; c < width; ++c) reward += components_[a * width + c];
      out.rewards.push_back(reward);
    }
    scenario_.writeObs(state_.data(), obs_.data());
    for (const Group& group : m.groups) {
      for (std::size_t i = 0; i < group.agents.size(); ++i) {
        const double* row =
            obs_.data() + (static_cast<std::size_t>(group.firstAgent) + i) * static_cast<std::size_t>(m.obsDim);
        out.obs.emplace_back(row, row + group.obsDim);
      }
    }
    return out;
  }

  double read(Reading reading, std::size_t agent) const {
    const AttributeAddress address = readings_[reading];
    return state_[static_cast<std::size_t>(address.base) + static_cast<std::size_t>(address.stride) * agent];
  }

  const Scenario& scenario_;
  Addresses readings_;
  std::vector<double> state_;
  std::size_t width_;  ///< of an agent's controls
  std::vector<double> controls_;
  std::vector<double> components_;
  std::vector<double> obs_;
};

}  // namespace

Result<std::vector<TraceStep>> trace(const Scenario& scenario, const Placement& placement,
                                     const std::vector<std::vector<std::int32_t>>& actions) {
  const auto readings = findReadings(scenario);
  if (!readings) return readings.failure();
  Tracer tracer(scenario, readings.value());
  if (auto problem = scenario.place(placement, tracer.state())) return Failure{"input.invalid", *problem};
  std::vector<TraceStep> steps;
  for (std::size_t t = 0; t < actions.size(); ++t) {
    if (auto problem = checkActions(scenario.manifest(), actions[t], t)) return Failure{"input.invalid", *problem};
    steps.push_back(tracer.step(actions[t]));
  }
  return steps;
}

}  // namespace gymwright
