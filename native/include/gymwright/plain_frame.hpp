#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "gymwright/frame.hpp"
#include "gymwright/manifest.hpp"

namespace gymwright {

/// The box of the bounds of x and y where they are no nominal ones; else a metre to each side of the origin.
inline FrameBox plainBox(const Manifest& manifest) {
  FrameBox box;
  const auto widen = [&manifest](const char* name, double& low, double& high) {
    bool isFirst = true;
    for (const Attribute& each : manifest.attributes) {
      if (each.name != name || each.isNominal) continue;
      low = isFirst ? each.min : std::min(low, each.min);
      high = isFirst ? each.max : std::max(high, each.max);
      isFirst = false;
    }
  };
  widen("x", box.left, box.right);
  widen("y", box.bottom, box.top);
  return box;
}

/// Tells of a copy what the manifest alone gives away: what a scenario that describes no frame is drawn by, and what one
/// that does may begin with.
///
/// Every entity is a disc of the role of its group (agents) or of the smallest set that it is in (landmarks); its radius
/// is the attribute "radius" or "size" where it has one, else a fiftieth of the box; it heads where "vx", "vy" go, its
/// level is "health" as a share of that attribute's bounds, it is dead where "alive" is 0 and left out where "present"
/// or another presence attribute of the manifest is 0. The one that a dynamic set denotes gets a ring of the set's name.
///
/// World: Scenario, which this header comes before.
template <typename World>
class PlainFrame {
 public:
  PlainFrame(const World& scenario, const FrameMoment& moment, Frame& frame)
      : scenario_(scenario), manifest_(scenario.manifest()), moment_(moment), frame_(frame) {}

  void describe() {
    for (int e = manifest_.numAgents; e < manifest_.numEntities(); ++e) addEntity(e, smallestSet(e), -1);
    addDynamicSets();
    for (int a = 0; a < manifest_.numAgents; ++a) {
      const int group = manifest_.groupOf(a);
      addEntity(a, manifest_.groups[static_cast<std::size_t>(group)].name, group);
    }
  }

  /// Value of an attribute of an entity, or `otherwise` where it has none of that name.
  double read(const char* name, int entity, double otherwise) const {
    const int id = find(name, entity);
    if (id < 0) return otherwise;
    const bool isInState = scenario_.addresses()[static_cast<std::size_t>(id)].isInState;
    return (isInState ? moment_.state : moment_.attributes)[scenario_.attributeWord(id, entity)];
  }

  double radiusOf(int entity) const {
    const double usual = 0.02 * std::max(frame_.box.right - frame_.box.left, frame_.box.top - frame_.box.bottom);
    return read("radius", entity, read("size", entity, usual));
  }

 private:
  const double* position(int entity) const { return moment_.state + scenario_.positionWord(entity); }

  int find(const char* name, int entity) const {
    for (std::size_t i = 0; i < manifest_.attributes.size(); ++i) {
      if (manifest_.attributes[i].name == name && manifest_.applies(manifest_.attributes[i], entity))
        return static_cast<int>(i);
    }
    return -1;
  }

  /// Where presence is to be alive, the dead are shown, and "present" tells of who is absent.
  bool isPresent(int entity) const {
    const bool isAgent = entity < manifest_.numAgents;
    const std::string& name = isAgent ? manifest_.presence.agent : manifest_.presence.landmark;
    const bool isCounted = name.empty() || name == "alive" || read(name.c_str(), entity, 1.0) != 0.0;
    return isCounted && read("present", entity, 1.0) != 0.0;
  }

  std::string smallestSet(int entity) const {
    const EntitySet* smallest = nullptr;
    for (const EntitySet& set : manifest_.sets) {
      if (set.isDynamic || std::find(set.entities.begin(), set.entities.end(), entity) == set.entities.end()) continue;
      if (smallest == nullptr || set.entities.size() < smallest->entities.size()) smallest = &set;
    }
    return smallest == nullptr ? "landmark" : smallest->name;
  }

  void addEntity(int entity, const std::string& role, int team) {
    if (!isPresent(entity)) return;
    Shape& disc = frame_.disc(role, entity, position(entity), radiusOf(entity));
    disc.team = team;
    const double vx = read("vx", entity, 0.0);
    const double vy = read("vy", entity, 0.0);
    if (vx != 0.0 || vy != 0.0) disc.heading = std::atan2(vy, vx);
    if (read("alive", entity, 1.0) == 0.0) disc.flags |= kShapeDead;
    const int health = find("health", entity);
    if (health < 0) return;
    const Attribute& attribute = manifest_.attributes[static_cast<std::size_t>(health)];
    const double share = (read("health", entity, 0.0) - attribute.min) / (attribute.max - attribute.min);
    if (std::isfinite(share)) disc.level = std::clamp(share, 0.0, 1.0);
  }

  /// One inside the other where they denote the same entity.
  void addDynamicSets() {
    double radii = 2.0;
    for (std::size_t s = 0; s < manifest_.sets.size(); ++s) {
      const EntitySet& set = manifest_.sets[s];
      if (!set.isDynamic) continue;
      const int entity = scenario_.member(static_cast<int>(s), moment_.state);
      if (entity < 0 || entity >= manifest_.numEntities() || !isPresent(entity)) continue;
      frame_.ring(set.name, entity, position(entity), radii * radiusOf(entity));
      radii += 0.5;
    }
  }

  const World& scenario_;
  const Manifest& manifest_;
  const FrameMoment& moment_;
  Frame& frame_;
};

}  // namespace gymwright
