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

#include "sim/mpe_goal.hpp"

namespace gymwright {
namespace {

constexpr double kReachRadius = 0.1;
constexpr int kNumLandmarks = 3;
constexpr int kSpeakerDim = 3;
constexpr int kListenerDim = 11;

enum AgentIndex { kSpeaker, kListener, kNumAgents };
enum SignalIndex { kTime, kDistance };
enum MetricIndex { kMetricGoalDistance, kMetricNaming, kMetricSuccess, kCommonMetrics };
enum PolicyIndex { kNoop, kRandom, kSkilled, kOther, kTemperaments };

/// Own state words: the listener's last distance to the goal, sums over steps.
enum OwnWord { kDistanceLast, kDistanceSum, kNamingSum, kNumOwnWords };

constexpr MpeTeam kListenerTeam = {.name = "listener", .isTempered = true};

std::vector<Parameter> speakerParameters() { return mpeParameters({teamParameters(kListenerTeam)}); }

MpeBodies speakerBodies(const ParameterValues& values) {
  MpeBodies bodies = mpeBodies(values, kNumLandmarks);
  addStill(bodies, kListenerTeam.side);
  addTeam(bodies, values, kListenerTeam, 1);
  bodies.numWords = kNumLandmarks;
  bodies.isSpeaker = {true, false};
  return bodies;
}

class SimpleSpeakerListener final : public MpeGoal {
 public:
  explicit SimpleSpeakerListener(const ParameterValues& values) : MpeGoal(speakerBodies(values), kNumOwnWords) {
    describe(values);
  }

  bool advance(double* state, const double* attributes, const double* controls, double* components) const override {
    moveAgents(state, attributes, controls);
    Gaps gaps;
    measureGaps(state, gaps);
    const double square = squareOf(gaps, kListener, goalIndex(state));
    components[kSpeaker] = components[kListener] = -square;
    double* sums = own(state);
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
    return id == kDistance ? distanceToGoal(state, kListener) : step;
  }

  void actScripted(int group, int policy, const double* state, const double* attributes, const EpisodeRng& rng,
                   std::int32_t step, std::int32_t* actions) const override {
    actions[0] = 0;
    if (policy == kRandom) actions[0] = randomAction(rng, step, group);
    if (policy < kSkilled) return;
    // The skilled listener trusts the words that it hears entirely.
    const double trust = policy < kTemperaments ? 1.0 : boldnessOf(policy - kTemperaments, kListener, attributes, rng);
    actions[0] = group == kSpeaker
                     ? speakAs(policy, state)
                     : follow(state, attributes, policy == kOther ? goalIndex(state) : heard(state), trust);
  }

  void writeMetrics(const double* state, std::int32_t steps, double* metrics) const override {
    const double* sums = own(state);
    for (int a = 0; a < kNumAgents; ++a, metrics += kCommonMetrics + kNumCommonMetrics) {
      metrics[kMetricGoalDistance] = sums[kDistanceSum] / steps;
      metrics[kMetricNaming] = sums[kNamingSum] / steps;
      metrics[kMetricSuccess] = sums[kDistanceLast] < kReachRadius ? 1.0 : 0.0;
      writeCommonMetrics(state, steps, a, metrics + kCommonMetrics);
    }
  }

 private:
  int heard(const double* state) const { return word(state, kSpeaker); }

  /// "tell" says the number of the goal, "mislead" that of the landmark after it.
  std::int32_t speakAs(int policy, const double* state) const {
    return policy == kSkilled ? goalIndex(state) : (goalIndex(state) + 1) % kNumLandmarks;
  }

  /// "go" walks to the landmark whose number it heard, and to the middle of all before; "know" needs no word. One with
  /// a temperament goes as large a share of the way from the middle as it is bold.
  std::int32_t follow(const double* state, const double* attributes, int named, double trust) const {
    return steerToShare(state, attributes, kListener, std::max(0, named), named < 0 ? 0.0 : trust);
  }

  template <typename T>
  void writeObsAs(const double* state, T* obs) const {
    ObsRow<T> speaker(obs, agent(state, kSpeaker));
    for (int channel = 0; channel < 3; ++channel) speaker.put(channel == goalIndex(state) ? 0.65 : 0.15);
    speaker.padTo(obs + kListenerDim);
    ObsRow<T> listener(obs + kListenerDim, agent(state, kListener));
    listener.putPoint(velocity(state, kListener));
    putLandmarks(listener, state);
    listener.put(message(state, kSpeaker), numWords());
  }

  void describe(const ParameterValues& values);
};

void SimpleSpeakerListener::describe(const ParameterValues& values) {
  manifest_.name = "simple_speaker_listener";
  manifest_.version = 2;
  manifest_.title = "Simple speaker and listener";
  manifest_.doc =
      "A speaker that cannot move sees which of three landmarks is the goal and says one of three words a step; the "
      "listener hears the word and is to go there.";
  manifest_.parameters = speakerParameters();
  manifest_.groups = {
      describeGroup("speaker", {"speaker_0"}, kSpeaker, kSpeakerDim, {"noop", "random", "tell", "mislead"}),
      describeGroup("listener", {"listener_0"}, kListener, kListenerDim,
                    withTemperaments({"noop", "random", "go", "know"}))};
  describeShapes(values);
  describeBodies({.movers = {"listener"}, .speakers = {"speaker"}, .tempered = {"listener"}});
  describeTeam("speaker", "The speaker.");
  describeTeam("listener", "The listener.");
  describeGoal();
  manifest_.signals.push_back({"listener_distance", "m", 0, 100, "Distance of the listener to the goal now."});
  manifest_.components = {{"goal_distance", "Minus the square of the listener's distance to the goal, for both."}};
  // Squares of distances when the listener moves at random: 1.6 a step.
  manifest_.nominalReturn = manifest_.episodeLength * 1.6;
  manifest_.metrics = {
      {"goal_distance", "m", false, "lower", 0, 100, "Distance of the listener to the goal, mean over steps."},
      {"naming", "none", false, "neither", 0, 1,
       "Share of the steps in which the speaker said the number of the goal, as the scripted one does; a team may "
       "agree on other words."},
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
                                              makeShared<SimpleSpeakerListener>};

}  // namespace gymwright
