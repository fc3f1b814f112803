// Batches stepped by several threads at once.
#include <functional>
#include <thread>
#include <vector>

#include "check.hpp"
#include "program_builder.hpp"
#include "test_env.hpp"

using namespace gymwright;
using namespace gymwright::test;

namespace {

constexpr int kNumCopies = 301;

/// What all copies come to.
struct Played {
  std::uint64_t hash = 0;
  std::vector<float> obs;
  std::vector<float> rewards;

  bool operator==(const Played&) const = default;
};

void append(std::vector<float>& list, const std::vector<float>& more) {
  list.insert(list.end(), more.begin(), more.end());
}

/// Copies 0..kNumCopies-1 in `numShares` batches of one scenario and one program, each stepped by a thread of its own,
/// or one after the other.
Played playShares(const std::shared_ptr<const Scenario>& scenario, const Program& program, int numShares, int steps,
                  bool isThreaded) {
  std::vector<std::unique_ptr<TestEnv>> shares;
  std::vector<std::function<void()>> jobs;
  for (int i = 0; i < numShares; ++i) {
    const int first = kNumCopies * i / numShares;
    const int count = kNumCopies * (i + 1) / numShares - first;
    const auto episode = static_cast<std::uint64_t>(first);
    shares.push_back(std::make_unique<TestEnv>(TestEnvOptions{
        .scenario = scenario, .program = program, .numEnvs = count, .seed = 21, .firstEpisode = episode}));
    jobs.push_back([&share = *shares.back(), episode, steps] {
      for (int t = 0; t < steps; ++t) share.stepPseudoRandomly(episode, t);
    });
  }
  if (isThreaded) {
    std::vector<std::thread> threads;
    for (const auto& job : jobs) threads.emplace_back(job);
    for (std::thread& thread : threads) thread.join();
  } else {
    for (const auto& job : jobs) job();
  }
  Played all;
  for (const auto& share : shares) {
    all.hash += share->env->stateHash();
    append(all.obs, share->obs);
    append(all.rewards, share->rewards);
  }
  return all;
}

/// Draws a number, counts in memory, changes what the physics read, and gives a reward.
Program busyProgram(const Scenario& scenario) {
  ProgramBuilder b;
  b.raw().memory = {0.0};
  b.component("draws");
  b.in(Section::kControl).add(Opcode::DECL, 0).constant(1, 1.0);
  b.add(Opcode::RECALL, 0, 0).add(Opcode::ADD, 0, 0, 1).add(Opcode::STORE, 0, 0, 0, 1);
  b.in(Section::kRules).add(Opcode::DECL, 0).constant(1, 0.5).constant(2, 0.0).add(Opcode::RANDOM, 0, 0, 2);
  b.add(Opcode::LT, 2, 0, 1).add(Opcode::FIRED, 0, 2);
  b.add(Opcode::SCALE, attributeId(scenario, EntityKind::kAgent, "accel"), 0, 0, 2);
  b.rewards().add(Opcode::DECL, 1).constant(1, 1.0).add(Opcode::RECALL, 0, 0).add(Opcode::GIVE, 0, 1, 0, 1);
  return b.build(scenario);
}

}  // namespace

TEST("several threads, each with a share of the copies, come to the states that one batch comes to") {
  for (const std::string& name : scenarioNames()) {
    // How episodes follow each other depends on the shares: here none ends.
    const auto scenario = scenarioOf(name, name == "skirmish" ? Settings{{"walls.lethal", 0}} : Settings{});
    const Played one = playShares(scenario, Program{}, 1, 20, false);
    for (const int numThreads : {2, 3, 8}) CHECK(playShares(scenario, Program{}, numThreads, 20, true) == one);
  }
}

TEST("the same holds under a program with memory, draws and effects, which the threads share") {
  const auto scenario = scenarioOf("simple_spread");
  const Program program = busyProgram(*scenario);
  CHECK_EQ(program.components.size(), std::size_t{1});
  const Played one = playShares(scenario, program, 1, 20, false);
  CHECK(one.hash != playShares(scenario, Program{}, 1, 20, false).hash);
  for (const int numThreads : {2, 3, 8}) CHECK(playShares(scenario, program, numThreads, 20, true) == one);
}

TEST("threads play on through the ends of episodes as one thread after the other does") {
  for (const std::string& name : scenarioNames()) {
    const auto scenario = scenarioOf(name, {{"episode.length", 7}});
    const Played inTurn = playShares(scenario, Program{}, 4, 30, false);
    CHECK(playShares(scenario, Program{}, 4, 30, true) == inTurn);
  }
}
