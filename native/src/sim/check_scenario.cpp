#include "sim/check_scenario.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "sim/generated/edl_words.hpp"

namespace gymwright {
namespace {

using Problem = std::optional<std::string>;

constexpr int kMostEntities = 1 << 12;
constexpr int kMostWords = 1 << 20;
constexpr double kMostWhole = 2147483647.0;
/// What these mean in an npc is its agent and how far the agent is from its aim.
constexpr std::array<const char*, 2> kWordsOfNpcs = {"self", "distance"};
constexpr std::array<const char*, 8> kUnits = {"none", "m", "s", "steps", "m/s", "m/s^2", "percent", "deg"};

template <typename List>
bool isOneOf(const std::string& value, const List& known) {
  return std::any_of(known.begin(), known.end(), [&value](const char* each) { return value == each; });
}

/// Letters, digits and _, beginning with a letter; parts joined by dots where `isDotted`.
bool isName(const std::string& name, bool isDotted) {
  bool isStart = true;
  for (const char c : name) {
    const bool isLetter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    const bool isInner = isLetter || (c >= '0' && c <= '9') || c == '_';
    if (isStart ? !isLetter : !(isInner || (isDotted && c == '.'))) return false;
    isStart = c == '.';
  }
  return !isStart;
}

/// Names of a list: each well formed and there once. `keyOf` tells apart what may share a name.
template <typename List, typename Key>
Problem checkNames(const char* list, const List& items, bool isDotted, Key keyOf) {
  std::set<std::string> seen;
  for (const auto& item : items) {
    if (!isName(item.name, isDotted))
      return std::string(list) + ": \"" + item.name + "\" is no name: letters, digits and _, beginning with a letter";
    if (!seen.insert(keyOf(item)).second) return std::string(list) + ": \"" + item.name + "\" is there twice";
  }
  return std::nullopt;
}

template <typename List>
Problem checkNames(const char* list, const List& items, bool isDotted = false) {
  return checkNames(list, items, isDotted, [](const auto& item) { return item.name; });
}

/// Whether a program can write a name where no dot comes before it.
Problem checkReserved(const std::string& where, const std::string& name) {
  if (!isOneOf(name, kReservedWords)) return std::nullopt;
  return where + ": \"" + name + "\" is a word of EDL, so that no program can name it";
}

/// Whether an npc's program can, too.
Problem checkShadowed(const std::string& where, const std::string& name) {
  if (!isOneOf(name, kWordsOfNpcs)) return std::nullopt;
  return where + ": \"" + name + "\" means something else in an npc of EDL";
}

Problem checkFree(const std::string& where, const std::string& name) {
  const Problem problem = checkReserved(where, name);
  return problem ? problem : checkShadowed(where, name);
}

using NameCheck = Problem (*)(const std::string& where, const std::string& name);

template <typename List>
Problem checkNames(const char* list, const List& items, NameCheck check) {
  for (const auto& item : items) {
    if (auto problem = check(list, item.name)) return problem;
  }
  return checkNames(list, items);
}

Problem checkRange(const std::string& where, const std::string& unit, double min, double max) {
  if (!isOneOf(unit, kUnits)) return where + ": unit \"" + unit + "\" is none of the known ones";
  if (!std::isfinite(min) || !std::isfinite(max) || min > max) return where + ": min and max are no finite range";
  return std::nullopt;
}

Problem between(const std::string& what, int value, int low, int high) {
  if (value >= low && value <= high) return std::nullopt;
  return what + " is " + std::to_string(value) + ", not in " + std::to_string(low) + ".." + std::to_string(high);
}

class Checker {
 public:
  explicit Checker(const Scenario& scenario) : s_(scenario), m_(scenario.manifest()) {}

  Problem run() {
    using Check = Problem (Checker::*)() const;
    constexpr Check kChecks[] = {&Checker::checkSizes,      &Checker::checkParameters, &Checker::checkGroups,
                                 &Checker::checkSets,       &Checker::checkAttributes, &Checker::checkAddresses,
                                 &Checker::checkPositions,  &Checker::checkReadings,   &Checker::checkMetrics,
                                 &Checker::checkRelations,  &Checker::checkEvents,     &Checker::checkBehaviours,
                                 &Checker::checkCapacities, &Checker::checkPresence,   &Checker::checkLive};
    for (const Check check : kChecks) {
      if (auto problem = (this->*check)()) return problem;
    }
    return std::nullopt;
  }

