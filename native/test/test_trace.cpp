#include "check.hpp"
#include "gymwright/trace.hpp"
#include "test_env.hpp"

using namespace gymwright;
using namespace gymwright::test;

namespace {

/// A speaker with two actions and a walker with three, which its action moves along x; `hidden` takes one reading away.
class Pair final : public Scenario {
 public:
  explicit Pair(const std::string& hidden = "", bool isInState = true) {
    stateWords_ = 8;
    controlWords_ = 1;
    baseAttributes_.assign(8, 0.0);
    manifest_.name = "pair";
    manifest_.numAgents = 2;
    manifest_.obsDim = 1;
    manifest_.numActions = 3;
    manifest_.groups = {{"speaker", {"speaker"}, 0, 1, 2, {"hush", "speak"}, 0, {}},
                        {"walker", {"walker"}, 1, 1, 3, {"stay", "left", "right"}, 0, {}}};
    int word = 0;
    for (const std::string name : {"x", "y", "vx", "vy"}) {
      if (name != hidden) {
        manifest_.attributes.push_back({name, EntityKind::kAgent, "m", -9, 9, false, ""});
        addresses_.push_back({isInState, word, 4});
      }
      ++word;
    }
    manifest_.components = {{"nothing", ""}};
  }
  std::optional<std::string> place(const Placement&, double*) const override { return std::nullopt; }
  void reset(double*, const EpisodeRng&) const override {}
  bool isValidState(const double*) const override { return true; }
  void decodeDiscrete(int, std::int32_t action, double* controls) const override { *controls = action; }
  bool advance(double* state, const double*, const double* controls, double* components) const override {
    for (int a = 0; a < 2; ++a) state[4 * a] += controls[a];
    components[0] = components[1] = 0.0;
    return false;
  }
  void writeObs(const double*, float* obs) const override { obs[0] = obs[1] = 0; }
  void writeObs(const double*, double* obs) const override { obs[0] = obs[1] = 0; }
  double signal(int, const double*, std::int32_t) const override { return 0; }
  int positionWord(int entity) const override { return 4 * entity; }
  void writeMetrics(const double*, std::int32_t, double*) const override {}
};

std::string reasonOf(const Scenario& scenario, std::vector<std::int32_t> acts) {
  const auto steps = trace(scenario, {}, {std::move(acts)});
  return steps ? "" : steps.failure().message;
}

}  // namespace

TEST("a trace holds each agent to the actions of its own group") {
  const auto steps = trace(Pair(), {}, {{1, 2}, {0, 2}}).value();
  CHECK_EQ(steps[1].positions[0][0], 1.0);
  CHECK_EQ(steps[1].positions[1][0], 4.0);
  CHECK_EQ(reasonOf(Pair(), {2, 2}), std::string("acts[0][0] is 2, actions of speaker are 0..1"));
  CHECK_EQ(reasonOf(Pair(), {1, 3}), std::string("acts[0][1] is 3, actions of walker are 0..2"));
}

TEST("a scenario whose agents have no velocity in the state is not traced") {
  CHECK_EQ(reasonOf(Pair("vy"), {0, 0}),
           std::string("scenario pair cannot be traced: its agents have no vy in their state"));
  CHECK(reasonOf(Pair("", false), {0, 0}).find("no x in their state") != std::string::npos);
}
