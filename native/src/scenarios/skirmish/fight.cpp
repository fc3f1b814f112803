#include <algorithm>

#include "scenarios/skirmish/rules.hpp"

namespace gymwright::skirmish {
namespace {

using Numbers = std::array<double, kMaxUnits>;
constexpr int kNobody = -1;

/// The living of one step, packed: who dies leaves. All reads within a sub-step see the state before it.
class Melee {
 public:
  Melee(const Layout& layout, double* state, const double* attributes, const double* controls, StepNotes& notes)
      : layout_(layout), config_(layout.config), state_(state), notes_(notes) {
    std::fill_n(place_.begin(), layout.numUnits, kNobody);
    for (int u = 0; u < layout.numUnits; ++u) {
      double* unit = layout.unit(state, u);
      notes.hitBy[static_cast<std::size_t>(u)] = 0;
      if (unit[kAlive] != 0.0) enlist(u, unit, attributes, static_cast<int>(controls[u]));
    }
    for (int i = 0; i < count_; ++i) aim(i);
  }

  void subStep(int number) {
    shoot(number);
    move();
    bury();
    pushApart(count_, xs_.data(), ys_.data(), radii_.data());
  }

  /// Writes places, healths and cooldowns back.
  void store() {
    for (int i = 0; i < count_; ++i) storeUnit(at(i));
  }

 private:
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }

  void enlist(int u, double* unit, const double* attributes, int action) {
    const std::size_t i = at(count_);
    place_[at(u)] = count_++;
    units_[i] = u;
    xs_[i] = unit[kX];
    ys_[i] = unit[kY];
    healths_[i] = unit[kHealth];
    cooldowns_[i] = unit[kCooldown];
    reloads_[i] = unit[kReload];
    squareRanges_[i] = unit[kRange] * unit[kRange];
    radii_[i] = layout_.type(unit).radius;
    strides_[i] = unit[kSpeed] * kSubSeconds;
    powers_[i] = unit[kDamage];
    tolls_[i] = layout_.of(attributes, kDamageTaken, u);
    isMortar_[i] = static_cast<int>(unit[kType]) == kMortar;
    const bool isAttack = action >= kFirstAttack;
    const double* heading = kDirections[isAttack ? kStop : action];
    headingX_[i] = unit[kHeadingX] = heading[0];
    headingY_[i] = unit[kHeadingY] = heading[1];
    unit[kOrder] = isAttack ? action : 0.0;
    order_[i] = isAttack ? layout_.foe(layout_.team(u), action - kFirstAttack) : kNobody;
  }

  /// Finds the target of an attack among the living; an order on somebody unseen or dead is none.
  void aim(int i) {
    target_[at(i)] = kNobody;
    double* unit = layout_.unit(state_, units_[at(i)]);
    unit[kTarget] = kNobody;
    const int target = order_[at(i)];
    if (target == kNobody || place_[at(target)] == kNobody) return;
    if (layout_.isCloaked(layout_.unit(state_, target)) && !layout_.sees(state_, units_[at(i)], target)) return;
    unit[kTarget] = target;
    target_[at(i)] = place_[at(target)];
  }

  double squareTo(int i, int j) const {
    const double dx = xs_[at(i)] - xs_[at(j)];
    const double dy = ys_[at(i)] - ys_[at(j)];
    return dx * dx + dy * dy;
  }

  void shoot(int number) {
    std::fill_n(losses_.begin(), count_, 0.0);
    numShots_ = 0;
    for (int i = 0; i < count_; ++i) {
      const int target = target_[at(i)];
      const bool isReady = target != kNobody && cooldowns_[at(i)] <= 0.0;
      if (!isReady || squareTo(i, target) >= squareRanges_[at(i)]) {
        cooldowns_[at(i)] -= kSubSeconds;
        continue;
      }
      cooldowns_[at(i)] = reloads_[at(i)] + noise(number, i);
      hit(i, target);
      if (isMortar_[at(i)]) splash(i, target);
    }
  }

  double noise(int number, int i) const {
    if (config_.cooldownNoise == 0.0) return 0.0;
    const auto draw = static_cast<std::uint64_t>(number * kMaxUnits + layout_.drawKey(units_[at(i)]));
    return config_.cooldownNoise * drawUniform(state_, draw, -kSubSeconds, 2.0 * kSubSeconds);
  }

  void hit(int i, int victim) {
    const double loss = powers_[at(i)] * tolls_[at(victim)];
    losses_[at(victim)] += loss;
    shots_[at(numShots_++)] = {i, victim, loss};
    notes_.hitBy[at(units_[at(victim)])] |= std::uint64_t{1} << units_[at(i)];
  }

  /// Everybody of the target's team around it.
  void splash(int i, int target) {
    const int team = layout_.team(units_[at(target)]);
    for (int j = 0; j < count_; ++j) {
      if (j == target || layout_.team(units_[at(j)]) != team) continue;
      if (squareTo(j, target) < config_.splash * config_.splash) hit(i, j);
    }
  }

  void move() {
    for (int i = 0; i < count_; ++i) {
      double dx = headingX_[at(i)];
      double dy = headingY_[at(i)];
      if (config_.isAttackSix && target_[at(i)] != kNobody) approach(i, dx, dy);
      nextX_[at(i)] = std::clamp(xs_[at(i)] + dx * strides_[at(i)], 0.0, kSide);
      nextY_[at(i)] = std::clamp(ys_[at(i)] + dy * strides_[at(i)], 0.0, kSide);
    }
    std::copy_n(nextX_.begin(), count_, xs_.begin());
    std::copy_n(nextY_.begin(), count_, ys_.begin());
  }

