#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hand_game.hpp"
#include "program_builder.hpp"

namespace gymwright::test {

/// Actions of capture by name.
enum CaptureAction { kStand, kEast, kNorthEast, kNorth, kNorthWest, kWest, kSouthWest, kSouth, kSouthEast };

/// One copy of capture, played by hand without a batch. Units: 2 red assault, 1 red support, 2 blue assault, 1 blue
/// support by default; everybody stands unless told otherwise.
class CaptureGame : public HandGame {
 public:
  explicit CaptureGame(const Settings& settings = {}) : HandGame(scenarioOf("capture", settings), kStand, 5) {
    scenario->reset(state.data(), rng);
    // Out of everybody's way, in the corners.
    for (int u = 0; u < scenario->manifest().numAgents; ++u)
      put(u, team(u) == 0 ? 0.0 : 100.0, team(u) == 0 ? 60.0 : 0.0);
  }

  int team(int u) const { return static_cast<int>(at("team", u)); }

  /// Value of a landmark's attribute; landmarks count from 0.
  double ofPlace(const std::string& name, int p) const { return at(name, scenario->manifest().numAgents + p); }

  int entity(const std::string& set, int i = 0) const {
    for (const EntitySet& each : scenario->manifest().sets) {
      if (each.name == set) return each.entities[static_cast<std::size_t>(i)];
    }
    return -1;
  }
  int agent(const std::string& set, int i = 0) const { return entity(set, i); }
  int landmark(const std::string& set, int i = 0) const { return entity(set, i) - scenario->manifest().numAgents; }

  /// Puts a unit into the middle of a place.
  void putAt(int u, const std::string& set, int i = 0, double dx = 0.0) {
    put(u, ofPlace("x", landmark(set, i)) + dx, ofPlace("y", landmark(set, i)));
  }
};

}  // namespace gymwright::test
