#include <numeric>
#include <utility>

#include "scenarios/foraging/layout.hpp"

namespace gymwright::foraging {
namespace {

constexpr auto kAgentKind = EntityKind::kAgent;
constexpr auto kFoodKind = EntityKind::kLandmark;
constexpr double kMost = 1e6;

std::vector<std::string> numbered(const std::string& name, int count) {
  std::vector<std::string> names;
  for (int i = 0; i < count; ++i) names.push_back(name + "_" + std::to_string(i));
  return names;
}

/// Collects attributes with their addresses.
class AttributeList {
 public:
  AttributeList(const Layout& layout, Description& out) : layout_(layout), out_(out) {}

  void agent(const char* name, AgentWord word, const char* unit, double min, double max, const char* doc) {
    add({name, kAgentKind, unit, min, max, false, doc}, {true, layout_.agentWord(0) + word, kAgentWords});
  }
  void agent(const char* name, AgentColumn column, double min, double max, bool isWritable, const char* doc) {
    add({name, kAgentKind, "none", min, max, isWritable, doc}, {false, layout_.agentColumn(column), 1});
  }
  void food(const char* name, int word, const char* unit, double min, double max, const char* doc) {
    add({name, kFoodKind, unit, min, max, false, doc}, {true, layout_.foodWord(0) + word, kFoodWords});
  }
  void food(const char* name, FoodColumn column, const char* unit, double min, double max, bool isWritable,
            const char* doc) {
    add({name, kFoodKind, unit, min, max, isWritable, doc}, {false, layout_.foodColumn(column), 1});
  }

 private:
  void add(Attribute attribute, AttributeAddress address) {
    out_.manifest.attributes.push_back(std::move(attribute));
    out_.addresses.push_back(address);
  }

