// What a battle looks like.
#include <cmath>

#include "scenarios/skirmish/rules.hpp"

namespace gymwright::skirmish {
namespace {

constexpr double kPlaceRadius = 0.5;
constexpr std::array<const char*, kNumPlaces> kPlaceRoles = {"ally_start", "enemy_start", "middle"};

/// Whether an infiltrator is seen by no enemy.
bool isUnseen(const Layout& layout, const double* state, int u) {
  if (!layout.isCloaked(layout.unit(state, u))) return false;
  const int foe = Layout::other(layout.team(u));
  for (int e = layout.first(foe); e < layout.end(foe); ++e) {
    if (layout.sees(state, e, u)) return false;
  }
  return true;
}

/// Towards whom it attacks, else where it goes; as it is told where it does neither.
double headingOf(const Layout& layout, const double* state, const double* unit) {
  const int target = static_cast<int>(unit[kTarget]);
  const double* aim = target < 0 ? nullptr : layout.unit(state, target);
  const double dx = aim == nullptr ? unit[kHeadingX] : aim[kX] - unit[kX];
  const double dy = aim == nullptr ? unit[kHeadingY] : aim[kY] - unit[kY];
  return dx == 0.0 && dy == 0.0 ? kNoNumber : std::atan2(dy, dx);
}

void addUnit(const Layout& layout, const double* state, int u, Frame& frame) {
  const double* unit = layout.unit(state, u);
  const UnitType& type = layout.type(unit);
  Shape& disc = frame.disc(type.name, u, unit, type.radius);
  disc.team = layout.team(u);
  disc.level = std::clamp(unit[kShare], 0.0, 1.0);
  if (unit[kAlive] == 0.0) {
    disc.flags |= kShapeDead;
    return;
  }
  disc.heading = headingOf(layout, state, unit);
  if (isUnseen(layout, state, u)) disc.flags |= kShapeHidden;
}

/// Whom a living unit attacked in the last step, and around whom a mortar's shot reaches.
void addAttack(const Layout& layout, const double* state, int u, Frame& frame) {
  const double* unit = layout.unit(state, u);
  const int target = static_cast<int>(unit[kTarget]);
  if (target < 0) return;
  const double* aim = layout.unit(state, target);
  const int team = layout.team(u);
  if (static_cast<int>(unit[kType]) == kMortar) frame.ring("splash", target, aim, layout.config.splash).team = team;
  frame.line("attack", u, target, unit, aim).team = team;
}

void addReach(const Layout& layout, const double* state, int u, const FrameDetail& detail, Frame& frame) {
  const double* unit = layout.unit(state, u);
  const int team = layout.team(u);
  if (detail.hasSights) frame.ring("sight", u, unit, unit[kSight]).team = team;
  if (detail.hasRanges)
    frame.ring("range", u, unit, layout.config.isAttackSix ? kSmacAttackRange : unit[kRange]).team = team;
}

}  // namespace

void describeFrame(const Layout& layout, const FrameMoment& moment, Frame& frame) {
  const double* state = moment.state;
  constexpr double kCentre[2] = {0.5 * kSide, 0.5 * kSide};
  frame.rectangle("field", -1, kCentre, kCentre[0], kCentre[1]);
  for (int p = 0; p < kNumPlaces; ++p) {
    Shape& place = frame.ring(kPlaceRoles[static_cast<std::size_t>(p)], layout.numUnits + p, layout.place(state, p),
                              kPlaceRadius);
    if (p != kMiddle) place.team = p == kAllyStart ? kAlly : kEnemy;
  }
  const auto forEachUnit = [&](bool isAlive, const auto& visit) {
    for (int u = 0; u < layout.numUnits; ++u) {
      const double* unit = layout.unit(state, u);
      if (unit[kPresent] != 0.0 && (unit[kAlive] != 0.0) == isAlive) visit(u);
    }
  };
  forEachUnit(true, [&](int u) { addReach(layout, state, u, moment.detail, frame); });
  forEachUnit(false, [&](int u) { addUnit(layout, state, u, frame); });
  forEachUnit(true, [&](int u) { addAttack(layout, state, u, frame); });
  forEachUnit(true, [&](int u) { addUnit(layout, state, u, frame); });
}

}  // namespace gymwright::skirmish
