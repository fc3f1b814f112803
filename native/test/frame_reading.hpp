#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <string>
#include <vector>

#include "gymwright/scenario.hpp"

namespace gymwright::test {

/// What a scenario tells of a state that is played by hand.
inline Frame frameOf(const Scenario& scenario, const std::vector<double>& state, const FrameDetail& detail = {}) {
  Frame frame;
  frame.box = scenario.frameBox();
  scenario.describeFrame({state.data(), scenario.baseAttributes().data(), 0, detail}, frame);
  return frame;
}

/// The first shape of a role that is of an entity, or leads from there to another one; null: there is none.
inline const Shape* findShape(const Frame& frame, const std::string& role, int entity, int target = -1) {
  for (const Shape& shape : frame.shapes) {
    if (shape.role == role && shape.entity == entity && shape.target == target) return &shape;
  }
  return nullptr;
}

/// Discs and rectangles that are an entity, not what it sees.
inline std::vector<Shape> bodiesOf(const Frame& frame, int entity) {
  std::vector<Shape> bodies;
  for (const Shape& shape : frame.shapes) {
    const bool isBody = shape.kind == ShapeKind::kDisc || shape.kind == ShapeKind::kRectangle;
    if (isBody && shape.entity == entity && shape.role != "sight") bodies.push_back(shape);
  }
  return bodies;
}

inline bool hasFlag(const Shape* shape, ShapeFlag flag) { return shape != nullptr && (shape->flags & flag) != 0; }

inline std::size_t countRole(const Frame& frame, const std::string& role) {
  return static_cast<std::size_t>(
      std::count_if(frame.shapes.begin(), frame.shapes.end(), [&role](const Shape& s) { return s.role == role; }));
}

inline bool isSameShape(const Shape& a, const Shape& b) {
  const auto bits = [](double x) { return std::bit_cast<std::uint64_t>(x); };
  const auto isSame = [&bits](double x, double y) { return bits(x) == bits(y); };
  return a.kind == b.kind && a.role == b.role && a.entity == b.entity && a.target == b.target && a.team == b.team &&
         isSame(a.x, b.x) && isSame(a.y, b.y) && isSame(a.extentX, b.extentX) && isSame(a.extentY, b.extentY) &&
         isSame(a.heading, b.heading) && isSame(a.level, b.level) && a.flags == b.flags && a.text == b.text;
}

/// Bit for bit, with the moment that they are of.
inline bool isSameFrame(const Frame& a, const Frame& b) {
  return a.episode == b.episode && a.step == b.step && a.regime == b.regime && a.status == b.status &&
         std::equal(a.shapes.begin(), a.shapes.end(), b.shapes.begin(), b.shapes.end(), isSameShape);
}

}  // namespace gymwright::test
