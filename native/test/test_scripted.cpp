#include "check.hpp"
#include "test_env.hpp"

using namespace gymwright;
using namespace gymwright::test;

namespace {

constexpr int kEpisodes = 3000;

struct Estimate {
  double mean;
  double standardError;
};

/// Return of one agent over episodes 0..2999 with all groups scripted.
Estimate scriptedReturn(const std::string& name, std::vector<int> scripted, std::size_t agent) {
  TestEnv env({.scenario = scenarioOf(name), .scripted = std::move(scripted), .numEnvs = kEpisodes, .seed = 2024});
  for (int t = 0; t < 25; ++t) env.step();
  double sum = 0.0;
  double squares = 0.0;
  for (std::size_t e = 0; e < kEpisodes; ++e) {
    const double x = env.episodeReturn[e * env.numAgents + agent];
    sum += x;
    squares += x * x;
  }
  const double mean = sum / kEpisodes;
  return {mean, std::sqrt((squares / kEpisodes - mean * mean) / kEpisodes)};
}

/// The references come from 3000 episodes of their own: both sides have an error.
void checkReference(const Estimate& estimate, double reference) {
  CHECK_NEAR(estimate.mean, reference, 3.0 * std::sqrt(2.0) * estimate.standardError);
}

}  // namespace

TEST("simple_spread: scripted play earns the reference returns") {
  checkReference(scriptedReturn("simple_spread", {0}, 0), -24.55);
  checkReference(scriptedReturn("simple_spread", {1}, 0), -26.5);
  checkReference(scriptedReturn("simple_spread", {1}, 2), -26.5);
  checkReference(scriptedReturn("simple_spread", {2}, 1), -8.92);
}

TEST("simple_adversary: scripted play earns the reference returns") {
  checkReference(scriptedReturn("simple_adversary", {0, 0}, 0), -26.6);
  checkReference(scriptedReturn("simple_adversary", {0, 0}, 1), 7.0);
  checkReference(scriptedReturn("simple_adversary", {1, 1}, 0), -28.4);
  checkReference(scriptedReturn("simple_adversary", {1, 1}, 2), 7.5);
  checkReference(scriptedReturn("simple_adversary", {2, 1}, 0), -15.9);
}

TEST("simple_adversary: the good controller does at least as well as the reference's") {
  // Reference: 22.0 against a random adversary, 9.5 against one that stays between the landmarks.
  CHECK(scriptedReturn("simple_adversary", {1, 2}, 1).mean > 22.0);
  CHECK(scriptedReturn("simple_adversary", {2, 2}, 2).mean > 9.5);
}

TEST("simple_spread: coverage and success tell a scripted team from a random one") {
  for (const int policy : {1, 2}) {
    TestEnv env({.scenario = scenarioOf("simple_spread"), .scripted = {policy}, .numEnvs = kEpisodes});
    for (int t = 0; t < 25; ++t) env.step();
    double coverage = 0.0;
    double success = 0.0;
    for (std::size_t e = 0; e < kEpisodes; ++e) {
      coverage += env.episodeMetrics[e * env.numAgents * env.numMetrics] / kEpisodes;
      success += env.episodeMetrics[e * env.numAgents * env.numMetrics + 3] / kEpisodes;
    }
    CHECK(policy == 1 ? coverage < 0.03 : coverage > 0.9);
    CHECK(policy == 1 ? success < 0.01 : success > 0.85);
  }
}
