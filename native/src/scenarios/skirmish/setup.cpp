#include <algorithm>
#include <limits>

#include "scenarios/skirmish/rules.hpp"
#include "sim/visited_cells.hpp"

namespace gymwright::skirmish {
namespace {

constexpr double kCentre = 0.5 * kSide;
constexpr double kStarts[kNumPlaces][2] = {{8, 16}, {24, 16}, {kCentre, kCentre}};
constexpr double kCorners[4][2] = {{0, 0}, {0, kSide}, {kSide, 0}, {kSide, kSide}};
/// Draws of a match, of Stream::kReset with the entity one beyond all units; those of a unit have its number.
enum MatchDraw : std::uint32_t { kDrawSeed, kDrawRule, kDrawInside, kDrawGroup };
enum UnitDraw : std::uint32_t { kDrawX, kDrawY, kDrawType, kDrawCorner };

using Spots = std::array<std::array<double, 2>, kMaxUnits>;

/// Draws where the units of an episode start.
class Deployment {
 public:
  Deployment(const Layout& layout, const EpisodeRng& rng) : layout_(layout), rng_(rng) {}

  void place(Spots& spots) const {
    switch (layout_.config.spawn) {
      case SpawnRule::kSurround: return surround(spots);
      case SpawnRule::kReflect: return reflect(spots);
      case SpawnRule::kEither: return draw(kDrawRule, 0, 1) < 0.5 ? surround(spots) : reflect(spots);
      default: return line(spots);
    }
  }

 private:
  double draw(MatchDraw which, double low, double high, std::uint32_t offset = 0) const {
    return rng_.uniform(Stream::kReset, 0, kMaxUnits, which + offset, low, high);
  }
  double draw(int u, UnitDraw which, double low, double high) const {
    return rng_.uniform(Stream::kReset, 0, entity(u), which, low, high);
  }
  std::uint32_t entity(int u) const { return static_cast<std::uint32_t>(layout_.drawKey(u)); }
  std::array<double, 2> around(const double* centre, int u) const {
    const double spread = layout_.config.spread;
    return {centre[0] + draw(u, kDrawX, -spread, spread), centre[1] + draw(u, kDrawY, -spread, spread)};
  }

  void line(Spots& spots) const {
    for (int u = 0; u < layout_.numUnits; ++u)
      spots[static_cast<std::size_t>(u)] = around(kStarts[layout_.team(u)], u);
  }

  /// One team in the middle; each unit of the other in one of four groups, on the ways from the middle to the corners.
  void surround(Spots& spots) const {
    const int inside = draw(kDrawInside, 0, 1) < 0.5 ? kAlly : kEnemy;
    double groups[4][2];
    for (std::uint32_t g = 0; g < 4; ++g) {
      const double share = draw(kDrawGroup, 0, 1, g);
      for (int axis = 0; axis < 2; ++axis) groups[g][axis] = share * kCentre + (1.0 - share) * kCorners[g][axis];
    }
    for (int u = 0; u < layout_.numUnits; ++u) {
      const std::uint32_t group = rng_.below(Stream::kReset, 0, entity(u), kDrawCorner, 4);
      spots[static_cast<std::size_t>(u)] = around(layout_.team(u) == inside ? kStarts[kMiddle] : groups[group], u);
    }
  }

  /// Allies anywhere on the left, the enemies their mirror images, those without one anywhere on the right.
  void reflect(Spots& spots) const {
    for (int u = 0; u < layout_.numUnits; ++u) {
      std::array<double, 2>& spot = spots[static_cast<std::size_t>(u)];
      const int slot = layout_.slot(u);
      const bool isImage = layout_.team(u) == kEnemy && slot < layout_.config.count[kAlly];
      if (isImage) {
        spot = spots[static_cast<std::size_t>(slot)];
        spot[0] = kSide - spot[0];
      } else {
        const double left = layout_.team(u) == kAlly ? 0.0 : kCentre;
        spot = {draw(u, kDrawX, left, left + kCentre), draw(u, kDrawY, 0.0, kSide)};
      }
    }
  }

