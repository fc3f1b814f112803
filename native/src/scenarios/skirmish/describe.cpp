#include <algorithm>
#include <functional>
#include <utility>

#include "scenarios/skirmish/layout.hpp"

namespace gymwright::skirmish {
namespace {

constexpr auto kAgent = EntityKind::kAgent;
constexpr auto kLandmark = EntityKind::kLandmark;

std::string teamName(int team) { return kTeamNames[static_cast<std::size_t>(team)]; }

std::string typeKey(int numTypes) {
  std::string key;
  for (int type = 0; type < numTypes; ++type)
    key += (type > 0 ? ", " : "") + std::to_string(type) + " " + kUnitTypes[static_cast<std::size_t>(type)].name;
  return key;
}

void describeAttributes(const Layout& layout, Description& out) {
  const double lastType = layout.numTypeBits - 1;
  const auto column = [&layout](UnitColumn which) { return which * layout.numUnits; };
  AttributeTable unit(out, kAgent, layout.unitWord(0), kUnitWords);
  unit.word("x", kX, {"m", 0, kSide}, "Distance from the left edge of the field, on whose side allies usually start.");
  unit.word("y", kY, {"m", 0, kSide}, "Distance from the lower edge of the field.");
  unit.word("vx", kVx, {"m/s", -100, 100}, "Horizontal velocity over the last step.");
  unit.word("vy", kVy, {"m/s", -100, 100}, "Vertical velocity over the last step.");
  unit.word("health", kShare, {"none", 0, 1}, "Health as a share of the full one; 0 when dead.");
  unit.word("hit_points", kHealth, {"none", 0, 5000}, "Health in the figures of damage; 0 when dead.");
  unit.word("alive", kAlive, {"none", 0, 1}, "1 while the unit is in play and alive.");
  unit.word("present", kPresent, {"none", 0, 1}, "1 while the unit is in play, dead or alive.");
  unit.word("type", kType, {"none", 0, lastType}, "Type: " + typeKey(layout.numTypeBits) + ".");
  unit.word("cooldown", kCooldown, {"s", -5000, 100}, "Time until the weapon can fire; ready from 0 down.");
  unit.word("damage", kDamage, {"none", 0, 5000}, "Health that a shot takes.");
  unit.word("range", kRange, {"m", 0, 200}, "Distance below which a shot reaches.");
  unit.word("sight", kSight, {"m", 0, 250}, "Distance below which the unit sees others.");
  unit.word("speed", kSpeed, {"m/s", 0, 100}, "Speed when moving.");
  unit.word("kills", kKills, {"none", 0, 1e6}, "Enemies killed in this episode.");
  unit.word("deaths", kDeaths, {"none", 0, 1e6}, "Deaths in this episode.");
  unit.word("damage_dealt", kDealt, {"none", 0, 1e9}, "Health that enemies lost by the unit's shots in this episode.");
  unit.fixedColumn("team", column(kTeam), {"none", 0, 1}, "0 ally, 1 enemy.");
  unit.column("health_factor", column(kHealthFactor), {"none", 0.1, 5},
              "Factor of the full health; the share of it stays.");
  unit.column("damage_factor", column(kDamageFactor), {"none", 0, 5}, "Factor of the damage of a shot.");
  unit.column("damage_taken", column(kDamageTaken), {"none", 0, 5}, "Factor of the damage that the unit takes.");
  unit.column("cooldown_factor", column(kCooldownFactor), {"none", 0.1, 5}, "Factor of the time between shots.");
  unit.column("range_factor", column(kRangeFactor), {"none", 0.1, 5}, "Factor of the range.");
  unit.column("sight_factor", column(kSightFactor), {"none", 0, 5}, "Factor of the sight.");
  unit.column("speed_factor", column(kSpeedFactor), {"none", 0, 5}, "Factor of the speed.");
  unit.fixedColumn("tactics", column(kTactics), {"none", 0, 4},
                   "Under the scripted policy \"tactics\": 0 closest, 1 focus, 2 kite, 3 hold, 4 retreat.");
  unit.fixedColumn("temper", column(kTemper), {"none", 0, 2},
                   "Under the scripted policy \"tactics\": 0 steady, 1 bold, 2 wary.");
  unit.fixedColumn("assigned_type", column(kAssigned), {"none", 0, kNumTypes},
                   "1 + type that the unit is made to be; 0: as born.");
  unit.fixedColumn("enabled", column(kEnabled), {"none", 0, 1}, "1 where the unit takes part, dead or alive.");
  AttributeTable place(out, kLandmark, layout.placeWord(0), 2);
  place.word("x", 0, {"m", 0, kSide}, "Distance from the left edge of the field.");
  place.word("y", 1, {"m", 0, kSide}, "Distance from the lower edge of the field.");
}

void describeSets(const Layout& layout, Manifest& m) {
  const auto addSet = [&m](std::string name, EntityKind kind, std::vector<int> members, std::string doc) {
    m.sets.push_back({std::move(name), kind, std::move(members), false, std::move(doc)});
  };
  addSet("agent", kAgent, numbersFrom(0, layout.numUnits), "All units.");
  for (int team = 0; team < kNumTeams; ++team) {
    const int roster = layout.config.roster[team];
    addSet(teamName(team), kAgent, numbersFrom(layout.first(team), layout.size(team)), "The units of this team.");
    addSet(teamName(team) + "_roster", kAgent, numbersFrom(layout.first(team), roster), "Those that the map has.");
    addSet(teamName(team) + "_reserve", kAgent, numbersFrom(layout.first(team) + roster, layout.size(team) - roster),
           "Those beyond them, laid out for by the capacity.");
  }
  addSet("ally_start", kLandmark, {layout.numUnits + kAllyStart}, "Where allies start under the rule \"line\".");
  addSet("enemy_start", kLandmark, {layout.numUnits + kEnemyStart}, "Where enemies start under the rule \"line\".");
  addSet("middle", kLandmark, {layout.numUnits + kMiddle}, "The middle of the field.");
  addSet("landmark", kLandmark, numbersFrom(layout.numUnits, kNumPlaces), "All places.");
}

void describeGroups(const Layout& layout, Manifest& m) {
  for (int team = 0; team < kNumTeams; ++team) {
    std::vector<std::string> names;
    for (int u = layout.first(team); u < layout.end(team); ++u)
      names.push_back(teamName(team) + "_" + std::to_string(layout.slot(u)));
    std::vector<std::string> actions = {"north", "east", "south", "west", "stop"};
    for (int k = 0; k < layout.size(Layout::other(team)); ++k) {
      const int foe = layout.foe(team, k);
      actions.push_back("attack_" + teamName(layout.team(foe)) + "_" + std::to_string(layout.slot(foe)));
    }
    m.groups.push_back({teamName(team),
                        names,
                        layout.first(team),
                        layout.obsDim(),
                        layout.numActions(team),
                        actions,
                        0,
                        {"tactics", "closest", "focus", "kite", "random", "stop"},
                        team == kEnemy ? "tactics" : ""});
  }
}

void describeReadings(const Layout& layout, Manifest& m) {
  m.signals = {{"time", "steps", 0, static_cast<double>(m.episodeLength), "Steps taken in this episode."},
               {"ally_alive", "none", 0, static_cast<double>(layout.size(kAlly)), "Allies that are alive."},
               {"enemy_alive", "none", 0, static_cast<double>(layout.size(kEnemy)), "Enemies that are alive."},
               {"ally_health", "none", 0, 1, "Share of health of the allies in play, mean, the dead ones too."},
               {"enemy_health", "none", 0, 1, "Share of health of the enemies in play, mean, the dead ones too."}};
  m.components = {{"damage", "Health taken from the enemies in the step, as reward.scheme counts it."},
                  {"kill", "Enemies that died in the step; only under the scheme \"smac\"."},
                  {"win", "All enemies are dead and somebody of the team lives; under \"sparse\" also defeat."}};
  m.nominalReturn = 2.0;
  if (layout.config.reward == RewardScheme::kSmac) m.nominalReturn = 20.0;
  if (layout.config.reward == RewardScheme::kSparse) m.nominalReturn = 1.0;
}

void describeMetrics(Manifest& m) {
  m.metrics = {
      {"success", "none", false, "higher", 0, 1,
       "1 if the agent's team has won: all enemies are dead and somebody of the team lives. Its mean is the win rate."},
      {"draw", "none", false, "neither", 0, 1, "1 if both teams died in the same step."},
      {"survivors", "none", false, "higher", 0, kMaxPerTeam,
       "Units of the agent's team alive at the end, as a share of those it started with."},
      {"kills", "none", true, "higher", 0, 1e6,
       "Enemies whose death the agent caused: of those who hit in that moment, the one with the highest damage."},
      {"deaths", "none", true, "lower", 0, 1e6, "Times the agent died."},
      {"damage_dealt", "none", true, "higher", 0, 1e9,
       "Health that enemies lost by the agent's shots: what they had left, shared by the shots that landed at once."},
      {"damage_taken", "none", true, "lower", 0, 1e9, "Health that the agent lost by shots, counted in the same way."},
      {"cooperation_index", "none", true, "higher", 0, 1,
       "Of the steps in which the agent hit an enemy: the share in which a mate hit the same one. 0 without such "
       "steps."},
      {"role_adherence", "none", true, "higher", 0, 1,
       "Share of the steps it lived in which the agent had an enemy within range, and was within range of none whose "
       "range is shorter."},
      {"exploration_ratio", "none", true, "neither", 0, 1,
       "Share of the cells of a 7 x 7 grid over the field in which the agent was, the one where it started among "
       "them."}};
  for (Metric& metric : m.metrics) {
    if (metric.isPerAgent) metric.doc += " No value for an agent that was never in play.";
  }
}

void describeActs(Manifest& m) {
  m.relations = {{"sees", true, kAgent, kAgent, "none", "Both live and the unit sees the other one."},
                 relationTowards({"opponent"}, {"can_attack", true, kAgent, kAgent, "none",
                                                "The other one is an enemy that the unit may attack from here."}),
                 relationTowards({"opponent"}, {"attacks", true, kAgent, kAgent, "none",
                                                "The unit's last action was to attack the other one."})};
  m.events = {{"ally", "spawn", TargetKind::kNone, true, std::nullopt,
               "An ally comes into play in a free slot; nothing happens where all slots are taken, by the dead too."},
              {"enemy", "spawn", TargetKind::kNone, true, std::nullopt,
               "An enemy comes into play in a free slot; nothing happens where all slots are taken, by the dead too."},
              {"push", "disturb", TargetKind::kAgent, false, EventAmount{"m", 0, 10, 2},
               "The unit is moved in a random direction, but not up to the walls."},
              {"wound", "disturb", TargetKind::kAgent, false, EventAmount{"none", 0, 5000, 10},
               "The unit loses hit points; with none left it is dead when the coming step begins. Pays no reward."},
              {"jam", "disturb", TargetKind::kAgent, false, EventAmount{"s", 0, 50, 1},
               "The unit's weapon is ready so much later."}};
  m.behaviours = {
      {"attack", TargetKind::kAgent,
       "Walks up to the enemy and shoots it; without a target plays as the scripted policy \"closest\"."},
      {"focus", TargetKind::kNone, "Shoots the enemy in range with the least health, else walks to the nearest one."},
      {"kite", TargetKind::kNone, "That, and steps back from shorter-ranged enemies while its weapon cools down."},
      {"hold", TargetKind::kNone, "Stands and shoots the closest enemy in range."},
      {"chase", TargetKind::kAny, "Walks to the target; without one to the nearest enemy it sees."},
      {"guard", TargetKind::kAny,
       "Stays at the target and goes for enemies that it sees within 8 m of it; without one, where its team starts."},
      {"protect", TargetKind::kAgent,
       "Goes between the mate and the enemy nearest to it and shoots that one; without a target the weakest mate."},
      {"flee", TargetKind::kAny, "Walks away from the target, not into walls; without one from the nearest enemy."},
      {"patrol", TargetKind::kNone, "Walks between where it came into play and the middle, 12 steps each way."},
      {"retreat", TargetKind::kNone, "Walks to where it came into play and shoots from there."},
      {"goto", TargetKind::kAny, "Walks to the target."},
      {"wander", TargetKind::kNone, "Any legal action, drawn at random."}};
}

/// What the units in the slots from one to another (not with it) of a team are by the map, 1 + type, where all are of one.
std::optional<double> bornAs(const Layout& layout, int team, int from, int to) {
  const auto first = layout.mapTypes.begin() + layout.first(team) + from;
  const auto last = layout.mapTypes.begin() + layout.first(team) + to;
  const bool isMixed = std::adjacent_find(first, last, std::not_equal_to<>()) != last;
  if (layout.config.map->isDrawn || from >= to || isMixed) return std::nullopt;
  return 1.0 + *first;
}

/// A count that is not set is that of the map.
void describeParameters(const Layout& layout, const ParameterValues& values, Manifest& m) {
  m.parameters = parameters();
  for (int team = 0; team < kNumTeams; ++team) {
    const int roster = layout.config.roster[team];
    describeCapacity(m, values, teamName(team), teamName(team));
    describeDefault(m, teamName(team) + ".type", bornAs(layout, team, 0, roster));
    describeDefault(m, teamName(team) + ".reserve_type", bornAs(layout, team, roster, layout.size(team)));
    for (Parameter& parameter : m.parameters) {
      if (parameter.name == teamName(team) + ".count") parameter.defaultValue = layout.mapSize(team);
      const bool isReserve = parameter.name == teamName(team) + ".reserve_type";
      if (isReserve && layout.size(team) <= layout.mapSize(team)) parameter.awaits = teamName(team) + "_reserve";
    }
  }
  describeDefault(m, "spawn.rule", static_cast<double>(mapSpawn(*layout.config.map)));
  m.presence = {"alive", ""};
}

}  // namespace

Description describe(const Layout& layout, const ParameterValues& values) {
  Description out{};
  Manifest& m = out.manifest;
  m.name = "skirmish";
  m.version = 2;
  m.title = "Skirmish";
  m.doc =
      "Two teams of units of several types fight on a small field until one is wiped out: the battles of SMAC with the "
      "rules of SMAX.";
  m.numAgents = layout.numUnits;
  m.numLandmarks = kNumPlaces;
  m.obsDim = layout.obsDim();
  m.stateDim = layout.stateDim();
  m.numActions = std::max(layout.numActions(kAlly), layout.numActions(kEnemy));
  m.continuousDim = 0;
  m.episodeLength = layout.config.episodeLength;
  m.stepSeconds = kStepSeconds;
  describeParameters(layout, values, m);
  describeGroups(layout, m);
  describeSets(layout, m);
  describeAttributes(layout, out);
  describeReadings(layout, m);
  describeMetrics(m);
  describeActs(m);
  return out;
}

}  // namespace gymwright::skirmish
