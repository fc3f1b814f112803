// What a field with foods looks like. A cell is a metre wide; whole numbers are the middles of cells.
#include <cmath>

#include "scenarios/foraging/rules.hpp"

namespace gymwright::foraging {
namespace {

constexpr double kAgentRadius = 0.36;
constexpr double kFoodHalf = 0.32;

std::string levelText(double level) { return std::to_string(static_cast<long long>(level)); }

void addFood(const Layout& layout, const double* state, int f, Frame& frame) {
  const double* food = layout.food(state, f);
  if (food[kThere] == 0.0) return;
  const char* kind = f % 2 == 0 ? "apple" : "berry";
  Shape& shape = frame.rectangle(kind, layout.numAgents + f, food, kFoodHalf, kFoodHalf);
  shape.text = levelText(food[kFoodLevel]);
  if (food[kCounts] == 0.0) shape.flags |= kShapeClosed;
}

void addAgent(const Layout& layout, const double* state, int a, Frame& frame) {
  const double* agent = layout.agent(state, a);
  Shape& disc = frame.disc("agent", a, agent, kAgentRadius);
  disc.team = 0;
  disc.text = levelText(agent[kLevel]);
  if (agent[kVx] != 0.0 || agent[kVy] != 0.0) disc.heading = std::atan2(agent[kVy], agent[kVx]);
}

}  // namespace

FrameBox frameBox(const Layout& layout) {
  return {-0.5, -0.5, layout.config.columns - 0.5, layout.config.rows - 0.5, 1.0};
}

void describeFrame(const Layout& layout, const FrameMoment& moment, Frame& frame) {
  // Agents that see the whole field have no window.
  if (moment.detail.hasSights && layout.config.sight > 0) {
    const double half = layout.config.sight + 0.5;
    for (int a = 0; a < layout.numAgents; ++a)
      frame.rectangle("sight", a, layout.agent(moment.state, a), half, half).team = 0;
  }
  for (int f = 0; f < layout.numFoods; ++f) addFood(layout, moment.state, f, frame);
  for (int a = 0; a < layout.numAgents; ++a) addAgent(layout, moment.state, a, frame);
}

}  // namespace gymwright::foraging
