#include <string>

#include "scenarios/world_comm/layout.hpp"

namespace gymwright::world_comm {
namespace {

Parameter landmarkSizeParameter(const std::string& set, double value, double max) {
  return {set + ".size", "float", "m", value, 0.02, max, false, true, "Radius.", LiveSetting{"size", set, "value"}};
}

}  // namespace

std::vector<Parameter> parameters() {
  std::vector<Parameter> all = mpeParameters(0.9);
  all.insert(all.begin(),
             {{"adversary.count", "int", "none", 3, 1, 6, true, false, "Number of predators besides the leader."},
              {"good.count", "int", "none", 2, 1, 4, true, false, "Number of prey."},
              {"obstacle.count", "int", "none", 1, 1, 3, true, false, "Number of obstacles."},
              {"food.count", "int", "none", 2, 1, 4, true, false, "Number of places with food."},
              {"forest.count", "int", "none", 2, 1, kMaxForests, true, false, "Number of forests."},
              accelParameter("leader", 3),
              maxSpeedParameter("leader", 1),
              sizeParameter("leader", 0.075),
              boldnessParameter("leader"),
              accelParameter("adversary", 3),
              maxSpeedParameter("adversary", 1),
              sizeParameter("adversary", 0.075),
              boldnessParameter("adversary"),
              accelParameter("good", 4),
              maxSpeedParameter("good", 1.3),
              sizeParameter("good", 0.045),
              boldnessParameter("good"),
              landmarkSizeParameter("obstacle", 0.2, 0.4),
              landmarkSizeParameter("food", 0.03, 0.4),
              landmarkSizeParameter("forest", 0.3, 1)});
  return all;
}

MpeBodies bodies(const ParameterValues& values) {
  const Layout layout(values);
  MpeBodies made = mpeBodies(values, layout.agents(), layout.landmarks());
  made.hasContact = true;
  made.size.resize(static_cast<std::size_t>(layout.agents()));
  setTeam(made, values, "leader", 0, 1, 0);
  setTeam(made, values, "adversary", 1, layout.predators - 1, 0);
  setTeam(made, values, "good", layout.predators, layout.prey, 1);
  setBoldness(made, values, "leader", 0, 1);
  setBoldness(made, values, "adversary", 1, layout.predators - 1);
  setBoldness(made, values, "good", layout.predators, layout.prey);
  made.landmarkSize.assign(static_cast<std::size_t>(layout.obstacles), values.number("obstacle.size"));
  made.landmarkSize.resize(made.landmarkSize.size() + static_cast<std::size_t>(layout.food),
                           values.number("food.size"));
  made.landmarkSize.resize(static_cast<std::size_t>(layout.landmarks()), values.number("forest.size"));
  made.numObstacles = layout.obstacles;
  made.numWords = kNumWords;
  made.isSpeaker.assign(static_cast<std::size_t>(layout.agents()), false);
  made.isSpeaker.front() = true;
  return made;
}

}  // namespace gymwright::world_comm
