#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "gymwright/playback.hpp"
#include "test_env.hpp"

namespace gymwright::test {

/// What a batch showed of one copy at one moment.
struct Moment {
  std::vector<float> obs, state;
  std::vector<std::uint8_t> availActions, active;

  bool operator==(const Moment&) const = default;
};

/// What a step was worth.
struct Worth {
  std::vector<float> rewards, components;

  bool operator==(const Worth&) const = default;
};

/// An episode as its record has it, and as it was seen: moments and states of T+1, the rest of T steps.
struct RecordedEpisode {
  std::uint64_t seed = 0;
  double index = 0.0;
  std::uint8_t ended = 0;
  std::vector<std::vector<double>> states;
  std::vector<std::vector<float>> base;
  std::vector<Moment> moments;
  std::vector<Worth> worths;

  std::size_t length() const { return worths.size(); }
};

template <typename T>
std::vector<T> rowOf(const std::vector<T>& rows, std::size_t row, std::size_t numRows) {
  const std::size_t width = rows.size() / numRows;
  const auto first = rows.begin() + static_cast<std::ptrdiff_t>(row * width);
  return {first, first + static_cast<std::ptrdiff_t>(width)};
}

/// Plays a batch with actions drawn from the legal ones and keeps the episodes that end.
class Recorder {
 public:
  /// `seed`: of the batch's stream.
  Recorder(TestEnv& env, std::uint64_t seed)
      : env_(env), numEnvs_(static_cast<std::size_t>(env.env->numEnvs())), seed_(seed), open_(numEnvs_) {
    const auto numWords = static_cast<std::size_t>(env.env->scenario().stateWords());
    states_.resize(numEnvs_ * numWords);
    finals_.resize(states_.size());
    env_.env->copyStates(states_.data());
    for (std::size_t e = 0; e < numEnvs_; ++e) begin(e);
  }

  void step() {
    drawActions();
    env_.step();
    env_.env->copyStates(states_.data());
    env_.env->copyFinalStates(finals_.data());
    for (std::size_t e = 0; e < numEnvs_; ++e) record(e);
  }

  /// Plays until so many episodes have ended and returns them.
  const std::vector<RecordedEpisode>& play(std::size_t numEpisodes) {
    while (ended.size() < numEpisodes) step();
    return ended;
  }

  std::vector<RecordedEpisode> ended;

 private:
  void begin(std::size_t e) {
    open_[e] = {};
    open_[e].seed = seed_;
    open_[e].states.push_back(rowOf(states_, e, numEnvs_));
    open_[e].moments.push_back({rowOf(env_.obs, e, numEnvs_), rowOf(env_.state, e, numEnvs_),
                                rowOf(env_.availActions, e, numEnvs_), rowOf(env_.active, e, numEnvs_)});
  }

  void record(std::size_t e) {
    RecordedEpisode& episode = open_[e];
    const std::vector<float> components = rowOf(env_.components, e, numEnvs_);
    const std::size_t numBase = env_.env->scenario().manifest().components.size();
    std::vector<float> base;
    for (std::size_t i = 0; i < components.size(); ++i) {
      if (i % env_.numComponents < numBase) base.push_back(components[i]);
    }
    episode.base.push_back(base);
    episode.worths.push_back({rowOf(env_.rewards, e, numEnvs_), components});
    const bool hasEnded = env_.terminated[e] != 0 || env_.truncated[e] != 0;
    episode.states.push_back(rowOf(hasEnded ? finals_ : states_, e, numEnvs_));
    const auto pick = [&](const auto& now, const auto& last) { return rowOf(hasEnded ? last : now, e, numEnvs_); };
    episode.moments.push_back({pick(env_.obs, env_.finalObs), pick(env_.state, env_.finalState),
                               pick(env_.availActions, env_.finalAvailActions), pick(env_.active, env_.finalActive)});
    if (!hasEnded) return;
    episode.index = env_.endedEpisode[e];
    episode.ended = env_.terminated[e] != 0 ? 1 : 2;
    ended.push_back(episode);
    begin(e);
  }

