#include "scenarios/world_comm/world.hpp"

namespace gymwright::world_comm {

void World::describe(const ParameterValues& values) {
  manifest_.name = "simple_world_comm";
  manifest_.version = 2;
  manifest_.title = "Simple world with communication";
  manifest_.doc =
      "Predators hunt prey that looks for food and can hide in forests; one predator, the leader, sees into the "
      "forests and says one of four words a step.";
  manifest_.parameters = parameters();
  const int common = 4 + 2 * numLandmarks() + 2 * (numAgents() - 1) + layout_.forests;
  const int predatorDim = common + 2 * numPrey() + kNumWords;
  manifest_.groups = {
      describeGroup("leader", {"leadadversary_0"}, 0, predatorDim, withTemperaments({"noop", "random", "chase"})),
      describeGroup("adversary", numberedNames("adversary", numPredators() - 1), 1, predatorDim,
                    withTemperaments({"noop", "random", "chase"})),
      describeGroup("good", numberedNames("agent", numPrey()), numPredators(), common + 2 * (numPrey() - 1),
                    withTemperaments({"noop", "random", "forage"}))};
  describeShapes(values);
  describeBodies({.speakers = {"leader"}});
  describeSets();
  describePursuit({{"food", "none", true, "neither", 0, static_cast<double>(layout_.food),
                    "Food that the prey touches, mean over steps; 0 for a predator."},
                   {"hidden", "none", true, "neither", 0, 1,
                    "Share of the steps in which the agent stood in a forest."}});
  manifest_.signals.push_back(
      {"hidden", "none", 0, static_cast<double>(numPrey()), "Prey that stands in a forest now."});
  manifest_.components = {
      {"catch",
       "Predator: 5 for each pair of predator and prey that touch, whoever is in it. Prey: -5 for each predator that "
       "touches it."},
      {"approach",
       "Predator: -0.1 times the distance to the nearest prey. Prey: -0.05 times the distance to the nearest food."},
      {"food", "Prey: 2 for each food that it touches. Predator: 0."},
      {"field",
       "Prey: twice, for each coordinate nothing up to 0.9 m from the middle, then falling by 10 per metre, from 1 m "
       "on minus e to the power of twice what is over 1 m, at most 10. Predator: 0."}};
  // What predators that chase get of prey that forages.
  manifest_.nominalReturn = manifest_.episodeLength * 1.0;
}

void World::describeSets() {
  describeTeam("leader", "The predator that sees everything and speaks.");
  describeTeam("adversary", "The other predators.");
  describeTeam("good", "The prey.");
  manifest_.sets.push_back(
      {"predator", EntityKind::kAgent, numbersFrom(0, numPredators()), false, "The leader and the other predators."});
  int next = numAgents();
  const auto add = [&](const char* name, int count, const char* doc) {
    manifest_.sets.push_back({name, EntityKind::kLandmark, numbersFrom(next, count), false, doc});
    next += count;
  };
  add("obstacle", layout_.obstacles, "Landmarks that nobody passes.");
  add("food", layout_.food, "Places with food.");
  add("forest", layout_.forests, "Forests, in which one is out of sight.");
}

}  // namespace gymwright::world_comm
