#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "gymwright/catalogue.hpp"
#include "gymwright/vec_env.hpp"

namespace gymwright::test {

inline std::shared_ptr<const Scenario> scenarioOf(const std::string& name, const Settings& settings = {}) {
  auto made = makeScenario(name, settings);
  return made ? made.value() : nullptr;
}

struct TestEnvOptions {
  std::shared_ptr<const Scenario> scenario;
  Program program{};
  std::vector<int> scripted{};
  int numEnvs = 4;
  std::uint64_t seed = 1;
  std::uint64_t firstEpisode = 0;
  bool isContinuous = false;
  double gamma = 0.99;
  std::vector<double> shapingWeights{};
  JointLimit jointLimit{};
};

/// A VecEnv together with the arrays it writes.
struct TestEnv {
  explicit TestEnv(TestEnvOptions options) {
    const Manifest& m = options.scenario->manifest();
    numAgents = static_cast<std::size_t>(m.numAgents);
    numComponents = m.components.size() + options.program.components.size();
    numMetrics = m.metrics.size() + options.program.metrics.size();
    const auto e = static_cast<std::size_t>(options.numEnvs);
    const std::size_t rows = e * numAgents;
    obs.resize(rows * static_cast<std::size_t>(m.obsDim));
    state.resize(e * static_cast<std::size_t>(m.stateDim));
    availActions.resize(rows * static_cast<std::size_t>(m.numActions));
    rewards.resize(rows);
    components.resize(rows * numComponents);
    terminated.resize(e);
    truncated.resize(e);
    finalObs = obs;
    finalState = state;
    finalAvailActions = availActions;
    active.resize(rows);
    finalActive.resize(rows);
    endedEpisode.resize(e);
    episodeLength.resize(e);
    episodeReturn.resize(rows);
    episodeComponents.resize(rows * numComponents);
    episodeMetrics.resize(rows * numMetrics);
    regimes.resize(e);
    if (options.scripted.empty()) options.scripted.assign(m.groups.size(), -1);
    env = std::make_unique<VecEnv>(
        VecEnvConfig{options.scenario, std::move(options.program), options.scripted, options.numEnvs, options.seed,
                     options.firstEpisode, options.isContinuous, options.gamma, options.shapingWeights, options.jointLimit},
        Buffers{obs.data(), state.data(), availActions.data(), active.data(), rewards.data(), components.data(),
                terminated.data(), truncated.data(), finalObs.data(), finalState.data(), finalAvailActions.data(),
                finalActive.data(), endedEpisode.data(), episodeLength.data(), episodeReturn.data(),
                episodeComponents.data(), episodeMetrics.data(), regimes.data()});
    actions.assign(rows, 0);
  }

  /// Steps with actions that depend on the copy's episode and step alone.
  void step() { env->stepBatch(actions.data()); }

  void stepPseudoRandomly(std::uint64_t firstEpisode, int t) {
    for (std::size_t i = 0; i < actions.size(); ++i) {
      const std::uint64_t episode = firstEpisode + i / numAgents;
      actions[i] = static_cast<std::int32_t>(
          mix64(episode * 1000003 + static_cast<std::uint64_t>(t) * 31 + i % numAgents + 1) % 5);
    }
    step();
  }

  std::size_t numAgents = 0;
  std::size_t numComponents = 0;
  std::size_t numMetrics = 0;
  std::vector<float> obs, state, rewards, components, finalObs, finalState;
  std::vector<std::uint8_t> availActions, active, terminated, truncated, finalAvailActions, finalActive;
  std::vector<double> endedEpisode, episodeReturn, episodeComponents, episodeMetrics;
  std::vector<std::int32_t> episodeLength, regimes, actions;
  std::unique_ptr<VecEnv> env;
};

}  // namespace gymwright::test
