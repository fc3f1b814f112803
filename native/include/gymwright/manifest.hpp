#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace gymwright {

/// Kind of a world entity. World entity indices run over all agents, then all landmarks.
enum class EntityKind { kAgent, kLandmark };

/// What a regime changes while a copy plays, by way of a parameter.
struct LiveSetting {
  std::string attribute;
  std::string set;
  /// "value": the value is the base of the attribute of every member; "count": the attribute of the set's i-th member
  /// is 1 for i < value, else 0.
  std::string mode;
};

/// A built-in policy of a group.
struct BuiltInPlay {
  std::string group;
  std::string policy;
};

/// A value that `set` may change, resolved from its manifest name. Booleans are 0 or 1; a choice is the index of one of
/// its names.
struct Parameter {
  std::string name;
  std::string kind;  ///< "int", "float", "bool" or "choice"
  std::string unit;
  double defaultValue;
  double min;
  double max;
  bool isStructural;  ///< changes shapes
  bool isForCoach;    ///< a coach may change it
  std::string doc;
  std::optional<LiveSetting> live = std::nullopt;  ///< how a regime may set it; none: only before an episode
  std::vector<std::string> choices = {};           ///< what a choice is among: words, or names like 3m; else empty
  /// Who goes by it, where only built-in play does.
  std::optional<BuiltInPlay> playedBy = std::nullopt;
  /// What has to come into play, by the word that an environment says it with, before it makes a difference; empty: it
  /// does.
  std::string awaits = {};
  /// Values above it make no more difference than it does, usually; none: every value is another.
  std::optional<double> reach = std::nullopt;
  /// The value that the default comes to here, e.g. what a map says; none: it is one of its own.
  std::optional<double> standsFor = std::nullopt;
};

/// What differs between parameters of kind "choice"; the first name is the default.
struct ChoiceOptions {
  std::vector<std::string> names;
  bool isStructural = false;
  bool isForCoach = false;
};

/// A parameter that is one of several names.
inline Parameter choiceParameter(std::string name, ChoiceOptions options, std::string doc) {
  const double last = static_cast<double>(options.names.size()) - 1.0;
  return {std::move(name), "choice",           "none",         0,           0, last, options.isStructural,
          options.isForCoach, std::move(doc), std::nullopt, std::move(options.names)};
}

/// Agents that share a policy.
struct Group {
  std::string name;
  std::vector<std::string> agents;
  int firstAgent;
  int obsDim;
  int numActions;
  std::vector<std::string> actionNames;
  int continuousDim;
  std::vector<std::string> scripted;
  std::string defaultScripted = {};  ///< the policy that plays the group where nobody says who does; empty: none
};

/// A named set of world entities; a dynamic one has one member, chosen by the state.
struct EntitySet {
  std::string name;
  EntityKind kind;
  std::vector<int> entities;
  bool isDynamic;
  std::string doc;
};

/// What can be read of an entity, and whether a rule may change it for a step. Its id is its place in the list.
struct Attribute {
  std::string name;
  EntityKind kind;
  std::string unit;
  double min;
  double max;
  bool isWritable;
  std::string doc;
  std::vector<std::string> of = {};  ///< sets to which it applies; empty = every entity of the kind
  bool isNominal = false;  ///< min and max say where values usually lie; nothing holds them there
};

/// A number that describes the whole state of a copy. Its id is its place in the list.
struct Signal {
  std::string name;
  std::string unit;
  double min;
  double max;
  std::string doc;
};

struct Component {
  std::string name;
  std::string doc;
};

/// An episode metric with its written definition.
struct Metric {
  std::string name;
  std::string unit;
  bool isPerAgent;  ///< else it has one value for all agents of a group
  std::string better;  ///< "higher", "lower" or "neither"
  double min;
  double max;
  std::string doc;
};

/// A question about two entities, answered from the state. Its id is its place in the list.
struct Relation {
  std::string name;
  bool isBoolean;
  EntityKind from;
  std::optional<EntityKind> to;  ///< none: any entity
  std::string unit;
  std::string doc;
  /// To whom it can hold: "ally", "opponent" (of the first one's group or not), sets; empty: to all of the kind.
  std::vector<std::string> towards = {};
};

