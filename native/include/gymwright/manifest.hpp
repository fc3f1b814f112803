#pragma once

#include <string>
#include <vector>

namespace gymwright {

/// Kind of a world entity. World entity indices run over all agents, then all landmarks.
enum class EntityKind { kAgent, kLandmark };

/// A value that `set` may change, resolved from its manifest name. Booleans are 0 or 1.
struct Parameter {
  std::string name;
  std::string kind;  ///< "int", "float" or "bool"
  std::string unit;
  double defaultValue;
  double min;
  double max;
  bool isStructural;  ///< changes shapes
  bool isForCoach;    ///< a coach may change it
  std::string doc;
};

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
  bool isPerAgent;
  std::string better;  ///< "higher", "lower" or "neither"
  double min;
  double max;
  std::string doc;
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

  int numEntities() const { return numAgents + numLandmarks; }
};

/// The manifest as one JSON object with the fields of src/shared/rl/manifest.ts.
std::string toJson(const Manifest& manifest);

}  // namespace gymwright
