#include <cstdlib>
#include <utility>

#include "scenarios/capture/layout.hpp"

namespace gymwright::capture {
namespace {

/// What a role is born with.
struct RoleDefaults {
  int count;
  double speed, damage, heal, health, vision, range;
};
constexpr RoleDefaults kRoleDefaults[kNumRoles] = {{2, 4, 10, 0, 100, 30, 12}, {1, 4, 4, 6, 80, 30, 12}};

constexpr int kUsualTeam = kRoleDefaults[kAssault].count + kRoleDefaults[kSupport].count;
constexpr int kUsualSupplies = 2;
/// Keys of draws of what the usual counts and capacities have no room for begin here, behind all others.
constexpr int kSpareKeys = 256;

void addSlots(std::vector<Parameter>& list, const std::string& team, int role) {
  const std::string name = kRoleNames[role];
  const std::string slot = team + "." + name;
  const std::string set = team + "_" + name;
  list.push_back(liveParameter({slot + ".count", "int", "none", static_cast<double>(kRoleDefaults[role].count), 0,
                                kMaxPerSlot, true, true, "Number of " + team + " " + name + " units in play."},
                               "enabled", set, "count"));
  list.push_back(
      {slot + ".capacity", "int", "none", 0, 0, kMaxPerSlot, true, false,
       "Number of " + team + " " + name + " units that shapes are laid out for; 0: as many as are in play."});
}

void addTeam(std::vector<Parameter>& list, const std::string& team) {
  for (int role = 0; role < kNumRoles; ++role) addSlots(list, team, role);
  list.push_back({team + ".spawn", "float", "m", 6, 0, 100, false, true,
                  "Units of " + team + " start within this distance of their base, along each axis."});
  list.push_back(liveParameter({team + ".damage_taken", "float", "none", 1, 0, 5, false, true,
                                "Factor of the damage that units of " + team + " take."},
                               "damage_taken", team));
  list.push_back(playedParameter(
      liveParameter({team + ".boldness", "float", "none", 0.5, 0, 1, false, true,
                     "Temperament of " + team + " under the scripted policy \"tempered\": 0 wary, 0.5 steady, 1 bold."},
                    "boldness", team),
      team, "tempered"));
}

void addRole(std::vector<Parameter>& list, int role) {
  const std::string name = kRoleNames[role];
  const RoleDefaults& d = kRoleDefaults[role];
  const auto add = [&](const char* attribute, const char* parameter, const char* unit, double value, double min,
                       double max, const std::string& doc) {
    list.push_back(
        liveParameter({name + "." + parameter, "float", unit, value, min, max, false, true, doc}, attribute, name));
  };
  add("speed", "speed", "m/s", d.speed, 0, 20, "Speed of a moving " + name + " unit.");
  add("damage", "damage", "none", d.damage, 0, 100,
      "Health that a hit of a standing " + name + " unit takes, per step.");
  add("heal", "heal", "none", d.heal, 0, 100, "Health that a standing " + name + " unit gives to a mate, per step.");
  add("max_health", "health", "none", d.health, 1, 1000, "Full health of " + name + " units.");
  add("vision", "vision", "m", d.vision, 0, 200, "Distance at which " + name + " units see.");
  add("range", "range", "m", d.range, 0, 100, "Distance at which " + name + " units hit and heal.");
}

void addField(std::vector<Parameter>& list) {
  list.insert(
      list.end(),
      {{"field.width", "float", "m", 100, 40, 200, false, false, "Width of the field; bases are near its ends."},
       {"field.height", "float", "m", 60, 40, 200, false, false, "Height of the field."},
       {"base.radius", "float", "m", 8, 2, 15, false, true, "Radius of the bases and of the middle zone."},
       {"point.count", "int", "none", 3, 1, kMaxPoints, true, false, "Number of points to take."},
       {"point.radius", "float", "m", 10, 2, 15, false, true, "Radius of a point."},
       liveParameter({"point.hold_time", "float", "s", 10, 1, 100, false, true,
                      "Time a team must hold a point alone to take it."},
                     "hold_time", "point"),
       {"point.decay", "float", "none", 0.25, 0, 1, false, true,
        "Steps of taking that a point loses in a step in which nobody stands in it."},
       {"point.scatter", "float", "m", 0, 0, 20, false, true,
        "Points, and their locks with them, lie up to so far from their usual place, along each axis, drawn for each "
        "episode."},
       liveParameter(
           {"unit.respawn_time", "float", "s", 10, 1, 200, false, true, "Time from a unit's death to its return."},
           "respawn_time", "agent")});
}

void addExtras(std::vector<Parameter>& list) {
  list.insert(
      list.end(),
      {{"supply.count", "int", "none", 0, 0, kMaxPerSlot, false, true, "Number of supplies on the field at the start."},
       {"supply.capacity", "int", "none", kUsualSupplies, 0, kMaxPerSlot, true, false,
        "Number of supplies that shapes are laid out for; 0: as many as at the start."},
       awaitingParameter(
           {"supply.heal", "float", "none", 50, 0, 1000, false, true, "Health that a supply gives to who takes it."},
           "supply"),
       {"obstacle.count", "int", "none", 0, 0, kMaxPerSlot, false, true, "Number of obstacles at the start."},
       {"obstacle.capacity", "int", "none", 2, 0, kMaxPerSlot, true, false,
        "Number of obstacles that shapes are laid out for; 0: as many as at the start."},
       awaitingParameter({"obstacle.radius", "float", "m", 4, 1, 10, false, true, "Radius of an obstacle."},
                         "obstacle"),
       {"lock.count", "int", "none", 0, 0, kMaxPoints, true, false,
        "Number of points that are locked until a team opens the lock with both roles, the same on either side: from "
        "the middle outwards, the middle point itself only where the number is odd. Odd ones need an odd point.count."},
       awaitingParameter(
           {"lock.window", "float", "s", 5, 1, 100, false, true,
            "An assault and a support unit of a team open a lock when both stood at it within this time."},
           "lock"),
       {"vision.blocked", "bool", "none", 1, 0, 1, false, false, "Obstacles block sight, and with it hits and heals."},
       {"combat.friendly_fire", "bool", "none", 0, 0, 1, false, false,
        "A hit lands on the first unit of either team within 0.5 m of its line."},
       {"information.split", "bool", "none", 0, 0, 1, false, false,
        "Only assault units observe enemies; only support units observe supplies and the state of points and locks."},
       {"reward.capture", "float", "none", 100, 1, 1000, false, false, "Reward for a team that takes a point."},
       {"reward.own_share", "float", "none", 0, 0, 1, false, false,
        "Share of it that only the units standing in the point get; the rest goes to every unit of the team in play."},
       {"score.hold", "float", "none", 1, 0, 100, false, false, "Score of a team for each point held, per step."},
       {"episode.length", "int", "steps", 200, 1, 5000, false, false, "Steps after which an episode is truncated."},
       {"episode.score", "float", "none", 600, 0, 1e6, false, false,
        "Score at which a team has won and the episode ends (terminates); 0: no such end. A capture scores 100."}});
}

int slotsOf(const ParameterValues& values, const std::string& what) {
  return gymwright::slotsOf(values, what, values.whole((what + ".count").c_str()));
}

}  // namespace

std::vector<Parameter> parameters() {
  std::vector<Parameter> list;
  for (const char* team : kTeamNames) addTeam(list, team);
  for (int role = 0; role < kNumRoles; ++role) addRole(list, role);
  addField(list);
  addExtras(list);
  return list;
}

std::optional<Failure> checkParameters(const ParameterValues& values) {
  for (const char* what : {"red.assault", "red.support", "blue.assault", "blue.support", "supply", "obstacle"}) {
    const std::string name = what;
    const int count = values.whole((name + ".count").c_str());
    if (count > slotsOf(values, name)) {
      return invalidParameter("parameter " + name + ".count of scenario capture is " + std::to_string(count) +
                              ", more than its capacity " + std::to_string(slotsOf(values, name)) + "; raise " + name +
                              ".capacity or lower the count");
    }
  }
  for (const std::string team : kTeamNames) {
    if (values.whole((team + ".assault.count").c_str()) + values.whole((team + ".support.count").c_str()) == 0) {
      return invalidParameter("team " + team + " of scenario capture has no units; raise " + team +
                              ".assault.count or " + team + ".support.count");
    }
  }
  if (values.whole("lock.count") > values.whole("point.count")) {
    return invalidParameter("parameter lock.count of scenario capture is " +
                            std::to_string(values.whole("lock.count")) + ", more than the " +
                            std::to_string(values.whole("point.count")) + " points there are to lock");
  }
  if (values.whole("point.count") % 2 == 0 && values.whole("lock.count") % 2 == 1) {
    return invalidParameter("parameter lock.count of scenario capture is " +
                            std::to_string(values.whole("lock.count")) + " with the even number of " +
                            std::to_string(values.whole("point.count")) +
                            " points: one team would have more locks on its side; make it even or point.count odd");
  }
  return std::nullopt;
}

Config::Config(const ParameterValues& values)
    : width(values.number("field.width")),
      height(values.number("field.height")),
      numPoints(values.whole("point.count")),
      numSupplies(slotsOf(values, "supply")),
      numObstacles(slotsOf(values, "obstacle")),
      numLocks(values.whole("lock.count")),
      firstSupplies(values.whole("supply.count")),
      firstObstacles(values.whole("obstacle.count")),
      pointScatter(values.number("point.scatter")),
      pointDecay(values.number("point.decay")),
      supplyHealth(values.number("supply.heal")),
      lockWindow(values.number("lock.window")),
      isSightBlocked(values.flag("vision.blocked")),
      hasFriendlyFire(values.flag("combat.friendly_fire")),
      isInformationSplit(values.flag("information.split")),
      captureReward(values.number("reward.capture")),
      ownShare(values.number("reward.own_share")),
      holdScore(values.number("score.hold")),
      scoreLimit(values.number("episode.score")),
      episodeLength(values.whole("episode.length")) {
  for (int team = 0; team < kNumTeams; ++team) {
    const std::string name = kTeamNames[team];
    spawn[team] = values.number((name + ".spawn").c_str());
    for (int role = 0; role < kNumRoles; ++role) {
      const std::string slot = name + "." + kRoleNames[role];
      count[team][role] = values.whole((slot + ".count").c_str());
      slots[team][role] = slotsOf(values, slot);
    }
  }
}

Layout::Layout(const ParameterValues& values)
    : config(values),
      numUnits(teamSize(kRed) + teamSize(kBlue)),
      numPlaces(kNumZones + config.numPoints + config.numSupplies + config.numObstacles + config.numLocks),
      perSide(1.0 / std::max(config.width, config.height)),
      perStep(1.0 / config.episodeLength),
      perScore(1.0 / (kScorePerCapture * config.numPoints)) {
  for (int team = 0; team < kNumTeams; ++team) {
    for (int role = 0; role < kNumRoles; ++role)
      roles.insert(roles.end(), static_cast<std::size_t>(config.slots[team][role]), role);
  }
  // From the middle outwards, without the very middle where the number is even: half a turn maps locks to locks.
  const bool skipsMiddle = config.numPoints % 2 == 1 && config.numLocks % 2 == 0;
  for (int i = 0; i < config.numPoints; ++i) {
    const int away = std::abs(2 * i - (config.numPoints - 1));
    const int numWithin = away + 1 - (skipsMiddle ? 1 : 0);
    if (numWithin <= config.numLocks && !(skipsMiddle && away == 0)) lockedPoints.push_back(i);
  }
  fillUnits(values);
  fillPlaces(values);
}

void Layout::fillUnits(const ParameterValues& values) {
  row.assign(static_cast<std::size_t>(kUnitColumns * numUnits + kPlaceColumns * numPlaces), 0.0);
  for (int u = 0; u < numUnits; ++u) {
    const std::string role = kRoleNames[this->role(u)];
    const std::string team = kTeamNames[this->team(u)];
    const auto put = [&](UnitColumn column, const std::string& parameter) {
      row[static_cast<std::size_t>(column * numUnits + u)] = values.number(parameter.c_str());
    };
    put(kSpeed, role + ".speed");
    put(kDamage, role + ".damage");
    put(kHeal, role + ".heal");
    put(kMaxHealth, role + ".health");
    put(kVision, role + ".vision");
    put(kRange, role + ".range");
    put(kDamageTaken, team + ".damage_taken");
    put(kBoldness, team + ".boldness");
    put(kRespawnTime, "unit.respawn_time");
    row[static_cast<std::size_t>(kEnabled * numUnits + u)] =
        slotInRole(u) < config.count[this->team(u)][this->role(u)] ? 1.0 : 0.0;
    row[static_cast<std::size_t>(kTeam * numUnits + u)] = this->team(u);
    row[static_cast<std::size_t>(kRole * numUnits + u)] = this->role(u);
  }
}

void Layout::fillPlaces(const ParameterValues& values) {
  const auto put = [&](PlaceColumn column, int p, double value) {
    row[static_cast<std::size_t>(placeColumn(column) + p)] = value;
  };
  for (int p = 0; p < kNumZones; ++p) put(kRadius, p, values.number("base.radius"));
  for (int i = 0; i < config.numPoints; ++i) {
    put(kRadius, point(i), values.number("point.radius"));
    put(kHoldTime, point(i), values.number("point.hold_time"));
  }
  for (int i = 0; i < config.numSupplies; ++i) put(kRadius, supply(i), kSupplyRadius);
  for (int i = 0; i < config.numObstacles; ++i) put(kRadius, obstacle(i), values.number("obstacle.radius"));
  for (int i = 0; i < config.numLocks; ++i) put(kRadius, lock(i), kLockRadius);
}

int Layout::lockOf(int point) const {
  const auto found = std::find(lockedPoints.begin(), lockedPoints.end(), point);
  return found == lockedPoints.end() ? -1 : static_cast<int>(found - lockedPoints.begin());
}

std::uint32_t Layout::unitKey(int u) const {
  const int slot = slotInRole(u);
  const int before = role(u) == kSupport ? kRoleDefaults[kAssault].count : 0;
  const bool isUsual = slot < kRoleDefaults[role(u)].count;
  const int key = isUsual ? team(u) * kUsualTeam + before + slot
                          : kSpareKeys + (team(u) * kNumRoles + role(u)) * kMaxPerSlot + slot;
  return static_cast<std::uint32_t>(key);
}

std::uint32_t Layout::placeKey(int p) const {
  const int first = kNumTeams * kUsualTeam;
  const int drawn = supply(0);
  if (p >= obstacle(0)) return static_cast<std::uint32_t>(first + drawn + kUsualSupplies + p - obstacle(0));
  const bool isUsual = p < drawn + kUsualSupplies;
  return static_cast<std::uint32_t>(isUsual ? first + p : kSpareKeys + kMaxUnits + p - drawn);
}

int Layout::slotInRole(int u) const {
  const int before = first(team(u)) + (role(u) == kSupport ? config.slots[team(u)][kAssault] : 0);
  return u - before;
}

}  // namespace gymwright::capture
