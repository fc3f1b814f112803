#include <algorithm>

#include "scenarios/capture/rules.hpp"
#include "sim/visited_cells.hpp"

namespace gymwright::capture {
namespace {

constexpr double kLockDistance = 14.0;
constexpr double kRespawnGap = 2.0;    ///< m between units that respawn together
constexpr double kColumnShare = 0.75;  ///< they stay within this share of the base's radius
constexpr int kOpenToAll = (1 << kNumTeams) - 1;
constexpr double kBaseShare = 0.08;  ///< bases lie at this share of the width from the ends

void put(double* place, double x, double y, bool isActive) {
  place[kPlaceX] = x;
  place[kPlaceY] = y;
  place[kActive] = isActive ? 1.0 : 0.0;
  place[kOwner] = place[kTaker] = -1.0;
}

}  // namespace

void layOutPlaces(const Layout& layout, double* state) {
  const Config& config = layout.config;
  std::fill_n(layout.place(state, 0), kPlaceWords * layout.numPlaces, 0.0);
  put(layout.place(state, kRedBase), kBaseShare * config.width, 0.5 * config.height, true);
  put(layout.place(state, kBlueBase), (1.0 - kBaseShare) * config.width, 0.5 * config.height, true);
  put(layout.place(state, kMiddle), 0.5 * config.width, 0.5 * config.height, true);
  // Points lie on a slanting line through the middle: turning the field by half a turn swaps the teams and nothing
  // else.
  for (int i = 0; i < config.numPoints; ++i) {
    const double along = (2.0 * i - (config.numPoints - 1)) / config.numPoints;
    double* point = layout.place(state, layout.point(i));
    put(point, config.width * (0.5 + 0.2 * along), config.height * (0.5 + 0.42 * along), true);
    point[kOpenTo] = layout.lockOf(i) >= 0 ? 0.0 : kOpenToAll;
  }
  for (int i = 0; i < config.numLocks; ++i) {
    const int locked = layout.lockedPoints[static_cast<std::size_t>(i)];
    const double* point = layout.place(state, layout.point(locked));
    const int side = config.numPoints - 1 - 2 * locked;  // above the middle, in it or below
    const double up = side > 0 ? kLockDistance : (side < 0 ? -kLockDistance : 0.0);
    put(layout.place(state, layout.lock(i)), point[kPlaceX], point[kPlaceY] + up, true);
  }
  for (int i = 0; i < config.numSupplies; ++i) put(layout.place(state, layout.supply(i)), 0.0, 0.0, false);
  for (int i = 0; i < config.numObstacles; ++i) put(layout.place(state, layout.obstacle(i)), 0.0, 0.0, false);
}

void countObstacles(const Layout& layout, double* state) {
  state[kNumUp] = 0.0;
  for (int i = 0; i < layout.config.numObstacles; ++i)
    state[kNumUp] += layout.place(state, layout.obstacle(i))[kActive];
}

void enterUnit(const Layout& layout, double* state, const double* attributes, int u, double x, double y) {
  double* unit = layout.unit(state, u);
  unit[kX] = std::clamp(x, 0.0, layout.config.width);
  unit[kY] = std::clamp(y, 0.0, layout.config.height);
  unit[kVx] = unit[kVy] = unit[kDriftX] = unit[kDriftY] = 0.0;
  unit[kHealth] = layout.of(attributes, kMaxHealth, u);
  unit[kSight] = layout.of(attributes, kVision, u);
  unit[kPresent] = unit[kAlive] = unit[kShare] = 1.0;
  unit[kTimer] = unit[kTimerShare] = 0.0;
  unit[kHit] = unit[kMended] = -1.0;
  noteGround(layout, state, u);
  visit(layout, unit);
}

void respawnUnit(const Layout& layout, double* state, const double* attributes, int u) {
  const int team = layout.team(u);
  const double* base = layout.place(state, team == kRed ? kRedBase : kBlueBase);
  int before = 0;
  int inPlay = 0;
  for (int m = layout.first(team); m < layout.end(team); ++m) {
    if (layout.of(attributes, kEnabled, m) < 0.5) continue;
    ++inPlay;
    before += m < u ? 1 : 0;
  }
  // In a column that fits into the base, red's from below and blue's from above.
  const double rank = before - 0.5 * (inPlay - 1);
  const double room = kColumnShare * layout.radius(team == kRed ? kRedBase : kBlueBase);
  const double gap = inPlay > 1 ? std::min(kRespawnGap, 2.0 * room / (inPlay - 1)) : 0.0;
  enterUnit(layout, state, attributes, u, base[kPlaceX], base[kPlaceY] + (team == kRed ? gap : -gap) * rank);
}

int noteGround(const Layout& layout, double* state, int u) {
  double* unit = layout.unit(state, u);
  int points = 0;
  for (int i = 0; i < layout.config.numPoints; ++i) {
    if (layout.isInside(unit, state, layout.point(i))) points |= 1 << i;
  }
  unit[kInPoint] = points != 0 ? 1.0 : 0.0;
  unit[kInBase] = layout.isInside(unit, state, layout.team(u) == kRed ? kRedBase : kBlueBase) ? 1.0 : 0.0;
  return points;
}

void takeAttendance(const Layout& layout, double* state, const double* attributes) {
  for (int u = 0; u < layout.numUnits; ++u) {
    double* unit = layout.unit(state, u);
    const bool isEnabled = layout.of(attributes, kEnabled, u) >= 0.5;
    if (isEnabled == (unit[kPresent] != 0.0)) continue;
    if (isEnabled) {
      respawnUnit(layout, state, attributes, u);
    } else {
      removeUnit(layout, state, u);
    }
  }
}

void removeUnit(const Layout& layout, double* state, int u) {
  double* unit = layout.unit(state, u);
  std::fill_n(unit, kKills, 0.0);
  unit[kHit] = unit[kMended] = -1.0;
}

void respawnDead(const Layout& layout, double* state, const double* attributes) {
  for (int u = 0; u < layout.numUnits; ++u) {
    double* unit = layout.unit(state, u);
    if (unit[kPresent] == 0.0 || unit[kAlive] != 0.0 || --unit[kTimer] > 0.0) continue;
    respawnUnit(layout, state, attributes, u);
  }
}

void startUnit(const Layout& layout, double* state, int u, double x, double y) {
  const double* base = layout.row.data();
  if (layout.of(base, kEnabled, u) != 0.0) {
    enterUnit(layout, state, base, u, x, y);
  } else {
    removeUnit(layout, state, u);
  }
}

std::optional<std::string> layOutAsTold(const Layout& layout, const Placement& placement, double* state) {
  const auto check = [&layout](const char* name, const std::vector<std::array<double, 2>>& spots,
                               int wanted) -> std::optional<std::string> {
    if (spots.size() != static_cast<std::size_t>(wanted)) {
      return std::string(name) + " has " + std::to_string(spots.size()) + " positions, the scenario needs " +
             std::to_string(wanted);
    }
    for (std::size_t i = 0; i < spots.size(); ++i) {
      const bool isInField = spots[i][0] >= 0.0 && spots[i][0] <= layout.config.width && spots[i][1] >= 0.0 &&
                             spots[i][1] <= layout.config.height;
      if (!isInField) return std::string(name) + "[" + std::to_string(i) + "] lies outside the field";
    }
    return std::nullopt;
  };
  if (auto problem = check("A", placement.agents, layout.numUnits)) return problem;
  if (auto problem = check("L", placement.landmarks, layout.numPlaces)) return problem;
  std::fill_n(state, layout.stateWords(), 0.0);
  layOutPlaces(layout, state);
  for (int p = 0; p < layout.numPlaces; ++p) {
    std::copy_n(placement.landmarks[static_cast<std::size_t>(p)].begin(), 2, layout.place(state, p));
  }
  for (int i = 0; i < layout.config.firstSupplies; ++i) layout.place(state, layout.supply(i))[kActive] = 1.0;
  for (int i = 0; i < layout.config.firstObstacles; ++i) layout.place(state, layout.obstacle(i))[kActive] = 1.0;
  countObstacles(layout, state);
  for (int u = 0; u < layout.numUnits; ++u) {
    const auto& spot = placement.agents[static_cast<std::size_t>(u)];
    startUnit(layout, state, u, spot[0], spot[1]);
  }
  return std::nullopt;
}

bool isStateOf(const Layout& layout, const double* state) {
  if (!std::all_of(state, state + layout.stateWords(), [](double word) { return std::fabs(word) < 1e15; }))
    return false;
  const auto isInField = [&layout](const double* spot) {
    return spot[0] >= 0.0 && spot[0] <= layout.config.width && spot[1] >= 0.0 && spot[1] <= layout.config.height;
  };
  for (int u = 0; u < layout.numUnits; ++u) {
    const double* unit = layout.unit(state, u);
    if (!isInField(unit) || !isWhole(unit[kPresent], 0, 1) || !isWhole(unit[kAlive], 0, unit[kPresent])) return false;
    if (!isWhole(unit[kHit], -1, layout.numUnits - 1) || !isWhole(unit[kMended], -1, layout.numUnits - 1)) return false;
    if (!visited::isSet(unit[kCells]) || !(unit[kSight] >= 0.0)) return false;
  }
  double numUp = 0.0;
  for (int i = 0; i < layout.config.numObstacles; ++i) numUp += layout.place(state, layout.obstacle(i))[kActive];
  if (state[kNumUp] != numUp) return false;
  for (int p = 0; p < layout.numPlaces; ++p) {
    const double* place = layout.place(state, p);
    if (!isInField(place) || !isWhole(place[kActive], 0, 1)) return false;
    if (!isWhole(place[kOwner], -1, kBlue) || !isWhole(place[kTaker], -1, kBlue)) return false;
    if (!isWhole(place[kOpenTo], 0, kOpenToAll)) return false;
  }
  // A point is open to whom its lock is, and to all without one.
  for (int i = 0; i < layout.config.numPoints; ++i) {
    const int lock = layout.lockOf(i);
    const double openTo = lock < 0 ? kOpenToAll : layout.place(state, layout.lock(lock))[kOpenTo];
    if (layout.place(state, layout.point(i))[kOpenTo] != openTo) return false;
  }
  return true;
}

}  // namespace gymwright::capture
