#pragma once

#include <string>
#include <vector>

#include "sim/mpe_world.hpp"

namespace gymwright {

/// What particle scenarios of predators and prey share: who touches whom and what is told of it, the price of leaving
/// the field, the parts they play, chasing and fleeing. Order of agents: predators, then prey.
class MpePursuit : public MpeScenario {
 public:
  void reset(double* state, const EpisodeRng& rng) const override;
  std::optional<std::string> place(const Placement& placement, double* state) const override;
  bool isValidState(const double* state) const override;

 protected:
  static constexpr int kMaxPrey = 4;
  static constexpr int kQuarters = 4;
  enum Side { kPredatorSide, kPreySide };
  /// The first signals and metrics of the manifest; the scenario's own come behind them.
  enum PursuitSignal { kTime, kTouching, kOwnSignals };
  enum PursuitMetric { kMetricContacts, kMetricCatches, kMetricSuccess, kOwnMetrics };

  /// Pairs of predator and prey that touch.
  struct Contacts {
    int pairs;
    int of[kMaxAgents];  ///< in how many of them the agent is
  };

  MpePursuit(const MpeBodies& bodies, int numPredators, int ownWords);

  int numPredators() const { return numPredators_; }
  int numPrey() const { return numAgents() - numPredators_; }
  bool isPrey(int a) const { return a >= numPredators_; }
  /// The scenario's own words.
  double* own(double* state) const { return extra(state) + kContactSums + numAgents(); }
  const double* own(const double* state) const { return extra(state) + kContactSums + numAgents(); }

  void countContacts(const double* state, const double* attributes, Contacts& contacts) const;
  /// Every prey touches a predator.
  bool isAllCaught(const Contacts& contacts) const;
  /// Pairs that touched at the end of the last step, by the sizes that were in force.
  int touchingPairs(const double* state) const { return static_cast<int>(extra(state)[kPairsNow]); }
  int nearestPrey(const double* state, int predator) const;
  double distanceOf(const double* state, int a, int b) const;

  /// Sums of contacts, and the parts of the step: for a predator its prey and the side from which it comes, for a prey
  /// its pursuer.
  void keepPursuitBooks(double* state, const Contacts& contacts) const;
  void writePursuitMetrics(const double* state, std::int32_t steps, int agent, double* metrics) const;
  /// Fills signal and metrics of contacts, then the scenario's own metrics, then the general ones.
  void describePursuit(std::vector<Metric> ownMetrics);

  /// The push that closes in on where a prey will be; a predator never rests, contact takes pressing.
  std::int32_t chase(const double* state, int predator, int prey) const;
  /// The move after which, two steps on, the prey is farthest from predators and pays least for leaving the field.
  std::int32_t flee(const double* state, const double* attributes, int prey) const;

  /// A wary predator stays in the middle of the field until its prey is near, a bold one chases at any distance.
  /// prey: -1 = it knows of none.
  std::int32_t hunt(const double* state, const double* attributes, int predator, int prey, double boldness) const;
  /// Whether a predator is so near that a prey of that boldness flees.
  bool isAlarmed(const double* state, int prey, double boldness) const;

 private:
  /// Sums over the episode of touching pairs, whether anybody touched, pairs that touch now, each agent's contacts.
  enum PursuitWord { kPairSum, kHasTouched, kPairsNow, kContactSums };

  void lookForContacts(double* state) const;

  int numPredators_;
};

/// What leaving the field costs: 0 up to 0.9 m from the middle, then rising, along each axis; at most 20.
double fieldPenalty(const double* position);

}  // namespace gymwright
