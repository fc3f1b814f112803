// simple_crypto: Alice tells Bob one of two messages in public; Bob is to understand it, Eve, who listens, is not.
// Alice and Bob share a key.
//
// obs of eve, 4:        offset      of bob, 8:             offset      of alice, O = 8:       offset
//   1. Alice's word      0 .. 4       1. key                0 .. 4       1. message            0 .. 4
//                                     2. Alice's word       4 .. 8       2. key                4 .. 8
// Message and key are one-hot vectors whose first or second element is 1, drawn for the episode.
// actions: one of four words; continuous one number in [0,1] per word. Nobody moves. A word is heard with the
// observation of the step in which it was said.
// reward: with e and b the squares of the distances of Eve's and Bob's words to the message, 0 while one has said
// nothing: Eve -e, Bob and Alice e - b. Truncates after episode.length steps.
// Source: Lowe et al. 2017; MPE2 simple_crypto_v3.
#include <algorithm>

#include "sim/mpe_obs.hpp"
#include "sim/mpe_world.hpp"

namespace gymwright {
namespace {

constexpr int kNumLandmarks = 2;
constexpr int kNumWords = 4;
constexpr int kEveDim = 4;
constexpr int kBobDim = 8;

enum AgentIndex { kEve, kBob, kAlice, kNumAgents };
enum ComponentIndex { kUnderstanding, kSecrecy, kNumComponents };
enum SignalIndex { kTime, kMessage, kKey };
enum MetricIndex { kMetricBob, kMetricEve, kMetricSuccess, kCommonMetrics };
enum PolicyIndex { kNoop, kRandom, kPlain, kCoded };

/// Extra state words: what was drawn, steps in which Bob's and Eve's words were the message, the same of the last step.
enum ExtraWord { kGoal, kKeyWord, kBobSum, kEveSum, kBobLast, kEveLast, kNumExtra };

std::vector<Parameter> cryptoParameters() {
  return {{"episode.length", "int", "steps", 25, 1, 1000, false, false, "Steps after which an episode is truncated."}};
}

/// Places have no meaning here; they are there for pictures.
MpeBodies cryptoBodies() {
  MpeBodies bodies{kNumAgents, kNumLandmarks, 0.25, 1.0, 1.0, false, {0, 1, 1}, {0, 0, 0}, {20, 20, 20}};
  bodies.numWords = kNumWords;
  bodies.isSpeaker = {true, true, true};
  return bodies;
}

class SimpleCrypto final : public MpeScenario {
 public:
  explicit SimpleCrypto(const ParameterValues& values) : MpeScenario(cryptoBodies(), kNumExtra) { describe(values); }

  void reset(double* state, const EpisodeRng& rng) const override {
    resetBodies(state, rng);
    resetGoals(state, rng);
  }

  std::optional<std::string> place(const Placement& placement, double* state) const override {
    if (auto problem = MpeScenario::place(placement, state)) return problem;
    const char* meaning = "0 or 1, which of the landmarks' colours it is";
    if (auto problem = placement.readIndices("goal", 1, kNumLandmarks, meaning, extra(state) + kGoal)) return problem;
    return placement.readIndices("key", 1, kNumLandmarks, meaning, extra(state) + kKeyWord);
  }

  bool isValidState(const double* state) const override {
    return MpeScenario::isValidState(state) && isIndex(extra(state)[kGoal], kNumLandmarks) &&
           isIndex(extra(state)[kKeyWord], kNumLandmarks);
  }

  int member(int /*set*/, const double* state) const override { return kNumAgents + goal(state); }

  bool advance(double* state, const double* attributes, const double* controls, double* components) const override {
    moveAgents(state, attributes, controls);
    const double eve = errorOf(state, kEve);
    const double bob = errorOf(state, kBob);
    components[kUnderstanding] = -eve;
    components[kSecrecy] = 0.0;
    for (int a = kBob; a < kNumAgents; ++a) {
      components[a * kNumComponents + kUnderstanding] = -bob;
      components[a * kNumComponents + kSecrecy] = eve;
    }
    double* sums = extra(state);
    sums[kBobLast] = word(state, kBob) == goal(state) ? 1.0 : 0.0;
    sums[kEveLast] = word(state, kEve) == goal(state) ? 1.0 : 0.0;
    sums[kBobSum] += sums[kBobLast];
    sums[kEveSum] += sums[kEveLast];
    Roles roles;
    for (int a = 0; a < kNumAgents; ++a) {
      roles.role[a] = std::max(0, word(state, a));
      roles.isOwn[a] = sums[kBobLast] != 0.0 && sums[kEveLast] == 0.0;
    }
    keepBooks(state, roles);
    return false;
  }

  void writeObs(const double* state, float* obs) const override { writeObsAs(state, obs); }
  void writeObs(const double* state, double* obs) const override { writeObsAs(state, obs); }

  double signal(int id, const double* state, std::int32_t step) const override {
    switch (id) {
      case kMessage: return goal(state);
      case kKey: return key(state);
      default: return step;
    }
  }

  void actScripted(int group, int policy, const double* state, const double* /*attributes*/, const EpisodeRng& rng,
                   std::int32_t step, std::int32_t* actions) const override {
    actions[0] = 0;
    if (policy == kRandom) actions[0] = randomAction(rng, step, group);
    if (policy < kPlain) return;
    const bool isCoded = policy == kCoded;
    if (group == kAlice) {
      actions[0] = isCoded ? goal(state) ^ key(state) : goal(state);
      return;
    }
    const int heard = std::max(0, word(state, kAlice));
    actions[0] = isCoded && heard < kNumLandmarks ? heard ^ key(state) : heard;
  }

