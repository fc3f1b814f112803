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

#include "sim/mpe_goal.hpp"

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

/// Own state words, behind the goal, which is the message: the key, steps in which Bob's and Eve's words were the
/// message, the same of the last step.
enum OwnWord { kKeyWord, kBobSum, kEveSum, kBobLast, kEveLast, kNumOwnWords };

std::vector<Parameter> cryptoParameters() { return {episodeLengthParameter()}; }

/// Places have no meaning here; they are there for pictures.
MpeBodies cryptoBodies() {
  MpeBodies bodies{.numLandmarks = kNumLandmarks};
  for (const int side : {0, 1, 1}) addStill(bodies, side);
  bodies.numWords = kNumWords;
  bodies.isSpeaker = {true, true, true};
  return bodies;
}

class SimpleCrypto final : public MpeGoal {
 public:
  explicit SimpleCrypto(const ParameterValues& values) : MpeGoal(cryptoBodies(), kNumOwnWords) { describe(values); }

  /// "key", beside "goal": 0 or 1.
  std::optional<std::string> place(const Placement& placement, double* state) const override {
    if (auto problem = MpeGoal::place(placement, state)) return problem;
    return placement.readIndices("key", 1, kNumLandmarks, "the index of the landmark whose colour is the key",
                                 own(state) + kKeyWord);
  }

  bool isValidState(const double* state) const override {
    return MpeGoal::isValidState(state) && isIndex(own(state)[kKeyWord], kNumLandmarks);
  }

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
    double* sums = own(state);
    sums[kBobLast] = word(state, kBob) == goalIndex(state) ? 1.0 : 0.0;
    sums[kEveLast] = word(state, kEve) == goalIndex(state) ? 1.0 : 0.0;
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
      case kMessage: return goalIndex(state);
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
      actions[0] = isCoded ? goalIndex(state) ^ key(state) : goalIndex(state);
      return;
    }
    const int heard = std::max(0, word(state, kAlice));
    actions[0] = isCoded && heard < kNumLandmarks ? heard ^ key(state) : heard;
  }

  void writeMetrics(const double* state, std::int32_t steps, double* metrics) const override {
    const double* sums = own(state);
    for (int a = 0; a < kNumAgents; ++a, metrics += kCommonMetrics + kNumCommonMetrics) {
      metrics[kMetricBob] = sums[kBobSum] / steps;
      metrics[kMetricEve] = sums[kEveSum] / steps;
      metrics[kMetricSuccess] = sums[kBobLast] != 0.0 && sums[kEveLast] == 0.0 ? 1.0 : 0.0;
      writeCommonMetrics(state, steps, a, metrics + kCommonMetrics);
    }
  }

 protected:
  void drawGoals(double* state, const GoalDraw& draw) const override {
    MpeGoal::drawGoals(state, draw);
    own(state)[kKeyWord] = draw(1, kNumLandmarks);
  }

  /// The others' words are guesses.
  bool hears(int /*listener*/, int speaker) const override { return speaker == kAlice; }

 private:
  int key(const double* state) const { return static_cast<int>(own(state)[kKeyWord]); }

  /// Square of the distance of what an agent said to the message; 0 where it said nothing.
  double errorOf(const double* state, int a) const {
    if (word(state, a) < 0) return 0.0;
    double sum = 0.0;
    for (int w = 0; w < kNumWords; ++w) {
      const double difference = message(state, a)[w] - (w == goalIndex(state) ? 1.0 : 0.0);
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
    putOneHot(alice, goalIndex(state));
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
      "that Eve does not know.";
  manifest_.parameters = cryptoParameters();
  manifest_.groups = {describeGroup("eve", {"eve_0"}, kEve, kEveDim, {"noop", "random", "repeat"}),
                      describeGroup("bob", {"bob_0"}, kBob, kBobDim, {"noop", "random", "repeat", "decode"}),
                      describeGroup("alice", {"alice_0"}, kAlice, kBobDim, {"noop", "random", "tell", "encode"})};
  describeShapes(values);
  describeBodies();
  describeTeam("eve", "Who listens.");
  describeTeam("bob", "Who is to understand.");
  describeTeam("alice", "Who tells.");
  describeGoal("The landmark whose number is the message of this episode.",
               "Another draw of message and key; they may be the same.");
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

const ScenarioEntry kSimpleCrypto = {"simple_crypto", cryptoParameters, makeShared<SimpleCrypto>};

}  // namespace gymwright
