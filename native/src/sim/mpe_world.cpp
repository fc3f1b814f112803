#include "sim/mpe_world.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "sim/visited_cells.hpp"

namespace gymwright {
namespace {

constexpr double kContactForce = 100.0;
constexpr double kContactMargin = 0.001;
/// Beyond so many margins outside contact the softplus is below 1e-21 and left out.
constexpr double kContactReach = 50.0;

/// k * ln(1 + exp(x)), safe for large |x|.
double softPenetration(double x) { return kContactMargin * (std::max(x, 0.0) + std::log1p(std::exp(-std::fabs(x)))); }

void addContact(const double* pa, const double* pb, double reach, double* fa, double* fb) {
  const double dx = pa[0] - pb[0];
  const double dy = pa[1] - pb[1];
  const double square = dx * dx + dy * dy;
  const double farthest = reach + kContactReach * kContactMargin;
  if (square > farthest * farthest) return;
  const double d = std::sqrt(square);
  const double force = kContactForce * softPenetration((reach - d) / kContactMargin);
  const double ux = d > 0.0 ? dx / d : 1.0;
  const double uy = d > 0.0 ? dy / d : 0.0;
  fa[0] += force * ux;
  fa[1] += force * uy;
  fb[0] -= force * ux;
  fb[1] -= force * uy;
}

void limitSpeed(double* v, double maxSpeed) {
  const double square = v[0] * v[0] + v[1] * v[1];
  if (square <= maxSpeed * maxSpeed) return;
  const double speed = std::sqrt(square);
  v[0] = v[0] / speed * maxSpeed;
  v[1] = v[1] / speed * maxSpeed;
}

double clampUnit(float x) { return std::clamp(static_cast<double>(x), 0.0, 1.0); }

}  // namespace

MpeScenario::MpeScenario(MpeBodies bodies, int extraWords) : bodies_(std::move(bodies)) {
  bookWord_ = extraWord() + extraWords;
  stateWords_ = bookWord_ + kBookWords * bodies_.numAgents;
  halfWidth_ = std::max(bodies_.agentSpawn, bodies_.landmarkSpawn);
  cellsPerMetre_ = visited::kSide / (2.0 * halfWidth_);
  for (const int side : bodies_.side) {
    hasMates_.push_back(std::count(bodies_.side.begin(), bodies_.side.end(), side) > 1);
  }
  baseAttributes_ = bodies_.accel;
  baseAttributes_.insert(baseAttributes_.end(), bodies_.maxSpeed.begin(), bodies_.maxSpeed.end());
  baseAttributes_.insert(baseAttributes_.end(), bodies_.size.begin(), bodies_.size.end());
  sizeBase_ = 2 * bodies_.numAgents;
}

std::optional<std::string> MpeScenario::place(const Placement& placement, double* state) const {
  const auto wrongCount = [](const char* name, std::size_t got, int wanted) {
    return std::string(name) + " has " + std::to_string(got) + " positions, the scenario needs " +
           std::to_string(wanted);
  };
  if (placement.agents.size() != static_cast<std::size_t>(numAgents()))
    return wrongCount("A", placement.agents.size(), numAgents());
  if (placement.landmarks.size() != static_cast<std::size_t>(numLandmarks())) {
    return wrongCount("L", placement.landmarks.size(), numLandmarks());
  }
  std::fill_n(state, stateWords(), 0.0);
  double* cursor = state;
  for (const auto& p : placement.agents) cursor = std::copy(p.begin(), p.end(), cursor);
  for (const auto& p : placement.landmarks) cursor = std::copy(p.begin(), p.end(), cursor);
  return std::nullopt;
}

bool MpeScenario::isValidState(const double* state) const {
  // So far from the origin that squares stay finite; no play gets there.
  return std::all_of(state, state + bookWord_, [](double word) { return std::fabs(word) < 1e12; }) &&
         hasValidBooks(state);
}

void MpeScenario::decodeDiscrete(int /*agent*/, std::int32_t action, double* controls) const {
  constexpr double kDirections[kNumActions][2] = {{0, 0}, {-1, 0}, {1, 0}, {0, -1}, {0, 1}};
  controls[0] = kDirections[action][0];
  controls[1] = kDirections[action][1];
}

void MpeScenario::decodeContinuous(int /*agent*/, const float* action, double* controls) const {
  controls[0] = clampUnit(action[2]) - clampUnit(action[1]);
  controls[1] = clampUnit(action[4]) - clampUnit(action[3]);
}

/// Every agent has every action, always.
void MpeScenario::writeAvailActions(const double* /*state*/, std::uint8_t* out) const {
  std::fill_n(out, numAgents() * kNumActions, std::uint8_t{1});
}

int MpeScenario::member(int set, const double* /*state*/) const {
  return manifest().sets[static_cast<std::size_t>(set)].entities.front();
}

void MpeScenario::resetBodies(double* state, const EpisodeRng& rng) const {
  std::fill_n(state, stateWords(), 0.0);
  for (int e = 0; e < numAgents() + numLandmarks(); ++e) {
    const double spawn = e < numAgents() ? bodies_.agentSpawn : bodies_.landmarkSpawn;
    for (int axis = 0; axis < 2; ++axis) {
      state[2 * e + axis] = rng.uniform(Stream::kReset, 0, static_cast<std::uint32_t>(e),
                                        static_cast<std::uint32_t>(axis), -spawn, spawn);
    }
  }
}

void MpeScenario::moveAgents(double* state, const double* attributes, const double* controls, Gaps& gaps) const {
  double forces[2 * kMaxAgents];
  const int count = numAgents();
  for (int a = 0; a < count; ++a) {
    forces[2 * a] = controls[2 * a] * attributes[a];
    forces[2 * a + 1] = controls[2 * a + 1] * attributes[a];
  }
  for (int a = 0; bodies_.hasContact && a < count; ++a) {
    for (int b = a + 1; b < count; ++b) {
      addContact(state + 2 * a, state + 2 * b, size(attributes, a) + size(attributes, b), forces + 2 * a,
                 forces + 2 * b);
    }
  }
  double* velocities = state + 2 * (count + numLandmarks());
  for (int i = 0; i < 2 * count; ++i) {
    state[i] += velocities[i] * kStepSeconds;
    velocities[i] = velocities[i] * (1.0 - bodies_.damping) + forces[i] * kStepSeconds;
  }
  for (int a = 0; a < count; ++a) limitSpeed(velocities + 2 * a, attributes[count + a]);
  measureGaps(state, gaps);
  keepBooks(state, gaps);
}

std::int32_t MpeScenario::steerTo(const double* state, int a, const double* target) const {
  // Three steps ahead: the velocity has carried the agent `coast` * v, a push made now `push`.
  const double kept = 1.0 - bodies_.damping;
  const double coast = kStepSeconds * (1.0 + kept + kept * kept);
  const double push = bodies_.accel[static_cast<std::size_t>(a)] * kStepSeconds * kStepSeconds * (1.0 + kept);
  const double ex = target[0] - agent(state, a)[0] - velocity(state, a)[0] * coast;
  const double ey = target[1] - agent(state, a)[1] - velocity(state, a)[1] * coast;
  if (std::max(std::fabs(ex), std::fabs(ey)) < 0.5 * push) return 0;
  if (std::fabs(ex) >= std::fabs(ey)) return ex < 0 ? 1 : 2;
  return ey < 0 ? 3 : 4;
}

}  // namespace gymwright
