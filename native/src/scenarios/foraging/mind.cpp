#include "scenarios/foraging/mind.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "scenarios/foraging/rules.hpp"

namespace gymwright::foraging {
namespace {

constexpr std::int16_t kFar = std::numeric_limits<std::int16_t>::max();

}  // namespace

Mind::Walls Mind::foodWalls() const {
  Walls walls{};
  for (int f = 0; f < layout_.numFoods; ++f) {
    if (layout_.isThere(state_, f)) walls.isTaken[layout_.indexOf(layout_.foodCell(state_, f))] = true;
  }
  return walls;
}

/// Breadth first from the goal, which may be a wall itself.
Mind::Field Mind::stepsTo(Cell goal, const Walls& walls) const {
  Field field;
  std::fill_n(field.steps, layout_.numCells(), kFar);
  std::int16_t queue[kMaxCells];
  int end = 0;
  const auto reach = [&](Cell cell, int steps) {
    field.steps[layout_.indexOf(cell)] = static_cast<std::int16_t>(steps);
    queue[end++] = static_cast<std::int16_t>(layout_.indexOf(cell));
  };
  reach(goal, 0);
  for (int i = 0; i < end; ++i) {
    const Cell cell = layout_.cellAt(queue[i]);
    for (int move = kNorth; move <= kEast; ++move) {
      const Cell next = beyond(cell, move);
      if (!layout_.isInside(next) || walls.isTaken[layout_.indexOf(next)] || field.at(layout_, next) != kFar) continue;
      reach(next, field.at(layout_, cell) + 1);
    }
  }
  return field;
}

bool Mind::isWorthIt(int f) const { return layout_.isThere(state_, f) && layout_.worth(state_, attributes_, f) > 0.0; }

bool Mind::isEnough(int f) const {
  double sum = 0.0;
  for (int a = 0; a < layout_.numAgents; ++a) {
    if (isBeside(layout_, state_, a, f)) sum += layout_.power(state_, attributes_, a);
  }
  return sum >= layout_.need(state_, attributes_, f);
}

/// The food at which all agents can be soonest; before all others one that somebody is beside already, lest they go to
/// and fro between two.
int Mind::teamTarget() const {
  const Walls walls = foodWalls();
  int best = -1;
  int least = 2 * kFar;
  for (int f = 0; f < layout_.numFoods; ++f) {
    if (!isWorthIt(f)) continue;
    const Field field = stepsTo(layout_.foodCell(state_, f), walls);
    int farthest = 0;
    bool isManned = false;
    for (int a = 0; a < layout_.numAgents; ++a) {
      farthest = std::max(farthest, field.at(layout_, layout_.agentCell(state_, a)));
      isManned = isManned || isBeside(layout_, state_, a, f);
    }
    if (!isManned) farthest += kMaxCells;
    if (farthest >= least) continue;
    least = farthest;
    best = f;
  }
  return best;
}

/// The nearest food that the agent can load by itself, else the nearest one.
int Mind::ownTarget(int a) const {
  const Field field = stepsTo(layout_.agentCell(state_, a), {});
  const double power = layout_.power(state_, attributes_, a);
  int best = -1;
  int least = kFar;
  for (int f = 0; f < layout_.numFoods; ++f) {
    if (!isWorthIt(f)) continue;
    const int steps = field.at(layout_, layout_.foodCell(state_, f)) +
                      (power >= layout_.need(state_, attributes_, f) ? 0 : kMaxCells);
    if (steps >= least) continue;
    least = steps;
    best = f;
  }
  return best;
}

std::int32_t Mind::downhill(int a, const Field& field) const {
  const Cell cell = layout_.agentCell(state_, a);
  std::int32_t best = kNone;
  int least = field.at(layout_, cell);
  for (std::int32_t move = kNorth; move <= kEast; ++move) {
    if (!layout_.isLegal(state_, a, move) || field.at(layout_, beyond(cell, move)) >= least) continue;
    least = field.at(layout_, beyond(cell, move));
    best = move;
  }
  return best;
}

std::int32_t Mind::walkTo(int a, Cell goal) const {
  if (stepsBetween(layout_.agentCell(state_, a), goal) <= 1) return kNone;
  return downhill(a, stepsTo(goal, foodWalls()));
}

std::int32_t Mind::gather(int a, int f) const {
  if (f < 0 || !layout_.isThere(state_, f)) return kNone;
  return isBeside(layout_, state_, a, f) ? static_cast<std::int32_t>(kLoad) : walkTo(a, layout_.foodCell(state_, f));
}

/// All go to one food, those that are nearer first, and keep out of each other's way; they load it when they are
/// enough.
void Mind::playTeam(std::int32_t* actions) const {
  std::fill_n(actions, layout_.numAgents, static_cast<std::int32_t>(kNone));
  const int f = teamTarget();
  if (f < 0) return;
  const Cell goal = layout_.foodCell(state_, f);
  const Field open = stepsTo(goal, foodWalls());
  std::pair<int, int> order[kMaxAgents];  // steps to the goal, agent
  for (int a = 0; a < layout_.numAgents; ++a) order[a] = {open.at(layout_, layout_.agentCell(state_, a)), a};
  std::sort(order, order + layout_.numAgents);
  const bool isReady = isEnough(f);
  Walls walls = foodWalls();
  for (int i = 0; i < layout_.numAgents; ++i) {
    const int a = order[i].second;
    if (isBeside(layout_, state_, a, f))
      actions[a] = isReady ? kLoad : kNone;
    else
      actions[a] = downhill(a, stepsTo(goal, walls));
    walls.isTaken[layout_.indexOf(beyond(layout_.agentCell(state_, a), actions[a]))] = true;
  }
}

std::int32_t Mind::playAlone(int a) const { return gather(a, ownTarget(a)); }

std::int32_t Mind::playRandom(int a, const EpisodeRng& rng, std::int32_t step) const {
  std::int32_t legal[kNumActions];
  std::uint32_t count = 0;
  for (std::int32_t action = kNone; action < kNumActions; ++action) {
    if (layout_.isLegal(state_, a, action)) legal[count++] = action;
  }
  return legal[rng.below(Stream::kScripted, static_cast<std::uint32_t>(step), static_cast<std::uint32_t>(a), 0, count)];
}

void Mind::play(int policy, const EpisodeRng& rng, std::int32_t step, std::int32_t* actions) const {
  if (policy == kPlayForage || policy == kPlayTemper) playTeam(actions);
  for (int a = 0; a < layout_.numAgents; ++a) {
    const auto temper = static_cast<Temper>(layout_.of(attributes_, kTemper, a));
    switch (policy) {
      case kPlayNoop: actions[a] = kNone; break;
      case kPlayRandom: actions[a] = playRandom(a, rng, step); break;
      case kPlayAlone: actions[a] = playAlone(a); break;
      case kPlayTemper:
        if (temper == Temper::kAlone) actions[a] = playAlone(a);
        if (temper == Temper::kIdle) actions[a] = kNone;
        break;
      default: break;
    }
  }
}

int Mind::nearestMate(int a) const {
  int nearest = -1;
  int least = kFar;
  for (int b = 0; b < layout_.numAgents; ++b) {
    const int steps = stepsBetween(layout_.agentCell(state_, a), layout_.agentCell(state_, b));
    if (b == a || steps >= least) continue;
    least = steps;
    nearest = b;
  }
  return nearest;
}

int Mind::nearestFood(Cell cell) const {
  int nearest = -1;
  int least = kFar;
  for (int f = 0; f < layout_.numFoods; ++f) {
    const int steps = stepsBetween(cell, layout_.foodCell(state_, f));
    if (!isWorthIt(f) || steps >= least) continue;
    least = steps;
    nearest = f;
  }
  return nearest;
}

/// The legal step after which the entity is farthest.
std::int32_t Mind::flee(int a, int entity) const {
  if (entity < 0) entity = nearestMate(a);
  if (entity < 0) return kNone;
  const Cell cell = layout_.agentCell(state_, a);
  std::int32_t best = kNone;
  int most = stepsBetween(cell, layout_.entityCell(state_, entity));
  for (std::int32_t move = kNorth; move <= kEast; ++move) {
    const int steps = stepsBetween(beyond(cell, move), layout_.entityCell(state_, entity));
    if (steps <= most || !layout_.isLegal(state_, a, move)) continue;
    most = steps;
    best = move;
  }
  return best;
}

std::int32_t Mind::behave(int behaviour, int agent, int target, const EpisodeRng& rng, std::int32_t step) const {
  const int mate = target < 0 ? nearestMate(agent) : target;
  switch (behaviour) {
    case kDoGather: return target < 0 ? playAlone(agent) : gather(agent, target - layout_.numAgents);
    case kDoHelp:
      return mate < 0 ? static_cast<std::int32_t>(kNone) : gather(agent, nearestFood(layout_.agentCell(state_, mate)));
    case kDoGoto:
      return target < 0 ? static_cast<std::int32_t>(kNone) : walkTo(agent, layout_.entityCell(state_, target));
    case kDoFlee: return flee(agent, target);
    case kDoWander: return playRandom(agent, rng, step);
    default: return kNone;
  }
}

}  // namespace gymwright::foraging
