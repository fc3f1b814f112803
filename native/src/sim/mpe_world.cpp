#include "sim/mpe_world.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
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

}  // namespace

MpeScenario::MpeScenario(MpeBodies bodies, int extraWords) : bodies_(std::move(bodies)) {
  const int speech = numWords() > 0 ? numAgents() * (numWords() + 1) : 0;
  controlWords_ = 2 + numWords();
  speechWord_ = 2 * (2 * numAgents() + numLandmarks());
  extraWord_ = speechWord_ + speech;
  bookWord_ = extraWord_ + extraWords;
  stateWords_ = bookWord_ + kBookWords * numAgents();
  halfWidth_ = std::max(bodies_.agentSpawn, bodies_.landmarkSpawn);
  cellsPerMetre_ = visited::kSide / (2.0 * halfWidth_);
  inTwo_ = reachIn(2);
  inThree_ = reachIn(3);
  for (int a = 0; a < numAgents(); ++a) {
    const int side = bodies_.side[static_cast<std::size_t>(a)];
    hasMates_.push_back(std::count(bodies_.side.begin(), bodies_.side.end(), side) > 1);
    areAllMobile_ = areAllMobile_ && isMobile(a);
    isAnyMobile_ = isAnyMobile_ || isMobile(a);
    isUniform_ = isUniform_ && numActionsOf(a) == numActionsOf(0);
  }
  baseAttributes_ = bodies_.accel;
  const auto append = [this](const std::vector<double>& column) {
    baseAttributes_.insert(baseAttributes_.end(), column.begin(), column.end());
    return attributeWords();
  };
  // Agents behind the tempered ones have no boldness, but a word for it.
  if (!bodies_.boldness.empty()) bodies_.boldness.resize(bodies_.accel.size());
  append(bodies_.maxSpeed);
  append(bodies_.size);
  boldnessBase_ = append(bodies_.landmarkSize);
  append(bodies_.boldness);
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
  silence(state);
  double* cursor = state;
  for (const auto& p : placement.agents) cursor = std::copy(p.begin(), p.end(), cursor);
  for (const auto& p : placement.landmarks) cursor = std::copy(p.begin(), p.end(), cursor);
  return std::nullopt;
}

bool MpeScenario::isValidState(const double* state) const {
  // So far from the origin that squares stay finite; no play gets there.
  return std::all_of(state, state + bookWord_, [](double word) { return std::fabs(word) < 1e12; }) &&
         hasValidSpeech(state) && hasValidBooks(state);
}

bool MpeScenario::hasValidSpeech(const double* state) const {
  for (int a = 0; numWords() > 0 && a < numAgents(); ++a) {
    const double last = message(state, a)[numWords()];
    if (!(last >= -1.0 && last < numWords() && last == std::floor(last))) return false;
  }
  return true;
}

int MpeScenario::member(int set, const double* /*state*/) const {
  return manifest().sets[static_cast<std::size_t>(set)].entities.front();
}

void MpeScenario::silence(double* state) const {
  for (int a = 0; numWords() > 0 && a < numAgents(); ++a) state[speechWord_ + a * (numWords() + 1) + numWords()] = -1.0;
}

void MpeScenario::resetBodies(double* state, const EpisodeRng& rng) const {
  std::fill_n(state, stateWords(), 0.0);
  silence(state);
  for (int e = 0; e < numAgents() + numLandmarks(); ++e) {
    const double spawn = e < numAgents() ? bodies_.agentSpawn : bodies_.landmarkSpawn;
    for (int axis = 0; axis < 2; ++axis) {
      state[2 * e + axis] = rng.uniform(Stream::kReset, 0, static_cast<std::uint32_t>(e),
                                        static_cast<std::uint32_t>(axis), -spawn, spawn);
    }
  }
}

void MpeScenario::resetGoals(double* state, const EpisodeRng& rng) const {
  drawGoals(state, GoalDraw(rng, Stream::kReset, 0, static_cast<std::uint32_t>(numAgents() + numLandmarks()), 0));
}

bool MpeScenario::touches(const double* state, const double* attributes, int a, int b) const {
  return distanceBetween(agent(state, a), agent(state, b)) < size(attributes, a) + size(attributes, b);
}

bool MpeScenario::touchesLandmark(const double* state, const double* attributes, int a, int l) const {
  return distanceBetween(agent(state, a), landmark(state, l)) < size(attributes, a) + landmarkSize(attributes, l);
}

/// Order of the pairs: that of the reference, so that sums of forces are the same to the last bit.
void MpeScenario::addContacts(const double* state, const double* attributes, double* forces) const {
  const int count = numAgents();
  for (int a = 0; a < count; ++a) {
    for (int b = a + 1; b < count; ++b) {
      addContact(state + 2 * a, state + 2 * b, size(attributes, a) + size(attributes, b), forces + 2 * a,
                 forces + 2 * b);
    }
    double unmoved[2] = {0.0, 0.0};
    for (int l = 0; l < bodies_.numObstacles; ++l) {
      addContact(state + 2 * a, landmark(state, l), size(attributes, a) + landmarkSize(attributes, l), forces + 2 * a,
                 unmoved);
    }
  }
}

