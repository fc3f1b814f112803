#include <functional>

#include "check.hpp"
#include "probe_scenario.hpp"
#include "sim/check_scenario.hpp"
#include "test_env.hpp"

using namespace gymwright;
using namespace gymwright::test;

namespace {

/// The probe scenario with its manifest spoilt.
class Spoilt final : public Scenario {
 public:
  explicit Spoilt(const std::function<void(Manifest&, std::vector<AttributeAddress>&, std::vector<double>&)>& spoil) {
    const ProbeScenario whole;
    manifest_ = whole.manifest();
    stateWords_ = whole.stateWords();
    addresses_.assign(whole.addresses().begin(), whole.addresses().end());
    baseAttributes_.assign(whole.baseAttributes().begin(), whole.baseAttributes().end());
    for (const char* general : {"cooperation_index", "role_adherence", "exploration_ratio"})
      manifest_.metrics.push_back({general, "none", true, "higher", 0, 1, "A share."});
    spoil(manifest_, addresses_, baseAttributes_);
  }
  void reset(double*, const EpisodeRng&) const override {}
  bool isValidState(const double*) const override { return true; }
  void decodeDiscrete(int, std::int32_t, double*) const override {}
  bool advance(double*, const double*, const double*, double*) const override { return false; }
  void writeObs(const double*, float*) const override {}
  void writeObs(const double*, double*) const override {}
  double signal(int, const double*, std::int32_t) const override { return 0; }
  int positionWord(int entity) const override { return 2 * entity; }
  void writeMetrics(const double*, std::int32_t, double*) const override {}
};

using Addresses = std::vector<AttributeAddress>;
using Bases = std::vector<double>;

void checkFound(const std::function<void(Manifest&, Addresses&, Bases&)>& spoil, const std::string& part) {
  const std::string problem = checkScenario(Spoilt(spoil)).value_or("nothing");
  if (problem.find(part) == std::string::npos)
    fail(__FILE__, __LINE__, "\"", problem, "\" does not say \"", part, "\"");
}
void checkFound(const std::function<void(Manifest&)>& spoil, const std::string& part) {
  checkFound([&spoil](Manifest& m, Addresses&, Bases&) { spoil(m); }, part);
}

/// A parameter by which a group plays under a policy.
Parameter playedUnder(const std::string& group, const std::string& policy) {
  Parameter parameter = {"a", "int", "m", 1, 0, 1, false, false, ""};
  parameter.playedBy = BuiltInPlay{group, policy};
  return parameter;
}

}  // namespace

TEST("nothing contradicts itself in the built-in scenarios, by default and at the bounds of each parameter") {
  checkFound([](Manifest&) {}, "nothing");
  for (const std::string& name : scenarioNames()) {
    const auto scenario = scenarioOf(name);
    CHECK_EQ(checkScenario(*scenario).value_or(""), std::string());
    for (const Parameter& parameter : scenario->manifest().parameters) {
      for (const double value : {parameter.min, parameter.max}) {
        // Some bounds go together with others only.
        const auto other = scenarioOf(name, {{parameter.name, value}});
        if (other != nullptr) CHECK_EQ(checkScenario(*other).value_or(""), std::string());
      }
    }
  }
}