 private:
  Problem checkSizes() const {
    if (!isName(m_.name, false)) return "name: \"" + m_.name + "\" is no name";
    const std::pair<const char*, int> positive[] = {{"version", m_.version},       {"numAgents", m_.numAgents},
                                                    {"obsDim", m_.obsDim},         {"stateDim", m_.stateDim},
                                                    {"numActions", m_.numActions}, {"episodeLength", m_.episodeLength}};
    for (const auto& [name, value] : positive) {
      if (auto problem = between(name, value, 1, kMostWords)) return problem;
    }
    if (auto problem = between("numAgents", m_.numAgents, 1, kMostEntities)) return problem;
    if (auto problem = between("numLandmarks", m_.numLandmarks, 0, kMostEntities)) return problem;
    if (auto problem = between("continuousDim", m_.continuousDim, 0, kMostWords)) return problem;
    if (auto problem = between("control words", s_.controlWords(), 1, kMostWords)) return problem;
    if (auto problem = between("state words", s_.stateWords(), 0, kMostWords)) return problem;
    if (!(m_.stepSeconds > 0) || !std::isfinite(m_.stepSeconds)) return "stepSeconds must be positive";
    if (!(m_.nominalReturn > 0) || !std::isfinite(m_.nominalReturn)) return "nominalReturn must be positive";
    return std::nullopt;
  }

  Problem checkParameters() const {
    constexpr std::array<const char*, 4> kKinds = {"int", "float", "bool", "choice"};
    if (auto problem = checkNames("parameters", m_.parameters, true)) return problem;
    for (const Parameter& p : m_.parameters) {
      const std::string where = "parameter " + p.name;
      if (!isOneOf(p.kind, kKinds)) return where + ": kind \"" + p.kind + "\" is not int, float, bool or choice";
      if (auto problem = checkRange(where, p.unit, p.min, p.max)) return problem;
      if (!(p.defaultValue >= p.min && p.defaultValue <= p.max)) return where + ": the default is out of its bounds";
      if (p.kind != "float" && std::max(std::fabs(p.min), std::fabs(p.max)) > kMostWhole)
        return where + ": its bounds are beyond what an int holds";
      if (p.kind != "float" && p.defaultValue != std::floor(p.defaultValue))
        return where + ": the default is not whole";
      if (auto problem = checkChoices(p)) return where + ": " + *problem;
      if (p.playedBy && !isBuiltIn(*p.playedBy))
        return where + " is played by group " + p.playedBy->group + " under policy \"" + p.playedBy->policy +
               "\", which is not there";
      if (p.reach && !std::isfinite(*p.reach)) return where + ": its reach is no number";
      if (p.standsFor && !(*p.standsFor >= p.min && *p.standsFor <= p.max))
        return where + ": its default stands for what is out of its bounds";
      if (p.standsFor && p.kind != "float" && *p.standsFor != std::floor(*p.standsFor))
        return where + ": its default stands for what is not whole";
    }
    return std::nullopt;
  }

  bool isBuiltIn(const BuiltInPlay& play) const {
    return std::any_of(m_.groups.begin(), m_.groups.end(), [&play](const Group& group) {
      return group.name == play.group &&
             std::find(group.scripted.begin(), group.scripted.end(), play.policy) != group.scripted.end();
    });
  }

  static Problem checkChoices(const Parameter& p) {
    if (p.kind != "choice") return p.choices.empty() ? Problem() : "it has choices but is of kind " + p.kind;
    if (p.choices.size() < 2 || p.min != 0.0 || p.max != static_cast<double>(p.choices.size()) - 1.0)
      return "a choice is among at least two names, min is 0 and max the index of the last";
    std::set<std::string> seen;
    for (const std::string& name : p.choices) {
      // Such as 3m: letters, digits and _ in any order.
      if (!isName("x" + name, false) || name.empty()) return "choice \"" + name + "\" is no name";
      if (!seen.insert(name).second) return "choice " + name + " is there twice";
    }
    return std::nullopt;
  }

  Problem checkGroups() const {
    if (auto problem = checkNames("groups", m_.groups)) return problem;
    std::set<std::string> agents;
    int next = 0;
    for (const Group& g : m_.groups) {
      const std::string where = "group " + g.name;
      if (g.agents.empty()) return where + " has no agents";
      if (g.firstAgent != next)
        return where + ": firstAgent must be " + std::to_string(next) + ", after the group before";
      next += static_cast<int>(g.agents.size());
      for (const std::string& agent : g.agents) {
        if (!isName(agent, false)) return where + ": agent \"" + agent + "\" is no name";
        if (auto problem = checkFree(where + ": agent", agent)) return problem;
        if (!agents.insert(agent).second) return where + ": agent " + agent + " is there twice";
      }
      if (auto problem = between(where + ": obsDim", g.obsDim, 1, m_.obsDim)) return problem;
      if (auto problem = between(where + ": numActions", g.numActions, 1, m_.numActions)) return problem;
      if (auto problem = between(where + ": continuousDim", g.continuousDim, 0, m_.continuousDim)) return problem;
      if (g.actionNames.size() != static_cast<std::size_t>(g.numActions))
        return where + ": actionNames must name every action";
      for (const std::string& policy : g.scripted) {
        if (!isName(policy, false) || policy == "npc")
          return where + ": scripted policy \"" + policy + "\" is no free name";
      }
      const bool isKnown = std::find(g.scripted.begin(), g.scripted.end(), g.defaultScripted) != g.scripted.end();
      if (!g.defaultScripted.empty() && !isKnown)
        return where + ": defaultScripted \"" + g.defaultScripted + "\" is none of its scripted policies";
    }
    if (next != m_.numAgents) return "groups have " + std::to_string(next) + " agents, not numAgents";
    return std::nullopt;
  }

