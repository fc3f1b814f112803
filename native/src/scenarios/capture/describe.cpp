#include <utility>

#include "scenarios/capture/layout.hpp"

namespace gymwright::capture {
namespace {

constexpr auto kAgent = EntityKind::kAgent;
constexpr auto kLandmark = EntityKind::kLandmark;

void describeUnits(const Layout& layout, Description& out) {
  const Config& config = layout.config;
  const auto column = [&layout](UnitColumn which) { return which * layout.numUnits; };
  AttributeTable unit(out, kAgent, layout.unitWord(0), kUnitWords);
  unit.word("x", kX, {"m", 0, config.width}, "Distance from the left edge of the field, where red's base is.");
  unit.word("y", kY, {"m", 0, config.height}, "Distance from the lower edge of the field.");
  unit.word("vx", kVx, {"m/s", -200, 200}, "Horizontal velocity over the last step.");
  unit.word("vy", kVy, {"m/s", -200, 200}, "Vertical velocity over the last step.");
  unit.word("health", kShare, {"none", 0, 1}, "Health as a share of the full one; 0 when dead.");
  unit.word("hit_points", kHealth, {"none", 0, 1000}, "Health in the figures of damage and heal; 0 when dead.");
  unit.word("alive", kAlive, {"none", 0, 1}, "1 while the unit is in play and alive.");
  unit.word("respawn", kTimer, {"steps", 0, 200}, "Steps until a dead unit returns; 0 when alive.");
  unit.word("in_point", kInPoint, {"none", 0, 1}, "1 while the unit is inside a point.");
  unit.word("in_base", kInBase, {"none", 0, 1}, "1 while the unit is inside its own base.");
  unit.word("kills", kKills, {"none", 0, 1e6}, "Enemies killed in this episode.");
  unit.word("deaths", kDeaths, {"none", 0, 1e6}, "Deaths in this episode.");
  unit.word("captures", kCaptures, {"none", 0, 1e6}, "Points in which the unit stood when they were taken.");
  unit.word("damage_dealt", kDealt, {"none", 0, 1e9}, "Health that enemies lost by the unit's hits in this episode.");
  unit.word("healing", kHealed, {"none", 0, 1e9}, "Health that mates gained by the unit in this episode.");
  unit.fixedColumn("team", column(kTeam), {"none", 0, 1}, "0 red, 1 blue.");
  unit.fixedColumn("role", column(kRole), {"none", 0, 1}, "0 assault, 1 support.");
  unit.column("speed", column(kSpeed), {"m/s", 0, 20}, "Speed when moving.");
  unit.column("damage", column(kDamage), {"none", 0, 100}, "Health that a hit takes, per step of standing.");
  unit.column("damage_taken", column(kDamageTaken), {"none", 0, 10}, "Factor of the damage that the unit takes.");
  unit.column("heal", column(kHeal), {"none", 0, 100}, "Health that the unit gives to a mate, per step of standing.");
  unit.column("vision", column(kVision), {"m", 0, 200}, "Distance at which the unit sees.");
  unit.column("range", column(kRange), {"m", 0, 100}, "Distance at which the unit hits and heals.");
  unit.column("max_health", column(kMaxHealth), {"none", 1, 1000}, "Full health; more than that is lost.");
  unit.column("respawn_time", column(kRespawnTime), {"s", 1, 200}, "Time from the unit's death to its return.");
  unit.column("boldness", column(kBoldness), {"none", 0, 1},
              "Temperament under the scripted policy \"tempered\": 0 wary, 0.5 steady, 1 bold.");
  unit.fixedColumn("enabled", column(kEnabled), {"none", 0, 1}, "1 where the unit takes part, dead or alive.");
}

void describePlaces(const Layout& layout, Description& out) {
  const Config& config = layout.config;
  const auto column = [&layout](PlaceColumn which) { return layout.placeColumn(which); };
  AttributeTable place(out, kLandmark, layout.placeWord(0), kPlaceWords);
  place.word("x", kPlaceX, {"m", 0, config.width}, "Distance from the left edge of the field.");
  place.word("y", kPlaceY, {"m", 0, config.height}, "Distance from the lower edge of the field.");
  place.word("active", kActive, {"none", 0, 1}, "1 while it is on the field.", {"supply", "obstacle"});
  place.fixedColumn("radius", column(kRadius), {"m", 1, 15}, "Radius: inside is who is no farther from the centre.");
  place.word("owner", kOwner, {"none", -1, 1}, "Team that holds the point: 0 red, 1 blue, -1 nobody.", {"point"});
  place.word("taker", kTaker, {"none", -1, 1}, "Team that is taking the point: 0 red, 1 blue, -1 nobody.", {"point"});
  place.word("progress", kProgress, {"steps", 0, 100}, "Steps for which the taker has held the point.", {"point"});
  place.column("hold_time", column(kHoldTime), {"s", 1, 100}, "Time a team must hold the point alone to take it.",
               {"point"});
}

void describeSets(const Layout& layout, Manifest& m) {
  const auto addSet = [&m](std::string name, EntityKind kind, std::vector<int> members, std::string doc) {
    m.sets.push_back({std::move(name), kind, std::move(members), false, std::move(doc)});
  };
  addSet("agent", kAgent, numbersFrom(0, layout.numUnits), "All units.");
  std::vector<int> byRole[kNumRoles];
  for (int u = 0; u < layout.numUnits; ++u) byRole[layout.role(u)].push_back(u);
  for (int team = 0; team < kNumTeams; ++team) {
    const std::string name = kTeamNames[team];
    addSet(name, kAgent, numbersFrom(layout.first(team), layout.teamSize(team)), "The units of " + name + ".");
  }
  for (int role = 0; role < kNumRoles; ++role) {
    const std::string name = kRoleNames[role];
    addSet(name, kAgent, byRole[role], "The " + name + " units of both teams.");
    for (int team = 0; team < kNumTeams; ++team) {
      const std::string both = std::string(kTeamNames[team]) + "_" + name;
      const int first = layout.first(team) + (role == kSupport ? layout.config.slots[team][kAssault] : 0);
      addSet(both, kAgent, numbersFrom(first, layout.config.slots[team][role]),
             "The " + name + " units of " + kTeamNames[team] + ".");
    }
  }
  const int a = layout.numUnits;
  addSet("zone", kLandmark, numbersFrom(a, kNumZones), "The bases and the middle of the field.");
  addSet("point", kLandmark, numbersFrom(a + layout.point(0), layout.config.numPoints), "The points to take.");
  addSet("supply", kLandmark, numbersFrom(a + layout.supply(0), layout.config.numSupplies),
         "Supplies: the nearest wounded unit within 3 m takes one and is healed; teams that are as near share it.");
  addSet("obstacle", kLandmark, numbersFrom(a + layout.obstacle(0), layout.config.numObstacles),
         "Round obstacles, which block movement and sight.");
  addSet("lock", kLandmark, numbersFrom(a + layout.lock(0), layout.config.numLocks),
         "Locks: each keeps one point closed to a team until both of its roles stood at it, radius 4 m.");
  addSet("red_base", kLandmark, {a + kRedBase}, "Where red starts and respawns.");
  addSet("blue_base", kLandmark, {a + kBlueBase}, "Where blue starts and respawns.");
  addSet("middle", kLandmark, {a + kMiddle}, "The middle of the field.");
  addSet("landmark", kLandmark, numbersFrom(a, layout.numPlaces), "All places.");
}

void describeGroups(const Layout& layout, Manifest& m) {
  for (int team = 0; team < kNumTeams; ++team) {
    std::vector<std::string> names;
    for (int u = layout.first(team); u < layout.end(team); ++u) {
      names.push_back(std::string(kTeamNames[team]) + "_" + kRoleNames[layout.role(u)] + "_" +
                      std::to_string(layout.slotInRole(u)));
    }
    m.groups.push_back(
        {kTeamNames[team],
         names,
         layout.first(team),
         layout.obsDim(),
         kNumActions,
         {"stand", "east", "north_east", "north", "north_west", "west", "south_west", "south", "south_east"},
         kContinuousDim,
         {"noop", "random", "bold", "steady", "wary", "mixed", "tempered"}});
  }
}

void describeSignals(const Layout& layout, Manifest& m) {
  const auto points = static_cast<double>(layout.config.numPoints);
  m.signals = {{"time", "steps", 0, static_cast<double>(layout.config.episodeLength), "Steps taken in this episode."}};
  for (const char* what : {"score", "points", "alive"}) {
    for (int team = 0; team < kNumTeams; ++team) {
      const std::string name = kTeamNames[team];
      const std::string kind = what;
      if (kind == "score") m.signals.push_back({name + "_score", "none", 0, 1e9, "Score of " + name + " now."});
      if (kind == "points")
        m.signals.push_back({name + "_points", "none", 0, points, "Points that " + name + " holds."});
      if (kind == "alive") {
        m.signals.push_back({name + "_alive", "none", 0, static_cast<double>(layout.teamSize(team)),
                             "Units of " + name + " that are alive."});
      }
    }
  }
}

void describeActs(const Layout& layout, Manifest& m) {
  std::vector<std::string> whoIsHit = {"opponent"};
  if (layout.config.hasFriendlyFire) whoIsHit.emplace_back("ally");
  m.relations = {
      {"sees", true, kAgent, std::nullopt, "none",
       "The unit sees the living unit or the place: within its vision, with no obstacle in between."},
      relationTowards(whoIsHit, {"hits", true, kAgent, kAgent, "none", "The unit hit the other one in the last step."}),
      relationTowards({"ally"},
                      {"heals", true, kAgent, kAgent, "none", "The unit healed the other one in the last step."}),
      relationTowards({"opponent"}, {"threatens", true, kAgent, kAgent, "none",
                                     "The other one is an enemy that the unit sees within its range."}),
      relationTowards({"point"}, {"owns", true, kAgent, kLandmark, "none", "The point belongs to the unit's team."}),
      relationTowards(
          {"point", "lock"},
          {"may_take", true, kAgent, kLandmark, "none",
           "The point is open to the unit's team, which does not hold it; a lock: it is open to the team."})};
  m.events = {{"supply", "spawn", TargetKind::kNone, true, std::nullopt,
               "A supply appears in a free slot; nothing happens where all slots or places are taken."},
              {"obstacle", "spawn", TargetKind::kNone, true, std::nullopt,
               "An obstacle appears in a free slot; nothing happens where all slots or places are taken."},
              {"supply", "remove", TargetKind::kLandmark, false, std::nullopt, "The supply disappears."},
              {"obstacle", "remove", TargetKind::kLandmark, false, std::nullopt, "The obstacle disappears."},
              {"push", "disturb", TargetKind::kAgent, false, EventAmount{"m/s", 0, 50, 5},
               "The unit is given a velocity in a random direction, half of which is left after each step."},
              {"wound", "disturb", TargetKind::kAgent, false, EventAmount{"none", 0, 1000, 30},
               "The unit loses hit points; with none left it dies in the coming step, before anything can heal it."}};
  m.behaviours = {
      {"hold", TargetKind::kNone, "Stands, and so hits or heals whom it reaches."},
      {"patrol", TargetKind::kNone, "Walks from point to point, 25 steps for each; units start at different ones."},
      {"chase", TargetKind::kAgent, "Walks up to the unit; without a target the nearest enemy it sees."},
      {"attack", TargetKind::kAgent,
       "Comes within range of the unit and stands; without a target the nearest enemy it sees."},
      {"guard", TargetKind::kAny,
       "Stays at the target and attacks enemies that it sees within 1.5 ranges of it; without one, at a point."},
      {"flee", TargetKind::kAny, "Walks away from the target; without one from the nearest enemy it sees."},
      {"protect", TargetKind::kAgent,
       "Stands between the mate and the enemy nearest to it; without a target the nearest support unit."},
      {"heal", TargetKind::kAgent, "Keeps the mate within reach; without a target the most wounded mate it sees."},
      {"take", TargetKind::kLandmark,
       "Walks into the point and stands there, or at its lock while it is closed; without a target to the one that "
       "costs least to get to."},
      {"retreat", TargetKind::kNone, "Walks to its base."},
      {"goto", TargetKind::kAny, "Walks to the target."},
      {"wander", TargetKind::kNone, "Any action, drawn at random."}};
}

void describeMetrics(const Layout& layout, Manifest& m) {
  m.metrics = {
      {"success", "none", false, "higher", 0, 1, "1 if the agent's team has the higher score at the end, else 0."},
      {"score", "none", false, "higher", 0, 1e9,
       "Score of the agent's team at the end: 100 for each point taken, and score.hold for each point held, per step."},
      {"score_lead", "none", false, "higher", -1e9, 1e9,
       "Score of the agent's team minus that of the other at the end."},
      {"points_held", "none", false, "higher", 0, 1,
       "Share of the points that the agent's team held, mean over steps."},
      {"kills", "none", true, "higher", 0, 1e6,
       "Enemies whose death the agent caused: of those who hit in that step, the one with the highest damage."},
      {"deaths", "none", true, "lower", 0, 1e6, "Times the agent died."},
      {"captures", "none", true, "higher", 0, 1e6, "Points in which the agent stood when its team took them."},
      {"damage_dealt", "none", true, "higher", 0, 1e9,
       "Health that enemies lost by the agent's hits: what they had left, shared by the hits that landed at once."},
      {"healing", "none", true, "higher", 0, 1e9,
       "Health that mates gained by the agent: what there was room for, shared by who healed at once."},
      {"cooperation_index", "none", true, "higher", 0, 1,
       "Of the steps in which the agent hit an enemy, healed or stood in a point that made progress: the share in "
       "which a mate had part in it: the enemy was hit by another mate too, the agent healed, or another mate was "
       "inside the point. 0 without such steps."},
      {"role_adherence", "none", true, "higher", 0, 1,
       "Share of the steps it lived in which an assault agent was in a point or had an enemy within range and in "
       "sight, a support agent an assault mate within range with no obstacle in between."},
      {"exploration_ratio", "none", true, "neither", 0, 1,
       "Share of the cells of a 7 x 7 grid over the field in which the agent was, the one where it started among "
       "them."}};
  for (Metric& metric : m.metrics) {
    if (metric.isPerAgent) metric.doc += " No value for an agent that was never in play.";
  }
  m.nominalReturn = layout.config.captureReward * layout.config.numPoints;
}

void describeParameters(const ParameterValues& values, Manifest& m) {
  m.parameters = parameters();
  for (const std::string what : {"red.assault", "red.support", "blue.assault", "blue.support", "supply", "obstacle"}) {
    std::string set = what;
    for (char& c : set) c = c == '.' ? '_' : c;
    describeCapacity(m, values, set, what);
  }
  m.presence = {"alive", "active"};
}

}  // namespace

Description describe(const Layout& layout, const ParameterValues& values) {
  Description out{};
  Manifest& m = out.manifest;
  m.name = "capture";
  m.version = 1;
  m.title = "Capture";
  m.doc =
      "Two teams of assault and support units take points by holding them alone for some time. Dead units respawn; "
      "what is out of sight is not observed.";
  m.numAgents = layout.numUnits;
  m.numLandmarks = layout.numPlaces;
  m.obsDim = layout.obsDim();
  m.stateDim = layout.stateDim();
  m.numActions = kNumActions;
  m.continuousDim = kContinuousDim;
  m.episodeLength = layout.config.episodeLength;
  m.stepSeconds = kStepSeconds;
  describeParameters(values, m);
  describeGroups(layout, m);
  describeSets(layout, m);
  describeUnits(layout, out);
  describePlaces(layout, out);
  describeSignals(layout, m);
  m.components = {{"capture",
                   "reward.capture for every agent of the team that takes a point (reward.own_share of it only for "
                   "those who stand in it)."}};
  describeMetrics(layout, m);
  describeActs(layout, m);
  return out;
}

}  // namespace gymwright::capture
