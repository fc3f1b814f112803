#include <algorithm>
#include <cmath>

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

/// Returns of all agents over episodes 0..2999 with all groups scripted, by names of policies.
std::vector<Estimate> scriptedReturns(const std::string& name, const std::vector<std::string>& policies,
                                      const Settings& settings = {}) {
  const auto scenario = scenarioOf(name, settings);
  std::vector<int> scripted;
  for (std::size_t g = 0; g < policies.size(); ++g) {
    const auto& known = scenario->manifest().groups[g].scripted;
    const auto found = std::find(known.begin(), known.end(), policies[g]);
    CHECK(found != known.end());
    scripted.push_back(static_cast<int>(found - known.begin()));
  }
  TestEnv env({.scenario = scenario, .scripted = std::move(scripted), .numEnvs = kEpisodes, .seed = 2024});
  for (int t = 0; t < 25; ++t) env.step();
  std::vector<Estimate> estimates;
  for (std::size_t agent = 0; agent < env.numAgents; ++agent) {
    double sum = 0.0;
    double squares = 0.0;
    for (std::size_t e = 0; e < kEpisodes; ++e) {
      const double x = env.episodeReturn[e * env.numAgents + agent];
      sum += x;
      squares += x * x;
    }
    const double mean = sum / kEpisodes;
    estimates.push_back({mean, std::sqrt(std::max(0.0, squares / kEpisodes - mean * mean) / kEpisodes)});
  }
  return estimates;
}

/// Return of one agent, with policies given by their index.
Estimate scriptedReturn(const std::string& name, const std::vector<int>& scripted, std::size_t agent) {
  const auto scenario = scenarioOf(name);
  const auto& groups = scenario->manifest().groups;
  std::vector<std::string> policies;
  for (std::size_t g = 0; g < groups.size(); ++g)
    policies.push_back(groups[g].scripted[static_cast<std::size_t>(scripted[g])]);
  return scriptedReturns(name, policies)[agent];
}

/// The references come from 3000 episodes of their own: both sides have an error. They are told to one or two decimals.
void checkReference(const Estimate& estimate, double reference) {
  CHECK_NEAR(estimate.mean, reference, 3.0 * std::sqrt(2.0) * estimate.standardError + 0.05);
}

void checkReferences(const std::vector<Estimate>& estimates, const std::vector<double>& references) {
  CHECK_EQ(estimates.size(), references.size());
  for (std::size_t a = 0; a < references.size(); ++a) checkReference(estimates[a], references[a]);
}

/// At least as good as a reference, the error of which is like our own.
void checkAtLeast(const Estimate& estimate, double reference) {
  CHECK(estimate.mean > reference - 3.0 * std::sqrt(2.0) * estimate.standardError);
}

}  // namespace

TEST("particle scenarios: random play earns the reference returns") {
  checkReferences(scriptedReturns("simple", {"random"}), {-39.2});
  checkReferences(scriptedReturns("simple_tag", {"random", "random"}), {4.2, 4.2, 4.2, -15.4});
  checkReferences(scriptedReturns("simple_push", {"random", "random"}), {0.3, -28.7});
  checkReferences(scriptedReturns("simple_reference", {"random"}), {-28.5, -28.7});
  checkReferences(scriptedReturns("simple_speaker_listener", {"random", "random"}), {-40.6, -40.6});
  checkReferences(scriptedReturns("simple_crypto", {"random", "random", "random"}), {-37.6, 0.24, 0.24});
  checkReferences(scriptedReturns("simple_world_comm", {"random", "random", "random"}),
                  {3.24, 3.24, 3.24, 3.24, -25.7, -24.0});
}

TEST("particle scenarios: doing nothing earns the reference returns") {
  checkReferences(scriptedReturns("simple", {"noop"}), {-32.6});
  checkReferences(scriptedReturns("simple_tag", {"noop", "noop"}), {0.92, 0.92, 0.92, -4.5});
  checkReferences(scriptedReturns("simple_push", {"noop", "noop"}), {-0.8, -25.5});
  checkReferences(scriptedReturns("simple_reference", {"noop"}), {-26.1, -26.1});
  checkReferences(scriptedReturns("simple_speaker_listener", {"noop", "noop"}), {-34.2, -34.2});
  checkReferences(scriptedReturns("simple_crypto", {"noop", "noop", "noop"}), {-24.8, 0.0, 0.0});
  checkReferences(scriptedReturns("simple_world_comm", {"noop", "noop", "noop"}), {-1.2, -1.2, -1.2, -1.2, -7.8, -7.0});
}

TEST("particle scenarios: skilled play is at least as good as the reference's") {
  checkAtLeast(scriptedReturns("simple", {"greedy"})[0], -7.4);
  checkAtLeast(scriptedReturns("simple_spread", {"greedy"}, {{"world.dynamics", 1}})[0], -7.83);
  checkAtLeast(scriptedReturns("simple_speaker_listener", {"tell", "know"})[0], -7.35);
  checkAtLeast(scriptedReturns("simple_speaker_listener", {"tell", "go"})[1], -8.66);
  checkAtLeast(scriptedReturns("simple_reference", {"know_and_go"})[0], -8.5);
  checkAtLeast(scriptedReturns("simple_reference", {"tell_and_go"})[1], -9.5);
  checkAtLeast(scriptedReturns("simple_tag", {"chase", "random"})[0], 58.3);
  checkAtLeast(scriptedReturns("simple_tag", {"chase", "noop"})[1], 78.0);
  checkAtLeast(scriptedReturns("simple_tag", {"chase", "flee"})[2], 45.9);
}

