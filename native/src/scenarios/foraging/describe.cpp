#include <algorithm>

#include "scenarios/foraging/layout.hpp"

namespace gymwright::foraging {
namespace {

constexpr auto kAgentKind = EntityKind::kAgent;
constexpr auto kFoodKind = EntityKind::kLandmark;
constexpr double kMost = 1e6;

void describeAttributes(const Layout& layout, Description& out) {
  const Range columns = {"m", 0, layout.config.columns - 1.0};
  const Range rows = {"m", 0, layout.config.rows - 1.0};
  const auto ofAgents = [&layout](AgentColumn column) { return layout.agentColumn(column); };
  const auto ofFoods = [&layout](FoodColumn column) { return layout.foodColumn(column); };
  AttributeTable agent(out, kAgentKind, layout.agentWord(0), kAgentWords);
  agent.word("x", kX, columns, "Column, a metre wide each.");
  agent.word("y", kY, rows, "Row, counted from below: north is up.");
  agent.word("vx", kVx, {"m/s", -1, 1}, "Columns passed in the last step, to the east.");
  agent.word("vy", kVy, {"m/s", -1, 1}, "Rows passed in the last step, to the north.");
  agent.word("level", kLevel, {"none", 1, kMaxLevel}, "Level, drawn for the episode.");
  agent.word("loads", kLoads, {"none", 0, kMost}, "Foods that the agent helped to load in this episode.");
  agent.column("strength", ofAgents(kStrength), {"none", 0.1, 5}, "Factor of the level with which the agent loads.");
  agent.column("penalty", ofAgents(kPenalty), {"none", 0, 10}, "What the agent pays when it fails to load.");
  agent.fixedColumn("temper", ofAgents(kTemper), {"none", 0, 2},
                    "Under the scripted policy \"temper\": 0 team, 1 alone, 2 idle.");
  AttributeTable food(out, kFoodKind, layout.foodWord(0), kFoodWords);
  food.word("x", kX, columns, "Column; of a food that is gone the last one.");
  food.word("y", kY, rows, "Row, counted from below; of a food that is gone the last one.");
  food.word("level", kFoodLevel, {"none", 0, 3 * kMaxLevel}, "Level; 0 when gone.");
  food.word("there", kThere, {"none", 0, 1}, "1 while the food is on the field.");
  food.word("counts", kCounts, {"none", 0, 1}, "0 where a change of the goal made the food worth nothing.");
  food.word("due", kBack, {"steps", 0, kMost}, "Steps until the food comes back; 0: it does not, or is there.");
  food.column("worth", ofFoods(kWorth), {"none", 0, 5}, "Factor of what loading the food pays, where it counts.");
  food.column("weight", ofFoods(kWeight), {"none", 0.1, 5}, "Factor of the level that loading the food needs.");
  food.column("respawn", ofFoods(kRespawn), {"steps", 0, 1000},
              "Steps after which the food is back when loaded; 0: never.");
  food.fixedColumn("enabled", ofFoods(kEnabled), {"none", 0, 1}, "1 where the slot is one of the foods in force.");
}

void describeSets(const Layout& layout, Manifest& m) {
  const std::vector<int> foods = numbersFrom(layout.numAgents, layout.numFoods);
  std::vector<int> kinds[2];
  for (int f = 0; f < layout.numFoods; ++f) kinds[f % 2].push_back(foods[static_cast<std::size_t>(f)]);
  m.sets = {{"agent", kAgentKind, numbersFrom(0, layout.numAgents), false, "All agents."},
            {"food", kFoodKind, foods, false, "All foods, those that are gone too."},
            {"apple", kFoodKind, kinds[0], false, "Foods of the first, third, ... slot."},
            {"berry", kFoodKind, kinds[1], false, "Foods of the second, fourth, ... slot."},
            {"landmark", kFoodKind, foods, false, "The same as food: there is nothing else on the field."}};
}

void describeReadings(const Layout& layout, Manifest& m) {
  const double slots = layout.numFoods;
  m.signals = {{"time", "steps", 0, static_cast<double>(m.episodeLength), "Steps taken in this episode."},
               {"food_left", "none", 0, slots, "Foods on the field."},
               {"level_left", "none", 0, 3 * kMaxLevel * slots, "Levels of the foods on the field, summed."}};
  m.components = {{"load",
                   "Share of the level of all foods at the start that the agent loaded in the step: times the worth of "
                   "the food, and shared by levels with those who loaded it too."},
                  {"penalty",
                   "Minus load.penalty where the agent failed to load, because those who loaded the same food were too "
                   "weak together."}};
  m.nominalReturn = 1.0 / layout.numAgents;
  m.metrics = {
      {"success", "none", false, "higher", 0, 1,
       "1 if at the last step no food is left that is worth something and there was some, else 0."},
      {"food_share", "none", false, "higher", 0, 1,
       "Level of the foods loaded, as a share of that of all foods that came up in the episode."},
      {"loads", "none", true, "higher", 0, kMost, "Foods that the agent helped to load."},
      {"failed_loads", "none", true, "lower", 0, kMost, "Times the agent tried to load with too little strength."},
      {"cooperation_index", "none", true, "higher", 0, 1,
       "Of the times the agent tried to load: the share in which a mate tried to load the same food. No value for an "
       "agent that never tried."},
      {"role_adherence", "none", true, "higher", 0, 1,
       "Share of the steps after whose moves the agent was beside a food, or nearer to the nearest one than before."},
      {"exploration_ratio", "none", true, "neither", 0, 1,
       "Share of the cells of a 7 x 7 grid over the field in which the agent was, the one where it started among them; "
       "on a field with fewer rows or columns than 7 the grid has no more."}};
}

void describeActs(Manifest& m) {
  m.relations = {
      {"beside", true, kAgentKind, kFoodKind, "none", "The food is in one of the four cells around the agent."},
      {"sees", true, kAgentKind, std::nullopt, "none", "The agent observes the other agent, or the food."}};
  m.events = {{"food", "spawn", TargetKind::kNone, true, std::nullopt,
               "A food comes up in a free slot: at random by the rule of the start, or in the free cell nearest to a "
               "place. Nothing happens where all slots are taken; food.capacity lays out more."},
              {"food", "remove", TargetKind::kLandmark, false, std::nullopt, "The food is gone and pays nobody."},
              {"relocation", "disturb", TargetKind::kLandmark, false, std::nullopt,
               "The food is put into another cell, by the rule of the start."},
              {"layout", "disturb", TargetKind::kNone, false, std::nullopt,
               "All foods are put into other cells, by the rule of the start."},
              {"goal", "disturb", TargetKind::kNone, false, std::nullopt,
               "It is drawn anew which of the foods on the field count: each with chance 1/2, but one for sure. The "
               "others pay nothing."}};
  m.behaviours = {
      {"hold", TargetKind::kNone, "Stays."},
      {"gather", TargetKind::kLandmark,
       "Goes to the food and loads it; without a target to the nearest one that it can load alone, else to the "
       "nearest."},
      {"help", TargetKind::kAgent,
       "Goes to the food that is nearest to the agent and loads it; without a target to that of the nearest mate."},
      {"goto", TargetKind::kAny, "Goes to the target until beside it."},
      {"flee", TargetKind::kAny, "Steps away from the target; without one from the nearest mate."},
      {"wander", TargetKind::kNone, "Any legal action, drawn at random."}};
}

}  // namespace

Description describe(const Layout& layout, const ParameterValues& values) {
  Description out{};
  Manifest& m = out.manifest;
  m.name = "foraging";
  m.version = 2;
  m.title = "Foraging";
  m.doc =
      "Agents with levels walk on a grid and load foods with levels, together where one alone is too weak: level-based "
      "foraging.";
  m.numAgents = layout.numAgents;
  m.numLandmarks = layout.numFoods;
  m.obsDim = layout.obsDim();
  m.stateDim = layout.obsDim() * layout.numAgents;
  m.numActions = kNumActions;
  m.continuousDim = 0;
  m.episodeLength = layout.config.episodeLength;
  m.stepSeconds = 1.0;
  m.parameters = parameters();
  describeCapacity(m, values, "food", "food");
  describeReach(m, "agent.sight", std::max(layout.config.rows, layout.config.columns) - 1.0);
  describeReach(m, "food.respawn", m.episodeLength - 1.0);
  const Config& config = layout.config;
  if (config.agentMinLevel == config.agentMaxLevel)
    describeDefault(m, "food.max_level", config.agentMaxLevel * std::min(3, config.numAgents));
  m.presence = {"", "there"};
  m.groups = {{"agent",
               numberedNames("agent", layout.numAgents),
               0,
               m.obsDim,
               kNumActions,
               {"none", "north", "south", "west", "east", "load"},
               0,
               {"noop", "random", "forage", "alone", "temper"}}};
  describeSets(layout, m);
  describeAttributes(layout, out);
  describeReadings(layout, m);
  describeActs(m);
  return out;
}

}  // namespace gymwright::foraging
