#pragma once

#include <cmath>
#include <initializer_list>
#include <string>
#include <vector>

#include "gymwright/scenario.hpp"
#include "sim/manifest_parts.hpp"
#include "sim/mpe_obs.hpp"
#include "sim/numbers.hpp"
#include "sim/scenario_entry.hpp"

namespace gymwright {

/// What a particle scenario is made of. Order: agents in index order, then landmarks; among these the obstacles first.
struct MpeBodies {
  int numAgents = 0;
  int numLandmarks = 0;
  double damping = 0.25;    ///< share of the velocity lost per step
  double agentSpawn = 1.0;  ///< agents start in [-s, s] x [-s, s]
  double landmarkSpawn = 1.0;
  bool isVelocityFirst = false;           ///< "v2": a step changes velocities first and moves with the new ones
  std::vector<int> side = {};             ///< [A] who plays with whom: 0 or 1
  std::vector<double> accel = {};         ///< [A] m/s^2; 0: cannot move
  std::vector<double> maxSpeed = {};      ///< [A] m/s
  bool hasContact = false;                ///< agents push each other apart, and obstacles push agents away
  std::vector<double> size = {};          ///< [A] radius in m; empty where it has no meaning
  std::vector<double> landmarkSize = {};  ///< [L] the same; agents then have a size, too
  std::vector<double> boldness = {};      ///< [A] temperament of scripted play, 0 to 1; empty: it has none
  int numObstacles = 0;                   ///< of the landmarks, the first so many
  int numWords = 0;                       ///< what a speaker can say: C
  std::vector<bool> isSpeaker = {};       ///< [A]; empty: nobody is
};

/// Who moves, speaks and has a temperament, by sets of the manifest; empty: everybody, where the bodies have it at all.
struct MpeSetNames {
  std::vector<std::string> movers = {};
  std::vector<std::string> speakers = {};
  std::vector<std::string> tempered = {};
};

/// The world that all multi-agent particle scenarios share: bodies, forces, integration, speech, actions, attributes,
/// and the parts of a manifest that follow from them.
///
/// Source: Lowe et al. 2017; PettingZoo / MPE2 "v3" order of integration, where positions move with the old velocity,
/// or the original's, "v2".
///
/// Differs: coincident centres are pushed apart along x where the reference divides by zero.
///
/// State words: x, y of each entity; vx, vy of each agent; where anybody speaks, each agent's message [C] and its word
/// (-1: none); `extraWords` of the scenario; the books of each agent.
///
/// Controls of an agent: push along x, push along y, message [C].
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
  FrameBox frameBox() const final;
  void describeFrame(const FrameMoment& moment, Frame& frame) const final;

 protected:
  /// Words of an agent's books: role of the last step plus 1, steps in which it stayed the same, steps in which the
  /// part was its own, set of visited cells (of said words for an agent that only speaks).
  enum BookWord { kLastRole, kConstantSteps, kOwnSteps, kVisited, kBookWords };
  static constexpr int kNumMoves = 5;
  static constexpr int kMaxAgents = 12;
  static constexpr int kMaxLandmarks = 12;
  static constexpr int kMaxRoles = 16;
  static constexpr int kMaxSides = 2;
  static constexpr double kStepSeconds = 0.1;

  /// How far agents are from landmarks: measured once a step, for the books and for the rewards.
  struct Gaps {
    double squares[kMaxAgents * kMaxLandmarks];  ///< [A, landmarks] squares of distances
    int nearest[kMaxAgents];                     ///< [A] landmark nearest to the agent; ties go to the lower one
  };

  /// The part that each agent plays in a step, by which the general metrics tell cooperation and constancy.
  struct Roles {
    int role[kMaxAgents];    ///< 0..kMaxRoles-1
    bool isOwn[kMaxAgents];  ///< it is played as teamwork wants it
  };

  MpeScenario(MpeBodies bodies, int extraWords);

