// Counts what the whole test program allocates, to show that stepping does not.
#include <atomic>
#include <cstdlib>
#include <new>

#include "check.hpp"
#include "probe_scenario.hpp"
#include "program_builder.hpp"
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

namespace {

/// Every section at work: memory, draws, events, bases, behaviours, lasting effects, gifts, potentials, samples, and a
/// trap in every fourth step.
Program busyProgram(const Scenario& probe) {
  ProgramBuilder b;
  b.component("gift");
  b.raw().components.push_back({"pull", 0, std::numeric_limits<double>::infinity(), true});
  b.raw().metrics.push_back({"mean", true, MetricFold::kMean});
  b.raw().memory = {0.0};
  const std::int32_t push = ProbeScenario::kPush;
  b.in(Section::kControl).add(Opcode::DECL, 0).constant(0, 1.0).add(Opcode::RANDOM, 1, 0, 0);
  b.add(Opcode::STORE, 0, 0, 1, 0).add(Opcode::BASE, push, 0, 0, 0);
  b.add(Opcode::EVENT, ProbeScenario::kLottery, 0, 0, 0).add(Opcode::EVENT, ProbeScenario::kCharge, 0, 0, 0);
  b.in(Section::kNpc).add(Opcode::DECL, 0).constant(0, 1.0).add(Opcode::RELATE, 1, 0, 0, 0);
  b.add(Opcode::BEHAVE, ProbeScenario::kAct, 0, 1, 0).add(Opcode::BEHAVE, ProbeScenario::kAct, 1, 1, 0);
  b.in(Section::kRules).add(Opcode::DECL, 0).constant(0, 1.01).add(Opcode::LSCALE, push, 0, 0, 0);
  b.add(Opcode::SCALE, push, 1, 0, 0);
  b.in(Section::kRewards).add(Opcode::DECL, 1).constant(0, 1.0).constant(1, 4.0).add(Opcode::SIGNAL, 2, 0);
  b.add(Opcode::GIVE, 0, 0, 0, 0).add(Opcode::EQ, 3, 2, 1).add(Opcode::SUB, 4, 2, 1).add(Opcode::DIV, 5, 0, 4);
  b.add(Opcode::GIVE, 0, 1, 5, 3);
  b.in(Section::kPotentials).add(Opcode::DECL, 1).constant(0, 1.0).add(Opcode::LOAD, 1, ProbeScenario::kEnergy, 0);
  b.add(Opcode::PHI, 1, 0, 1, 0);
  b.in(Section::kMetrics).add(Opcode::DECL, 1).constant(0, 1.0).add(Opcode::MEASURE, 0, 0, 0, 0);
  return b.build(probe);
}

}  // namespace

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
