// Who acts: the caller, scripted policies, or the program's behaviours.
#include "sim/batch.hpp"

namespace gymwright {

void Batch::decideControls(int first, int count, const Actions& actions) {
  const std::vector<Group>& groups = scenario.manifest().groups;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    if (config.scripted[g] == kPlayedByCaller) {
      decodeGroup(groups[g], first, count, actions);
    } else {
      for (int l = 0; l < count; ++l) playGroup(g, first + l, l);
    }
  }
}

void Batch::decodeGroup(const Group& group, int first, int count, const Actions& actions) {
  const int numAgents = shape.numAgents;
  const int end = group.firstAgent + static_cast<int>(group.agents.size());
  for (int l = 0; l < count; ++l) {
    const std::size_t row = index(first + l, numAgents);
    for (int a = group.firstAgent; a < end; ++a) {
      if (actions.discrete != nullptr) {
        scenario.decodeDiscrete(a, actions.discrete[row + at(a)], controls(l, a));
      } else {
        const std::size_t width = at(scenario.manifest().continuousDim);
        scenario.decodeContinuous(a, actions.continuous + (row + at(a)) * width, controls(l, a));
      }
    }
  }
}

/// A group whose actions a scripted policy or the program's behaviours choose.
void Batch::playGroup(std::size_t g, int env, int lane) {
  const Group& group = scenario.manifest().groups[g];
  const int policy = config.scripted[g];
  const int end = group.firstAgent + static_cast<int>(group.agents.size());
  if (policy != kPlayedByNpc) {
    scenario.actScripted(static_cast<int>(g), policy, state(env), row(lane), rng(env), steps[at(env)],
                         scriptedActions_.data());
  }
  for (int a = group.firstAgent; a < end; ++a) {
    const std::int32_t action =
        policy == kPlayedByNpc ? behave(a, env, lane) : scriptedActions_[at(a - group.firstAgent)];
    scenario.decodeDiscrete(a, action, controls(lane, a));
  }
}

/// Action 0 where no behaviour held or the copy trapped.
std::int32_t Batch::behave(int agent, int env, int lane) {
  const Choice& choice = machine.choice(agent);
  const std::int32_t behaviour = choice.behaviour[at(lane)];
  if (behaviour < 0 || laneTraps_.has(lane)) return 0;
  return scenario.behave(behaviour, agent, choice.target[at(lane)], state(env), row(lane), rng(env), steps[at(env)]);
}

}  // namespace gymwright
