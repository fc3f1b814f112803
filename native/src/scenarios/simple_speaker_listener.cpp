// simple_speaker_listener: a speaker that cannot move knows which landmark is the goal; a listener that does not know
// is to go there.
//
// obs of the speaker, 3:                 offset        of the listener, O = 11:              offset
//   1. colour of the goal                  0 .. 3        1. own velocity                       0 .. 2
//                                                        2. landmarks minus self               2 .. 8
//                                                        3. message of the speaker             8 .. 11
// actions: of the speaker one of 3 words, of the listener 0 none, 1 left, 2 right, 3 down, 4 up; continuous one number
// in [0,1] per word, and [none, left, right, down, up]. A message is heard with the observation of the step in which
// it was said.
// reward of both: minus the square of the listener's distance to the goal. Truncates after episode.length steps.
// Source: Lowe et al. 2017; MPE2 simple_speaker_listener_v4.
#include <algorithm>
#include <cmath>

#include "sim/mpe_obs.hpp"
#include "sim/mpe_world.hpp"

namespace gymwright {
namespace {

constexpr double kReachRadius = 0.1;
constexpr int kNumLandmarks = 3;
constexpr int kSpeakerDim = 3;
constexpr int kListenerDim = 11;

enum AgentIndex { kSpeaker, kListener, kNumAgents };
enum SignalIndex { kTime, kDistance };
enum MetricIndex { kMetricGoalDistance, kMetricNaming, kMetricSuccess, kCommonMetrics };
enum PolicyIndex { kNoop, kRandom, kSkilled, kOther };

/// Extra state words: goal landmark, the listener's last distance to it, sums over steps.
enum ExtraWord { kGoal, kDistanceLast, kDistanceSum, kNamingSum, kNumExtra };

std::vector<Parameter> speakerParameters() {
  std::vector<Parameter> parameters = mpeParameters();
  parameters.insert(parameters.begin(), {accelParameter("listener"), maxSpeedParameter("listener")});
  return parameters;
}

MpeBodies speakerBodies(const ParameterValues& values) {
  MpeBodies bodies = mpeBodies(values, kNumAgents, kNumLandmarks);
  setTeam(bodies, values, "listener", kListener, 1, 0);
  bodies.accel[kSpeaker] = 0.0;
  bodies.numWords = kNumLandmarks;
  bodies.isSpeaker = {true, false};
  return bodies;
}

class SimpleSpeakerListener final : public MpeScenario {
 public:
  explicit SimpleSpeakerListener(const ParameterValues& values) : MpeScenario(speakerBodies(values), kNumExtra) {
    describe(values);
  }

  void reset(double* state, const EpisodeRng& rng) const override {
    resetBodies(state, rng);
    resetGoals(state, rng);
  }

  std::optional<std::string> place(const Placement& placement, double* state) const override {
    if (auto problem = MpeScenario::place(placement, state)) return problem;
    return placement.readIndices("goal", 1, kNumLandmarks, "the index of the goal landmark", extra(state) + kGoal);
  }

  bool isValidState(const double* state) const override {
    return MpeScenario::isValidState(state) && isIndex(extra(state)[kGoal], kNumLandmarks);
  }

  int member(int /*set*/, const double* state) const override { return kNumAgents + goalIndex(state); }

  bool advance(double* state, const double* attributes, const double* controls, double* components) const override {
    moveAgents(state, attributes, controls);
    Gaps gaps;
    measureGaps(state, gaps);
    const double square = squareOf(gaps, kListener, goalIndex(state));
    components[kSpeaker] = components[kListener] = -square;
    double* sums = extra(state);
    sums[kDistanceLast] = std::sqrt(square);
    sums[kDistanceSum] += std::sqrt(square);
    sums[kNamingSum] += word(state, kSpeaker) == goalIndex(state) ? 1.0 : 0.0;
    Roles roles;
    roles.role[kSpeaker] = std::max(0, word(state, kSpeaker));
    roles.role[kListener] = gaps.nearest[kListener];
    roles.isOwn[kSpeaker] = roles.isOwn[kListener] = gaps.nearest[kListener] == goalIndex(state);
    keepBooks(state, roles);
    return false;
  }

  void writeObs(const double* state, float* obs) const override { writeObsAs(state, obs); }
  void writeObs(const double* state, double* obs) const override { writeObsAs(state, obs); }

  double signal(int id, const double* state, std::int32_t step) const override {
    return id == kDistance ? distanceBetween(agent(state, kListener), goal(state)) : step;
  }

  void actScripted(int group, int policy, const double* state, const double* /*attributes*/, const EpisodeRng& rng,
                   std::int32_t step, std::int32_t* actions) const override {
    actions[0] = 0;
    if (policy == kRandom) actions[0] = randomAction(rng, step, group);
    if (policy < kSkilled) return;
    actions[0] = group == kSpeaker ? speakAs(policy, state) : walkAs(policy, state);
  }