  void drawActions() {
    const std::size_t numActions = env_.availActions.size() / env_.actions.size();
    for (std::size_t row = 0; row < env_.actions.size(); ++row) {
      const std::uint8_t* legal = env_.availActions.data() + row * numActions;
      auto left = static_cast<std::int64_t>(
          mix64(++key_) % static_cast<std::uint64_t>(std::count(legal, legal + numActions, std::uint8_t{1})));
      std::int32_t action = 0;
      while (legal[action] == 0 || left-- > 0) ++action;
      env_.actions[row] = action;
    }
  }

  TestEnv& env_;
  std::size_t numEnvs_;
  std::uint64_t seed_;
  std::uint64_t key_ = 1;
  std::vector<RecordedEpisode> open_;
  std::vector<double> states_, finals_;
};

/// A Playback of as many copies as there are episodes, with its arrays.
struct TestPlayback {
  TestPlayback(TestEnvOptions options, std::size_t copies) : numEnvs(copies) {
    const Manifest& m = options.scenario->manifest();
    const std::size_t rows = numEnvs * static_cast<std::size_t>(m.numAgents);
    numBase = m.components.size() * static_cast<std::size_t>(m.numAgents);
    numWords = static_cast<std::size_t>(options.scenario->stateWords());
    obs.resize(rows * static_cast<std::size_t>(m.obsDim));
    state.resize(numEnvs * static_cast<std::size_t>(m.stateDim));
    availActions.resize(rows * static_cast<std::size_t>(m.numActions));
    active.resize(rows);
    rewards.resize(rows);
    components.resize(rows * (m.components.size() + options.program.components.size()));
    if (options.scripted.empty()) options.scripted.assign(m.groups.size(), kPlayedByCaller);
    playback = std::make_unique<Playback>(
        VecEnvConfig{options.scenario, std::move(options.program), options.scripted, static_cast<int>(numEnvs), 0, 0,
                     false, options.gamma},
        PlaybackBuffers{obs.data(), state.data(), availActions.data(), active.data(), rewards.data(),
                        components.data()});
    next.resize(numEnvs * numWords);
    base.resize(numEnvs * numBase);
    ended.resize(numEnvs);
    seeds.resize(numEnvs);
    indices.resize(numEnvs);
  }

  std::optional<Failure> begin(const std::vector<RecordedEpisode>& episodes) {
    for (std::size_t e = 0; e < numEnvs; ++e) {
      std::copy(episodes[e].states[0].begin(), episodes[e].states[0].end(), next.data() + e * numWords);
      seeds[e] = episodes[e].seed;
      indices[e] = episodes[e].index;
    }
    return playback->begin({next.data(), seeds.data(), indices.data()});
  }

  /// Puts step t of the episodes into next, base and ended; over ones are left with what was there.
  void stage(const std::vector<RecordedEpisode>& episodes, std::size_t t) {
    for (std::size_t e = 0; e < numEnvs; ++e) {
      const RecordedEpisode& episode = episodes[e];
      ended[e] = 0;
      if (t >= episode.length()) continue;
      std::copy(episode.states[t + 1].begin(), episode.states[t + 1].end(), next.data() + e * numWords);
      std::copy(episode.base[t].begin(), episode.base[t].end(), base.data() + e * numBase);
      if (t + 1 == episode.length()) ended[e] = episode.ended;
    }
  }

  std::optional<Failure> step() { return playback->step({next.data(), base.data(), ended.data()}); }

  Moment moment(std::size_t e) const {
    return {rowOf(obs, e, numEnvs), rowOf(state, e, numEnvs), rowOf(availActions, e, numEnvs),
            rowOf(active, e, numEnvs)};
  }
  Worth worth(std::size_t e) const { return {rowOf(rewards, e, numEnvs), rowOf(components, e, numEnvs)}; }

  std::size_t numEnvs, numBase = 0, numWords = 0;
  std::vector<float> obs, state, rewards, components, base;
  std::vector<std::uint8_t> availActions, active, ended;
  std::vector<double> next, indices;
  std::vector<std::uint64_t> seeds;
  std::unique_ptr<Playback> playback;
};

}  // namespace gymwright::test
