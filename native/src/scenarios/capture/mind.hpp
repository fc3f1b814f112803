#pragma once

#include <cstdint>

#include "scenarios/capture/layout.hpp"

namespace gymwright::capture {

/// How one unit decides in one state: the primitives that `npc` declarations name, and whole temperaments. A unit knows
/// what it sees itself and where the points are. A discrete action comes out.
class Mind {
 public:
  /// Requires: 0 <= u < layout.numUnits; the arguments outlive the mind.
  Mind(const Layout& layout, const double* state, const double* attributes, int u)
      : layout_(layout), state_(state), attributes_(attributes), u_(u), self_(layout.unit(state, u)) {}

  bool isAlive() const { return self_[kAlive] != 0.0; }

  /// Requires: the unit is alive. `entity` is a world entity or -1.
  std::int32_t behave(int behaviour, int entity, const EpisodeRng& rng, std::int32_t step) const;

  /// Plays for itself with a boldness of 0 (wary) to 1 (bold): when it retreats, whom it goes for, which point it
  /// takes. Requires: the unit is alive.
  std::int32_t playWith(double boldness) const;

  /// Seeds: Stream::kScripted, entity = the unit's key, draw 0.
  std::int32_t wander(const EpisodeRng& rng, std::int32_t step) const;

 private:
  int team() const { return layout_.team(u_); }
  double attribute(UnitColumn column) const { return layout_.of(attributes_, column, u_); }
  const double* home() const { return layout_.place(state_, team() == kRed ? kRedBase : kBlueBase); }
  bool isPresent(int entity) const;
  /// Units of its team in play before it.
  int rank() const;
  bool isUnit(int entity) const { return entity >= 0 && entity < layout_.numUnits; }

  // Steps.
  std::int32_t along(double dx, double dy) const;
  std::int32_t towards(const double* spot) const;
  std::int32_t awayFrom(const double* spot) const;
  /// Towards a spot until it is within `reach`, then stands.
  std::int32_t closeIn(const double* spot, double reach) const;

  // Primitives.
  std::int32_t attack(int enemy) const;
  std::int32_t chase(int entity) const;
  std::int32_t guard(int entity) const;
  std::int32_t flee(int entity) const;
  std::int32_t patrol(std::int32_t step) const;
  std::int32_t protect(int mate) const;
  std::int32_t heal(int mate) const;
  std::int32_t take(int entity) const;
  /// Stands where a point is to be taken from.
  std::int32_t standAt(int place) const { return closeIn(layout_.place(state_, place), 0.5 * layout_.radius(place)); }

  // Whom and what; -1 = none.
  int nearestEnemy(const double* around, double within) const;
  int nearestMate(int role) const;
  int mostWounded() const;
  int choosePoint(double boldness) const;
  double costOf(int point, double boldness) const;
  double distanceToMate(int role, const double* spot) const;
  /// The place to stand at for a point: itself, or its lock while it is closed to the team.
  int stationOf(int point) const;
  /// The closed lock at which a mate stands.
  int lockOfMate(int mate) const;
  bool hasMates(int role) const;
  /// The team's i-th point or place of a kind from its own side on: half a turn maps red's to blue's.
  int ownOrder(int i, int count) const { return team() == kRed ? i : count - 1 - i; }
  int countNear(int team, const double* spot, double within) const;
  int countMates(int role, const double* spot, double within) const;

  const Layout& layout_;
  const double* state_;
  const double* attributes_;
  int u_;
  const double* self_;
};

}  // namespace gymwright::capture
