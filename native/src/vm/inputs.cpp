#include "vm/inputs.hpp"

#include <algorithm>

namespace gymwright {
namespace {

/// The entry of a key, made where there is none.
template <typename T>
auto& entryOf(T& entries, int key) {
  for (auto& entry : entries) {
    if (entry.key == key) return entry.lanes;
  }
  entries.push_back({key, {}});
  return entries.back().lanes;
}

void gather(Lanes& lanes, const LaneView& view, int word) {
  const double* source = view.states + word;
  for (int l = 0; l < view.count; ++l, source += view.stateStride) lanes.values[l] = *source;
}

}  // namespace

Inputs::Inputs(const Scenario& scenario, const Kernels& kernels) : scenario_(scenario), kernels_(kernels) {}

/// A coordinate is brought in with its point, which distances want.
const double* Inputs::word(int index) {
  for (int e = 0; e < scenario_.manifest().numEntities(); ++e) {
    const int x = scenario_.positionWord(e);
    if (index == x || index == x + 1) return point(e) + (index - x) * kLanes;
  }
  return entryOf(words_, index).data();
}
const double* Inputs::point(int entity) { return entryOf(points_, entity).x.data(); }
const double* Inputs::signal(int id) { return entryOf(signals_, id).data(); }
const double* Inputs::member(int set) { return entryOf(members_, set).data(); }

/// The distance from b to a has the bits of that from a to b.
const double* Inputs::distance(int from, int to) {
  const double* a = point(std::min(from, to));
  const double* b = point(std::max(from, to));
  for (Distance& known : distances_) {
    if (known.from == a && known.to == b) return known.lanes.data();
  }
  distances_.push_back({a, b, {}});
  return distances_.back().lanes.data();
}

const double* Inputs::relation(int id, int from, int to) {
  for (Relation& known : relations_) {
    if (known.id == id && known.from == from && known.to == to) return known.lanes.data();
  }
  relations_.push_back({id, from, to, {}});
  return relations_.back().lanes.data();
}

void Inputs::load(const LaneView& view, const double* rows) {
  for (auto& [word, lanes] : words_) gather(lanes, view, word);
  for (auto& [entity, point] : points_) {
    const int word = scenario_.positionWord(entity);
    gather(point.x, view, word);
    gather(point.y, view, word + 1);
  }
  for (Distance& distance : distances_) kernels_.distance(distance.lanes.data(), distance.from, distance.to, nullptr);
  for (auto& [id, lanes] : signals_) {
    for (int l = 0; l < view.count; ++l) lanes.values[l] = scenario_.signal(id, view.state(l), view.steps[l]);
  }
  for (auto& [set, lanes] : members_) {
    for (int l = 0; l < view.count; ++l) lanes.values[l] = scenario_.member(set, view.state(l));
  }
  const auto width = static_cast<std::size_t>(scenario_.attributeWords());
  for (auto& [id, from, to, lanes] : relations_) {
    const double* row = rows;
    for (int l = 0; l < view.count; ++l, row += width)
      lanes.values[l] = scenario_.relation(id, from, to, view.state(l), row);
  }
}

}  // namespace gymwright