/// The number that an event takes.
struct EventAmount {
  std::string unit;
  double min;
  double max;
  double defaultValue;
};

/// What an event or a behaviour is directed at.
enum class TargetKind { kNone, kAgent, kLandmark, kAny };

/// Something that can be made to happen to a copy. Its id is its place in the list.
struct Event {
  std::string name;
  std::string verb;  ///< "spawn", "disturb" or "remove"
  TargetKind target;
  bool isPlaced;  ///< takes a place: at an entity, or at random where there is none
  std::optional<EventAmount> amount;
  std::string doc;
};

/// Something a non-player agent can do. Its id is its place in the list.
struct Behaviour {
  std::string name;
  TargetKind target;
  std::string doc;
};

/// Parameters that say how many members of a set take part and for how many the shapes are laid out.
struct Capacity {
  std::string set;
  std::string count;     ///< parameter
  std::string capacity;  ///< parameter; 0 = as many as the count
};

/// Attributes that are 1 while an entity takes part; empty names where all always do.
struct Presence {
  std::string agent;
  std::string landmark;
};

/// What of a scenario can be observed, set, changed, rewarded and measured, under given parameters.
/// src/shared/rl/manifest.ts is the same thing as TypeScript reads it.
struct Manifest {
  std::string name;
  int version;
  std::string title;
  std::string doc;
  int numAgents;
  int numLandmarks;
  int obsDim;
  int stateDim;
  int numActions;
  int continuousDim;
  int episodeLength;
  double stepSeconds;
  std::vector<Parameter> parameters;
  std::vector<Group> groups;
  std::vector<EntitySet> sets;
  std::vector<Attribute> attributes;
  std::vector<Signal> signals;
  std::vector<Component> components;
  double nominalReturn;
  std::vector<Metric> metrics;
  std::vector<Relation> relations = {};
  std::vector<Event> events = {};
  std::vector<Behaviour> behaviours = {};
  std::vector<Capacity> capacities = {};
  Presence presence = {};

  int numEntities() const { return numAgents + numLandmarks; }

  /// Requires: entity is in 0..numEntities-1.
  EntityKind kindOf(int entity) const { return entity < numAgents ? EntityKind::kAgent : EntityKind::kLandmark; }

  /// Index of the group that an agent is of; -1 for who is none.
  int groupOf(int agent) const {
    for (std::size_t g = 0; g < groups.size(); ++g) {
      const int index = agent - groups[g].firstAgent;
      if (index >= 0 && index < static_cast<int>(groups[g].agents.size())) return static_cast<int>(g);
    }
    return -1;
  }

  /// Whether a world entity has an attribute: it is of its kind and in one of the sets it is of.
  bool applies(const Attribute& attribute, int entity) const {
    if (kindOf(entity) != attribute.kind) return false;
    if (attribute.of.empty()) return true;
    for (const EntitySet& set : sets) {
      if (std::find(attribute.of.begin(), attribute.of.end(), set.name) == attribute.of.end()) continue;
      if (std::find(set.entities.begin(), set.entities.end(), entity) != set.entities.end()) return true;
    }
    return false;
  }

  /// Whether an index denotes a world entity of a kind that something may be directed at.
  bool isTarget(TargetKind kind, int entity) const {
    if (entity < 0 || entity >= numEntities() || kind == TargetKind::kNone) return false;
    if (kind == TargetKind::kAny) return true;
    return (kind == TargetKind::kAgent) == (kindOf(entity) == EntityKind::kAgent);
  }

  /// Whether an event may be directed at, or placed at, a world entity; -1 is nobody or a place drawn at random.
  bool accepts(const Event& event, int entity) const {
    if (entity == -1) return event.target == TargetKind::kNone || event.isPlaced;
    return isTarget(event.isPlaced ? TargetKind::kAny : event.target, entity);
  }
};

/// The manifest as one JSON object with the fields of src/shared/rl/manifest.ts.
std::string toJson(const Manifest& manifest);

}  // namespace gymwright
