#include <array>
#include <limits>

#include "scenarios/skirmish/mind.hpp"

namespace gymwright::skirmish {
namespace {

constexpr double kKiteDistance = 3.0;
constexpr double kWaryShare = 0.5;   ///< of health, below which a wary unit gives way
constexpr double kWaryDistance = 7.0;
constexpr double kChargeShare = 0.5;  ///< of its range, to which a bold unit comes near
constexpr double kUnbounded = std::numeric_limits<double>::infinity();

}  // namespace

std::int32_t Mind::along(double dx, double dy) const {
  std::int32_t best = kNorth;
  double most = -std::numeric_limits<double>::infinity();
  for (std::int32_t action = kNorth; action < kStop; ++action) {
    const double fit = dx * kDirections[action][0] + dy * kDirections[action][1];
    if (fit <= most) continue;
    most = fit;
    best = action;
  }
  return best;
}

std::int32_t Mind::advance() const {
  const double spot[2] = {kSide - self_[kHomeX], kSide - self_[kHomeY]};
  return towards(spot);
}

int Mind::closestInReach() const {
  return leastFoe(kUnbounded, [this](int e) { return reaches(e); }, squareFrom(self_));
}

int Mind::weakestInReach() const {
  return leastFoe(kUnbounded, [this](int e) { return reaches(e); }, [this](int e) { return unit(e)[kHealth]; });
}

int Mind::nearestSeen(const double* around, double within) const {
  return leastFoe(within * within, [this](int e) { return sees(e); }, squareFrom(around));
}

int Mind::nearestLiving() const {
  return leastFoe(kUnbounded, [this](int e) { return layout_.isAlive(state_, e); }, squareFrom(self_));
}

int Mind::nearestThreat(double within) const {
  const auto isThreat = [this](int e) { return sees(e) && unit(e)[kRange] < self_[kRange]; };
  return leastFoe(within * within, isThreat, squareFrom(self_));
}

std::int32_t Mind::playClosest(const EpisodeRng& rng, std::int32_t step) const {
  const int last = static_cast<int>(self_[kTarget]);
  if (isFoe(last) && reaches(last)) return attackOn(last);
  const int closest = closestInReach();
  if (closest >= 0) return attackOn(closest);
  std::array<int, kMaxPerTeam> seen;
  std::uint32_t count = 0;
  for (int k = 0; k < numFoes(); ++k) {
    if (sees(foe(k))) seen[count++] = foe(k);
  }
  if (count == 0) return advance();
  return towards(unit(seen[draw(rng, step, count)]));
}

std::int32_t Mind::playFocus() const {
  const int weakest = weakestInReach();
  if (weakest >= 0) return attackOn(weakest);
  const int nearest = nearestLiving();
  return nearest >= 0 ? towards(unit(nearest)) : kStop;
}

std::int32_t Mind::playKite() const {
  const int threat = self_[kCooldown] > 0.0 ? nearestThreat(kKiteDistance) : -1;
  return threat >= 0 ? awayFrom(unit(threat)) : playFocus();
}

std::int32_t Mind::playRandom(const EpisodeRng& rng, std::int32_t step) const {
  std::array<std::int32_t, kFirstAttack + kMaxPerTeam> legal;
  std::uint32_t count = 0;
  for (std::int32_t action = kNorth; action < kFirstAttack; ++action) legal[count++] = action;
  for (int k = 0; k < numFoes(); ++k) {
    if (layout_.canAttack(self_, unit(foe(k)))) legal[count++] = kFirstAttack + k;
  }
  return legal[draw(rng, step, count)];
}

/// Up to half the range of its weapon, then as SMAX's heuristic.
std::int32_t Mind::charge(const EpisodeRng& rng, std::int32_t step) const {
  const int nearest = nearestSeen(self_, self_[kSight]);
  if (nearest >= 0 && !isWithin(unit(nearest), kChargeShare * self_[kRange]) && self_[kCooldown] > 0.0)
    return towards(unit(nearest));
  return playClosest(rng, step);
}

std::int32_t Mind::playTactics(const double* attributes, const EpisodeRng& rng, std::int32_t step) const {
  const auto temper = static_cast<Temper>(layout_.of(attributes, kTemper, u_));
  if (temper == Temper::kWary && self_[kShare] < kWaryShare) {
    const int threat = nearestSeen(self_, kWaryDistance);
    if (threat >= 0) return awayFrom(unit(threat));
  }
  const bool isBold = temper == Temper::kBold;
  switch (static_cast<Tactics>(layout_.of(attributes, kTactics, u_))) {
    case Tactics::kFocus: return playFocus();
    case Tactics::kKite: return playKite();
    case Tactics::kHold: return shootOrStop();
    case Tactics::kRetreat: return behave(kDoRetreat, -1, rng, step);
    default: return isBold ? charge(rng, step) : playClosest(rng, step);
  }
}

}  // namespace gymwright::skirmish
