#include <algorithm>
#include <limits>

#include "scenarios/foraging/rules.hpp"
#include "sim/visited_cells.hpp"

namespace gymwright::foraging {
namespace {

constexpr double kNoValue = std::numeric_limits<double>::quiet_NaN();

/// Parts into which exploration divides an axis.
int partsOf(int cells) { return std::min(cells, visited::kSide); }

/// How far an agent's window reaches to the left of it, or up: to the edge of the field at most.
int reach(const Layout& layout, int toEdge) {
  const int sight = layout.config.sight;
  return sight == 0 ? toEdge : std::min(sight, toEdge);
}

/// Where a cell lies in the window of an agent, counted from the window's upper left corner.
struct WindowPlace {
  int row;
  int column;
};
WindowPlace placeIn(const Layout& layout, Cell self, Cell other) {
  return {layout.rowOf(other) - layout.rowOf(self) + reach(layout, layout.rowOf(self)),
          other.x - self.x + reach(layout, self.x)};
}

bool seesFoodIn(const Layout& layout, Cell self, Cell cell) {
  const int sight = layout.config.sight;
  return sight == 0 || (std::abs(cell.x - self.x) <= sight && std::abs(cell.y - self.y) <= sight);
}

/// As the reference has it: at the upper and left edges agents are seen as far as a window that is not cut would reach.
bool seesAgentIn(const Layout& layout, Cell self, Cell cell) {
  const int sight = layout.config.sight;
  if (sight == 0) return true;
  const WindowPlace place = placeIn(layout, self, cell);
  return place.row >= 0 && place.column >= 0 && place.row <= 2 * sight && place.column <= 2 * sight;
}

/// Foods on the field, in reading order.
int listFoods(const Layout& layout, const double* state, int* foods) {
  int count = 0;
  for (int f = 0; f < layout.numFoods; ++f) {
    if (!layout.isThere(state, f)) continue;
    const int index = layout.indexOf(layout.foodCell(state, f));
    int i = count++;
    for (; i > 0 && layout.indexOf(layout.foodCell(state, foods[i - 1])) > index; --i) foods[i] = foods[i - 1];
    foods[i] = f;
  }
  return count;
}

template <typename T>
T* put(WindowPlace place, double level, T* out) {
  *out++ = static_cast<T>(place.row);
  *out++ = static_cast<T>(place.column);
  *out++ = static_cast<T>(level);
  return out;
}

}  // namespace

bool isBeside(const Layout& layout, const double* state, int a, int f) {
  return layout.isThere(state, f) && stepsBetween(layout.agentCell(state, a), layout.foodCell(state, f)) == 1;
}

bool sees(const Layout& layout, const double* state, int a, int entity) {
  const Cell self = layout.agentCell(state, a);
  const Cell cell = layout.entityCell(state, entity);
  if (entity < layout.numAgents) return seesAgentIn(layout, self, cell);
  return layout.isThere(state, entity - layout.numAgents) && seesFoodIn(layout, self, cell);
}

int stepsToFood(const Layout& layout, const double* state, int a) {
  const Cell cell = layout.agentCell(state, a);
  int least = kMaxCells;
  for (int f = 0; f < layout.numFoods; ++f) {
    if (layout.isThere(state, f)) least = std::min(least, stepsBetween(cell, layout.foodCell(state, f)));
  }
  return least;
}

void visit(const Layout& layout, double* agent) {
  const auto part = [](double cell, int cells) { return static_cast<std::int64_t>(cell) * partsOf(cells) / cells; };
  agent[kCells] = visited::add(agent[kCells], part(agent[kX], layout.config.columns),
                               part(agent[kY], layout.config.rows));
}

void writeMetrics(const Layout& layout, const double* state, std::int32_t steps, double* metrics) {
  bool isAnyLeft = false;
  for (int f = 0; f < layout.numFoods; ++f)
    isAnyLeft = isAnyLeft || (layout.isThere(state, f) && layout.food(state, f)[kSeenWorth] > 0.0);
  const int numParts = partsOf(layout.config.columns) * partsOf(layout.config.rows);
  for (int a = 0; a < layout.numAgents; ++a, metrics += kNumMetrics) {
    const double* agent = layout.agent(state, a);
    const double tries = agent[kLoads] + agent[kFails];
    metrics[kMetricSuccess] = !isAnyLeft && state[kArrived] > 0.0 ? 1.0 : 0.0;
    metrics[kMetricShare] = state[kArrived] > 0.0 ? state[kCollected] / state[kArrived] : kNoValue;
    metrics[kMetricLoads] = agent[kLoads];
    metrics[kMetricFails] = agent[kFails];
    metrics[kMetricCooperation] = tries > 0.0 ? agent[kJoint] / tries : kNoValue;
    metrics[kMetricRole] = agent[kRoleSteps] / steps;
    metrics[kMetricExploration] = visited::share(agent[kCells]) * visited::kCells / numParts;
  }
}

template <typename T>
void writeObsAs(const Layout& layout, const double* state, T* obs) {
  int foods[kMaxFoods];
  const int numThere = listFoods(layout, state, foods);
  const int width = layout.foodWidth();
  for (int a = 0; a < layout.numAgents; ++a, obs += layout.obsDim()) {
    const Cell self = layout.agentCell(state, a);
    T* out = obs;
    T* const agents = obs + width * layout.numFoods;
    for (int i = 0; i < numThere; ++i) {
      const Cell cell = layout.foodCell(state, foods[i]);
      if (!seesFoodIn(layout, self, cell)) continue;
      const double* food = layout.food(state, foods[i]);
      out = put(placeIn(layout, self, cell), food[kFoodLevel], out);
      if (layout.config.observesWorth) *out++ = static_cast<T>(food[kSeenWorth]);
    }
    while (out < agents) {
      out = put({-1, -1}, 0.0, out);
      if (layout.config.observesWorth) *out++ = T{0};
    }
    out = put(placeIn(layout, self, self), layout.agent(state, a)[kLevel], out);
    for (int b = 0; b < layout.numAgents; ++b) {
      const Cell cell = layout.agentCell(state, b);
      if (b == a || !seesAgentIn(layout, self, cell)) continue;
      out = put(placeIn(layout, self, cell), layout.agent(state, b)[kLevel], out);
    }
    while (out < obs + layout.obsDim()) out = put({-1, -1}, 0.0, out);
  }
}

template void writeObsAs(const Layout& layout, const double* state, float* obs);
template void writeObsAs(const Layout& layout, const double* state, double* obs);

}  // namespace gymwright::foraging
