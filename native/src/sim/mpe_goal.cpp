#include "sim/mpe_goal.hpp"

namespace gymwright {

void MpeGoal::reset(double* state, const EpisodeRng& rng) const {
  resetBodies(state, rng);
  resetGoals(state, rng);
}

std::optional<std::string> MpeGoal::place(const Placement& placement, double* state) const {
  if (auto problem = MpeScenario::place(placement, state)) return problem;
  return placement.readIndices("goal", 1, numLandmarks(), "the index of the goal landmark", extra(state) + kGoal);
}

bool MpeGoal::isValidState(const double* state) const {
  return MpeScenario::isValidState(state) && isIndex(extra(state)[kGoal], numLandmarks());
}

int MpeGoal::member(int /*set*/, const double* state) const { return numAgents() + goalIndex(state); }

void MpeGoal::describeGoal(std::string setDoc, std::string eventDoc) {
  describeGoalEvent(std::move(eventDoc));
  manifest_.sets.push_back({"goal", EntityKind::kLandmark, allLandmarks(), true, std::move(setDoc)});
}

}  // namespace gymwright
