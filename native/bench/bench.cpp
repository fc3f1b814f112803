// Steps per second of each scenario with observations and random actions, and the cost of rules. One thread, fixed
// seed, fixed work, time of the processor; each figure is the best of many short runs, since everything else on the
// machine only adds time.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "gymwright/catalogue.hpp"
#include "gymwright/vec_env.hpp"

using namespace gymwright;

namespace {

constexpr int kRuns = 40;
constexpr int kActionBatches = 16;

/// A batch with its arrays.
class Bench {
 public:
  Bench(const std::shared_ptr<const Scenario>& scenario, Program program, int numEnvs) {
    const Manifest& m = scenario->manifest();
    const auto e = static_cast<std::size_t>(numEnvs);
    const std::size_t rows = e * static_cast<std::size_t>(m.numAgents);
    const std::size_t cells = rows * (m.components.size() + program.components.size());
    const std::size_t metrics = rows * m.metrics.size();
    floats_.resize(2 * rows * static_cast<std::size_t>(m.obsDim) + 2 * e * static_cast<std::size_t>(m.stateDim) + rows +
                   cells);
    bytes_.resize(2 * rows * static_cast<std::size_t>(m.numActions) + 2 * e + 2 * rows);
    doubles_.resize(e + rows + cells + metrics);
    lengths_.resize(2 * e);
    Buffers out{};
    out.obs = floats(rows * static_cast<std::size_t>(m.obsDim));
    out.finalObs = floats(rows * static_cast<std::size_t>(m.obsDim));
    out.state = floats(e * static_cast<std::size_t>(m.stateDim));
    out.finalState = floats(e * static_cast<std::size_t>(m.stateDim));
    out.rewards = floats(rows);
    out.components = floats(cells);
    out.availActions = bytes_.data();
    out.finalAvailActions = bytes_.data() + rows * static_cast<std::size_t>(m.numActions);
    out.terminated = out.finalAvailActions + rows * static_cast<std::size_t>(m.numActions);
    out.truncated = out.terminated + e;
    out.active = out.truncated + e;
    out.finalActive = out.active + rows;
    out.endedEpisode = doubles_.data();
    out.episodeReturn = doubles_.data() + e;
    out.episodeComponents = out.episodeReturn + rows;
    out.episodeMetrics = out.episodeComponents + cells;
    out.episodeLength = lengths_.data();
    out.regimes = lengths_.data() + e;
    int fewest = m.numActions;
    for (const Group& group : m.groups) fewest = std::min(fewest, group.numActions);
    const auto fewestActions = static_cast<std::uint32_t>(fewest);
    for (int batch = 0; batch < kActionBatches; ++batch) {
      std::vector<std::int32_t> actions(rows);
      for (std::size_t i = 0; i < rows; ++i) {
        actions[i] = static_cast<std::int32_t>(
            EpisodeRng(1, i).below(Stream::kScripted, static_cast<std::uint32_t>(batch), 0, 0, fewestActions));
      }
      actions_.push_back(std::move(actions));
    }
    numEnvs_ = numEnvs;
    env_ = std::make_unique<VecEnv>(
        VecEnvConfig{scenario, std::move(program), std::vector<int>(m.groups.size(), -1), numEnvs, 1, 0, false}, out);
  }

  /// Best nanoseconds per env-step.
  double measure() {
    const int rounds = std::max(1, 30000 / (numEnvs_ * kActionBatches));
    double best = std::numeric_limits<double>::infinity();
    for (int run = 0; run < kRuns; ++run) {
      const std::clock_t start = std::clock();
      for (int round = 0; round < rounds; ++round) {
        for (const auto& actions : actions_) env_->stepBatch(actions.data());
      }
      const double elapsed = static_cast<double>(std::clock() - start) * (1e9 / CLOCKS_PER_SEC);
      best = std::min(best, elapsed / (static_cast<double>(rounds) * kActionBatches * numEnvs_));
    }
    return best;
  }

 private:
  float* floats(std::size_t count) {
    float* first = floats_.data() + usedFloats_;
    usedFloats_ += count;
    return first;
  }

