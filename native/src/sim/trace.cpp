#include "gymwright/trace.hpp"

#include <algorithm>

namespace gymwright {
namespace {

/// Address of an agent attribute in the state. Requires: the manifest has it.
AttributeAddress stateAddress(const Scenario& scenario, const char* name) {
  const auto& attributes = scenario.manifest().attributes;
  const auto found = std::find_if(attributes.begin(), attributes.end(), [name](const Attribute& attribute) {
    return attribute.kind == EntityKind::kAgent && attribute.name == name;
  });
  return scenario.addresses()[static_cast<std::size_t>(found - attributes.begin())];
}

std::optional<std::string> checkActions(const Manifest& m, const std::vector<std::int32_t>& row, std::size_t step) {
  const std::string where = "acts[" + std::to_string(step) + "]";
  if (row.size() != static_cast<std::size_t>(m.numAgents)) {
    return where + " has " + std::to_string(row.size()) + " actions, the scenario has " + std::to_string(m.numAgents) +
           " agents";
  }
  for (std::size_t a = 0; a < row.size(); ++a) {
    if (row[a] >= 0 && row[a] < m.numActions) continue;
    return where + "[" + std::to_string(a) + "] is " + std::to_string(row[a]) + ", actions are 0.." +
           std::to_string(m.numActions - 1);
  }
  return std::nullopt;
}

class Tracer {
 public:
  explicit Tracer(const Scenario& scenario)
      : scenario_(scenario),
        state_(static_cast<std::size_t>(scenario.stateWords())),
        controls_(static_cast<std::size_t>(scenario.manifest().numAgents * scenario.controlWords())),
        components_(static_cast<std::size_t>(scenario.manifest().numAgents) * scenario.manifest().components.size()),
        obs_(static_cast<std::size_t>(scenario.manifest().numAgents * scenario.manifest().obsDim)) {}

  double* state() { return state_.data(); }

  TraceStep step(const std::vector<std::int32_t>& actions) {
    for (std::size_t a = 0; a < actions.size(); ++a) {
      scenario_.decodeDiscrete(static_cast<int>(a), actions[a], controls_.data() + a * static_cast<std::size_t>(scenario_.controlWords()));
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
      out.positions.push_back({read("x", a), read("y", a)});
      out.velocities.push_back({read("vx", a), read("vy", a)});
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

  double read(const char* attribute, std::size_t agent) const {
    const AttributeAddress address = stateAddress(scenario_, attribute);
    return state_[static_cast<std::size_t>(address.base) + static_cast<std::size_t>(address.stride) * agent];
  }

  const Scenario& scenario_;
  std::vector<double> state_;
  std::vector<double> controls_;
  std::vector<double> components_;
  std::vector<double> obs_;
};

}  // namespace

Result<std::vector<TraceStep>> trace(const Scenario& scenario, const Placement& placement,
                                     const std::vector<std::vector<std::int32_t>>& actions) {
  Tracer tracer(scenario);
  if (auto problem = scenario.place(placement, tracer.state())) return Failure{"input.invalid", *problem};
  std::vector<TraceStep> steps;
  for (std::size_t t = 0; t < actions.size(); ++t) {
    if (auto problem = checkActions(scenario.manifest(), actions[t], t)) return Failure{"input.invalid", *problem};
    steps.push_back(tracer.step(actions[t]));
  }
  return steps;
}

}  // namespace gymwright