TEST("what contradicts itself is found and its place named") {
  checkFound([](Manifest& m) { m.name = "no name"; }, "is no name");
  checkFound([](Manifest& m) { m.numActions = 0; }, "numActions is 0");
  checkFound([](Manifest& m) { m.nominalReturn = 0; }, "nominalReturn");
  checkFound([](Manifest& m) { m.parameters = {{"a", "text", "none", 0, 0, 1, false, false, ""}}; }, "kind \"text\"");
  checkFound([](Manifest& m) { m.parameters = {{"a", "int", "miles", 0, 0, 1, false, false, ""}}; }, "unit \"miles\"");
  checkFound([](Manifest& m) { m.parameters = {{"a", "int", "m", 2, 0, 1, false, false, ""}}; }, "default is out");
  checkFound([](Manifest& m) { m.parameters = {{"a", "int", "m", 2, 0, 1e10, false, false, ""}}; }, "an int holds");
  checkFound([](Manifest& m) { m.parameters = {playedUnder("agent", "nobody")}; }, "policy \"nobody\", which is not there");
  checkFound([](Manifest& m) { m.parameters = {playedUnder("none", "noop")}; }, "played by group none");
  checkFound(
      [](Manifest& m) {
        m.parameters = {{"a", "int", "m", 1, 0, 1, false, false, ""}};
        m.parameters[0].reach = std::nan("");
      },
      "its reach is no number");
  checkFound(
      [](Manifest& m) {
        m.parameters = {{"a", "int", "m", 1, 0, 1, false, false, ""}};
        m.parameters[0].standsFor = 2;
      },
      "its default stands for what is out of its bounds");
  checkFound(
      [](Manifest& m) {
        m.parameters = {{"a", "int", "m", 1, 0, 3, false, false, ""}};
        m.parameters[0].standsFor = 2.5;
      },
      "its default stands for what is not whole");
  checkFound([](Manifest& m) { m.relations[0].towards = {"ally", "anybody"}; }, "holds towards \"anybody\"");
  checkFound([](Manifest& m) { m.groups[0].agents.pop_back(); }, "not numAgents");
  checkFound([](Manifest& m) { m.groups[0].actionNames.pop_back(); }, "actionNames");
  checkFound([](Manifest& m) { m.groups[0].obsDim = 9; }, "obsDim is 9");
  checkFound([](Manifest& m) { m.groups[0].scripted = {"npc"}; }, "\"npc\" is no free name");
  checkFound([](Manifest& m) { m.sets[0].entities = {0, 7}; }, "entity is 7");
  checkFound([](Manifest& m) { m.sets[0].entities = {0, 2}; }, "entity 2 is of the other kind");
  checkFound([](Manifest& m) { m.sets.push_back(m.sets[0]); }, "\"agent\" is there twice");
  checkFound([](Manifest& m) { m.sets[0].name = "when"; }, "sets: \"when\" is a word of EDL");
  checkFound([](Manifest& m) { m.signals[0].name = "over"; }, "signals: \"over\" is a word of EDL");
  checkFound([](Manifest& m) { m.metrics[0].name = "and"; }, "metrics: \"and\" is a word of EDL");
  checkFound([](Manifest& m) { m.behaviours[0].name = "for"; }, "behaviours: \"for\" is a word of EDL");
  checkFound([](Manifest& m) { m.groups[0].agents[1] = "self"; }, "group agent: agent: \"self\" means something else");
  checkFound([](Manifest& m) { m.signals[0].name = "distance"; }, "signals: \"distance\" means something else");
  checkFound([](Manifest& m) { m.attributes[1].name = "distance"; }, "attributes: \"distance\" means something else");
  checkFound([](Manifest& m) { m.attributes[0].min = std::nan(""); }, "no finite range");
  checkFound([](Manifest& m) { m.attributes[0].of = {"nowhere"}; }, "is not there");
  checkFound([](Manifest& m) { m.signals[0].max = std::numeric_limits<double>::infinity(); }, "signal time");
  checkFound([](Manifest& m) { m.metrics[0].doc = ""; }, "no written definition");
  checkFound([](Manifest& m) { m.metrics[0].better = "more"; }, "better is not");
  checkFound([](Manifest& m) { m.metrics[2].name = "adherence"; }, "every scenario has role_adherence");
  checkFound([](Manifest& m) { m.metrics[3].max = 100; }, "exploration_ratio: its range must be 0..1");
  checkFound([](Manifest& m) { m.events[0].verb = "explode"; }, "verb is not");
  checkFound([](Manifest& m) { m.events[0].amount->defaultValue = 99; }, "default amount");
  checkFound([](Manifest& m) { m.capacities = {{"agent", "a", "b"}}; }, "no parameter \"a\"");
  checkFound([](Manifest& m) { m.presence.agent = "alive"; }, "agents have no attribute alive");
  checkFound(
      [](Manifest& m) {
        m.parameters = {{"a", "int", "m", 1, 0, 1, false, false, "", LiveSetting{"energy", "agent", "value"}}};
      },
      "is in the state");
  checkFound([](Manifest&, Addresses& addresses, Bases&) { addresses[1].base = 12; }, "outside its 14 words");
  checkFound([](Manifest&, Addresses& addresses, Bases&) { addresses[0].base = -1; }, "outside its 2 words");
  checkFound([](Manifest&, Addresses& addresses, Bases&) { addresses[0].isInState = true; }, "in the attribute row");
  checkFound([](Manifest&, Addresses&, Bases& bases) { bases[1] = 11; }, "base of entity 1 is out of its bounds");
  checkFound([](Manifest&, Addresses& addresses, Bases&) { addresses.pop_back(); }, "one address per attribute");
}