  std::vector<float> floats_;
  std::vector<std::uint8_t> bytes_;
  std::vector<double> doubles_;
  std::vector<std::int32_t> lengths_;
  std::size_t usedFloats_ = 0;
  int numEnvs_ = 0;
  std::vector<std::vector<std::int32_t>> actions_;
  std::unique_ptr<VecEnv> env_;
};

/// `for a in agent for b in agent when distance(a, b) < 0.5 then a.accel *= 0.9` over all ordered pairs, as lowered:
/// five instructions a pair.
RawProgram pairwiseRules(const Manifest& m, int rules) {
  RawProgram raw;
  const auto accel =
      std::find_if(m.attributes.begin(), m.attributes.end(), [](const Attribute& a) { return a.name == "accel"; });
  const auto id = static_cast<std::int32_t>(accel - m.attributes.begin());
  const auto add = [&raw](Opcode op, std::int32_t dst, std::int32_t a, std::int32_t b, std::int32_t c) {
    for (const std::int32_t word : {static_cast<std::int32_t>(op), dst, a, b, c}) raw.code.push_back(word);
    ++raw.numInstructions[static_cast<std::size_t>(Section::kRules)];
  };
  raw.constants = {0.5, 0.9};
  raw.numRegisters = 4;
  for (std::int32_t rule = 0; rule < rules; ++rule) {
    raw.declarations.push_back({"rule"});
    add(Opcode::DECL, rule, 0, 0, 0);
    add(Opcode::CONST, 0, 0, 0, 0);
    add(Opcode::CONST, 1, 1, 0, 0);
    for (std::int32_t a = 0; a < m.numAgents; ++a) {
      for (std::int32_t b = 0; b < m.numAgents; ++b) {
        if (a == b) continue;
        add(Opcode::DIST, 2, a, b, 0);
        add(Opcode::LT, 3, 2, 0, 0);
        add(Opcode::FIRED, rule, 3, 0, 0);
        add(Opcode::SCALE, id, a, 1, 3);
      }
    }
  }
  return raw;
}

/// The index of a map of skirmish; where there is none of that name, what makes the scenario refuse it.
Settings mapSetting(const std::string& name) {
  const auto plain = makeScenario("skirmish", {}).value();
  for (const Parameter& parameter : plain->manifest().parameters) {
    if (parameter.name != "map") continue;
    const auto found = std::find(parameter.choices.begin(), parameter.choices.end(), name);
    return {{"map", static_cast<double>(found - parameter.choices.begin())}};
  }
  return {};
}

void reportScenario(const char* name, int numEnvs, const Settings& settings = {}) {
  auto made = makeScenario(name, settings);
  if (!made) {
    std::fprintf(stderr, "%s\n", made.failure().message.c_str());
    std::exit(1);
  }
  const auto scenario = std::move(made).value();
  const double ns = Bench(scenario, Program{}, numEnvs).measure();
  std::printf("%-18s E=%-6d %8.1f ns/step %8.2f M env-steps/s\n", name, numEnvs, ns, 1000.0 / ns);
}

void reportRules(int numEnvs) {
  const auto scenario = makeScenario("simple_spread", {}).value();
  const double plain = Bench(scenario, Program{}, numEnvs).measure();
  for (const int rules : {1, 4, 16}) {
    const auto program = verify(pairwiseRules(scenario->manifest(), rules), scenario->manifest()).value();
    const double ns = Bench(scenario, program, numEnvs).measure();
    const double perInstruction = (ns - plain) / static_cast<double>(program.section(Section::kRules).code.size());
    std::printf("pairwise rules %-3d E=%-6d %8.1f ns/step %8.1f ns per rule (6 pairs) %6.2f ns per instruction\n",
                rules, numEnvs, ns, (ns - plain) / rules, perInstruction);
  }
}

}  // namespace

/// Measures everything, or with the name of a scenario that one alone, in batches of 1024; of skirmish, which map may
/// follow.
int main(int argc, char** argv) {
  if (argc > 1) {
    reportScenario(argv[1], 1024, argc > 2 ? mapSetting(argv[2]) : Settings{});
    return 0;
  }
  for (const char* name : {"simple_spread", "simple_adversary", "capture"}) {
    for (const int numEnvs : {1, 64, 1024, 8192}) reportScenario(name, numEnvs);
  }
  reportRules(1024);
  return 0;
}