  int numAgents() const { return bodies_.numAgents; }
  int numLandmarks() const { return bodies_.numLandmarks; }
  int numWords() const { return bodies_.numWords; }
  const double* agent(const double* state, int a) const { return state + 2 * a; }
  const double* landmark(const double* state, int l) const { return state + 2 * (bodies_.numAgents + l); }
  const double* velocity(const double* state, int a) const {
    return state + 2 * (bodies_.numAgents + bodies_.numLandmarks + a);
  }
  /// What an agent said in the last step [C], zeros before; and which word that was, -1: none.
  const double* message(const double* state, int a) const { return state + speechWord_ + a * (numWords() + 1); }
  int word(const double* state, int a) const { return static_cast<int>(message(state, a)[numWords()]); }
  double* extra(double* state) const { return state + extraWord_; }
  const double* extra(const double* state) const { return state + extraWord_; }
  double size(const double* attributes, int a) const { return attributes[2 * bodies_.numAgents + a]; }
  double landmarkSize(const double* attributes, int l) const { return attributes[3 * bodies_.numAgents + l]; }
  double boldness(const double* attributes, int a) const { return attributes[boldnessBase_ + a]; }
  bool touches(const double* state, const double* attributes, int a, int b) const;
  bool touchesLandmark(const double* state, const double* attributes, int a, int l) const;

  /// Draws positions, zeroes velocities and extra words; nobody has spoken.
  void resetBodies(double* state, const EpisodeRng& rng) const;
  /// Forces, contacts, integration, speech.
  void moveAgents(double* state, const double* attributes, const double* controls) const;
  void measureGaps(const double* state, Gaps& gaps) const;
  /// Rounding keeps order: the root of the least square is the least of the roots, bit for bit.
  double squareOf(const Gaps& gaps, int a, int l) const { return gaps.squares[a * bodies_.numLandmarks + l]; }

  /// Roles are the nearest landmarks; an agent's is its own where no mate has the same.
  void divideLandmarks(const Gaps& gaps, Roles& roles) const;
  /// Says of given roles which are an agent's own: those that no mate has too.
  void markOwn(Roles& roles) const;
  void keepBooks(double* state, const Roles& roles) const;

  /// Number of metrics that writeCommonMetrics writes and describeCommonMetrics describes.
  static constexpr int kNumCommonMetrics = 3;
  /// cooperation_index, role_adherence and exploration_ratio of one agent after `steps` steps.
  void writeCommonMetrics(const double* state, std::int32_t steps, int agent, double* metrics) const;
  /// Appends them to the manifest; the last metrics of a scenario. Definitions of the first two say what a role is; by
  /// default that of divideLandmarks.
  void describeCommonMetrics(std::string cooperation = {}, std::string adherence = {});

  /// The move that brings an agent nearest to `target` in three steps if it coasts afterwards: a push along the axis
  /// with the larger remaining error, or none where a push would overshoot by more than it gains.
  std::int32_t steerTo(const double* state, const double* attributes, int agent, const double* target) const;
  /// The same to a spot on the way from the middle of all landmarks (share 0) to one of them (share 1).
  std::int32_t steerToShare(const double* state, const double* attributes, int agent, int landmark, double share) const;
  /// The move that steers to a spot one metre farther from `from`; from the very same place it goes right.
  std::int32_t steerAway(const double* state, const double* attributes, int agent, const double* from) const;
  /// Where a move takes an agent in two steps if it coasts afterwards and meets nobody. Shape: spot [2]
  void foresee(const double* state, const double* attributes, int agent, std::int32_t move, double* spot) const;
  /// Agent in first..first+count-1 that is nearest to a spot; -1 where count is 0.
  int nearestOf(const double* state, int first, int count, const double* spot) const;