  const Layout& layout_;
  const EpisodeRng& rng_;
};

/// Type that an episode gives a slot: drawn ones are the same for both teams, slot by slot; SMAX leaves the enemies
/// beyond the allies' number marines.
int bornType(const Layout& layout, int u, const EpisodeRng& rng) {
  if (!layout.config.map->isDrawn) return layout.mapTypes[static_cast<std::size_t>(u)];
  const int slot = layout.slot(u);
  if (layout.team(u) == kEnemy && slot >= layout.config.count[kAlly]) return kMarine;
  return static_cast<int>(
      rng.below(Stream::kReset, 0, static_cast<std::uint32_t>(slot), kDrawType, kNumPlainTypes));
}

int typeInForce(const Layout& layout, const double* unit, const double* attributes, int u) {
  const int assigned = static_cast<int>(layout.of(attributes, kAssigned, u));
  const int most = layout.config.hasSpecials ? kNumTypes : kNumPlainTypes;
  return assigned >= 1 && assigned <= most ? assigned - 1 : static_cast<int>(unit[kBorn]);
}

/// Type and strength of a unit become those in force; its share of health stays.
void equip(const Layout& layout, double* unit, const double* attributes, int u) {
  unit[kType] = typeInForce(layout, unit, attributes, u);
  const UnitType& type = layout.type(unit);
  const double maxHealth = type.health * layout.of(attributes, kHealthFactor, u);
  if (maxHealth != unit[kMaxHealth]) {
    unit[kMaxHealth] = maxHealth;
    unit[kHealth] = unit[kShare] * maxHealth;
  }
  unit[kDamage] = type.damage * layout.of(attributes, kDamageFactor, u);
  unit[kReload] = type.cooldown * layout.of(attributes, kCooldownFactor, u);
  unit[kRange] = type.range * layout.of(attributes, kRangeFactor, u);
  unit[kSight] = type.sight * layout.of(attributes, kSightFactor, u);
  unit[kSpeed] = type.speed * layout.of(attributes, kSpeedFactor, u);
}

void start(const Layout& layout, double* state, int u, const std::array<double, 2>& spot) {
  if (layout.of(layout.row.data(), kEnabled, u) != 0.0) {
    enterUnit(layout, state, layout.row.data(), u, spot[0], spot[1]);
  } else {
    removeUnit(layout, state, u);
  }
}

/// Notes what each team is up against, which scales rewards.
void sizeUp(const Layout& layout, double* state) {
  for (int team = 0; team < kNumTeams; ++team) {
    state[kFoes + team] = state[kFoeHealth + team] = 0.0;
    for (int e = layout.first(Layout::other(team)); e < layout.end(Layout::other(team)); ++e) {
      state[kFoes + team] += layout.unit(state, e)[kPresent];
      state[kFoeHealth + team] += layout.unit(state, e)[kPresent] * layout.unit(state, e)[kMaxHealth];
    }
  }
}

void layOutPlaces(const Layout& layout, double* state) {
  for (int p = 0; p < kNumPlaces; ++p) std::copy_n(kStarts[p], 2, state + layout.placeWord(p));
}

bool isValidUnit(const Layout& layout, const double* unit, int u) {
  const int lastType = layout.config.hasSpecials ? kNumTypes - 1 : kNumPlainTypes - 1;
  return isWhole(unit[kPresent], 0, 1) && isWhole(unit[kAlive], 0, unit[kPresent]) &&
         isWhole(unit[kType], 0, lastType) && isWhole(unit[kBorn], 0, kNumPlainTypes - 1) &&
         isWhole(unit[kOrder], 0, layout.numActions(layout.team(u)) - 1) &&
         isWhole(unit[kTarget], -1, layout.numUnits - 1) && isWhole(unit[kSummoned], 0, 1) &&
         visited::isSet(unit[kCells]) && unit[kMaxHealth] > 0.0 && unit[kReload] > 0.0 && unit[kSight] >= 0.0;
}

}  // namespace

void layOut(const Layout& layout, double* state, const EpisodeRng& rng) {
  std::fill_n(state, layout.stateWords(), 0.0);
  layOutPlaces(layout, state);
  state[kSeed] = seedWord(rng.bits(Stream::kReset, 0, kMaxUnits, kDrawSeed));
  Spots spots;
  Deployment(layout, rng).place(spots);
  for (int u = 0; u < layout.numUnits; ++u) {
    layout.unit(state, u)[kBorn] = bornType(layout, u, rng);
    start(layout, state, u, spots[static_cast<std::size_t>(u)]);
  }
  if (layout.config.spawn == SpawnRule::kLine) separate(layout, state);
  sizeUp(layout, state);
}

std::optional<std::string> layOutAsTold(const Layout& layout, const Placement& placement, double* state) {
  if (placement.agents.size() != static_cast<std::size_t>(layout.numUnits)) {
    return "A has " + std::to_string(placement.agents.size()) + " positions, the scenario needs " +
           std::to_string(layout.numUnits) + ": those of the allies, then those of the enemies";
  }
  if (!placement.landmarks.empty()) return "L has positions, but the places of skirmish are fixed; leave it empty";
  std::vector<double> types(layout.mapTypes.begin(), layout.mapTypes.end());
  if (placement.find("types") != nullptr) {
    const int numTypes = kNumPlainTypes;
    if (auto problem = placement.readIndices("types", types.size(), numTypes, "the type of each unit", types.data()))
      return problem;
  }
  std::fill_n(state, layout.stateWords(), 0.0);
  layOutPlaces(layout, state);
  for (int u = 0; u < layout.numUnits; ++u) {
    const auto& spot = placement.agents[static_cast<std::size_t>(u)];
    const bool isInField = spot[0] >= 0.0 && spot[0] <= kSide && spot[1] >= 0.0 && spot[1] <= kSide;
    if (!isInField) return "A[" + std::to_string(u) + "] lies outside the field of 32 x 32 m";
    layout.unit(state, u)[kBorn] = types[static_cast<std::size_t>(u)];
    start(layout, state, u, spot);
  }
  sizeUp(layout, state);
  return std::nullopt;
}

bool isStateOf(const Layout& layout, const double* state) {
  if (!std::all_of(state, state + layout.stateWords(), [](double word) { return std::fabs(word) < 1e15; }))
    return false;
  if (!isWhole(state[kClock], 0, 1e9) || !isWhole(state[kSeed], 0, 1e15)) return false;
  for (int u = 0; u < layout.numUnits; ++u) {
    if (!isValidUnit(layout, layout.unit(state, u), u)) return false;
  }
  return state[kFoes + kAlly] >= 1.0 && state[kFoes + kEnemy] >= 1.0;
}

void enterUnit(const Layout& layout, double* state, const double* attributes, int u, double x, double y) {
  double* unit = layout.unit(state, u);
  unit[kX] = unit[kHomeX] = x;
  unit[kY] = unit[kHomeY] = y;
  std::fill(unit + kVx, unit + kCooldown + 1, 0.0);
  unit[kMaxHealth] = unit[kOrder] = 0.0;
  unit[kTarget] = -1.0;
  unit[kPresent] = unit[kAlive] = unit[kShare] = 1.0;
  equip(layout, unit, attributes, u);
  visit(unit);
}

void removeUnit(const Layout& layout, double* state, int u) {
  double* unit = layout.unit(state, u);
  const double born = unit[kBorn];
  std::fill_n(unit, kKills, 0.0);
  unit[kBorn] = born;
  unit[kTarget] = -1.0;
  equip(layout, unit, layout.row.data(), u);
}

void muster(const Layout& layout, double* state, const double* attributes) {
  for (int u = 0; u < layout.numUnits; ++u) {
    double* unit = layout.unit(state, u);
    const bool isWanted = layout.of(attributes, kEnabled, u) >= 0.5 || unit[kSummoned] != 0.0;
    if (isWanted && unit[kPresent] == 0.0) {
      const double* base = kStarts[layout.team(u)];
      const auto draw = static_cast<std::uint64_t>(kSubSteps * kMaxUnits + 2 * layout.drawKey(u));
      const double spread = layout.config.spread;
      enterUnit(layout, state, attributes, u, base[0] + drawUniform(state, draw, -spread, spread),
                base[1] + drawUniform(state, draw + 1, -spread, spread));
    } else if (!isWanted && unit[kPresent] != 0.0) {
      removeUnit(layout, state, u);
    } else {
      equip(layout, unit, attributes, u);
    }
  }
}

}  // namespace gymwright::skirmish
