#include <utility>

#include "scenarios/skirmish/layout.hpp"

namespace gymwright::skirmish {
namespace {

std::vector<std::string> mapNames() {
  std::vector<std::string> names;
  for (const BattleMap& map : kMaps) names.emplace_back(map.name);
  return names;
}

/// "born", then the types.
std::vector<std::string> typeNames() {
  std::vector<std::string> names = {"born"};
  for (const UnitType& type : kUnitTypes) names.emplace_back(type.name);
  return names;
}

void addNumbers(std::vector<Parameter>& list, const std::string& team) {
  // The default, below the least that can be set, stands for the map's number.
  list.push_back(liveParameter({team + ".count", "int", "none", 0, 1, kMaxPerTeam, true, true,
                                "Number of " + team + " units in play; where it is not set, as many as the map has."},
                               "enabled", team, "count"));
  list.push_back({team + ".capacity", "int", "none", 0, 0, kMaxPerTeam, true, false,
                  "Number of " + team + " units that shapes are laid out for; 0: as many as are in play."});
  list.push_back(liveParameter(choiceParameter(team + ".type", {typeNames(), false, true},
                                               "What the " + team + " units of the map are; born: what the map says."),
                               "assigned_type", team + "_roster"));
  list.push_back(liveParameter(
      choiceParameter(team + ".reserve_type", {typeNames(), false, true},
                      "What the " + team + " units beyond the map's are; born: the map's, from its first on."),
      "assigned_type", team + "_reserve"));
}

void addCharacter(std::vector<Parameter>& list, const std::string& team) {
  list.push_back(playedParameter(
      liveParameter(
          choiceParameter(team + ".tactics", {{"closest", "focus", "kite", "hold", "retreat"}, false, true},
                          "What " + team +
                              " units do under the scripted policy \"tactics\": shoot the closest enemy, the "
                              "weakest, that and step back from shorter-ranged ones, stand and shoot, or fall back."),
          "tactics", team),
      team, "tactics"));
  list.push_back(playedParameter(
      liveParameter(choiceParameter(team + ".temper", {{"steady", "bold", "wary"}, false, true},
                                    "Temperament of " + team +
                                        " units under the scripted policy \"tactics\": bold "
                                        "ones charge to half their range, wary ones give way below half their health."),
                    "temper", team),
      team, "tactics"));
}

void addFactors(std::vector<Parameter>& list, const std::string& team) {
  const auto add = [&](const char* name, const char* attribute, double min, const char* doc) {
    list.push_back(liveParameter({team + "." + name, "float", "none", 1, min, 5, false, true,
                                  "Factor of the " + std::string(doc) + " of " + team + " units."},
                                 attribute, team));
  };
  add("health", "health_factor", 0.1, "full health");
  add("damage", "damage_factor", 0, "damage");
  add("damage_taken", "damage_taken", 0, "damage taken");
  add("cooldown", "cooldown_factor", 0.1, "time between shots");
  add("range", "range_factor", 0.1, "range");
  add("sight", "sight_factor", 0, "sight");
  add("speed", "speed_factor", 0, "speed");
}

void addRules(std::vector<Parameter>& list) {
  list.push_back(choiceParameter("spawn.rule", {{"born", "line", "surround", "reflect", "either"}, false, true},
                                 "Where units start: born: as the map says; line: the teams face each other; surround: "
                                 "one team is in the middle; reflect: anywhere, mirrored; either: one of the last "
                                 "two."));
  list.push_back({"spawn.spread", "float", "m", 2, 0, 8, false, true,
                  "Units start within this distance of their team's or group's place, along each axis."});
  list.push_back({"units.special", "bool", "none", 0, 0, 1, true, false,
                  "There may be infiltrators, seen by enemies only from nearby, and mortars, which hit an area; "
                  "observations tell eight types apart, not six."});
  list.push_back(awaitingParameter({"infiltrator.seen_within", "float", "m", 2.5, 0, 20, false, true,
                                    "Distance below which enemies see an infiltrator and can attack it."},
                                   "infiltrator"));
  list.push_back(awaitingParameter({"mortar.splash", "float", "m", 1.75, 0, 10, false, true,
                                    "Enemies nearer than this to what a mortar hits are hit as well."},
                                   "mortar"));
  list.push_back(choiceParameter("attack.rule", {{"own", "six"}},
                                 "When an attack is legal: own: the target is nearer than the unit's range (SMAX); "
                                 "six: within 6 m for all types, and the unit walks up to its range (SMAC)."));
  list.push_back({"walls.lethal", "bool", "none", 1, 0, 1, false, false, "Units at the edge of the field die."});
  list.push_back({"observation.enemy_actions", "bool", "none", 1, 0, 1, false, false,
                  "Units observe the last action of enemies that they see."});
  list.push_back({"cooldown.noise", "float", "none", 1, 0, 1, false, false,
                  "Factor of the random part of the time between shots, -1/16 to 2/16 s."});
}

void addTable(std::vector<Parameter>& list) {
  for (const UnitType& type : kUnitTypes) {
    const std::string name = type.name;
    const std::string one = (name.front() == 'i' ? "an " : "a ") + name;
    const auto add = [&](const char* what, const char* unit, double value, double min, double max,
                         const std::string& doc) {
      list.push_back({name + "." + what, "float", unit, value, min, max, false, false, doc + "."});
    };
    add("health", "none", type.health, 0.01, 1000, "Full health of " + one);
    add("damage", "none", type.damage, 0, 1000, "Health that a shot of " + one + " takes");
    add("cooldown", "s", type.cooldown, 0.01, 10, "Time between shots of " + one);
    add("range", "m", type.range, 0.1, 32, "Distance below which a shot of " + one + " reaches");
    add("sight", "m", type.sight, 0.1, 50, "Distance below which " + one + " sees others");
    add("speed", "m/s", type.speed, 0, 20, "Speed of " + one);
    add("radius", "m", type.radius, 0, 2, "Radius of " + one);
  }
}

void addEpisode(std::vector<Parameter>& list) {
  list.push_back(choiceParameter("reward.scheme", {{"smax", "smac", "sparse"}},
                                 "smax: shares of enemy health taken, 1 in all, and 1 for victory; smac: damage, kills "
                                 "and victory, 20 in all; sparse: 1 for victory, -1 for defeat."));
  list.push_back(choiceParameter("episode.limit", {{"length", "smac"}},
                                 "When an episode is truncated: after episode.length, or after SMAC's limit of the "
                                 "map."));
  list.push_back({"episode.length", "int", "steps", 101, 1, 5000, false, false,
                  "Steps after which an episode is truncated under the limit \"length\"."});
}

const BattleMap& mapOf(const ParameterValues& values) { return kMaps[static_cast<std::size_t>(values.whole("map"))]; }

int sizeOf(const std::array<Squad, 2>& squads) { return squads[0].count + squads[1].count; }

const std::array<Squad, 2>& squadsOf(const BattleMap& map, int team) {
  return team == kAlly ? map.allies : map.enemies;
}

int countOf(const ParameterValues& values, int team) {
  const int count = values.whole((std::string(kTeamNames[static_cast<std::size_t>(team)]) + ".count").c_str());
  return count > 0 ? count : sizeOf(squadsOf(mapOf(values), team));
}

int slotsOf(const ParameterValues& values, int team) {
  return gymwright::slotsOf(values, kTeamNames[static_cast<std::size_t>(team)], countOf(values, team));
}

std::array<UnitType, kNumTypes> typesOf(const ParameterValues& values) {
  std::array<UnitType, kNumTypes> types = kUnitTypes;
  for (UnitType& type : types) {
    const auto read = [&](const char* what) { return values.number((std::string(type.name) + "." + what).c_str()); };
    type = {type.name,     read("health"), read("damage"), read("cooldown"),
            read("range"), read("sight"),  read("speed"),  read("radius")};
  }
  return types;
}

SpawnRule spawnOf(const ParameterValues& values) {
  const auto rule = static_cast<SpawnRule>(values.whole("spawn.rule"));
  if (rule != SpawnRule::kMap) return rule;
  return mapSpawn(mapOf(values));
}

}  // namespace

SpawnRule mapSpawn(const BattleMap& map) { return map.isDrawn ? SpawnRule::kEither : SpawnRule::kLine; }

std::vector<Parameter> parameters() {
  std::vector<Parameter> list;
  list.push_back(choiceParameter("map", {mapNames(), true, false}, "Who meets: a map of SMAC, or of SMACv2 with drawn "
                                                                   "types and positions."));
  for (const char* team : kTeamNames) {
    addNumbers(list, team);
    addCharacter(list, team);
    addFactors(list, team);
  }
  addRules(list);
  addEpisode(list);
  addTable(list);
  return list;
}

std::optional<Failure> checkParameters(const ParameterValues& values) {
  for (int team = 0; team < kNumTeams; ++team) {
    const std::string name = kTeamNames[static_cast<std::size_t>(team)];
    const int count = countOf(values, team);
    const int slots = slotsOf(values, team);
    if (count > slots) {
      return invalidParameter("team " + name + " of scenario skirmish has " + std::to_string(count) +
                              " units in play, more than its capacity " + std::to_string(slots) + "; raise " + name +
                              ".capacity or set " + name + ".count");
    }
    for (const char* which : {".type", ".reserve_type"}) {
      const int assigned = values.whole((name + which).c_str());
      if (assigned > kNumPlainTypes && !values.flag("units.special")) {
        return invalidParameter("parameter " + name + which + " of scenario skirmish is " +
                                kUnitTypes[static_cast<std::size_t>(assigned - 1)].name +
                                ", a special type; set units.special = true to lay observations out for it");
      }
    }
  }
  return std::nullopt;
}

Config::Config(const ParameterValues& values)
    : map(&mapOf(values)),
      types(typesOf(values)),
      seenWithin(values.number("infiltrator.seen_within")),
      splash(values.number("mortar.splash")),
      hasSpecials(values.flag("units.special")),
      spawn(spawnOf(values)),
      spread(values.number("spawn.spread")),
      reward(static_cast<RewardScheme>(values.whole("reward.scheme"))),
      isAttackSix(values.whole("attack.rule") == 1),
      isWallLethal(values.flag("walls.lethal")),
      seesEnemyActions(values.flag("observation.enemy_actions")),
      cooldownNoise(values.number("cooldown.noise")),
      episodeLength(values.whole("episode.limit") == 1 ? map->smacLimit : values.whole("episode.length")) {
  for (int team = 0; team < kNumTeams; ++team) {
    slots[team] = slotsOf(values, team);
    count[team] = countOf(values, team);
    roster[team] = std::min(slots[team], sizeOf(squadsOf(*map, team)));
  }
}

Layout::Layout(const ParameterValues& values)
    : config(values),
      numUnits(config.slots[kAlly] + config.slots[kEnemy]),
      numTypeBits(config.hasSpecials ? kNumTypes : kNumPlainTypes) {
  for (int team = 0; team < kNumTeams; ++team) {
    const std::array<Squad, 2>& squads = squadsOf(*config.map, team);
    for (int slot = 0; slot < config.slots[team]; ++slot)
      mapTypes.push_back(slot % sizeOf(squads) < squads[0].count ? squads[0].type : squads[1].type);
  }
  fillRow(values);
}

int Layout::mapSize(int team) const { return sizeOf(squadsOf(*config.map, team)); }

void Layout::fillRow(const ParameterValues& values) {
  row.assign(static_cast<std::size_t>(kUnitColumns * numUnits), 0.0);
  for (int u = 0; u < numUnits; ++u) {
    const std::string name = kTeamNames[static_cast<std::size_t>(team(u))];
    const auto put = [&](UnitColumn column, double value) {
      row[static_cast<std::size_t>(column * numUnits + u)] = value;
    };
    const auto read = [&](const char* parameter) { return values.number((name + parameter).c_str()); };
    put(kEnabled, slot(u) < config.count[team(u)] ? 1.0 : 0.0);
    put(kAssigned, read(slot(u) < config.roster[team(u)] ? ".type" : ".reserve_type"));
    put(kTactics, read(".tactics"));
    put(kTemper, read(".temper"));
    put(kHealthFactor, read(".health"));
    put(kDamageFactor, read(".damage"));
    put(kDamageTaken, read(".damage_taken"));
    put(kCooldownFactor, read(".cooldown"));
    put(kRangeFactor, read(".range"));
    put(kSightFactor, read(".sight"));
    put(kSpeedFactor, read(".speed"));
    put(kTeam, team(u));
  }
}

}  // namespace gymwright::skirmish
