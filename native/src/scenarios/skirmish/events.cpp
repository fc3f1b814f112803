#include <algorithm>

#include "scenarios/skirmish/rules.hpp"

namespace gymwright::skirmish {
namespace {

constexpr double kTurn = 6.283185307179586;
constexpr double kMargin = 2.0;  ///< m that places drawn at random keep from the walls

/// Brings the first unit of a team that is not in play in, at an entity or at random. Nothing happens where all are.
void summon(const Layout& layout, int team, int entity, std::uint32_t key, const EpisodeRng& rng, std::int32_t step,
            double* state) {
  for (int u = layout.first(team); u < layout.end(team); ++u) {
    if (layout.unit(state, u)[kPresent] != 0.0) continue;
    double spot[2];
    if (entity >= 0) {
      std::copy_n(layout.position(state, entity), 2, spot);
    } else {
      for (std::uint32_t axis = 0; axis < 2; ++axis)
        spot[axis] = rng.uniform(Stream::kEvent, static_cast<std::uint32_t>(step), key, axis, kMargin, kSide - kMargin);
    }
    enterUnit(layout, state, layout.row.data(), u, spot[0], spot[1]);
    layout.unit(state, u)[kSummoned] = 1.0;
    return;
  }
}

void push(double* unit, double distance, std::uint32_t key, int drawKey, const EpisodeRng& rng, std::int32_t step) {
  const double angle = rng.uniform(Stream::kEvent, static_cast<std::uint32_t>(step), key,
                                   2 + static_cast<std::uint32_t>(drawKey), 0.0, kTurn);
  // Never into a wall: that would be a death that nobody could avert.
  unit[kX] = std::clamp(unit[kX] + distance * std::cos(angle), std::min(unit[kX], kMargin),
                        std::max(unit[kX], kSide - kMargin));
  unit[kY] = std::clamp(unit[kY] + distance * std::sin(angle), std::min(unit[kY], kMargin),
                        std::max(unit[kY], kSide - kMargin));
}

void wound(double* unit, double amount) {
  unit[kHealth] = std::max(0.0, unit[kHealth] - amount);
  unit[kShare] = unit[kHealth] / unit[kMaxHealth];
}

}  // namespace

void triggerEvent(const Layout& layout, int event, double amount, int entity, std::uint32_t key, const EpisodeRng& rng,
                  std::int32_t step, double* state) {
  if (event == kSpawnAlly) return summon(layout, kAlly, entity, key, rng, step, state);
  if (event == kSpawnEnemy) return summon(layout, kEnemy, entity, key, rng, step, state);
  if (entity < 0 || entity >= layout.numUnits || !layout.isAlive(state, entity)) return;
  double* unit = layout.unit(state, entity);
  switch (event) {
    case kPush: return push(unit, amount, key, layout.drawKey(entity), rng, step);
    case kWound: return wound(unit, amount);
    default: unit[kCooldown] = std::max(unit[kCooldown], 0.0) + amount;
  }
}

double relate(const Layout& layout, int id, int from, int to, const double* state) {
  const double* self = layout.unit(state, from);
  bool holds = false;
  switch (id) {
    case kSees:
      holds = from != to && layout.sees(state, from, to);
      break;
    case kCanAttack:
      holds = layout.team(from) != layout.team(to) && layout.canAttack(self, layout.unit(state, to));
      break;
    default:
      holds = self[kAlive] != 0.0 && self[kOrder] != 0.0 && layout.team(from) != layout.team(to) &&
              layout.attackOn(layout.team(from), to) == static_cast<int>(self[kOrder]);
  }
  return holds ? 1.0 : 0.0;
}

}  // namespace gymwright::skirmish