  /// Under SMAC's rule a unit walks up to a target that its weapon does not reach.
  void approach(int i, double& dx, double& dy) const {
    const double square = squareTo(i, target_[at(i)]);
    if (square < squareRanges_[at(i)]) return;
    const double distance = std::sqrt(square);
    dx = (xs_[at(target_[at(i)])] - xs_[at(i)]) / distance;
    dy = (ys_[at(target_[at(i)])] - ys_[at(i)]) / distance;
  }

  /// Applies the losses, then the walls, and takes the dead out.
  void bury() {
    settleShots();
    bool isAnyDead = false;
    for (int i = 0; i < count_; ++i) {
      double& health = healths_[at(i)];
      health = std::max(0.0, health - losses_[at(i)]);
      const bool isAtWall = xs_[at(i)] <= 0.0 || ys_[at(i)] <= 0.0 || xs_[at(i)] >= kSide || ys_[at(i)] >= kSide;
      if (isAtWall && config_.isWallLethal) health = 0.0;
      isAnyDead |= health <= 0.0;
    }
    if (isAnyDead) removeDead();
  }

  /// Shares what a victim had left among those who hit it; the death is the strongest's, of equals the first's.
  void settleShots() {
    for (int s = 0; s < numShots_; ++s) {
      const auto& [shooter, victim, loss] = shots_[at(s)];
      const double left = healths_[at(victim)];
      const double total = losses_[at(victim)];
      const double taken = total > left ? loss * (left / total) : loss;
      layout_.unit(state_, units_[at(shooter)])[kDealt] += taken;
      layout_.unit(state_, units_[at(victim)])[kLost] += taken;
      if (total >= left && left > 0.0 && isStrongest(s)) layout_.unit(state_, units_[at(shooter)])[kKills] += 1.0;
    }
  }

  bool isStrongest(int shot) const {
    const Shot& self = shots_[at(shot)];
    for (int s = 0; s < numShots_; ++s) {
      if (s == shot || shots_[at(s)].victim != self.victim) continue;
      if (shots_[at(s)].loss > self.loss || (shots_[at(s)].loss == self.loss && s < shot)) return false;
    }
    return true;
  }

  void removeDead() {
    int kept = 0;
    for (int i = 0; i < count_; ++i) {
      const int u = units_[at(i)];
      if (healths_[at(i)] <= 0.0) {
        healths_[at(i)] = 0.0;
        storeUnit(at(i));
        double* unit = layout_.unit(state_, u);
        unit[kAlive] = 0.0;
        unit[kDeaths] += 1.0;
        place_[at(u)] = kNobody;
      } else {
        place_[at(u)] = kept;
        if (kept != i) moveUp(at(i), at(kept));
        ++kept;
      }
    }
    count_ = kept;
    for (int i = 0; i < count_; ++i) {
      const int target = order_[at(i)];
      if (target_[at(i)] != kNobody) target_[at(i)] = place_[at(target)];
    }
  }

  void moveUp(std::size_t from, std::size_t to) {
    for (Numbers* column : {&xs_, &ys_, &healths_, &cooldowns_, &reloads_, &squareRanges_, &radii_, &strides_, &powers_,
                            &tolls_, &headingX_, &headingY_})
      (*column)[to] = (*column)[from];
    units_[to] = units_[from];
    order_[to] = order_[from];
    target_[to] = target_[from];
    isMortar_[to] = isMortar_[from];
  }

  void storeUnit(std::size_t i) {
    double* unit = layout_.unit(state_, units_[i]);
    unit[kVx] = (xs_[i] - unit[kX]) / kStepSeconds;
    unit[kVy] = (ys_[i] - unit[kY]) / kStepSeconds;
    unit[kX] = xs_[i];
    unit[kY] = ys_[i];
    unit[kHealth] = healths_[i];
    unit[kShare] = healths_[i] / unit[kMaxHealth];
    unit[kCooldown] = cooldowns_[i];
  }

  struct Shot {
    int shooter;
    int victim;
    double loss;
  };
  static constexpr int kMaxShots = kMaxUnits * kMaxPerTeam;  ///< everybody a mortar, and all around one place

  const Layout& layout_;
  const Config& config_;
  double* state_;
  StepNotes& notes_;
  int count_ = 0;
  int numShots_ = 0;
  // Of the i-th living unit; place_ by unit.
  Numbers xs_, ys_, healths_, cooldowns_, reloads_, squareRanges_, radii_, strides_, powers_, tolls_;
  Numbers headingX_, headingY_, nextX_, nextY_, losses_;
  std::array<int, kMaxUnits> units_, order_, target_, place_;
  std::array<bool, kMaxUnits> isMortar_;
  std::array<Shot, kMaxShots> shots_;
};

}  // namespace

void fight(const Layout& layout, double* state, const double* attributes, const double* controls, StepNotes& notes) {
  for (int u = 0; u < layout.numUnits; ++u) {
    double* unit = layout.unit(state, u);
    notes.shareBefore[static_cast<std::size_t>(u)] = unit[kShare];
    notes.healthBefore[static_cast<std::size_t>(u)] = unit[kHealth];
    // Who an event left without health is dead before anybody acts.
    if (unit[kAlive] == 0.0 || unit[kHealth] > 0.0) continue;
    unit[kAlive] = unit[kShare] = 0.0;
    unit[kDeaths] += 1.0;
  }
  Melee melee(layout, state, attributes, controls, notes);
  for (int number = 0; number < kSubSteps; ++number) melee.subStep(number);
  melee.store();
}

}  // namespace gymwright::skirmish
