// capture: two teams of assault and support units take and hold points on a field.
//
// World entities: the units of red (assault, then support), those of blue, then the places: zones (red base, blue base,
// middle), points, supplies, obstacles, locks. Slots follow the capacities; what is not in play is absent.
//
// A unit that moves moves; a unit that stands uses its weapon by itself: it heals the most wounded mate within range if
// it can heal, else it hits the nearest enemy that it sees within range. What lands in a step lands at once.
//
// obs of a unit, O = 10 + P (4 or with locks 5) + 4 (A-1) + 3 (supplies + obstacles) + 5 locks:          numbers
//   1. self: alive, x, y (-1..1), health share, respawn share left, is support, in a point, in the own base,
//      time left share, own score minus the other's in captures of all points                            10
//   2. points: place minus self, owner and progress (+ own, - other), with locks: closed to the own team 4 or 5 each
//   3. mates, then enemies, in index order without self: seen, place minus self, health share             4 each
//   4. supplies, then obstacles: seen, place minus self                                                   3 each
//   5. locks: place minus self, open to the own team, assault / support of the own team stood there lately  5 each
// Places are shares of the field's longer side. What is out of sight is zero; a dead unit has its own block only, an
// absent one nothing. With information.split support units lack enemies, assault units supplies, the score and the
// state of points and locks. Shares are of the attributes in force in the step, and at most 1.
// state: time left, scores; points: x, y, owner, progress, open; units: alive, x, y, health, respawn; supplies and
//   obstacles: active, x, y; locks: x, y, open to red, open to blue.
// actions: 0 stand, then 8 directions counter-clockwise from east; continuous [left, right, down, up] in [0,1].
// reward: reward.capture to the team that takes a point, and nothing else.
// Terminates when a team's score reaches episode.score; truncates after episode.length steps.
#include <algorithm>

#include "scenarios/capture/mind.hpp"
#include "scenarios/capture/rules.hpp"
#include "sim/laid_out_scenario.hpp"

namespace gymwright {
namespace capture {
namespace {

constexpr double kWariness = 0.0;
constexpr double kSteadiness = 0.5;
constexpr double kFullBoldness = 1.0;
/// Draw of Stream::kScripted at step 0 that gives a unit its temperament for the episode.
constexpr std::uint32_t kTemperDraw = 1;

class Capture final : public LaidOutScenario<Layout> {
 public:
  explicit Capture(const ParameterValues& values) : LaidOutScenario(values, 2) {}

  void reset(double* state, const EpisodeRng& rng) const override {
    std::fill_n(state, stateWords_, 0.0);
    layOutPlaces(layout_, state);
    for (int i = 0; i < layout_.config.numPoints; ++i) scatterPoint(state, rng, i);
    placeFirst(state, rng, layout_.supply(0), layout_.config.firstSupplies);
    placeFirst(state, rng, layout_.obstacle(0), layout_.config.firstObstacles);
    countObstacles(layout_, state);
    for (int u = 0; u < layout_.numUnits; ++u) {
      const int team = layout_.team(u);
      const double* base = layout_.place(state, team == kRed ? kRedBase : kBlueBase);
      const double spread = layout_.config.spawn[team];
      const std::uint32_t key = layout_.unitKey(u);
      startUnit(layout_, state, u, base[kPlaceX] + draw(rng, key, 0, spread),
                base[kPlaceY] + draw(rng, key, 1, spread));
    }
  }

  void decodeDiscrete(int /*agent*/, std::int32_t action, double* controls) const override {
    controls[0] = kDirections[action][0];
    controls[1] = kDirections[action][1];
  }

  void decodeContinuous(int /*agent*/, const float* action, double* controls) const override {
    const auto side = [action](int i) { return std::clamp(static_cast<double>(action[i]), 0.0, 1.0); };
    controls[0] = side(1) - side(0);
    controls[1] = side(3) - side(2);
    const double length = std::sqrt(controls[0] * controls[0] + controls[1] * controls[1]);
    for (int axis = 0; axis < 2 && length > 1.0; ++axis) controls[axis] /= length;
  }

  bool advance(double* state, const double* attributes, const double* controls, double* components) const override {
    StepNotes notes;
    state[kClock] += 1.0;
    takeAttendance(layout_, state, attributes);
    respawnDead(layout_, state, attributes);
    moveUnits(layout_, state, attributes, controls, notes);
    fight(layout_, state, attributes, notes);
    takeSupplies(layout_, state, attributes);
    operateLocks(layout_, state);
    takePoints(layout_, state, attributes, notes, components);
    keepBooks(layout_, state, attributes, notes);
    const double limit = layout_.config.scoreLimit;
    return limit > 0.0 && std::max(state[kScores + kRed], state[kScores + kBlue]) >= limit;
  }

  void writeState(const double* state, const float* /*obs*/, float* out) const override {
    writeGlobalState(layout_, state, out);
  }

  /// Who is dead or absent can only stand; nobody can walk out of the field.
  void writeAvailActions(const double* state, std::uint8_t* out) const override {
    for (int u = 0; u < layout_.numUnits; ++u, out += kNumActions) {
      const double* unit = layout_.unit(state, u);
      std::fill_n(out, kNumActions, std::uint8_t{unit[kAlive] != 0.0});
      out[0] = 1;
      const bool isInside =
          unit[kX] > 0.0 && unit[kX] < layout_.config.width && unit[kY] > 0.0 && unit[kY] < layout_.config.height;
      if (!isInside) maskWaysOut(unit, out);
    }
  }

  void writeActive(const double* state, std::uint8_t* out) const override {
    for (int u = 0; u < layout_.numUnits; ++u) out[u] = std::uint8_t{layout_.isAlive(state, u)};
  }

