// What a match looks like.
#include <cmath>

#include "scenarios/capture/rules.hpp"

namespace gymwright::capture {
namespace {

constexpr double kUnitRadius = 0.5;  ///< of a body that stops a stray hit
constexpr const char* kZoneRoles[kNumZones] = {"base", "base", "zone"};

int ownerOf(const double* point, PlaceWord word) { return static_cast<int>(point[word]); }

/// Closed to both teams, or for the one that it is open to.
void addOpenness(const double* place, Shape& shape) {
  const bool isOpen[kNumTeams] = {Layout::isOpenTo(place, kRed), Layout::isOpenTo(place, kBlue)};
  if (!isOpen[kRed] && !isOpen[kBlue]) shape.flags |= kShapeClosed;
  if (isOpen[kRed] != isOpen[kBlue]) shape.text = std::string("open to ") + kTeamNames[isOpen[kRed] ? kRed : kBlue];
}

/// A point belongs to its owner; a ring in it tells who is taking it, and how far that is.
void addPoint(const Layout& layout, const double* state, int p, Frame& frame) {
  const double* point = layout.place(state, p);
  const int entity = layout.numUnits + p;
  Shape& disc = frame.disc("point", entity, point, layout.radius(p));
  disc.team = ownerOf(point, kOwner);
  addOpenness(point, disc);
  if (point[kTaker] < 0.0) return;
  Shape& ring = frame.ring("taking", entity, point, layout.radius(p));
  ring.team = ownerOf(point, kTaker);
  ring.level = std::clamp(point[kTaken], 0.0, 1.0);
}

void addPlaces(const Layout& layout, const double* state, Frame& frame) {
  for (int p = 0; p < kNumZones; ++p) {
    Shape& zone = frame.disc(kZoneRoles[p], layout.numUnits + p, layout.place(state, p), layout.radius(p));
    if (p != kMiddle) zone.team = p == kRedBase ? kRed : kBlue;
  }
  for (int i = 0; i < layout.config.numPoints; ++i) addPoint(layout, state, layout.point(i), frame);
  for (int i = 0; i < layout.config.numLocks; ++i) {
    const double* lock = layout.place(state, layout.lock(i));
    Shape& disc = frame.disc("lock", layout.numUnits + layout.lock(i), lock, kLockRadius);
    addOpenness(lock, disc);
  }
  const auto addActive = [&](const char* role, int first, int count) {
    for (int p = first; p < first + count; ++p) {
      const double* place = layout.place(state, p);
      if (place[kActive] != 0.0) frame.disc(role, layout.numUnits + p, place, layout.radius(p));
    }
  };
  addActive("supply", layout.supply(0), layout.config.numSupplies);
  addActive("obstacle", layout.obstacle(0), layout.config.numObstacles);
}

void addUnit(const Layout& layout, const double* state, int u, Frame& frame) {
  const double* unit = layout.unit(state, u);
  if (unit[kPresent] == 0.0) return;
  Shape& disc = frame.disc(kRoleNames[layout.role(u)], u, unit, kUnitRadius);
  disc.team = layout.team(u);
  disc.level = std::clamp(unit[kShare], 0.0, 1.0);
  if (unit[kAlive] == 0.0) {
    disc.flags |= kShapeDead;
    disc.text = std::to_string(static_cast<long long>(unit[kTimer]));
    return;
  }
  if (unit[kVx] != 0.0 || unit[kVy] != 0.0) disc.heading = std::atan2(unit[kVy], unit[kVx]);
  if (unit[kInPoint] != 0.0) disc.flags |= kShapeHolding;
}

/// What its weapon did in the last step, also of a unit that died in it.
void addDeeds(const Layout& layout, const double* state, int u, Frame& frame) {
  const double* unit = layout.unit(state, u);
  if (unit[kPresent] == 0.0) return;
  const auto add = [&](const char* role, UnitWord word) {
    const int other = static_cast<int>(unit[word]);
    if (other >= 0) frame.line(role, u, other, unit, layout.unit(state, other)).team = layout.team(u);
  };
  add("attack", kHit);
  add("heal", kMended);
}

void addReach(const Layout& layout, const FrameMoment& moment, int u, Frame& frame) {
  const double* unit = layout.unit(moment.state, u);
  if (unit[kAlive] == 0.0) return;
  const int team = layout.team(u);
  if (moment.detail.hasSights) frame.ring("sight", u, unit, unit[kSight]).team = team;
  if (moment.detail.hasRanges) frame.ring("range", u, unit, layout.of(moment.attributes, kRange, u)).team = team;
}

std::string scoreText(const double* state) {
  const auto score = [state](int team) { return std::to_string(static_cast<long long>(state[kScores + team])); };
  return std::string(kTeamNames[kRed]) + " " + score(kRed) + ", " + kTeamNames[kBlue] + " " + score(kBlue);
}

}  // namespace

void describeFrame(const Layout& layout, const FrameMoment& moment, Frame& frame) {
  const double* state = moment.state;
  const double middle[2] = {0.5 * layout.config.width, 0.5 * layout.config.height};
  frame.rectangle("field", -1, middle, middle[0], middle[1]);
  addPlaces(layout, state, frame);
  for (int u = 0; u < layout.numUnits; ++u) addReach(layout, moment, u, frame);
  for (int u = 0; u < layout.numUnits; ++u) addDeeds(layout, state, u, frame);
  for (int u = 0; u < layout.numUnits; ++u) addUnit(layout, state, u, frame);
  frame.status = scoreText(state);
}

}  // namespace gymwright::capture
