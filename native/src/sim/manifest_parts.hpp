#pragma once

#include <algorithm>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gymwright/result.hpp"
#include "gymwright/scenario.hpp"
#include "sim/scenario_entry.hpp"

/// Pieces of which scenarios make their manifests.
namespace gymwright {

/// first, first + 1, ...: members of a set, most often.
inline std::vector<int> numbersFrom(int first, int count) {
  std::vector<int> numbers(static_cast<std::size_t>(count));
  std::iota(numbers.begin(), numbers.end(), first);
  return numbers;
}

/// "agent_0", "agent_1", ...
inline std::vector<std::string> numberedNames(const std::string& stem, int count) {
  std::vector<std::string> names;
  for (int i = 0; i < count; ++i) names.push_back(stem + "_" + std::to_string(i));
  return names;
}

/// A parameter that a regime may set by way of an attribute of a set; `mode` as in LiveSetting.
inline Parameter liveParameter(Parameter parameter, std::string attribute, std::string set,
                               std::string mode = "value") {
  parameter.live = LiveSetting{std::move(attribute), std::move(set), std::move(mode)};
  return parameter;
}

/// A parameter by which a group plays under one built-in policy, and nobody else.
inline Parameter playedParameter(Parameter parameter, std::string group, std::string policy) {
  parameter.playedBy = BuiltInPlay{std::move(group), std::move(policy)};
  return parameter;
}

/// A parameter that makes no difference before something came into play, by the word that an environment says it with.
inline Parameter awaitingParameter(Parameter parameter, std::string word) {
  parameter.awaits = std::move(word);
  return parameter;
}

/// A relation that holds to some only, as Relation::towards has them.
inline Relation relationTowards(std::vector<std::string> towards, Relation relation) {
  relation.towards = std::move(towards);
  return relation;
}

/// Says above which value a parameter makes no more difference. Requires: it is in the manifest.
inline void describeReach(Manifest& manifest, const std::string& name, double reach) {
  for (Parameter& parameter : manifest.parameters) {
    if (parameter.name == name) parameter.reach = reach;
  }
}

/// Says what value the default of a parameter comes to, if it is one. Requires: the parameter is in the manifest.
inline void describeDefault(Manifest& manifest, const std::string& name, std::optional<double> standsFor) {
  for (Parameter& parameter : manifest.parameters) {
    if (parameter.name == name) parameter.standsFor = standsFor;
  }
}

/// What is wrong with parameters that are each within bounds.
inline Failure invalidParameter(std::string message) { return {"scenario.invalidParameter", std::move(message)}; }

/// Members laid out for: the capacity of `stem`, or as many as `count` where none is set.
inline int slotsOf(const ParameterValues& values, const std::string& stem, int count) {
  const int capacity = values.whole((stem + ".capacity").c_str());
  return capacity > 0 ? capacity : count;
}

/// Says that STEM.count members of a set take part and STEM.capacity are laid out for. Where a capacity is set, the
/// count is no matter of shapes. Requires: the parameters are in the manifest.
inline void describeCapacity(Manifest& manifest, const ParameterValues& values, const std::string& set,
                             const std::string& stem) {
  manifest.capacities.push_back({set, stem + ".count", stem + ".capacity"});
  for (Parameter& parameter : manifest.parameters) {
    if (parameter.name == stem + ".count") parameter.isStructural = values.whole((stem + ".capacity").c_str()) == 0;
  }
}

/// A manifest, and where each of its attributes lives.
struct Description {
  Manifest manifest;
  std::vector<AttributeAddress> addresses;
};

/// Unit and bounds of an attribute.
struct Range {
  const char* unit;
  double min;
  double max;
};

/// Collects the attributes of one kind of entity with their addresses.
class AttributeTable {
 public:
  /// `firstWord`: of the kind's first entity in the state; `wordStride`: from there to the next one's.
  AttributeTable(Description& out, EntityKind kind, int firstWord, int wordStride)
      : out_(out), kind_(kind), firstWord_(firstWord), wordStride_(wordStride) {}

  /// One that is a word of each entity: it can be read only.
  void word(const char* name, int word, Range range, std::string doc, std::vector<std::string> of = {}) {
    add({name, kind_, range.unit, range.min, range.max, false, std::move(doc), std::move(of)},
        {true, firstWord_ + word, wordStride_});
  }
  /// One that is a column of the attribute row, in force for a step; rules may write it.
  void column(const char* name, int firstOfColumn, Range range, std::string doc, std::vector<std::string> of = {}) {
    add({name, kind_, range.unit, range.min, range.max, true, std::move(doc), std::move(of)},
        {false, firstOfColumn, 1});
  }
  /// The same, but only parameters and regimes set it.
  void fixedColumn(const char* name, int firstOfColumn, Range range, std::string doc) {
    column(name, firstOfColumn, range, std::move(doc));
    out_.manifest.attributes.back().isWritable = false;
  }

 private:
  void add(Attribute attribute, AttributeAddress address) {
    out_.manifest.attributes.push_back(std::move(attribute));
    out_.addresses.push_back(address);
  }

  Description& out_;
  EntityKind kind_;
  int firstWord_;
  int wordStride_;
};

}  // namespace gymwright
