#include <algorithm>

#include "check.hpp"
#include "sim/check_writes.hpp"
#include "test_env.hpp"

using namespace gymwright;
using namespace gymwright::test;

namespace {

enum class Slip { kNone, kLongState, kShortState, kLongObs, kShortComponents, kLongMetrics, kKeepsWords };

/// Two agents that do nothing, one of the functions of which is off by a word.
class Sloppy final : public Scenario {
 public:
  explicit Sloppy(Slip slip) : slip_(slip) {
    stateWords_ = 4;
    manifest_.name = "sloppy";
    manifest_.numAgents = 2;
    manifest_.obsDim = 3;
    manifest_.stateDim = slip == Slip::kLongState ? 5 : slip == Slip::kShortState ? 7 : 6;
    manifest_.numActions = 2;
    manifest_.groups = {{"agent", {"agent_0", "agent_1"}, 0, 3, 2, {"stay", "go"}, 0, {}}};
    manifest_.components = {{"nothing", "0."}};
    manifest_.metrics = {{"nothing", "none", true, "higher", 0, 1, "0."}};
  }
  void reset(double* state, const EpisodeRng&) const override {
    std::fill_n(state, slip_ == Slip::kKeepsWords ? 3 : 4, 0.0);
  }
  bool isValidState(const double*) const override { return true; }
  void decodeDiscrete(int, std::int32_t, double* controls) const override { controls[0] = controls[1] = 0.0; }
  bool advance(double*, const double*, const double*, double* components) const override {
    std::fill_n(components, slip_ == Slip::kShortComponents ? 1 : 2, 0.0);
    return false;
  }
  void writeObs(const double*, float* obs) const override { std::fill_n(obs, slip_ == Slip::kLongObs ? 7 : 6, 0.0F); }
  void writeObs(const double*, double* obs) const override { std::fill_n(obs, 6, 0.0); }
  double signal(int, const double*, std::int32_t) const override { return 0.0; }
  int positionWord(int entity) const override { return 2 * entity; }
  void writeMetrics(const double*, std::int32_t, double* metrics) const override {
    std::fill_n(metrics, slip_ == Slip::kLongMetrics ? 3 : 2, 0.0);
  }

 private:
  Slip slip_;
};

std::string found(Slip slip) { return checkWrites(Sloppy(slip)).value_or("nothing"); }

}  // namespace

TEST("what is written past the end of an array, or left out, is named with its function") {
  CHECK_EQ(found(Slip::kNone), std::string("nothing"));
  CHECK_EQ(found(Slip::kLongState), std::string("writeState writes past the end of its 5 words (stateDim)"));
  CHECK_EQ(found(Slip::kShortState), std::string("writeState leaves word 6 of 7 (stateDim) unwritten"));
  CHECK_EQ(found(Slip::kLongObs), std::string("writeObs writes past the end of its 6 words (numAgents x obsDim)"));
  CHECK_EQ(found(Slip::kShortComponents),
           std::string("advance leaves word 1 of 2 (numAgents x components) unwritten"));
  CHECK_EQ(found(Slip::kLongMetrics),
           std::string("writeMetrics writes past the end of its 2 words (numAgents x metrics)"));
  CHECK_EQ(found(Slip::kKeepsWords), std::string("reset leaves word 3 of 4 (stateWords_) unwritten"));
}

TEST("the built-in scenarios write their arrays in full and nothing else") {
  for (const std::string& name : scenarioNames()) CHECK_EQ(checkWrites(*scenarioOf(name)).value_or(""), std::string());
}
