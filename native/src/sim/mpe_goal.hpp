#pragma once

#include <string>
#include <utility>

#include "sim/mpe_world.hpp"

namespace gymwright {

/// What particle scenarios share in which one landmark is the goal of the episode: its draw, its place in a layout, the
/// set that denotes it and the event that draws it anew.
class MpeGoal : public MpeScenario {
 public:
  void reset(double* state, const EpisodeRng& rng) const final;
  /// "goal": the index of the goal landmark.
  std::optional<std::string> place(const Placement& placement, double* state) const override;
  bool isValidState(const double* state) const override;
  int member(int set, const double* state) const final;

 protected:
  MpeGoal(MpeBodies bodies, int ownWords) : MpeScenario(std::move(bodies), kGoalWords + ownWords) {}

  int goalIndex(const double* state) const { return static_cast<int>(extra(state)[kGoal]); }
  const double* goal(const double* state) const { return landmark(state, goalIndex(state)); }
  double distanceToGoal(const double* state, int a) const { return distanceBetween(agent(state, a), goal(state)); }
  /// The scenario's own words.
  double* own(double* state) const { return extra(state) + kGoalWords; }
  const double* own(const double* state) const { return extra(state) + kGoalWords; }

  void drawGoals(double* state, const GoalDraw& draw) const override { extra(state)[kGoal] = draw(0, numLandmarks()); }
  /// Adds the set "goal" and the event of that name.
  void describeGoal(std::string setDoc = "The landmark that is the goal of this episode.",
                    std::string eventDoc = "Another draw of which landmark is the goal; it may be the same.");

 private:
  enum GoalWord { kGoal, kGoalWords };
};

}  // namespace gymwright