  void writeMetrics(const double* state, std::int32_t steps, double* metrics) const override {
    const double* sums = extra(state);
    for (int a = 0; a < kNumAgents; ++a, metrics += kCommonMetrics + kNumCommonMetrics) {
      metrics[kMetricBob] = sums[kBobSum] / steps;
      metrics[kMetricEve] = sums[kEveSum] / steps;
      metrics[kMetricSuccess] = sums[kBobLast] != 0.0 && sums[kEveLast] == 0.0 ? 1.0 : 0.0;
      writeCommonMetrics(state, steps, a, metrics + kCommonMetrics);
    }
  }

 protected:
  void drawGoals(double* state, const GoalDraw& draw) const override {
    extra(state)[kGoal] = draw(0, kNumLandmarks);
    extra(state)[kKeyWord] = draw(1, kNumLandmarks);
  }

  /// The others' words are guesses.
  bool hears(int /*listener*/, int speaker) const override { return speaker == kAlice; }

 private:
  int goal(const double* state) const { return static_cast<int>(extra(state)[kGoal]); }
  int key(const double* state) const { return static_cast<int>(extra(state)[kKeyWord]); }

  /// Square of the distance of what an agent said to the message; 0 where it said nothing.
  double errorOf(const double* state, int a) const {
    if (word(state, a) < 0) return 0.0;
    double sum = 0.0;
    for (int w = 0; w < kNumWords; ++w) {
      const double difference = message(state, a)[w] - (w == goal(state) ? 1.0 : 0.0);
      sum += difference * difference;
    }
    return sum;
  }

  template <typename T>
  static void putOneHot(ObsRow<T>& row, int index) {
    for (int w = 0; w < kNumWords; ++w) row.put(w == index ? 1.0 : 0.0);
  }

  template <typename T>
  void writeObsAs(const double* state, T* obs) const {
    ObsRow<T> eve(obs, agent(state, kEve));
    eve.put(message(state, kAlice), kNumWords);
    eve.putZeros(kBobDim - kEveDim);
    ObsRow<T> bob(obs + kBobDim, agent(state, kBob));
    putOneHot(bob, key(state));
    bob.put(message(state, kAlice), kNumWords);
    ObsRow<T> alice(obs + 2 * kBobDim, agent(state, kAlice));
    putOneHot(alice, goal(state));
    putOneHot(alice, key(state));
  }

  void describe(const ParameterValues& values);
};

void SimpleCrypto::describe(const ParameterValues& values) {
  manifest_.name = "simple_crypto";
  manifest_.version = 1;
  manifest_.title = "Simple crypto";
  manifest_.doc =
      "Alice is to tell Bob which of two messages was drawn, in words that Eve hears too; Alice and Bob share a key "
      "that "
      "Eve does not know.";
  manifest_.parameters = cryptoParameters();
  manifest_.groups = {describeGroup("eve", {"eve_0"}, kEve, kEveDim, {"noop", "random", "repeat"}),
                      describeGroup("bob", {"bob_0"}, kBob, kBobDim, {"noop", "random", "repeat", "decode"}),
                      describeGroup("alice", {"alice_0"}, kAlice, kBobDim, {"noop", "random", "tell", "encode"})};
  describeShapes(values);
  describeBodies();
  describeGoalEvent("Another draw of message and key; they may be the same.");
  const std::vector<int> landmarks = manifest_.sets.back().entities;
  describeTeam("eve", "Who listens.");
  describeTeam("bob", "Who is to understand.");
  describeTeam("alice", "Who tells.");
  manifest_.sets.push_back(
      {"goal", EntityKind::kLandmark, landmarks, true, "The landmark whose number is the message of this episode."});
  manifest_.signals.push_back({"message", "none", 0, kNumLandmarks - 1, "Number of the message, counted from 0."});
  manifest_.signals.push_back({"key", "none", 0, kNumLandmarks - 1, "Number of the key, counted from 0."});
  manifest_.components = {
      {"understanding",
       "Minus the square of the distance of a word to the message: Eve's own, Bob's for Bob and Alice."},
      {"secrecy", "Bob and Alice: the square of the distance of Eve's word to the message. Eve: 0."}};
  // A wrong word costs 2; at random three of four are wrong.
  manifest_.nominalReturn = manifest_.episodeLength * 1.5;
  manifest_.metrics = {
      {"bob_accuracy", "none", false, "neither", 0, 1, "Share of the steps in which Bob's word was the message."},
      {"eve_accuracy", "none", false, "neither", 0, 1, "Share of the steps in which Eve's word was the message."},
      {"success", "none", false, "higher", 0, 1,
       "1 if at the last step Bob's word was the message and Eve's was not, else 0; chance is 3/16."}};
  describeCommonMetrics(
      "Alice and Bob: share of the steps in which Bob's word was the message and Eve's was not.",
      "Share of the steps, from the second on, in which the agent said the same word as in the step before.");
}

}  // namespace

const ScenarioEntry kSimpleCrypto = {"simple_crypto", cryptoParameters,
                                     [](const ParameterValues& values) -> std::shared_ptr<const Scenario> {
                                       return std::make_shared<SimpleCrypto>(values);
                                     }};

}  // namespace gymwright
