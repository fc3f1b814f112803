#pragma once

#include <vector>

#include "sim/mpe_world.hpp"

/// How many of what a world of simple_world_comm has, and in which order.
namespace gymwright::world_comm {

constexpr int kNumWords = 4;
constexpr int kMaxForests = 4;

/// Agents: the leader, the other predators, prey. Landmarks: obstacles, food, forests.
struct Layout {
  int predators;
  int prey;
  int obstacles;
  int food;
  int forests;

  explicit Layout(const ParameterValues& values)
      : predators(1 + values.whole("adversary.count")),
        prey(values.whole("good.count")),
        obstacles(values.whole("obstacle.count")),
        food(values.whole("food.count")),
        forests(values.whole("forest.count")) {}
  int agents() const { return predators + prey; }
  int landmarks() const { return obstacles + food + forests; }
};

std::vector<Parameter> parameters();
MpeBodies bodies(const ParameterValues& values);

}  // namespace gymwright::world_comm
