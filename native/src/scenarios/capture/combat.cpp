#include <algorithm>
#include <limits>

#include "scenarios/capture/rules.hpp"

namespace gymwright::capture {
namespace {

constexpr double kBodyRadius = 0.5;

/// What lands on the units in one step, and what of it they lose and gain.
struct Impacts {
  std::array<double, kMaxUnits> damage;
  std::array<double, kMaxUnits> healing;
  std::array<double, kMaxUnits> lost;
  std::array<double, kMaxUnits> gained;
};

double damageOn(const Layout& layout, const double* attributes, int u, int victim) {
  return layout.of(attributes, kDamage, u) * layout.of(attributes, kDamageTaken, victim);
}

/// The nearest living enemy that `u` sees within its range; ties go to the lower number. -1 = none.
int chooseHit(const Layout& layout, const double* state, const double* attributes, int u) {
  const double reach = std::min(layout.of(attributes, kRange, u), layout.of(attributes, kVision, u));
  const double* self = layout.unit(state, u);
  double least = reach * reach;
  int chosen = -1;
  const int foe = Layout::other(layout.team(u));
  for (int e = layout.first(foe); e < layout.end(foe); ++e) {
    const double* enemy = layout.unit(state, e);
    if (enemy[kAlive] == 0.0) continue;
    const double square = squareBetween(self, enemy);
    if (square > least || (square == least && chosen >= 0) || !layout.isClear(state, self, enemy)) continue;
    least = square;
    chosen = e;
  }
  return chosen;
}

/// Whether a living mate of `u` is within its range and clear.
bool isInReach(const Layout& layout, const double* state, double range, int u, int mate) {
  const double* self = layout.unit(state, u);
  const double* other = layout.unit(state, mate);
  return mate != u && other[kAlive] != 0.0 && squareBetween(self, other) <= range * range &&
         layout.isClear(state, self, other);
}

/// The mate with the smallest share of its health that `u` reaches; -1 where all are well.
int chooseMend(const Layout& layout, const double* state, const double* attributes, int u) {
  if (!(layout.of(attributes, kHeal, u) > 0.0)) return -1;
  const double range = layout.of(attributes, kRange, u);
  double least = 1.0;
  int chosen = -1;
  const int team = layout.team(u);
  for (int m = layout.first(team); m < layout.end(team); ++m) {
    if (!isInReach(layout, state, range, u, m)) continue;
    const double share = layout.unit(state, m)[kHealth] / layout.of(attributes, kMaxHealth, m);
    if (share >= least) continue;
    least = share;
    chosen = m;
  }
  return chosen;
}

/// The unit nearest to `u` whose body the line to `target` meets.
int firstInLine(const Layout& layout, const double* state, int u, int target) {
  const double* self = layout.unit(state, u);
  const double* aim = layout.unit(state, target);
  double least = squareBetween(self, aim);
  int met = target;
  for (int b = 0; b < layout.numUnits; ++b) {
    const double* body = layout.unit(state, b);
    if (b == u || b == target || body[kAlive] == 0.0) continue;
    const double square = squareBetween(self, body);
    if (square >= least || squareToSegment(body, self, aim) > kBodyRadius * kBodyRadius) continue;
    least = square;
    met = b;
  }
  return met;
}

bool hasAssaultInReach(const Layout& layout, const double* state, const double* attributes, int u) {
  const double range = layout.of(attributes, kRange, u);
  const int first = layout.first(layout.team(u));
  for (int m = first; m < first + layout.config.slots[layout.team(u)][kAssault]; ++m) {
    if (isInReach(layout, state, range, u, m)) return true;
  }
  return false;
}

/// Chooses what a unit does with its weapon and adds it to what lands.
void act(const Layout& layout, double* state, const double* attributes, int u, StepNotes& notes, Impacts& impacts) {
  const auto i = static_cast<std::size_t>(u);
  double* self = layout.unit(state, u);
  const bool isSupport = layout.role(u) == kSupport;
  const int hit = chooseHit(layout, state, attributes, u);
  notes.isAtWork[i] = isSupport ? hasAssaultInReach(layout, state, attributes, u) : hit >= 0 || self[kInPoint] != 0.0;
  if (!notes.isStanding[i]) return;
  const int mend = chooseMend(layout, state, attributes, u);
  if (mend >= 0) {
    self[kMended] = mend;
    impacts.healing[static_cast<std::size_t>(mend)] += layout.of(attributes, kHeal, u);
  } else if (hit >= 0 && layout.of(attributes, kDamage, u) > 0.0) {
    const int met = layout.config.hasFriendlyFire ? firstInLine(layout, state, u, hit) : hit;
    self[kHit] = met;
    const auto victim = static_cast<std::size_t>(met);
    impacts.damage[victim] += damageOn(layout, attributes, u, met);
    if (layout.team(met) != layout.team(u)) ++notes.numHits[victim];
  }
}

/// What of all that landed was lost and gained: never more than there was, nor than there was room for.
void settle(const Layout& layout, double* state, const double* attributes, int u, Impacts& impacts) {
  const auto i = static_cast<std::size_t>(u);
  double* unit = layout.unit(state, u);
  const double full = layout.of(attributes, kMaxHealth, u);
  const double lost = std::min(impacts.damage[i], unit[kHealth] + impacts.healing[i]);
  impacts.lost[i] = lost;
  impacts.gained[i] = std::max(0.0, std::min(impacts.healing[i], full - unit[kHealth] + lost));
  unit[kHealth] = std::min(unit[kHealth] - impacts.damage[i] + impacts.healing[i], full);
}

/// Credits a unit with its part of what its victim lost or its mate gained.
void credit(const Layout& layout, double* state, const double* attributes, int u, const Impacts& impacts) {
  double* self = layout.unit(state, u);
  if (self[kMended] >= 0.0) {
    const auto mended = static_cast<std::size_t>(self[kMended]);
    self[kHealed] += impacts.gained[mended] * layout.of(attributes, kHeal, u) / impacts.healing[mended];
  }
  if (self[kHit] < 0.0) return;
  const int victim = static_cast<int>(self[kHit]);
  const auto i = static_cast<std::size_t>(victim);
  if (layout.team(victim) == layout.team(u) || !(impacts.damage[i] > 0.0)) return;
  self[kDealt] += impacts.lost[i] * damageOn(layout, attributes, u, victim) / impacts.damage[i];
}

/// The kill is the enemy's whose hit took most; ties go to the lower number.
void die(const Layout& layout, double* state, const double* attributes, int victim) {
  double* unit = layout.unit(state, victim);
  unit[kAlive] = unit[kHealth] = unit[kDriftX] = unit[kDriftY] = unit[kInPoint] = unit[kInBase] = 0.0;
  unit[kTimer] = stepsOf(layout.of(attributes, kRespawnTime, victim));
  unit[kDeaths] += 1.0;
  int killer = -1;
  double most = -1.0;
  const int foe = Layout::other(layout.team(victim));
  for (int u = layout.first(foe); u < layout.end(foe); ++u) {
    if (layout.unit(state, u)[kHit] != victim || layout.of(attributes, kDamage, u) <= most) continue;
    most = layout.of(attributes, kDamage, u);
    killer = u;
  }
  if (killer >= 0) layout.unit(state, killer)[kKills] += 1.0;
}

}  // namespace

void fight(const Layout& layout, double* state, const double* attributes, StepNotes& notes) {
  Impacts impacts;
  std::fill_n(impacts.damage.begin(), layout.numUnits, 0.0);
  std::fill_n(impacts.healing.begin(), layout.numUnits, 0.0);
  std::fill_n(notes.numHits.begin(), layout.numUnits, 0);
  // Whom an event left without health dies before anything can save it, killed by nobody.
  for (int u = 0; u < layout.numUnits; ++u) {
    if (layout.isAlive(state, u) && layout.unit(state, u)[kHealth] <= 0.0) die(layout, state, attributes, u);
  }
  for (int u = 0; u < layout.numUnits; ++u) {
    if (layout.isAlive(state, u)) act(layout, state, attributes, u, notes, impacts);
  }
  for (int u = 0; u < layout.numUnits; ++u) {
    if (layout.isAlive(state, u)) settle(layout, state, attributes, u, impacts);
  }
  for (int u = 0; u < layout.numUnits; ++u) {
    if (layout.isAlive(state, u)) credit(layout, state, attributes, u, impacts);
  }
  for (int u = 0; u < layout.numUnits; ++u) {
    if (layout.isAlive(state, u) && layout.unit(state, u)[kHealth] <= 0.0) die(layout, state, attributes, u);
  }
}

}  // namespace gymwright::capture
