#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "gymwright/scenario.hpp"
#include "sim/scenario_entry.hpp"

namespace gymwright {

/// What a particle scenario is made of. Order: agents in index order, then landmarks.
struct MpeBodies {
  int numAgents;
  int numLandmarks;
  bool hasContact;    ///< agents push each other apart
  double damping;     ///< share of the velocity lost per step
  double agentSpawn;  ///< agents start in [-s, s] x [-s, s]
  double landmarkSpawn;
  std::vector<double> accel;     ///< [A] m/s^2
  std::vector<double> maxSpeed;  ///< [A] m/s
  std::vector<double> size;      ///< [A] radius in m; empty where it has no meaning
  std::vector<int> side;         ///< [A] who plays with whom: 0 or 1
};

/// The world that all multi-agent particle scenarios share: bodies, forces, integration, actions, attributes, and the
/// parts of a manifest that follow from them.
/// Source: Lowe et al. 2017; PettingZoo / MPE2 "v3" order of integration: positions move with the old velocity.
/// Differs: coincident centres are pushed apart along x where the reference divides by zero.
/// State words: x, y of each entity; vx, vy of each agent; `extraWords` of the scenario; the books of each agent.
class MpeScenario : public Scenario {
 public:
  std::optional<std::string> place(const Placement& placement, double* state) const override;
  bool isValidState(const double* state) const override;
  void decodeDiscrete(int agent, std::int32_t action, double* controls) const final;
  void decodeContinuous(int agent, const float* action, double* controls) const final;
  void writeAvailActions(const double* state, std::uint8_t* out) const final;
  int positionWord(int entity) const final { return 2 * entity; }
  int member(int set, const double* state) const override;
  double relation(int id, int from, int to, const double* state, const double* attributes) const final;
  void trigger(int event, double amount, int entity, std::uint32_t key, const EpisodeRng& rng, std::int32_t step,
               double* state) const final;
  std::int32_t behave(int behaviour, int agent, int target, const double* state, const double* attributes,
                      const EpisodeRng& rng, std::int32_t step) const final;

 protected:
  /// Words of an agent's books: nearest landmark of the last step plus 1, steps in which it stayed the same, steps in
  /// which no mate had the same one, set of visited cells.
  enum BookWord { kLastLandmark, kConstantSteps, kOwnSteps, kCells, kBookWords };
  static constexpr int kNumActions = 5;
  static constexpr int kMaxAgents = 12;
  static constexpr int kMaxLandmarks = 12;
  static constexpr int kMaxSides = 2;
  static constexpr double kStepSeconds = 0.1;

  /// How far agents are from landmarks: measured once a step, for the books and for the rewards.
  struct Gaps {
    double squares[kMaxAgents * kMaxLandmarks];  ///< [A, landmarks] squares of distances
    int nearest[kMaxAgents];                     ///< [A] landmark nearest to the agent; ties go to the lower one
  };

  MpeScenario(MpeBodies bodies, int extraWords);

  int numAgents() const { return bodies_.numAgents; }
  int numLandmarks() const { return bodies_.numLandmarks; }
  const double* agent(const double* state, int a) const { return state + 2 * a; }
  const double* landmark(const double* state, int l) const { return state + 2 * (bodies_.numAgents + l); }
  const double* velocity(const double* state, int a) const {
    return state + 2 * (bodies_.numAgents + bodies_.numLandmarks + a);
  }
  int extraWord() const { return 2 * (2 * bodies_.numAgents + bodies_.numLandmarks); }
  double* extra(double* state) const { return state + extraWord(); }
  const double* extra(const double* state) const { return state + extraWord(); }
  double size(const double* attributes, int a) const { return attributes[sizeBase_ + a]; }

  /// Draws positions, zeroes velocities and extra words.
  void resetBodies(double* state, const EpisodeRng& rng) const;
  /// Forces, contacts, integration, books. Leaves the gaps of the state it arrives at in `gaps`.
  void moveAgents(double* state, const double* attributes, const double* controls, Gaps& gaps) const;
  void measureGaps(const double* state, Gaps& gaps) const;
  /// Rounding keeps order: the root of the least square is the least of the roots, bit for bit.
  double squareOf(const Gaps& gaps, int a, int l) const { return gaps.squares[a * bodies_.numLandmarks + l]; }

  /// Number of metrics that writeCommonMetrics writes and describeCommonMetrics describes.
  static constexpr int kNumCommonMetrics = 3;
  /// cooperation_index, role_adherence and exploration_ratio of one agent after `steps` steps.
  void writeCommonMetrics(const double* state, std::int32_t steps, int agent, double* metrics) const;
  /// Appends them to the manifest; the last metrics of a scenario.
  void describeCommonMetrics();

  /// The discrete action that brings an agent nearest to `target` in three steps if it coasts afterwards: a push along
  /// the axis with the larger remaining error, or none where a push would overshoot by more than it gains.
  std::int32_t steerTo(const double* state, int agent, const double* target) const;

  /// Seeds: Stream::kScripted, entity = agent, draw 0.
  std::int32_t randomAction(const EpisodeRng& rng, std::int32_t step, int agent) const {
    return static_cast<std::int32_t>(rng.below(Stream::kScripted, static_cast<std::uint32_t>(step),
                                               static_cast<std::uint32_t>(agent), 0, kNumActions));
  }

  /// Fills what the bodies decide: attributes, sets "agent" and "landmark", the signal "time", relations, events,
  /// behaviours, the length of a step.
  void describeBodies();
  Group describeGroup(std::string name, std::vector<std::string> agents, int firstAgent, int obsDim,
                      std::vector<std::string> scripted) const;

 private:
  void addAttribute(Attribute attribute, AttributeAddress address);
  void describeActs();
  void keepBooks(double* state, const Gaps& gaps) const;
  bool hasValidBooks(const double* state) const;
  int nearestOpponent(const double* state, int agent, const double* spot) const;
  std::int32_t guard(const double* state, int agent, int entity) const;
  std::int32_t flee(const double* state, int agent, int entity) const;

  MpeBodies bodies_;
  int sizeBase_ = 0;
  int bookWord_ = 0;
  double halfWidth_ = 0.0;  ///< of the grid that exploration counts
  double cellsPerMetre_ = 0.0;
  std::vector<bool> hasMates_;
};

inline double distanceBetween(const double* p, const double* q) {
  const double dx = p[0] - q[0];
  const double dy = p[1] - q[1];
  return std::sqrt(dx * dx + dy * dy);
}

/// Parameters that every particle scenario has: episode.length, agent.spawn, landmark.spawn, world.damping.
std::vector<Parameter> mpeParameters();
Parameter accelParameter(const std::string& group);
Parameter maxSpeedParameter(const std::string& group);

}  // namespace gymwright