  Problem checkSets() const {
    if (auto problem = checkNames("sets", m_.sets, checkFree)) return problem;
    for (const EntitySet& set : m_.sets) {
      const std::string where = "set " + set.name;
      std::set<int> seen;
      if (set.isDynamic && set.entities.empty()) return where + " is dynamic and has no candidates";
      for (const int e : set.entities) {
        if (auto problem = between(where + ": entity", e, 0, m_.numEntities() - 1)) return problem;
        if (m_.kindOf(e) != set.kind) return where + ": entity " + std::to_string(e) + " is of the other kind";
        if (!seen.insert(e).second) return where + ": entity " + std::to_string(e) + " is there twice";
      }
    }
    return std::nullopt;
  }

  Problem checkAttributes() const {
    const auto key = [](const Attribute& a) {
      return (a.kind == EntityKind::kAgent ? "agent." : "landmark.") + a.name;
    };
    if (auto problem = checkNames("attributes", m_.attributes, false, key)) return problem;
    for (const Attribute& a : m_.attributes) {
      const std::string where = "attribute " + a.name;
      // After a dot any word is free; in an npc its agent's attributes are named without one.
      if (auto problem = checkShadowed("attributes", a.name)) return problem;
      if (auto problem = checkRange(where, a.unit, a.min, a.max)) return problem;
      for (const std::string& name : a.of) {
        const EntitySet* set = findSet(name);
        if (set == nullptr) return where + " is of set \"" + name + "\", which is not there";
        if (set->kind != a.kind) return where + " is of set " + name + ", which is of the other kind";
      }
    }
    return std::nullopt;
  }

  Problem checkAddresses() const {
    if (s_.addresses().size() != m_.attributes.size()) return "there must be one address per attribute";
    for (std::size_t i = 0; i < m_.attributes.size(); ++i) {
      const Attribute& a = m_.attributes[i];
      const std::string where = "address of attribute " + a.name;
      const bool isInState = s_.addresses()[i].isInState;
      if (a.isWritable && isInState) return where + ": it is writable, so it must be in the attribute row";
      const auto words = static_cast<std::size_t>(isInState ? s_.stateWords() : s_.attributeWords());
      for (int e = 0; e < m_.numEntities(); ++e) {
        if (!m_.applies(a, e)) continue;
        const std::size_t word = s_.attributeWord(static_cast<int>(i), e);
        if (word >= words)
          return where + ": word of entity " + std::to_string(e) + " is outside its " + std::to_string(words) +
                 " words";
        if (isInState) continue;
        const double base = s_.baseAttributes()[word];
        if (!(base >= a.min && base <= a.max))
          return "attribute " + a.name + ": the base of entity " + std::to_string(e) + " is out of its bounds";
      }
    }
    return std::nullopt;
  }

  Problem checkPositions() const {
    for (int e = 0; e < m_.numEntities(); ++e) {
      const int word = s_.positionWord(e);
      if (word < 0 || word + 1 >= s_.stateWords())
        return "positionWord of entity " + std::to_string(e) + " is outside the state";
    }
    return std::nullopt;
  }

  Problem checkReadings() const {
    if (auto problem = checkNames("signals", m_.signals, checkFree)) return problem;
    for (const Signal& signal : m_.signals) {
      if (auto problem = checkRange("signal " + signal.name, signal.unit, signal.min, signal.max)) return problem;
    }
    return checkNames("components", m_.components);
  }

  Problem checkMetrics() const {
    constexpr std::array<const char*, 3> kDirections = {"higher", "lower", "neither"};
    if (auto problem = checkNames("metrics", m_.metrics, checkReserved)) return problem;
    for (const char* general : {"cooperation_index", "role_adherence", "exploration_ratio"}) {
      const auto found = std::find_if(m_.metrics.begin(), m_.metrics.end(),
                                      [general](const Metric& metric) { return metric.name == general; });
      if (found == m_.metrics.end())
        return std::string("metrics: every scenario has ") + general +
               ", a number from 0 to 1 with a definition of its own; NaN where it makes no sense";
      if (found->min != 0.0 || found->max != 1.0) return std::string("metric ") + general + ": its range must be 0..1";
    }
    for (const Metric& metric : m_.metrics) {
      const std::string where = "metric " + metric.name;
      if (auto problem = checkRange(where, metric.unit, metric.min, metric.max)) return problem;
      if (!isOneOf(metric.better, kDirections)) return where + ": better is not higher, lower or neither";
      if (metric.doc.empty()) return where + " has no written definition";
    }
    return std::nullopt;
  }