  double signal(int id, const double* state, std::int32_t step) const override {
    switch (id) {
      case kRedScore: return state[kScores + kRed];
      case kBlueScore: return state[kScores + kBlue];
      case kRedPoints: return countPoints(state, kRed);
      case kBluePoints: return countPoints(state, kBlue);
      case kRedAlive: return countAlive(state, kRed);
      case kBlueAlive: return countAlive(state, kBlue);
      default: return step;
    }
  }

  /// There are no dynamic sets.
  int member(int set, const double* /*state*/) const override {
    return manifest_.sets[static_cast<std::size_t>(set)].entities.front();
  }

  double relation(int id, int from, int to, const double* state, const double* attributes) const override {
    return relate(layout_, id, from, to, state, attributes);
  }

  void trigger(int event, double amount, int entity, std::uint32_t key, const EpisodeRng& rng, std::int32_t step,
               double* state) const override {
    triggerEvent(layout_, event, amount, entity, key, rng, step, state);
  }

  std::int32_t behave(int behaviour, int agent, int target, const double* state, const double* attributes,
                      const EpisodeRng& rng, std::int32_t step) const override {
    const Mind mind(layout_, state, attributes, agent);
    return mind.isAlive() ? mind.behave(behaviour, target, rng, step) : 0;
  }

  void actScripted(int group, int policy, const double* state, const double* attributes, const EpisodeRng& rng,
                   std::int32_t step, std::int32_t* actions) const override {
    for (int u = layout_.first(group); u < layout_.end(group); ++u, ++actions) {
      const Mind mind(layout_, state, attributes, u);
      *actions = 0;
      if (!mind.isAlive() || policy == kNoop) continue;
      *actions = policy == kRandom ? mind.wander(rng, step) : mind.playWith(boldness(policy, u, attributes, rng));
    }
  }

  void writeMetrics(const double* state, std::int32_t steps, double* metrics) const override {
    capture::writeMetrics(layout_, state, steps, metrics);
  }

  FrameBox frameBox() const override { return {0.0, 0.0, layout_.config.width, layout_.config.height}; }
  void describeFrame(const FrameMoment& moment, Frame& frame) const override {
    capture::describeFrame(layout_, moment, frame);
  }

 private:
  double draw(const EpisodeRng& rng, std::uint32_t key, std::uint32_t number, double spread) const {
    return rng.uniform(Stream::kReset, 0, key, number, -spread, spread);
  }

  /// Moves a point, and its lock with it, as far as the field goes.
  void scatterPoint(double* state, const EpisodeRng& rng, int i) const {
    const double scatter = layout_.config.pointScatter;
    if (scatter == 0.0) return;
    const std::uint32_t key = layout_.placeKey(layout_.point(i));
    const double dx = draw(rng, key, 0, scatter);
    const double dy = draw(rng, key, 1, scatter);
    movePlace(state, layout_.point(i), dx, dy);
    if (const int lock = layout_.lockOf(i); lock >= 0) movePlace(state, layout_.lock(lock), dx, dy);
  }

  void movePlace(double* state, int p, double dx, double dy) const {
    double* place = layout_.place(state, p);
    const double margin = layout_.radius(p);
    place[kPlaceX] = std::clamp(place[kPlaceX] + dx, margin, layout_.config.width - margin);
    place[kPlaceY] = std::clamp(place[kPlaceY] + dy, margin, layout_.config.height - margin);
  }

  void placeFirst(double* state, const EpisodeRng& rng, int firstPlace, int count) const {
    for (int p = firstPlace; p < firstPlace + count; ++p) {
      double spot[2];
      // In an overfull field it overlaps others as little as can be: as many as are set are there.
      findFreePlace(layout_, state, layout_.radius(p), rng, Stream::kReset, 0, layout_.placeKey(p), 0, spot);
      double* place = layout_.place(state, p);
      std::copy_n(spot, 2, place);
      place[kActive] = 1.0;
    }
  }

  void maskWaysOut(const double* unit, std::uint8_t* mask) const {
    for (int action = 1; action < kNumActions; ++action) {
      const double dx = kDirections[action][0];
      const double dy = kDirections[action][1];
      const bool isOut = (dx < 0.0 && unit[kX] <= 0.0) || (dx > 0.0 && unit[kX] >= layout_.config.width) ||
                         (dy < 0.0 && unit[kY] <= 0.0) || (dy > 0.0 && unit[kY] >= layout_.config.height);
      if (isOut) mask[action] = 0;
    }
  }

  int countPoints(const double* state, int team) const {
    int count = 0;
    for (int i = 0; i < layout_.config.numPoints; ++i) {
      count += layout_.place(state, layout_.point(i))[kOwner] == team ? 1 : 0;
    }
    return count;
  }

  int countAlive(const double* state, int team) const {
    int count = 0;
    for (int u = layout_.first(team); u < layout_.end(team); ++u) count += layout_.isAlive(state, u) ? 1 : 0;
    return count;
  }

  double boldness(int policy, int u, const double* attributes, const EpisodeRng& rng) const {
    switch (policy) {
      case kBold: return kFullBoldness;
      case kWary: return kWariness;
      case kMixed: return 0.5 * rng.below(Stream::kScripted, 0, layout_.unitKey(u), kTemperDraw, 3);
      case kTempered: return layout_.of(attributes, kBoldness, u);
      default: return kSteadiness;
    }
  }
};

}  // namespace
}  // namespace capture

const ScenarioEntry kCapture = {"capture", capture::parameters, makeShared<capture::Capture>, capture::checkParameters};

}  // namespace gymwright