  int numActionsOf(int agent) const;
  /// Writes the push of a move. Shape: controls [2]
  static void moveControls(std::int32_t move, double* controls);
  bool isSpeaker(int a) const { return !bodies_.isSpeaker.empty() && bodies_.isSpeaker[static_cast<std::size_t>(a)]; }
  bool isMobile(int a) const { return bodies_.accel[static_cast<std::size_t>(a)] > 0.0; }
  /// The action of a move and, for who speaks, of a word (-1: the one said last, or the first).
  std::int32_t actionOf(const double* state, int agent, std::int32_t move, int word = -1) const;
  /// Seeds: Stream::kScripted, entity = agent, draw 0.
  std::int32_t randomAction(const EpisodeRng& rng, std::int32_t step, int agent) const {
    return static_cast<std::int32_t>(rng.below(Stream::kScripted, static_cast<std::uint32_t>(step),
                                               static_cast<std::uint32_t>(agent), 0,
                                               static_cast<std::uint32_t>(numActionsOf(agent))));
  }

  /// Temperaments of scripted play, from wary (boldness 0) to bold (1); "mixed" draws one for each agent and episode,
  /// "tempered" has the agent's attribute.
  static std::vector<std::string> withTemperaments(std::vector<std::string> policies);
  /// Boldness of an agent under a policy that withTemperaments appended, counted from 0.
  double boldnessOf(int temperament, int agent, const double* attributes, const EpisodeRng& rng) const;

  template <typename T>
  void putLandmarks(ObsRow<T>& row, const double* state) const {
    for (int l = 0; l < numLandmarks(); ++l) row.putRelative(landmark(state, l));
  }
  /// All agents but one, in index order.
  template <typename T>
  void putOthers(ObsRow<T>& row, const double* state, int self) const {
    for (int a = 0; a < numAgents(); ++a) {
      if (a != self) row.putRelative(agent(state, a));
    }
  }

  /// Fills what the bodies decide: attributes, sets "agent" and "landmark", the signal "time", relations, events,
  /// behaviours, the length of a step.
  void describeBodies(const MpeSetNames& sets = {});
  std::vector<int> allLandmarks() const { return numbersFrom(numAgents(), numLandmarks()); }
  Group describeGroup(std::string name, std::vector<std::string> agents, int firstAgent, int obsDim,
                      std::vector<std::string> scripted) const;
  /// Counts and widths that follow from the groups. Requires: groups are there.
  void describeShapes(const ParameterValues& values);
  /// A set of the agents of a group.
  void describeTeam(const std::string& group, std::string doc);
  /// Adds the event "goal", by which the goals are drawn anew.
  void describeGoalEvent(std::string doc);
  /// Draws the goals of a scenario that has some: goal i by draw(i, number of choices).
  class GoalDraw;
  virtual void drawGoals(double* /*state*/, const GoalDraw& /*draw*/) const {}
  /// Whether what an agent says reaches another one; asked for pictures.
  virtual bool hears(int /*listener*/, int /*speaker*/) const { return true; }
  /// Whether an agent is where the other side cannot see it; likewise.
  virtual bool isHidden(const double* /*state*/, int /*agent*/) const { return false; }
  /// Draws the goals of a new episode, under an entity number of their own behind all bodies.
  void resetGoals(double* state, const EpisodeRng& rng) const;

 private:
  /// How far some steps of coasting carry an agent: by its velocity, and by an acceleration in the first of them.
  struct Reach {
    double coast;        ///< m for 1 m/s
    double pushedSteps;  ///< m for what the acceleration makes in one step
  };
  Reach reachIn(int steps) const;
  /// m that a full move of now makes, by the acceleration in force.
  static double pushOf(const double* attributes, int agent, const Reach& reach) {
    return attributes[agent] * kStepSeconds * kStepSeconds * reach.pushedSteps;
  }