  const Layout& layout_;
  Description& out_;
};

void describeAttributes(const Layout& layout, AttributeList& list) {
  const double right = layout.config.columns - 1;
  const double top = layout.config.rows - 1;
  list.agent("x", kX, "m", 0, right, "Column, a metre wide each.");
  list.agent("y", kY, "m", 0, top, "Row, counted from below: north is up.");
  list.agent("vx", kVx, "m/s", -1, 1, "Columns passed in the last step, to the east.");
  list.agent("vy", kVy, "m/s", -1, 1, "Rows passed in the last step, to the north.");
  list.agent("level", kLevel, "none", 1, kMaxLevel, "Level, drawn for the episode.");
  list.agent("loads", kLoads, "none", 0, kMost, "Foods that the agent helped to load in this episode.");
  list.agent("strength", kStrength, 0.1, 5, true, "Factor of the level with which the agent loads.");
  list.agent("penalty", kPenalty, 0, 10, true, "What the agent pays when it fails to load.");
  list.agent("temper", kTemper, 0, 2, false, "Under the scripted policy \"temper\": 0 team, 1 alone, 2 idle.");
  list.food("x", kX, "m", 0, right, "Column; of a food that is gone the last one.");
  list.food("y", kY, "m", 0, top, "Row, counted from below; of a food that is gone the last one.");
  list.food("level", kFoodLevel, "none", 0, 3 * kMaxLevel, "Level; 0 when gone.");
  list.food("there", kThere, "none", 0, 1, "1 while the food is on the field.");
  list.food("counts", kCounts, "none", 0, 1, "0 where a change of the goal made the food worth nothing.");
  list.food("due", kBack, "steps", 0, kMost, "Steps until the food comes back; 0: it does not, or is there.");
  list.food("worth", kWorth, "none", 0, 5, true, "Factor of what loading the food pays, where it counts.");
  list.food("weight", kWeight, "none", 0.1, 5, true, "Factor of the level that loading the food needs.");
  list.food("respawn", kRespawn, "steps", 0, 1000, true, "Steps after which the food is back when loaded; 0: never.");
  list.food("enabled", kEnabled, "none", 0, 1, false, "1 where the slot is one of the foods in force.");
}

void describeSets(const Layout& layout, Manifest& m) {
  std::vector<int> agents(static_cast<std::size_t>(layout.numAgents));
  std::iota(agents.begin(), agents.end(), 0);
  std::vector<int> kinds[2];
  std::vector<int> foods;
  for (int f = 0; f < layout.numFoods; ++f) {
    foods.push_back(layout.numAgents + f);
    kinds[f % 2].push_back(layout.numAgents + f);
  }
  m.sets = {{"agent", kAgentKind, agents, false, "All agents."},
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
  m.components = {{"load", "Share of the level of all foods at the start that the agent loaded in the step: times the "
                           "worth of the food, and shared by levels with those who loaded it too."},
                  {"penalty", "Minus load.penalty where the agent failed to load, because those who loaded the same food "
                              "were too weak together."}};
  m.nominalReturn = 1.0 / layout.numAgents;
  m.metrics = {
      {"success", "none", false, "higher", 0, 1,
       "1 if at the last step no food is left that is worth something and there was some, else 0."},
      {"food_share", "none", false, "higher", 0, 1,
       "Level of the foods loaded, as a share of that of all foods that came up in the episode."},
      {"loads", "none", true, "higher", 0, kMost, "Foods that the agent helped to load."},
      {"failed_loads", "none", true, "lower", 0, kMost, "Times the agent tried to load with too little strength."},
      {"cooperation_index", "none", true, "higher", 0, 1,
       "Of the times the agent tried to load: the share in which a mate tried to load the same food. No value for an agent "
       "that never tried."},
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
               "A food comes up in a free slot: at random by the rule of the start, or in the free cell nearest to a place. "
               "Nothing happens where all slots are taken; food.capacity lays out more."},
              {"food", "remove", TargetKind::kLandmark, false, std::nullopt, "The food is gone and pays nobody."},
              {"relocation", "disturb", TargetKind::kLandmark, false, std::nullopt,
               "The food is put into another cell, by the rule of the start."},
              {"layout", "disturb", TargetKind::kNone, false, std::nullopt,
               "All foods are put into other cells, by the rule of the start."},
              {"goal", "disturb", TargetKind::kNone, false, std::nullopt,
               "It is drawn anew which of the foods on the field count: each with chance 1/2, but one for sure. The others "
               "pay nothing."}};
  m.behaviours = {
      {"hold", TargetKind::kNone, "Stays."},
      {"gather", TargetKind::kLandmark,
       "Goes to the food and loads it; without a target to the nearest one that it can load alone, else to the nearest."},
      {"help", TargetKind::kAgent,
       "Goes to the food that is nearest to the agent and loads it; without a target to that of the nearest mate."},
      {"goto", TargetKind::kAny, "Goes to the target until beside it."},
      {"flee", TargetKind::kAny, "Steps away from the target; without one from the nearest mate."},
      {"wander", TargetKind::kNone, "Any legal action, drawn at random."}};
}

/// The count is a matter of shapes unless a capacity is set.
void describeParameters(const ParameterValues& values, Manifest& m) {
  m.parameters = parameters();
  m.capacities = {{"food", "food.count", "food.capacity"}};
  for (Parameter& parameter : m.parameters) {
    if (parameter.name == "food.count") parameter.isStructural = values.number("food.capacity") == 0.0;
  }
  m.presence = {"", "there"};
}

}  // namespace

Description describe(const Layout& layout, const ParameterValues& values) {
  Description out{};
  Manifest& m = out.manifest;
  m.name = "foraging";
  m.version = 1;
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
  describeParameters(values, m);
  m.groups = {{"agent",
               numbered("agent", layout.numAgents),
               0,
               m.obsDim,
               kNumActions,
               {"none", "north", "south", "west", "east", "load"},
               0,
               {"noop", "random", "forage", "alone", "temper"}}};
  describeSets(layout, m);
  AttributeList list(layout, out);
  describeAttributes(layout, list);
  describeReadings(layout, m);
  describeActs(m);
  return out;
}

}  // namespace gymwright::foraging
