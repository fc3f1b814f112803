// gather: N walkers on a plane are to meet at a beacon that stands somewhere else in every episode.
//
// obs of a walker, O = 4:   1. own position 0 .. 2   2. beacon minus self 2 .. 4
// actions: 0 stay, 1 left, 2 right, 3 down, 4 up: one step of `speed` metres.
// reward of a walker: minus its distance to the beacon; 1 more for all in the step in which the last one arrives.
// Terminates when all stand within 0.5 m of the beacon, truncates after episode.length steps.
#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "gymwright/scenario_library.hpp"

namespace {

using namespace gymwright;

constexpr double kField = 10.0;  // half-width, m
constexpr double kNear = 0.5;    // m

constexpr double kTogether = 2.0;  // m
constexpr int kGridSide = 5;

enum BookWord { kTogetherSteps, kNearingSteps, kCells, kBookWords };  // of a walker, behind metrics
enum ComponentIndex { kDistance, kArrival, kNumComponents };
enum SignalIndex { kTime, kArrived };
enum PolicyIndex { kStay, kWalkThere };

std::vector<Parameter> parameters() {
  Parameter speed{"walker.speed", "float", "m", 0.5, 0.1, 2, false, true, "Length of one step."};
  speed.live = LiveSetting{"speed", "walker", "value"};  // a regime may set it while an episode runs
  return {{"walker.count", "int", "none", 3, 1, 10, true, false, "Number of walkers."},
          speed,
          {"episode.length", "int", "steps", 50, 1, 1000, false, false, "Steps after which an episode is truncated."}};
}

// State words: x, y of each walker; x, y of the beacon; sum over steps of the mean distance; all arrived (0 or 1);
// books of each walker: steps with a mate near, steps nearer to the beacon, bit set of visited cells.
class Gather final : public Scenario {
 public:
  explicit Gather(const ParameterValues& values) : count_(values.whole("walker.count")) {
    stateWords_ = 2 * count_ + 4 + kBookWords * count_;
    baseAttributes_.assign(static_cast<std::size_t>(count_), values.number("walker.speed"));
    describe(values);
  }

  void reset(double* state, const EpisodeRng& rng) const override {
    for (int e = 0; e <= count_; ++e) {
      const auto entity = static_cast<std::uint32_t>(e);
      state[2 * e] = rng.uniform(Stream::kReset, 0, entity, 0, -kField, kField);
      state[2 * e + 1] = rng.uniform(Stream::kReset, 0, entity, 1, -kField, kField);
    }
    std::fill(state + 2 * count_ + 2, state + stateWords_, 0.0);
    for (int a = 0; a < count_; ++a) visit(state, a);
  }

  // A snapshot may come from anywhere; its words are finite, but may be no state of this scenario.
  bool isValidState(const double* state) const override {
    for (int word = 0; word < 2 * count_ + 2; ++word) {
      if (std::fabs(state[word]) > kField) return false;
    }
    for (int a = 0; a < count_; ++a) {
      const double cells = book(state, a)[kCells];
      if (!(cells >= 0.0 && cells < 1 << kGridSide * kGridSide) || cells != std::floor(cells)) return false;
    }
    return state[2 * count_ + 3] == 0.0 || state[2 * count_ + 3] == 1.0;
  }

  void decodeDiscrete(int, std::int32_t action, double* controls) const override {
    controls[0] = action == 1 ? -1.0 : (action == 2 ? 1.0 : 0.0);
    controls[1] = action == 3 ? -1.0 : (action == 4 ? 1.0 : 0.0);
  }

  bool advance(double* state, const double* speeds, const double* controls, double* components) const override {
    double sum = 0.0;
    for (int a = 0; a < count_; ++a) {
      const double before = distance(state, a);
      for (int axis = 0; axis < 2; ++axis) {
        double& position = state[2 * a + axis];
        position = std::fmax(-kField, std::fmin(kField, position + speeds[a] * controls[2 * a + axis]));
      }
      sum += distance(state, a);
      visit(state, a);
      if (distance(state, a) < std::fmax(before, kNear)) book(state, a)[kNearingSteps] += 1.0;
      components[a * kNumComponents + kDistance] = -distance(state, a);
    }
    for (int a = 0; a < count_; ++a) book(state, a)[kTogetherSteps] += hasMateNear(state, a) ? 1.0 : 0.0;
    const bool isDone = arrived(state) == count_;
    for (int a = 0; a < count_; ++a) components[a * kNumComponents + kArrival] = isDone ? 1.0 : 0.0;
    state[2 * count_ + 2] += sum / count_;
    state[2 * count_ + 3] = isDone ? 1.0 : 0.0;
    return isDone;
  }

  void writeObs(const double* state, float* obs) const override { write(state, obs); }
  void writeObs(const double* state, double* obs) const override { write(state, obs); }

  double signal(int id, const double* state, std::int32_t step) const override {
    return id == kTime ? step : arrived(state);
  }

  int positionWord(int entity) const override { return 2 * entity; }

  void actScripted(int, int policy, const double* state, const double*, const EpisodeRng&, std::int32_t,
                   std::int32_t* actions) const override {
    for (int a = 0; a < count_; ++a) {
      const double dx = state[2 * count_] - state[2 * a];
      const double dy = state[2 * count_ + 1] - state[2 * a + 1];
      const int towards = std::fabs(dx) > std::fabs(dy) ? (dx < 0 ? 1 : 2) : (dy < 0 ? 3 : 4);
      actions[a] = policy == kStay || distance(state, a) < kNear ? 0 : towards;
    }
  }

