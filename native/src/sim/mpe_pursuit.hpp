#pragma once

#include <string>
#include <vector>

#include "sim/mpe_world.hpp"

namespace gymwright {

/// What particle scenarios of predators and prey share: who touches whom, the price of leaving the field, the parts
/// they play, chasing and fleeing. Order of agents: predators, then prey.
class MpePursuit : public MpeScenario {
 protected:
  static constexpr int kMaxPrey = 4;
  static constexpr int kQuarters = 4;
  enum Side { kPredatorSide, kPreySide };

  /// Pairs of predator and prey that touch.
  struct Contacts {
    int pairs;
    int of[kMaxAgents];  ///< in how many of them the agent is
  };

  MpePursuit(MpeBodies bodies, int numPredators, int extraWords);

  int numPredators() const { return numPredators_; }
  int numPrey() const { return numAgents() - numPredators_; }
  bool isPrey(int a) const { return a >= numPredators_; }

  void countContacts(const double* state, const double* attributes, Contacts& contacts) const;
  /// Every prey touches a predator.
  bool isAllCaught(const Contacts& contacts) const;
  double nearestPreyDistance(const double* state, int predator) const;
  /// The parts of the step: for a predator its prey and the side from which it comes, for a prey its pursuer.
  void keepPursuitBooks(double* state) const;
  void describePursuitMetrics();

  /// The push that closes in on where the nearest prey will be; a predator never rests, contact takes pressing.
  std::int32_t chase(const double* state, int predator) const;
  /// The move after which, two steps on, the prey is farthest from predators and pays least for leaving the field.
  std::int32_t flee(const double* state, int prey) const;

  /// A wary predator stays in the middle of the field until a prey is near, a bold one chases at any distance.
  std::int32_t hunt(const double* state, int predator, double boldness) const;
  /// Whether a predator is so near that a prey of that boldness flees.
  bool isAlarmed(const double* state, int prey, double boldness) const;

 private:
  int numPredators_;
};

/// What leaving the field costs: 0 up to 0.9 m from the middle, then rising, along each axis; at most 20.
double fieldPenalty(const double* position);

}  // namespace gymwright
