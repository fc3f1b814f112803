#include <string>

#include "scenarios/world_comm/layout.hpp"

namespace gymwright::world_comm {
namespace {

constexpr MpeTeam kLeader = {
    .name = "leader", .side = 0, .accel = 3.0, .maxSpeed = 1.0, .size = 0.075, .isTempered = true};
constexpr MpeTeam kPredators = {
    .name = "adversary", .side = 0, .accel = 3.0, .maxSpeed = 1.0, .size = 0.075, .isTempered = true};
constexpr MpeTeam kPrey = {.name = "good", .side = 1, .accel = 4.0, .maxSpeed = 1.3, .size = 0.045, .isTempered = true};

Parameter landmarkSize(const std::string& set, double value, double max) {
  return liveParameter({set + ".size", "float", "m", value, 0.02, max, false, true, "Radius."}, "size", set);
}

}  // namespace

std::vector<Parameter> parameters() {
  return mpeParameters(
      {{{"adversary.count", "int", "none", 3, 1, 6, true, false, "Number of predators besides the leader."},
        {"good.count", "int", "none", 2, 1, 4, true, false, "Number of prey."},
        {"obstacle.count", "int", "none", 1, 1, 3, true, false, "Number of obstacles."},
        {"food.count", "int", "none", 2, 1, 4, true, false, "Number of places with food."},
        {"forest.count", "int", "none", 2, 1, kMaxForests, true, false, "Number of forests."}},
       teamParameters(kLeader),
       teamParameters(kPredators),
       teamParameters(kPrey),
       {landmarkSize("obstacle", 0.2, 0.4), landmarkSize("food", 0.03, 0.4), landmarkSize("forest", 0.3, 1)}},
      0.9);
}

MpeBodies bodies(const ParameterValues& values) {
  const Layout layout(values);
  MpeBodies made = mpeBodies(values, layout.landmarks());
  addTeam(made, values, kLeader, 1);
  addTeam(made, values, kPredators, layout.predators - 1);
  addTeam(made, values, kPrey, layout.prey);
  made.hasContact = true;
  const auto addLandmarks = [&](int count, const char* sizeParameter) {
    made.landmarkSize.insert(made.landmarkSize.end(), static_cast<std::size_t>(count), values.number(sizeParameter));
  };
  addLandmarks(layout.obstacles, "obstacle.size");
  addLandmarks(layout.food, "food.size");
  addLandmarks(layout.forests, "forest.size");
  made.numObstacles = layout.obstacles;
  made.numWords = kNumWords;
  made.isSpeaker.assign(static_cast<std::size_t>(layout.agents()), false);
  made.isSpeaker.front() = true;
  return made;
}

}  // namespace gymwright::world_comm
