#pragma once

#include "scenarios/world_comm/layout.hpp"
#include "sim/mpe_pursuit.hpp"

namespace gymwright::world_comm {

/// The scenario: its rules and observations (simple_world_comm.cpp), its scripted play (play.cpp), its manifest
/// (describe.cpp).
class World final : public MpePursuit {
 public:
  explicit World(const ParameterValues& values);

  void reset(double* state, const EpisodeRng& rng) const override;
  std::optional<std::string> place(const Placement& placement, double* state) const override;
  bool isValidState(const double* state) const override;
  bool advance(double* state, const double* attributes, const double* controls, double* components) const override;
  void writeObs(const double* state, float* obs) const override { writeObsAs(state, obs); }
  void writeObs(const double* state, double* obs) const override { writeObsAs(state, obs); }
  double signal(int id, const double* state, std::int32_t step) const override;
  void actScripted(int group, int policy, const double* state, const double* attributes, const EpisodeRng& rng,
                   std::int32_t step, std::int32_t* actions) const override;
  void writeMetrics(const double* state, std::int32_t steps, double* metrics) const override;

 protected:
  bool hears(int listener, int /*speaker*/) const override { return !isPrey(listener); }
  bool isHidden(const double* state, int a) const override { return forestsOf(state, a) != 0; }

 private:
  enum ComponentIndex { kCatch, kApproach, kFood, kField, kNumComponents };
  enum SignalIndex { kHidden = kOwnSignals };
  enum MetricIndex { kMetricFood = kOwnMetrics, kMetricHidden, kCommonMetrics };
  /// Own state words of each agent: sums over the episode of food touched and of steps in a forest, and the forests in
  /// which it stands, as bits.
  enum AgentWord { kFoodSum, kForestSum, kForestsNow, kNumAgentWords };

  int firstForest() const { return layout_.obstacles + layout_.food; }
  double* words(double* state, int a) const { return own(state) + kNumAgentWords * a; }
  const double* words(const double* state, int a) const { return own(state) + kNumAgentWords * a; }
  /// Forests in which an agent stood at the end of the last step, as bits.
  unsigned forestsOf(const double* state, int a) const { return static_cast<unsigned>(words(state, a)[kForestsNow]); }
  static bool isVisible(int observer, unsigned ownForests, unsigned others) {
    return observer == 0 || (ownForests & others) != 0 || (ownForests | others) == 0;
  }

  void lookForForests(double* state, const double* attributes) const;
  int payPrey(const double* state, const double* attributes, int a, int numTouching, double* components) const;
  template <typename T>
  void writeObsAs(const double* state, T* obs) const;

  int hidingPlace(const double* state) const;
  int nearestPreyInSight(const double* state, int predator) const;
  std::int32_t huntInSight(const double* state, const double* attributes, int predator, double boldness) const;
  std::int32_t forage(const double* state, const double* attributes, int prey, double boldness) const;

  void describe(const ParameterValues& values);
  void describeSets();

  Layout layout_;
};

}  // namespace gymwright::world_comm