  void writeMetrics(const double* state, std::int32_t steps, double* metrics) const override {
    const double* sums = extra(state);
    for (int a = 0; a < kNumAgents; ++a, metrics += kCommonMetrics + kNumCommonMetrics) {
      metrics[kMetricGoalDistance] = sums[kDistanceSum] / steps;
      metrics[kMetricNaming] = sums[kNamingSum] / steps;
      metrics[kMetricSuccess] = sums[kDistanceLast] < kReachRadius ? 1.0 : 0.0;
      writeCommonMetrics(state, steps, a, metrics + kCommonMetrics);
    }
  }

 protected:
  void drawGoals(double* state, const GoalDraw& draw) const override { extra(state)[kGoal] = draw(0, kNumLandmarks); }

 private:
  int goalIndex(const double* state) const { return static_cast<int>(extra(state)[kGoal]); }
  const double* goal(const double* state) const { return landmark(state, goalIndex(state)); }

  /// "tell" says the number of the goal, "mislead" that of the landmark after it.
  std::int32_t speakAs(int policy, const double* state) const {
    return policy == kSkilled ? goalIndex(state) : (goalIndex(state) + 1) % kNumLandmarks;
  }

  /// "go" walks to the landmark whose number it heard, and to the middle of all before; "know" needs no word.
  std::int32_t walkAs(int policy, const double* state) const {
    const int heard = policy == kSkilled ? word(state, kSpeaker) : goalIndex(state);
    if (heard >= 0) return steerTo(state, kListener, landmark(state, heard));
    double middle[2] = {0.0, 0.0};
    for (int l = 0; l < kNumLandmarks; ++l) {
      middle[0] += landmark(state, l)[0] / kNumLandmarks;
      middle[1] += landmark(state, l)[1] / kNumLandmarks;
    }
    return steerTo(state, kListener, middle);
  }

  template <typename T>
  void writeObsAs(const double* state, T* obs) const {
    ObsRow<T> speaker(obs, agent(state, kSpeaker));
    for (int channel = 0; channel < 3; ++channel) speaker.put(channel == goalIndex(state) ? 0.65 : 0.15);
    speaker.padTo(obs + kListenerDim);
    ObsRow<T> listener(obs + kListenerDim, agent(state, kListener));
    listener.putPoint(velocity(state, kListener));
    for (int l = 0; l < kNumLandmarks; ++l) listener.putRelative(landmark(state, l));
    listener.put(message(state, kSpeaker), numWords());
  }

  void describe(const ParameterValues& values);
};

void SimpleSpeakerListener::describe(const ParameterValues& values) {
  manifest_.name = "simple_speaker_listener";
  manifest_.version = 1;
  manifest_.title = "Simple speaker and listener";
  manifest_.doc =
      "A speaker that cannot move sees which of three landmarks is the goal and says one of three words a step; the "
      "listener hears the word and is to go there.";
  manifest_.parameters = speakerParameters();
  manifest_.groups = {
      describeGroup("speaker", {"speaker_0"}, kSpeaker, kSpeakerDim, {"noop", "random", "tell", "mislead"}),
      describeGroup("listener", {"listener_0"}, kListener, kListenerDim, {"noop", "random", "go", "know"})};
  describeShapes(values);
  describeBodies({.movers = {"listener"}, .speakers = {"speaker"}});
  describeGoalEvent("Another draw of which landmark is the goal; it may be the same.");
  const std::vector<int> landmarks = manifest_.sets.back().entities;
  describeTeam("speaker", "The speaker.");
  describeTeam("listener", "The listener.");
  manifest_.sets.push_back(
      {"goal", EntityKind::kLandmark, landmarks, true, "The landmark that is the goal of this episode."});
  manifest_.signals.push_back({"listener_distance", "m", 0, 100, "Distance of the listener to the goal now."});
  manifest_.components = {{"goal_distance", "Minus the square of the listener's distance to the goal, for both."}};
  // Squares of distances when the listener moves at random: 1.6 a step.
  manifest_.nominalReturn = manifest_.episodeLength * 1.6;
  manifest_.metrics = {
      {"goal_distance", "m", false, "lower", 0, 100, "Distance of the listener to the goal, mean over steps."},
      {"naming", "none", false, "neither", 0, 1,
       "Share of the steps in which the speaker said the number of the goal, as the scripted one does; a team may "
       "agree "
       "on other words."},
      {"success", "none", false, "higher", 0, 1,
       "1 if at the last step the listener is within 0.1 m of the goal, else 0."}};
  describeCommonMetrics(
      "Share of the steps in which the landmark nearest to the listener was the goal: it was told, and understood. The "
      "same for both.",
      "Share of the steps, from the second on, in which the speaker said the same word, or the landmark nearest to the "
      "listener was the same, as in the step before: it sticks to its part.");
}

}  // namespace

const ScenarioEntry kSimpleSpeakerListener = {"simple_speaker_listener", speakerParameters,
                                              [](const ParameterValues& values) -> std::shared_ptr<const Scenario> {
                                                return std::make_shared<SimpleSpeakerListener>(values);
                                              }};

}  // namespace gymwright
