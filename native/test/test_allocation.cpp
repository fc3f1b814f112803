// Counts what the whole test program allocates, to show that stepping does not.
#include <atomic>
#include <cstdlib>
#include <new>

#include "busy_program.hpp"
#include "check.hpp"
#include "probe_scenario.hpp"
#include "recording.hpp"
#include "test_env.hpp"

namespace {
std::atomic<long> numAllocations{0};

void* allocate(std::size_t size) {
  ++numAllocations;
  if (void* memory = std::malloc(size == 0 ? 1 : size)) return memory;
  throw std::bad_alloc();
}
}  // namespace

void* operator new(std::size_t size) { return allocate(size); }
void* operator new[](std::size_t size) { return allocate(size); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }

using namespace gymwright;
using namespace gymwright::test;

TEST("stepping allocates nothing, whatever the program does") {
  const auto probe = std::make_shared<ProbeScenario>();
  const Program program = busyProgram(*probe);
  CHECK(program.fingerprint != 0);
  TestEnv env({.scenario = probe, .program = program, .scripted = {kPlayedByNpc}, .numEnvs = 130});
  TestEnv plain({.scenario = scenarioOf("simple_spread"), .numEnvs = 130});
  const long before = numAllocations;
  for (int t = 0; t < 30; ++t) {
    env.step();
    plain.step();
  }
  CHECK_EQ(numAllocations - before, 0L);
  CHECK(env.env->takeTraps().size() > 500);
}

TEST("playing a record again allocates nothing either") {
  const auto probe = std::make_shared<ProbeScenario>();
  const TestEnvOptions options{
      .scenario = probe, .program = busyProgram(*probe), .scripted = {kPlayedByNpc}, .numEnvs = 130};
  TestEnv env(options);
  Recorder recorder(env, options.seed);
  const auto& episodes = recorder.play(130);
  TestPlayback again(options, 130);
  const long before = numAllocations;
  for (int round = 0; round < 3; ++round) {
    CHECK(!again.begin(episodes));
    for (std::size_t t = 0; t < 8; ++t) {
      again.stage(episodes, t);
      CHECK(!again.step());
    }
  }
  CHECK_EQ(numAllocations - before, 0L);
}

TEST("scripted players of all scenarios allocate nothing") {
  for (const std::string& name : scenarioNames()) {
    const auto scenario = scenarioOf(name);
    std::size_t most = 0;
    for (const Group& group : scenario->manifest().groups) most = std::max(most, group.scripted.size());
    for (std::size_t policy = 0; policy < most; ++policy) {
      std::vector<int> scripted;
      for (const Group& group : scenario->manifest().groups)
        scripted.push_back(static_cast<int>(policy % group.scripted.size()));
      TestEnv env({.scenario = scenario, .scripted = scripted});
      const long before = numAllocations;
      for (int t = 0; t < 30; ++t) env.step();
      CHECK_EQ(numAllocations - before, 0L);
    }
  }
}