  void writeMetrics(const double* state, std::int32_t steps, double* metrics) const override {
    for (int a = 0; a < count_; ++a) {
      *metrics++ = state[2 * count_ + 2] / steps;
      *metrics++ = state[2 * count_ + 3];
      const double* sums = book(state, a);
      *metrics++ = count_ > 1 ? sums[kTogetherSteps] / steps : std::numeric_limits<double>::quiet_NaN();
      *metrics++ = sums[kNearingSteps] / steps;
      *metrics++ = std::popcount(static_cast<std::uint32_t>(sums[kCells])) / double{kGridSide * kGridSide};
    }
  }

  // For pictures. The default tells who is where; this adds what the manifest cannot say.
  void describeFrame(const FrameMoment& moment, Frame& frame) const override {
    Scenario::describeFrame(moment, frame);
    for (Shape& shape : frame.shapes) {
      if (shape.entity < count_ && distance(moment.state, shape.entity) < kNear) shape.flags |= kShapeHolding;
    }
    frame.ring("goal", count_, moment.state + 2 * count_, kNear);
    frame.status = std::to_string(arrived(moment.state)) + " of " + std::to_string(count_) + " arrived";
  }

 private:
  /// Between entities; the beacon comes after the walkers.
  static double between(const double* state, int a, int b) {
    const double dx = state[2 * a] - state[2 * b];
    const double dy = state[2 * a + 1] - state[2 * b + 1];
    return std::sqrt(dx * dx + dy * dy);
  }
  double distance(const double* state, int a) const { return between(state, a, count_); }

  double* book(double* state, int a) const { return state + 2 * count_ + 4 + kBookWords * a; }
  const double* book(const double* state, int a) const { return state + 2 * count_ + 4 + kBookWords * a; }

  void visit(double* state, int a) const {
    const auto cellOf = [](double x) {
      return std::min(kGridSide - 1, static_cast<int>((x / kField + 1) / 2 * kGridSide));
    };
    const int cell = cellOf(state[2 * a + 1]) * kGridSide + cellOf(state[2 * a]);
    double& cells = book(state, a)[kCells];
    cells = static_cast<double>(static_cast<std::uint32_t>(cells) | std::uint32_t{1} << cell);
  }

  bool hasMateNear(const double* state, int a) const {
    for (int b = 0; b < count_; ++b) {
      if (b != a && between(state, a, b) <= kTogether) return true;
    }
    return false;
  }

  int arrived(const double* state) const {
    int number = 0;
    for (int a = 0; a < count_; ++a) number += distance(state, a) < kNear ? 1 : 0;
    return number;
  }

  template <typename T>
  void write(const double* state, T* obs) const {
    for (int a = 0; a < count_; ++a) {
      for (int axis = 0; axis < 2; ++axis) {
        obs[4 * a + axis] = static_cast<T>(state[2 * a + axis]);
        obs[4 * a + 2 + axis] = static_cast<T>(state[2 * count_ + axis] - state[2 * a + axis]);
      }
    }
  }

  void describe(const ParameterValues& values);

  int count_;
};

void Gather::describe(const ParameterValues& values) {
  Manifest& m = manifest_;
  m.name = "gather";
  m.version = 1;
  m.title = "Gather";
  m.doc = "Walkers are to meet at a beacon.";
  m.numAgents = count_;
  m.numLandmarks = 1;
  m.obsDim = 4;
  m.stateDim = 4 * count_;
  m.numActions = 5;
  m.continuousDim = 0;
  m.episodeLength = values.whole("episode.length");
  m.stepSeconds = 1.0;
  m.nominalReturn = m.episodeLength * kField;  // about what standing still costs
  m.parameters = parameters();
  std::vector<std::string> names;
  std::vector<int> walkers;
  for (int a = 0; a < count_; ++a) {
    names.push_back("walker_" + std::to_string(a));
    walkers.push_back(a);
  }
  m.groups = {{"walker", names, 0, 4, 5, {"stay", "left", "right", "down", "up"}, 0, {"stay", "walk_there"}}};
  m.sets = {{"walker", EntityKind::kAgent, walkers, false, "All walkers."},
            {"beacon", EntityKind::kLandmark, {count_}, false, "Where they are to meet."}};
  m.attributes = {{"x", EntityKind::kAgent, "m", -kField, kField, false, "Horizontal position."},
                  {"y", EntityKind::kAgent, "m", -kField, kField, false, "Vertical position, upwards."},
                  {"speed", EntityKind::kAgent, "m", 0, 2, true, "Length of one step."}};
  addresses_ = {{true, 0, 2}, {true, 1, 2}, {false, 0, 1}};
  m.signals = {{"time", "steps", 0, 1000, "Steps taken in this episode."},
               {"arrived", "none", 0, 10, "Walkers within 0.5 m of the beacon now."}};
  m.components = {{"distance", "Minus the walker's distance to the beacon."},
                  {"arrival", "1 in the step in which the last walker arrives."}};
  m.metrics = {{"mean_distance", "m", false, "lower", 0, 30, "Distance to the beacon, mean over walkers and steps."},
               {"success", "none", false, "higher", 0, 1, "1 if all were at the beacon at the last step, else 0."},
               // Every scenario has these three, with a definition of its own.
               {"cooperation_index", "none", true, "higher", 0, 1,
                "Share of the steps in which another walker was within 2 m. No value for a single walker."},
               {"role_adherence", "none", true, "higher", 0, 1,
                "Share of the steps in which the walker got nearer to the beacon or was there."},
               {"exploration_ratio", "none", true, "neither", 0, 1,
                "Share of the cells of a 5 x 5 grid over the plane in which the walker was."}};
}

constexpr ScenarioEntry kGather = {
    "gather", parameters,
    [](const ParameterValues& values) -> std::shared_ptr<const Scenario> { return std::make_shared<Gather>(values); }};

}  // namespace

GYMWRIGHT_SCENARIO_LIBRARY(kGather)