void MpeScenario::integrate(double* state, const double* attributes, const double* forces) const {
  const int count = numAgents();
  double* velocities = state + 2 * (count + numLandmarks());
  const double kept = 1.0 - bodies_.damping;
  const auto accelerate = [&](int i) { velocities[i] = velocities[i] * kept + forces[i] * kStepSeconds; };
  if (bodies_.isVelocityFirst) {
    for (int i = 0; i < 2 * count; ++i) accelerate(i);
    for (int a = 0; a < count; ++a) limitSpeed(velocities + 2 * a, attributes[count + a]);
    for (int i = 0; i < 2 * count; ++i) state[i] += velocities[i] * kStepSeconds;
    return;
  }
  for (int i = 0; i < 2 * count; ++i) {
    state[i] += velocities[i] * kStepSeconds;
    accelerate(i);
  }
  for (int a = 0; a < count; ++a) limitSpeed(velocities + 2 * a, attributes[count + a]);
}

void MpeScenario::moveAgents(double* state, const double* attributes, const double* controls) const {
  double forces[2 * kMaxAgents];
  for (int a = 0; a < numAgents(); ++a, controls += controlWords()) {
    forces[2 * a] = controls[0] * attributes[a];
    forces[2 * a + 1] = controls[1] * attributes[a];
  }
  if (bodies_.hasContact) addContacts(state, attributes, forces);
  integrate(state, attributes, forces);
  if (numWords() > 0) speak(state, controls - numAgents() * controlWords());
}

/// What is said now is heard with the observation of this step. The word of a message is its loudest.
void MpeScenario::speak(double* state, const double* controls) const {
  for (int a = 0; a < numAgents(); ++a) {
    const double* said = controls + a * controlWords() + 2;
    double* heard = state + speechWord_ + a * (numWords() + 1);
    int loudest = -1;
    for (int w = 0; w < numWords(); ++w) {
      heard[w] = said[w];
      if (said[w] > (loudest < 0 ? 0.0 : said[loudest])) loudest = w;
    }
    heard[numWords()] = loudest;
  }
}

MpeScenario::Reach MpeScenario::reachIn(int steps) const {
  const double kept = 1.0 - bodies_.damping;
  double later = 0.0;  // of an acceleration that moves one step later
  double soon = 0.0;
  for (int i = 0; i < steps; ++i) {
    later = soon;
    soon = 1.0 + kept * soon;
  }
  return bodies_.isVelocityFirst ? Reach{kStepSeconds * kept * soon, soon} : Reach{kStepSeconds * soon, later};
}

std::int32_t MpeScenario::steerTo(const double* state, const double* attributes, int a, const double* target) const {
  const double ex = target[0] - agent(state, a)[0] - velocity(state, a)[0] * inThree_.coast;
  const double ey = target[1] - agent(state, a)[1] - velocity(state, a)[1] * inThree_.coast;
  if (std::max(std::fabs(ex), std::fabs(ey)) < 0.5 * pushOf(attributes, a, inThree_)) return 0;
  if (std::fabs(ex) >= std::fabs(ey)) return ex < 0 ? 1 : 2;
  return ey < 0 ? 3 : 4;
}

std::int32_t MpeScenario::steerToShare(const double* state, const double* attributes, int a, int l,
                                       double share) const {
  double spot[2] = {0.0, 0.0};
  for (int each = 0; each < numLandmarks(); ++each) {
    for (int axis = 0; axis < 2; ++axis) spot[axis] += landmark(state, each)[axis] / numLandmarks();
  }
  for (int axis = 0; axis < 2; ++axis) spot[axis] += share * (landmark(state, l)[axis] - spot[axis]);
  return steerTo(state, attributes, a, spot);
}

std::int32_t MpeScenario::steerAway(const double* state, const double* attributes, int a, const double* from) const {
  const double* self = agent(state, a);
  const double d = distanceBetween(self, from);
  const double spot[2] = {self[0] + (d > 0.0 ? (self[0] - from[0]) / d : 1.0),
                          self[1] + (d > 0.0 ? (self[1] - from[1]) / d : 0.0)};
  return steerTo(state, attributes, a, spot);
}

void MpeScenario::foresee(const double* state, const double* attributes, int a, std::int32_t move, double* spot) const {
  double controls[2];
  moveControls(move, controls);
  for (int axis = 0; axis < 2; ++axis)
    spot[axis] = agent(state, a)[axis] + velocity(state, a)[axis] * inTwo_.coast +
                 controls[axis] * pushOf(attributes, a, inTwo_);
}

int MpeScenario::nearestOf(const double* state, int first, int count, const double* spot) const {
  int nearest = -1;
  double least = std::numeric_limits<double>::infinity();
  for (int a = first; a < first + count; ++a) {
    const double square = squareBetween(spot, agent(state, a));
    if (square >= least) continue;
    least = square;
    nearest = a;
  }
  return nearest;
}

}  // namespace gymwright