TEST("particle scenarios: what is known costs, and what is told pays") {
  const auto go = scriptedReturns("simple_speaker_listener", {"tell", "go"})[0];
  CHECK(scriptedReturns("simple_speaker_listener", {"tell", "know"})[0].mean > go.mean);
  CHECK(scriptedReturns("simple_speaker_listener", {"mislead", "go"})[0].mean < go.mean - 15.0);
  // A word heard is a step old: Bob misses the first step in half of the episodes, Eve too, and with a key in half of
  // all.
  const auto plain = scriptedReturns("simple_crypto", {"repeat", "repeat", "tell"});
  checkReferences(plain, {-1.0, 0.0, 0.0});
  checkReferences(scriptedReturns("simple_crypto", {"repeat", "decode", "encode"}), {-25.0, 24.0, 24.0});
}

TEST("temperaments: the bolder, the nearer to skilled play of predators, and the more is caught of prey") {
  const auto catches = [](const char* predators, const char* prey) {
    return scriptedReturns("simple_tag", {predators, prey})[0].mean;
  };
  CHECK(catches("wary", "random") < catches("steady", "random"));
  CHECK(catches("chase", "wary") < catches("chase", "bold"));
  CHECK(scriptedReturns("simple_spread", {"wary"})[0].mean < scriptedReturns("simple_spread", {"bold"})[0].mean);
  CHECK_EQ(scriptedReturns("simple_spread", {"bold"})[0].mean, scriptedReturns("simple_spread", {"greedy"})[0].mean);
  CHECK_EQ(scriptedReturns("simple_adversary", {"wary", "noop"})[0].mean,
           scriptedReturns("simple_adversary", {"to_midpoint", "noop"})[0].mean);
  // "tempered" is what the parameter says.
  CHECK_EQ(scriptedReturns("simple_push", {"tempered", "to_goal"}, {{"adversary.boldness", 0}})[0].mean,
           scriptedReturns("simple_push", {"wary", "to_goal"})[0].mean);
  CHECK(scriptedReturns("simple_world_comm", {"chase", "chase", "bold"})[1].mean >
        scriptedReturns("simple_world_comm", {"chase", "chase", "wary"})[1].mean);
}

TEST("temperaments of who listens: the more it trusts what it hears, the nearer it comes to its goal") {
  for (const char* bold : {"bold", "steady"}) {
    const char* wary = bold == std::string("bold") ? "steady" : "wary";
    CHECK(scriptedReturns("simple_speaker_listener", {"tell", bold})[0].mean >
          scriptedReturns("simple_speaker_listener", {"tell", wary})[0].mean + 1.0);
    CHECK(scriptedReturns("simple_reference", {bold})[0].mean >
          scriptedReturns("simple_reference", {wary})[0].mean + 1.0);
  }
  CHECK_EQ(scriptedReturns("simple_speaker_listener", {"tell", "bold"})[0].mean,
           scriptedReturns("simple_speaker_listener", {"tell", "go"})[0].mean);
  CHECK_EQ(scriptedReturns("simple_reference", {"tempered"}, {{"agent.boldness", 1}})[0].mean,
           scriptedReturns("simple_reference", {"tell_and_go"})[0].mean);
}

TEST("simple_spread: scripted play earns the reference returns") {
  checkReference(scriptedReturn("simple_spread", {0}, 0), -24.55);
  checkReference(scriptedReturn("simple_spread", {1}, 0), -26.5);
  checkReference(scriptedReturn("simple_spread", {1}, 2), -26.5);
  checkReference(scriptedReturn("simple_spread", {2}, 1), -8.92);
}

TEST("simple_spread: in the original's scale, random and skilled play earn what is known of them") {
  // There an agent's reward is the coverage less the agents that it touches, itself included, and all get the sum.
  const auto originalScale = [](int policy, double dynamics) {
    TestEnv env({.scenario = scenarioOf("simple_spread", {{"world.dynamics", dynamics}}),
                 .scripted = {policy},
                 .numEnvs = kEpisodes,
                 .seed = 2024});
    for (int t = 0; t < 25; ++t) env.step();
    double sum = 0.0;
    double squares = 0.0;
    for (std::size_t e = 0; e < kEpisodes; ++e) {
      const double* rows = env.episodeComponents.data() + e * env.numAgents * env.numComponents;
      double x = 3.0 * 2.0 * rows[0] - 75.0;
      for (std::size_t a = 0; a < env.numAgents; ++a) x += 2.0 * rows[a * env.numComponents + 1];
      sum += x;
      squares += x * x;
    }
    const double mean = sum / kEpisodes;
    return Estimate{mean, std::sqrt((squares / kEpisodes - mean * mean) / kEpisodes)};
  };
  checkReference(originalScale(1, 0), -233.5);
  checkReference(originalScale(1, 1), -230.8);
  checkAtLeast(originalScale(2, 0), -128.5);
  checkAtLeast(originalScale(2, 1), -122.0);
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
