#include <algorithm>
#include <limits>

#include "scenarios/foraging/rules.hpp"

namespace gymwright::foraging {
namespace {

Bits drawBits(const double* state, int draw) {
  return stepBits(state[kSeed], state[kClock], static_cast<std::uint64_t>(draw));
}

/// The rule by which foods come up: off the edge, away from agents, and not near another food: neither in one of the
/// eight cells around nor two cells off in the same row or column.
bool isAllowed(const Layout& layout, const double* state, Cell cell) {
  if (cell.x < 1 || cell.y < 1 || cell.x > layout.config.columns - 2 || cell.y > layout.config.rows - 2) return false;
  for (int f = 0; f < layout.numFoods; ++f) {
    if (!layout.isThere(state, f)) continue;
    const int dx = std::abs(layout.foodCell(state, f).x - cell.x);
    const int dy = std::abs(layout.foodCell(state, f).y - cell.y);
    if (std::max(dx, dy) <= 1 || (std::min(dx, dy) == 0 && std::max(dx, dy) <= 2)) return false;
  }
  return !layout.hasAgent(state, cell);
}

std::optional<Cell> chooseCell(const Layout& layout, const double* state, Bits bits) {
  std::int16_t allowed[kMaxCells];
  int count = 0;
  for (int i = 0; i < layout.numCells(); ++i) {
    if (isAllowed(layout, state, layout.cellAt(i))) allowed[count++] = static_cast<std::int16_t>(i);
  }
  if (count == 0) return std::nullopt;
  return layout.cellAt(allowed[chooseBelow(bits, count)]);
}

double drawLevel(const Layout& layout, const double* state, Bits bits) {
  const int most = static_cast<int>(state[kFoodMax]);
  const int least = layout.config.isCoop ? most : std::min(layout.config.foodMinLevel, most);
  return least + chooseBelow(bits, most - least + 1);
}

/// The cell nearest to another one that holds nothing; of equals the first in reading order.
std::optional<Cell> nearestFree(const Layout& layout, const double* state, Cell around) {
  std::optional<Cell> nearest;
  int least = std::numeric_limits<int>::max();
  for (int i = 0; i < layout.numCells(); ++i) {
    const Cell cell = layout.cellAt(i);
    const int steps = stepsBetween(cell, around);
    if (steps >= least || layout.hasAgent(state, cell) || layout.foodAt(state, cell) >= 0) continue;
    least = steps;
    nearest = cell;
  }
  return nearest;
}

void spawn(const Layout& layout, int entity, Bits place, Bits level, double* state) {
  for (int f = 0; f < layout.numFoods; ++f) {
    if (layout.isThere(state, f) || layout.food(state, f)[kBack] > 0.0) continue;
    if (entity < 0) return bringUp(layout, state, f, place, level);
    const auto cell = nearestFree(layout, state, layout.entityCell(state, entity));
    if (cell) putFood(layout, state, f, *cell, drawLevel(layout, state, level));
    return;
  }
}

/// Each food on the field counts or not, by chance, but one of them does.
template <typename Draw>
void drawGoal(const Layout& layout, Draw draw, double* state) {
  int there[kMaxFoods];
  int count = 0;
  for (int f = 0; f < layout.numFoods; ++f) {
    if (layout.isThere(state, f)) there[count++] = f;
  }
  if (count == 0) return;
  const int sure = there[chooseBelow(draw(kMaxFoods), count)];
  for (int i = 0; i < count; ++i) {
    const int f = there[i];
    layout.food(state, f)[kCounts] = f == sure ? 1.0 : static_cast<double>(draw(f) >> 63);
  }
}

}  // namespace

void putFood(const Layout& layout, double* state, int f, Cell cell, double level) {
  double* food = layout.food(state, f);
  food[kX] = cell.x;
  food[kY] = cell.y;
  food[kFoodLevel] = level;
  food[kThere] = food[kCounts] = 1.0;
  food[kBack] = 0.0;
  food[kSeenWorth] = layout.of(layout.row.data(), kWorth, f);
  state[kArrived] += level;
}

void bringUp(const Layout& layout, double* state, int f, Bits place, Bits level) {
  const auto cell = chooseCell(layout, state, place);
  if (cell) putFood(layout, state, f, *cell, drawLevel(layout, state, level));
}

void relocate(const Layout& layout, double* state, int f, Bits place) {
  double* food = layout.food(state, f);
  food[kThere] = 0.0;
  if (const auto cell = chooseCell(layout, state, place)) {
    food[kX] = cell->x;
    food[kY] = cell->y;
  }
  food[kThere] = 1.0;
}

void takeAway(const Layout& layout, double* state, int f) {
  double* food = layout.food(state, f);
  food[kThere] = food[kFoodLevel] = food[kBack] = 0.0;
}

void muster(const Layout& layout, double* state, const double* attributes) {
  for (int f = 0; f < layout.numFoods; ++f) {
    double* food = layout.food(state, f);
    const double isWanted = layout.of(attributes, kEnabled, f) >= 0.5 ? 1.0 : 0.0;
    if (isWanted > food[kListed] && food[kThere] == 0.0)
      bringUp(layout, state, f, drawBits(state, 2 * f), drawBits(state, 2 * f + 1));
    if (isWanted < food[kListed]) takeAway(layout, state, f);
    food[kListed] = isWanted;
    food[kSeenWorth] = layout.worth(state, attributes, f);
  }
}

void comeBack(const Layout& layout, double* state) {
  constexpr int kFirstDraw = 2 * kMaxFoods;
  for (int f = 0; f < layout.numFoods; ++f) {
    double* food = layout.food(state, f);
    if (food[kBack] == 0.0) continue;
    if (food[kBack] > 1.0) {
      food[kBack] -= 1.0;
      continue;
    }
    // Where there is no room it stays due.
    bringUp(layout, state, f, drawBits(state, kFirstDraw + 2 * f), drawBits(state, kFirstDraw + 2 * f + 1));
  }
}

bool isBarren(const Layout& layout, const double* state) {
  for (int f = 0; f < layout.numFoods; ++f) {
    if (layout.isThere(state, f) || layout.food(state, f)[kBack] > 0.0) return false;
  }
  return true;
}

void triggerEvent(const Layout& layout, int event, int entity, std::uint32_t key, const EpisodeRng& rng,
                  std::int32_t step, double* state) {
  const auto draw = [&](int which) {
    return rng.bits(Stream::kEvent, static_cast<std::uint32_t>(step), key, static_cast<std::uint32_t>(which));
  };
  if (event == kSpawnFood) return spawn(layout, entity, draw(0), draw(1), state);
  if (event == kNewGoal) return drawGoal(layout, draw, state);
  if (event == kNewLayout) {
    for (int f = 0; f < layout.numFoods; ++f) {
      if (layout.isThere(state, f)) relocate(layout, state, f, draw(f));
    }
    return;
  }
  const int f = entity - layout.numAgents;
  if (f < 0 || f >= layout.numFoods || !layout.isThere(state, f)) return;
  if (event == kRemoveFood) takeAway(layout, state, f);
  if (event == kRelocation) relocate(layout, state, f, draw(f));
}

}  // namespace gymwright::foraging
