#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "hand_game.hpp"

namespace gymwright::test {

/// Actions of skirmish before those that attack.
enum SkirmishAction { kNorth, kEast, kSouth, kWest, kStop, kFirstAttack };

/// Settings of skirmish with choices by name.
inline Settings skirmishSettings(const std::vector<std::pair<std::string, std::string>>& choices,
                                 Settings settings = {}) {
  const auto plain = scenarioOf("skirmish");
  for (const auto& [name, choice] : choices) {
    for (const Parameter& parameter : plain->manifest().parameters) {
      if (parameter.name != name) continue;
      const auto found = std::find(parameter.choices.begin(), parameter.choices.end(), choice);
      settings.emplace_back(name, static_cast<double>(found - parameter.choices.begin()));
    }
  }
  return settings;
}

/// One copy of skirmish, played by hand without a batch. Everybody stops unless told otherwise; weapons reload without
/// noise. Units are where a fresh episode puts them until they are put elsewhere.
class SkirmishGame : public HandGame {
 public:
  explicit SkirmishGame(Settings settings = {}) : HandGame(make(std::move(settings)), kStop, 5) {
    scenario->reset(state.data(), rng);
  }

  /// Allies in the lower left, enemies in the upper right, all apart and out of each other's sight.
  void scatter() {
    const int numAllies = static_cast<int>(scenario->manifest().groups[0].agents.size());
    for (int u = 0; u < scenario->manifest().numAgents; ++u)
      put(u, u < numAllies ? 2.0 + 1.5 * u : 30.0 - 1.5 * (u - numAllies), u < numAllies ? 2.0 : 30.0);
  }

 private:
  static std::shared_ptr<const Scenario> make(Settings settings) {
    settings.emplace_back("cooldown.noise", 0.0);
    return scenarioOf("skirmish", settings);
  }
};

}  // namespace gymwright::test
