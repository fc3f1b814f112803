// The instructions of the machine that take entities from registers or ask the scenario, lane by lane.
#include <algorithm>
#include <cmath>
#include <limits>

#include "vm/machine.hpp"

namespace gymwright {
namespace {

constexpr int kNobody = -1;
constexpr int kNoEntity = -2;

/// The world entity that a lane value denotes, kNobody for -1, or kNoEntity.
int entityOf(double value, int numEntities) {
  if (value == -1.0) return kNobody;
  if (!(value >= 0.0 && value < numEntities) || value != std::floor(value)) return kNoEntity;
  return static_cast<int>(value);
}

const double* lanesOf(const EntityTable& table, int entity) {
  return entity < 0 ? nullptr : table[static_cast<std::size_t>(entity)];
}

}  // namespace

void Machine::loadIndexed(const BoundInstruction& i, int count) {
  const int numEntities = static_cast<int>(i.table->size());
  for (int l = 0; l < count; ++l) {
    const double* lanes = lanesOf(*i.table, entityOf(i.b[l], numEntities));
    if (lanes == nullptr) noteCause(l, TrapReason::kDomain);
    i.dst[l] = lanes == nullptr ? kUndefined : lanes[l];
  }
}

void Machine::distanceIndexed(const BoundInstruction& i, int count) {
  const int numEntities = static_cast<int>(i.table->size());
  for (int l = 0; l < count; ++l) {
    const int other = entityOf(i.b[l], numEntities);
    const double* point = lanesOf(*i.table, other);
    if (point == nullptr) {
      if (other == kNoEntity) noteCause(l, TrapReason::kDomain);
      i.dst[l] = other == kNobody ? std::numeric_limits<double>::infinity() : kUndefined;
      continue;
    }
    const double dx = i.a[l] - point[l];
    const double dy = i.a[kLanes + l] - point[kLanes + l];
    i.dst[l] = std::sqrt(dx * dx + dy * dy);
  }
}

void Machine::relate(const BoundInstruction& i, const LaneView& view) {
  const Manifest& manifest = scenario_.manifest();
  const Relation& relation = manifest.relations[static_cast<std::size_t>(i.index)];
  const auto width = static_cast<std::size_t>(scenario_.attributeWords());
  for (int l = 0; l < view.count; ++l) {
    const int other = entityOf(i.c[l], manifest.numEntities());
    const bool isOther = other >= 0 && (!relation.to || manifest.kindOf(other) == *relation.to);
    if (isOther) {
      const double* row = rows_ + static_cast<std::size_t>(l) * width;
      i.dst[l] = scenario_.relation(i.index, i.entity, other, view.state(l), row);
    } else if (other == kNobody) {
      i.dst[l] = 0.0;
    } else {
      noteCause(l, TrapReason::kDomain);
      i.dst[l] = kUndefined;
    }
  }
}

void Machine::collectEvents(const BoundInstruction& i, int count, LaneTraps& traps) {
  const Manifest& manifest = scenario_.manifest();
  const Event& event = manifest.events[static_cast<std::size_t>(i.index)];
  const double low = event.amount ? event.amount->min : 0.0;
  const double high = event.amount ? event.amount->max : 0.0;
  for (int l = 0; l < count; ++l) {
    if (i.c[l] == 0.0) continue;
    if (lane::isUndefined(i.c[l]) || !(std::fabs(i.a[l]) <= kMaxFinite)) {
      trap(l, i.declaration, TrapReason::kNonfinite, traps);
      continue;
    }
    const int entity = entityOf(i.b[l], manifest.numEntities());
    if (manifest.accepts(event, entity)) {
      w_.pending.push_back({l, i.index, lane::clamp(i.a[l], low, high), entity, i.key});
    } else if (entity != kNobody) {
      trap(l, i.declaration, TrapReason::kDomain, traps);
    }
  }
}

void Machine::chooseBehaviour(const BoundInstruction& i, int count, LaneTraps& traps) {
  const Manifest& manifest = scenario_.manifest();
  const TargetKind wanted = manifest.behaviours[static_cast<std::size_t>(i.index)].target;
  Choice& choice = w_.choices[static_cast<std::size_t>(i.entity)];
  for (std::size_t l = 0; l < static_cast<std::size_t>(count); ++l) {
    if (choice.behaviour[l] >= 0 || i.c[l] == 0.0) continue;
    const int target = entityOf(i.b[l], manifest.numEntities());
    if (lane::isUndefined(i.c[l])) {
      trap(static_cast<int>(l), i.declaration, TrapReason::kNonfinite, traps);
    } else if (target != kNobody && !manifest.isTarget(wanted, target)) {
      trap(static_cast<int>(l), i.declaration, TrapReason::kDomain, traps);
    } else {
      choice.behaviour[l] = i.index;
      choice.target[l] = target;
    }
  }
}

}  // namespace gymwright
