#pragma once

#include <cstdint>

#include "scenarios/skirmish/layout.hpp"

namespace gymwright::skirmish {

/// How one unit decides in one state: whole policies, and the primitives that `npc` declarations name. A unit knows
/// what it observes, where it started, and whom it attacked in the last step; "focus" and "kite" also know where the
/// nearest enemy is. A discrete action comes out.
class Mind {
 public:
  /// Requires: 0 <= u < layout.numUnits; the arguments outlive the mind.
  Mind(const Layout& layout, const double* state, int u)
      : layout_(layout), state_(state), u_(u), team_(layout.team(u)), self_(layout.unit(state, u)) {}

  bool isAlive() const { return self_[kAlive] != 0.0; }

  // Policies. Requires: the unit is alive.
  // Seeds: Stream::kScripted, entity = unit; draw 0.

  /// SMAX's heuristic: keeps shooting at whom it shot at, else at the closest; else walks towards somebody whom it
  /// sees, drawn for each step, or to where the enemies came from.
  std::int32_t playClosest(const EpisodeRng& rng, std::int32_t step) const;
  /// Shoots the enemy with the least health in range, else walks to the nearest, in sight or not.
  std::int32_t playFocus() const;
  /// That, but steps back from a near enemy with a shorter range while the weapon cools down.
  std::int32_t playKite() const;
  /// Any legal action.
  std::int32_t playRandom(const EpisodeRng& rng, std::int32_t step) const;
  /// By the tactics and the temper of its slot.
  std::int32_t playTactics(const double* attributes, const EpisodeRng& rng, std::int32_t step) const;

  /// `entity` is a world entity or -1.
  std::int32_t behave(int behaviour, int entity, const EpisodeRng& rng, std::int32_t step) const;

 private:
  int numFoes() const { return layout_.size(Layout::other(team_)); }
  int foe(int k) const { return layout_.foe(team_, k); }
  const double* unit(int u) const { return layout_.unit(state_, u); }
  const double* position(int entity) const { return layout_.position(state_, entity); }
  bool isUnit(int entity) const { return entity >= 0 && entity < layout_.numUnits; }
  bool isFoe(int entity) const { return isUnit(entity) && layout_.team(entity) != team_; }
  /// Whether there is something to go to: a place, or a living unit.
  bool isThere(int entity) const { return entity >= 0 && (!isUnit(entity) || layout_.isAlive(state_, entity)); }
  bool sees(int other) const { return layout_.sees(state_, u_, other); }
  /// Whether it sees an enemy and its weapon reaches it.
  bool reaches(int enemy) const {
    return sees(enemy) && squareBetween(self_, unit(enemy)) < self_[kRange] * self_[kRange];
  }
  bool isWithin(const double* spot, double distance) const {
    return squareBetween(self_, spot) <= distance * distance;
  }
  std::int32_t attackOn(int enemy) const { return layout_.attackOn(team_, enemy); }
  /// One of `count`, drawn for the step.
  std::uint32_t draw(const EpisodeRng& rng, std::int32_t step, std::uint32_t count) const {
    const auto key = static_cast<std::uint32_t>(layout_.drawKey(u_));
    return rng.below(Stream::kScripted, static_cast<std::uint32_t>(step), key, 0, count);
  }

  // Steps.
  std::int32_t along(double dx, double dy) const;
  std::int32_t towards(const double* spot) const { return along(spot[0] - self_[kX], spot[1] - self_[kY]); }
  std::int32_t awayFrom(const double* spot) const;
  /// Towards a spot until it is within `reach`, then shoots whom it can.
  std::int32_t closeIn(const double* spot, double reach) const;
  /// Half a turn of its home: where the enemies came from where teams start opposite to each other.
  std::int32_t advance() const;

  // Primitives.
  std::int32_t shootOrStop() const;
  std::int32_t attack(int enemy, const EpisodeRng& rng, std::int32_t step) const;
  std::int32_t guard(int entity) const;
  std::int32_t protect(int mate) const;
  std::int32_t flee(int entity) const;
  std::int32_t patrol(std::int32_t step) const;
  std::int32_t goTo(int entity) const { return isThere(entity) ? towards(position(entity)) : kStop; }
  std::int32_t charge(const EpisodeRng& rng, std::int32_t step) const;

  /// The enemy of which a measure is least and below a bound, among those that fit; -1 = none. Of equals the first in
  /// the order of observation.
  template <typename Fits, typename Measure>
  int leastFoe(double bound, Fits fits, Measure measure) const {
    int least = -1;
    for (int k = 0; k < numFoes(); ++k) {
      if (!fits(foe(k)) || measure(foe(k)) >= bound) continue;
      bound = measure(foe(k));
      least = foe(k);
    }
    return least;
  }
  auto squareFrom(const double* spot) const {
    return [this, spot](int other) { return squareBetween(spot, unit(other)); };
  }

  // Whom; -1 = none. Of equals the first in the order of observation.
  int closestInReach() const;
  int weakestInReach() const;
  int nearestSeen(const double* around, double within) const;
  int nearestLiving() const;
  int nearestThreat(double within) const;
  int weakestMate() const;

  const Layout& layout_;
  const double* state_;
  int u_;
  int team_;
  const double* self_;
};

}  // namespace gymwright::skirmish
