#include <algorithm>
#include <limits>

#include "scenarios/capture/rules.hpp"

namespace gymwright::capture {
namespace {

constexpr std::uint32_t kMaxTries = 16;
constexpr int kSearchSide = 48;  ///< spots along each side of the search over the field
constexpr double kTurn = 6.283185307179586;

/// Distance from a disc around a spot to the nearest place on the field; negative where they overlap. The middle zone
/// does not count.
double gapAround(const Layout& layout, const double* state, const double* spot, double margin) {
  double least = std::numeric_limits<double>::infinity();
  for (int p = 0; p < layout.numPlaces; ++p) {
    const double* place = layout.place(state, p);
    if (p == kMiddle || place[kActive] == 0.0) continue;
    least = std::min(least, distanceBetween(spot, place) - layout.radius(p) - margin);
  }
  return least;
}

/// Stands a place up at an entity, or at a free spot drawn at random. Nothing happens where no slot or spot is free.
void spawn(const Layout& layout, int firstPlace, int count, int entity, std::uint32_t key, const EpisodeRng& rng,
           std::int32_t step, double* state) {
  for (int p = firstPlace; p < firstPlace + count; ++p) {
    double* place = layout.place(state, p);
    if (place[kActive] != 0.0) continue;
    double spot[2];
    if (entity >= 0) {
      std::copy_n(layout.position(state, entity), 2, spot);
    } else if (!findFreePlace(layout, state, layout.radius(p), rng, Stream::kEvent, static_cast<std::uint32_t>(step),
                              key, 0, spot)) {
      return;
    }
    std::copy_n(spot, 2, place);
    place[kActive] = 1.0;
    countObstacles(layout, state);
    return;
  }
}

/// Removes a place if it is one of the kind.
void remove(const Layout& layout, int firstPlace, int count, int entity, double* state) {
  const int p = entity - layout.numUnits;
  if (p >= firstPlace && p < firstPlace + count) layout.place(state, p)[kActive] = 0.0;
  countObstacles(layout, state);
}

void push(double* unit, double speed, std::uint32_t key, std::uint32_t unitKey, const EpisodeRng& rng,
          std::int32_t step) {
  const double angle = rng.uniform(Stream::kEvent, static_cast<std::uint32_t>(step), key, 64 + unitKey, 0.0, kTurn);
  unit[kDriftX] += speed * std::cos(angle);
  unit[kDriftY] += speed * std::sin(angle);
}

void wound(double* unit, double amount) {
  const double left = std::max(0.0, unit[kHealth] - amount);
  unit[kShare] *= unit[kHealth] > 0.0 ? left / unit[kHealth] : 0.0;
  unit[kHealth] = left;
}

}  // namespace

bool findFreePlace(const Layout& layout, const double* state, double margin, const EpisodeRng& rng, Stream stream,
                   std::uint32_t step, std::uint32_t entity, std::uint32_t draw, double* spot) {
  const double width = layout.config.width - 2.0 * margin;
  const double height = layout.config.height - 2.0 * margin;
  for (std::uint32_t attempt = 0; attempt < kMaxTries; ++attempt, draw += 2) {
    spot[0] = rng.uniform(stream, step, entity, draw, margin, margin + width);
    spot[1] = rng.uniform(stream, step, entity, draw + 1, margin, margin + height);
    if (gapAround(layout, state, spot, margin) > 0.0) return true;
  }
  double widest = -std::numeric_limits<double>::infinity();
  for (int i = 0; i < kSearchSide * kSearchSide; ++i) {
    const double candidate[2] = {margin + width * (i % kSearchSide) / (kSearchSide - 1),
                                 margin + height * (i / kSearchSide) / (kSearchSide - 1)};
    const double gap = gapAround(layout, state, candidate, margin);
    if (gap <= widest) continue;
    widest = gap;
    std::copy_n(candidate, 2, spot);
  }
  return widest > 0.0;
}

void triggerEvent(const Layout& layout, int event, double amount, int entity, std::uint32_t key, const EpisodeRng& rng,
                  std::int32_t step, double* state) {
  const Config& config = layout.config;
  const bool isUnit = entity >= 0 && entity < layout.numUnits && layout.isAlive(state, entity);
  switch (event) {
    case kSpawnSupply: return spawn(layout, layout.supply(0), config.numSupplies, entity, key, rng, step, state);
    case kSpawnObstacle: return spawn(layout, layout.obstacle(0), config.numObstacles, entity, key, rng, step, state);
    case kRemoveSupply: return remove(layout, layout.supply(0), config.numSupplies, entity, state);
    case kRemoveObstacle: return remove(layout, layout.obstacle(0), config.numObstacles, entity, state);
    case kPush:
      if (isUnit) push(layout.unit(state, entity), amount, key, layout.unitKey(entity), rng, step);
      return;
    default:
      if (isUnit) wound(layout.unit(state, entity), amount);
  }
}

}  // namespace gymwright::capture
