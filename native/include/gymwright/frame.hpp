#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

/// What a scenario tells of one copy for drawing: shapes in world units that say what they are, and nothing of how they
/// are drawn. src/shared/rl/frame.ts is the same thing as TypeScript reads it.
namespace gymwright {

/// What x, y and the extents of a shape mean.
enum class ShapeKind : std::uint8_t {
  kDisc,       ///< centre; extentX and extentY are its radius
  kRing,       ///< the same, drawn as its edge alone: a range, a goal, ...
  kRectangle,  ///< centre; extents are half its width and half its height
  kLine,       ///< start; extents lead from there to its end
  kLabel       ///< a place for `text`; extents are 0
};

/// What else is so of what a shape shows; a bit set.
enum ShapeFlag : std::uint32_t {
  kShapeDead = 1u << 0,
  kShapeHidden = 1u << 1,     ///< others cannot see it
  kShapeCarrying = 1u << 2,
  kShapeHolding = 1u << 3,    ///< stands where it counts: in a point, at a goal
  kShapeSpeaking = 1u << 4,   ///< `text` is what it said
  kShapeClosed = 1u << 5,     ///< of no use now: locked, worth nothing
  kShapeScripted = 1u << 6    ///< an agent that a built-in policy or the program's behaviours play; set by the batch
};
inline constexpr std::uint32_t kAllShapeFlags = (1u << 7) - 1;

/// In `heading` and `level`: it has none.
inline constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();

/// One thing to draw. From frame to frame it is the same thing where kind, role, entity and target are.
/// Units: world metres, y up; angles in radians, counter-clockwise from east.
struct Shape {
  ShapeKind kind = ShapeKind::kDisc;
  std::string role;  ///< what it is: the name of a group, of a set, of a type; "attack", "speech", ...
  int entity = -1;   ///< world entity that it is, or starts from; -1: none
  int target = -1;   ///< of a line: the world entity that it leads to
  int team = -1;     ///< index of the manifest group that it belongs to; -1: nobody's
  double x = 0.0;
  double y = 0.0;
  double extentX = 0.0;
  double extentY = 0.0;
  double heading = kNoNumber;
  double level = kNoNumber;  ///< 0..1: health, shield, load, progress
  std::uint32_t flags = 0;   ///< of ShapeFlag
  std::string text = {};     ///< a few characters: a level, a word said, steps left
};

/// What of the world a picture shows when nothing lies outside. Fixed for a scenario under given parameters.
struct FrameBox {
  double left = -1.0;
  double bottom = -1.0;
  double right = 1.0;
  double top = 1.0;
  double cell = 0.0;  ///< side of the cells that a grid world is divided into; 0: it is none
};

/// What one who asks for a frame wants beside the usual.
struct FrameDetail {
  bool hasRanges = false;  ///< rings of role "range": how far something reaches
  bool hasSights = false;  ///< shapes of role "sight": how far somebody sees
};

/// The moment of a copy that a scenario is to tell of.
struct FrameMoment {
  const double* state;
  const double* attributes;  ///< the scenario's base row
  std::int32_t step;         ///< steps taken in the episode
  FrameDetail detail;
};

/// What a scenario tells of a moment. Shapes are drawn in their order, so what lies below comes first.
class Frame {
 public:
  std::uint64_t episode = 0;  ///< index in its stream; this and the following two are set by the batch
  std::int32_t step = 0;      ///< steps taken in the episode
  std::int32_t regime = -1;   ///< index of the program's regime that the copy is in, or -1
  FrameBox box;
  std::string status;  ///< a few words on the whole, such as the score
  std::vector<Shape> shapes;

  // Each adds a shape and returns it for more to be said of it; valid until the next one is added.

  /// Shape: centre [2]
  Shape& disc(std::string role, int entity, const double* centre, double radius) {
    return add(ShapeKind::kDisc, std::move(role), entity, centre, radius, radius);
  }
  Shape& ring(std::string role, int entity, const double* centre, double radius) {
    return add(ShapeKind::kRing, std::move(role), entity, centre, radius, radius);
  }
  Shape& rectangle(std::string role, int entity, const double* centre, double halfWidth, double halfHeight) {
    return add(ShapeKind::kRectangle, std::move(role), entity, centre, halfWidth, halfHeight);
  }
  /// From one entity to another. Shape: start, end [2]
  Shape& line(std::string role, int from, int to, const double* start, const double* end) {
    Shape& line = add(ShapeKind::kLine, std::move(role), from, start, end[0] - start[0], end[1] - start[1]);
    line.target = to;
    return line;
  }
  Shape& label(std::string role, int entity, const double* centre, std::string text) {
    Shape& label = add(ShapeKind::kLabel, std::move(role), entity, centre, 0.0, 0.0);
    label.text = std::move(text);
    return label;
  }

 private:
  Shape& add(ShapeKind kind, std::string role, int entity, const double* at, double extentX, double extentY) {
    Shape shape;
    shape.kind = kind;
    shape.role = std::move(role);
    shape.entity = entity;
    shape.x = at[0];
    shape.y = at[1];
    shape.extentX = extentX;
    shape.extentY = extentY;
    shapes.push_back(std::move(shape));
    return shapes.back();
  }
};

}  // namespace gymwright