  void addAttribute(Attribute attribute, AttributeAddress address);
  void describeSpeech(const MpeSetNames& sets);
  /// Up to which speed a limit of it is felt. For a group whose limit cannot be set it says nothing.
  void describeTopSpeed(const std::string& group, const ParameterValues& values);
  void describeActs();
  void drawSpeech(const double* state, Frame& frame) const;
  /// Word that an agent said in the last step; -1: none.
  int saidBy(const double* state, int a) const;
  void addContacts(const double* state, const double* attributes, double* forces) const;
  void integrate(double* state, const double* attributes, const double* forces) const;
  void speak(double* state, const double* controls) const;
  void silence(double* state) const;
  bool hasValidBooks(const double* state) const;
  bool hasValidSpeech(const double* state) const;
  int nearestOpponent(const double* state, int agent, const double* spot) const;
  std::int32_t guard(const double* state, const double* attributes, int agent, int entity) const;
  std::int32_t moveFor(int behaviour, int agent, int target, const double* state, const double* attributes,
                       std::int32_t step) const;

  MpeBodies bodies_;
  Reach inTwo_{};
  Reach inThree_{};
  int speechWord_ = 0;
  int extraWord_ = 0;
  int bookWord_ = 0;
  int boldnessBase_ = 0;
  double halfWidth_ = 0.0;  ///< of the grid that exploration counts
  double cellsPerMetre_ = 0.0;
  int goalEvent_ = -1;  ///< id of the event "goal"
  bool areAllMobile_ = true;
  bool isAnyMobile_ = false;
  bool isUniform_ = true;  ///< all agents have the same actions
  std::vector<bool> hasMates_;
};

/// Draws of one cause: an episode's beginning or an event.
class MpeScenario::GoalDraw {
 public:
  GoalDraw(const EpisodeRng& rng, Stream stream, std::uint32_t step, std::uint32_t key, std::uint32_t first)
      : rng_(rng), stream_(stream), step_(step), key_(key), first_(first) {}
  int operator()(int goal, int choices) const {
    return static_cast<int>(rng_.below(stream_, step_, key_, first_ + static_cast<std::uint32_t>(goal),
                                       static_cast<std::uint32_t>(choices)));
  }

 private:
  const EpisodeRng& rng_;
  Stream stream_;
  std::uint32_t step_;
  std::uint32_t key_;
  std::uint32_t first_;
};

/// On which side of a centre a point lies, by the axis on which it is farther: 0 right, 1 above, 2 left, 3 below.
inline int quarterOf(const double* centre, const double* point) {
  const double dx = point[0] - centre[0];
  const double dy = point[1] - centre[1];
  return std::fabs(dx) >= std::fabs(dy) ? (dx >= 0.0 ? 0 : 2) : (dy >= 0.0 ? 1 : 3);
}

/// Agents of a group that are alike, and what the parameters named after it are by default.
struct MpeTeam {
  const char* name;
  int side = 0;
  double accel = 5.0;
  double maxSpeed = 20.0;
  double size = 0.0;        ///< 0: size has no meaning in the scenario
  bool isTempered = false;  ///< its scripted policies have temperaments
};

Parameter episodeLengthParameter();
/// Those of a team: accel, max_speed, and where they have a meaning size and boldness.
std::vector<Parameter> teamParameters(const MpeTeam& team);
/// Those of a scenario, behind its own the ones that every particle scenario has: episode.length, agent.spawn,
/// landmark.spawn, world.damping, world.dynamics.
std::vector<Parameter> mpeParameters(std::initializer_list<std::vector<Parameter>> own, double landmarkSpawn = 1.0);

/// Bodies under those parameters, without agents.
MpeBodies mpeBodies(const ParameterValues& values, int numLandmarks);
/// Adds agents of a team behind those that are there, as its parameters say.
void addTeam(MpeBodies& bodies, const ParameterValues& values, const MpeTeam& team, int count);
/// Adds an agent that cannot move.
void addStill(MpeBodies& bodies, int side);

}  // namespace gymwright