  Problem checkRelations() const {
    if (auto problem = checkNames("relations", m_.relations)) return problem;
    for (const Relation& relation : m_.relations) {
      if (!isOneOf(relation.unit, kUnits))
        return "relation " + relation.name + ": unit \"" + relation.unit + "\" is none of the known ones";
      for (const std::string& whom : relation.towards) {
        if (whom != "ally" && whom != "opponent" && findSet(whom) == nullptr)
          return "relation " + relation.name + " holds towards \"" + whom + "\", which is no set, ally or opponent";
      }
    }
    return std::nullopt;
  }

  Problem checkEvents() const {
    constexpr std::array<const char*, 3> kVerbs = {"spawn", "disturb", "remove"};
    const auto key = [](const Event& event) { return event.verb + " " + event.name; };
    if (auto problem = checkNames("events", m_.events, false, key)) return problem;
    for (const Event& event : m_.events) {
      const std::string where = "event " + event.name;
      if (!isOneOf(event.verb, kVerbs)) return where + ": verb is not spawn, disturb or remove";
      if (event.isPlaced && event.target != TargetKind::kNone)
        return where + " cannot be both directed at an entity and placed";
      if (!event.amount) continue;
      const EventAmount& amount = *event.amount;
      if (auto problem = checkRange(where + ": amount", amount.unit, amount.min, amount.max)) return problem;
      if (!(amount.defaultValue >= amount.min && amount.defaultValue <= amount.max))
        return where + ": the default amount is out of its bounds";
    }
    return std::nullopt;
  }

  Problem checkBehaviours() const { return checkNames("behaviours", m_.behaviours, checkReserved); }

  Problem checkCapacities() const {
    for (const Capacity& capacity : m_.capacities) {
      const std::string where = "capacity of " + capacity.set;
      if (findSet(capacity.set) == nullptr) return where + ": there is no such set";
      for (const std::string& name : {capacity.count, capacity.capacity}) {
        if (findParameter(name) == nullptr) return where + ": there is no parameter \"" + name + "\"";
      }
    }
    return std::nullopt;
  }

  Problem checkPresence() const {
    if (!m_.presence.agent.empty() && !hasAttribute(EntityKind::kAgent, m_.presence.agent))
      return "presence: agents have no attribute " + m_.presence.agent;
    if (!m_.presence.landmark.empty() && !hasAttribute(EntityKind::kLandmark, m_.presence.landmark))
      return "presence: landmarks have no attribute " + m_.presence.landmark;
    return std::nullopt;
  }

  Problem checkLive() const {
    for (const Parameter& p : m_.parameters) {
      if (!p.live) continue;
      const std::string where = "parameter " + p.name + ": live";
      const EntitySet* set = findSet(p.live->set);
      if (set == nullptr) return where + ": there is no set \"" + p.live->set + "\"";
      if (p.live->mode != "value" && p.live->mode != "count") return where + ": mode is not value or count";
      for (std::size_t i = 0; i < m_.attributes.size(); ++i) {
        if (m_.attributes[i].name != p.live->attribute || m_.attributes[i].kind != set->kind) continue;
        if (s_.addresses()[i].isInState)
          return where + ": attribute " + p.live->attribute + " is in the state, not in the attribute row";
      }
      if (!hasAttribute(set->kind, p.live->attribute))
        return where + ": set " + set->name + " has no attribute " + p.live->attribute;
    }
    return std::nullopt;
  }

  const EntitySet* findSet(const std::string& name) const {
    const auto found =
        std::find_if(m_.sets.begin(), m_.sets.end(), [&name](const EntitySet& set) { return set.name == name; });
    return found == m_.sets.end() ? nullptr : &*found;
  }

  const Parameter* findParameter(const std::string& name) const {
    const auto found = std::find_if(m_.parameters.begin(), m_.parameters.end(),
                                    [&name](const Parameter& p) { return p.name == name; });
    return found == m_.parameters.end() ? nullptr : &*found;
  }

  bool hasAttribute(EntityKind kind, const std::string& name) const {
    return std::any_of(m_.attributes.begin(), m_.attributes.end(),
                       [&](const Attribute& a) { return a.kind == kind && a.name == name; });
  }

  const Scenario& s_;
  const Manifest& m_;
};

}  // namespace

std::optional<std::string> checkScenario(const Scenario& scenario) { return Checker(scenario).run(); }

}  // namespace gymwright
