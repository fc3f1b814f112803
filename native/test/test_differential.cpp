#include <array>

#include "check.hpp"
#include "program_builder.hpp"
#include "reference_evaluator.hpp"
#include "test_env.hpp"
#include "vm/machine.hpp"

using namespace gymwright;
using namespace gymwright::test;

namespace {

/// Draws valid programs in which every register is written before it is read.
class ProgramGenerator {
 public:
  ProgramGenerator(const Scenario& scenario, std::uint64_t seed) : m_(scenario.manifest()), word_(seed) {}

  RawProgram draw() {
    builder_ = ProgramBuilder();
    builder_.component("one").component("two");
    // Small whole numbers make equal values, zeros and entity indices likely; one is large enough to overflow.
    builder_.raw().constants = {0, 1, 2, 3, -1, 0.5, 5, 1e200};
    addPhase(true);
    builder_.rewards();
    addPhase(false);
    return builder_.raw();
  }

 private:
  std::int32_t below(std::size_t count) {
    word_ = mix64(word_ + 0x9E3779B97F4A7C15u);
    return static_cast<std::int32_t>(word_ % count);
  }
  std::int32_t anyRegister() { return below(8); }

  void addPhase(bool isRules) {
    builder_.add(Opcode::DECL, 0);
    for (std::int32_t r = 0; r < 8; ++r) builder_.add(Opcode::CONST, r, below(builder_.raw().constants.size()));
    const int length = 5 + below(30);
    for (int i = 0; i < length; ++i) addInstruction(isRules);
  }

  void addInstruction(bool isRules) {
    constexpr Opcode kBinary[] = {Opcode::ADD, Opcode::SUB, Opcode::MUL, Opcode::DIV, Opcode::MIN, Opcode::MAX,
                                  Opcode::LT,  Opcode::LE,  Opcode::EQ,  Opcode::AND, Opcode::OR};
    constexpr Opcode kUnary[] = {Opcode::NEG, Opcode::ABS, Opcode::SQRT, Opcode::NOT};
    const auto entities = static_cast<std::size_t>(m_.numEntities());
    const std::int32_t dst = anyRegister();
    switch (below(11)) {
      case 0:
      case 1:
      case 2: builder_.add(kBinary[below(std::size(kBinary))], dst, anyRegister(), anyRegister()); return;
      case 3: builder_.add(kUnary[below(std::size(kUnary))], dst, anyRegister()); return;
      case 4: builder_.add(Opcode::SELECT, dst, anyRegister(), anyRegister(), anyRegister()); return;
      case 5: addLoad(dst); return;
      case 6: builder_.add(Opcode::DIST, dst, below(entities), below(entities)); return;
      case 7: builder_.add(Opcode::DISTX, dst, below(entities), anyRegister()); return;
      case 8: builder_.add(Opcode::SIGNAL, dst, below(m_.signals.size())); return;
      case 9: builder_.add(below(2) == 0 ? Opcode::FIRED : Opcode::DECL, 0, 0); return;
      default: addEffect(isRules); return;
    }
  }

  void addLoad(std::int32_t dst) {
    const std::int32_t attribute = below(m_.attributes.size());
    if (below(2) == 0) {
      builder_.add(Opcode::LOADX, dst, attribute, anyRegister());
    } else {
      builder_.add(Opcode::LOAD, dst, attribute, entityWith(attribute));
    }
  }

  std::int32_t entityWith(std::int32_t attribute) {
    std::int32_t entity = 0;
    do entity = below(static_cast<std::size_t>(m_.numEntities()));
    while (!m_.applies(m_.attributes[static_cast<std::size_t>(attribute)], entity));
    return entity;
  }

  void addEffect(bool isRules) {
    if (!isRules) {
      const std::int32_t agent = below(static_cast<std::size_t>(m_.numAgents));
      builder_.add(Opcode::GIVE, below(2), agent, anyRegister(), anyRegister());
      return;
    }
    const auto isWritable = [](const Attribute& attribute) { return attribute.isWritable; };
    if (std::none_of(m_.attributes.begin(), m_.attributes.end(), isWritable)) return addLoad(anyRegister());
    constexpr Opcode kEffects[] = {Opcode::SET, Opcode::SCALE, Opcode::SHIFT};
    std::int32_t attribute = 0;
    do attribute = below(m_.attributes.size());
    while (!m_.attributes[static_cast<std::size_t>(attribute)].isWritable);
    builder_.add(kEffects[below(3)], attribute, entityWith(attribute), anyRegister(), anyRegister());
  }

  const Manifest& m_;
  std::uint64_t word_;
  ProgramBuilder builder_;
};

/// The states that programs run over: a full block less a few lanes.
struct Copies {
  static constexpr int kCount = 61;

  explicit Copies(const Scenario& scenario) : width(static_cast<std::size_t>(scenario.stateWords())) {
    states.resize(width * kCount);
    for (int l = 0; l < kCount; ++l) {
      scenario.reset(state(l), EpisodeRng(77, static_cast<std::uint64_t>(l)));
      steps[static_cast<std::size_t>(l)] = l % 4;
    }
  }

  double* state(int l) { return states.data() + static_cast<std::size_t>(l) * width; }

  std::size_t width;
  std::vector<double> states;
  std::array<std::int32_t, kCount> steps{};
};

bool isSame(double x, double y) { return x == y || (std::isnan(x) && std::isnan(y)); }

/// Runs a program both ways and compares effects, gives, traps and fire counts of every lane.
void compare(const RawProgram& raw, const Scenario& scenario, Copies& copies, std::array<int, 4>& reasons) {
  const auto verified = verify(raw, scenario.manifest());
  CHECK(bool{verified});
  if (!verified) return;
  const Program& program = verified.value();
  const auto base = scenario.baseAttributes();
  Machine machine(program, scenario);
  const std::vector<std::uint64_t> zeros(Copies::kCount);
  const LaneView view{copies.states.data(), copies.width, copies.steps.data(),
                      zeros.data(),         zeros.data(), Copies::kCount};
  LaneTraps traps{};
  machine.runDecisions(view, traps);
  const double* effective = machine.effectiveRows();
  const std::vector<double> rows(effective, effective + kLanes * base.size());
  machine.runOutcome(view, traps);
  double fired = 0.0;
  for (int l = 0; l < Copies::kCount; ++l) {
    const auto i = static_cast<std::size_t>(l);
    const double* row = rows.data() + i * base.size();
    ReferenceEvaluator reference(raw, scenario);
    reference.run(true, copies.state(l), base.data(), copies.steps[i]);
    fired += reference.fired[0];
    for (const auto& [target, value] : reference.effects) {
      CHECK(isSame(row[scenario.attributeWord(target.first, target.second)], value));
    }
    reference.run(false, copies.state(l), row, copies.steps[i]);
    fired += reference.fired[0];
    CHECK_EQ(static_cast<int>(traps.reason[i]), static_cast<int>(reference.reason));
    ++reasons[static_cast<std::size_t>(reference.reason)];
    for (const auto& [target, value] : reference.gives) {
      const double expected = reference.reason == TrapReason::kNone ? value : 0.0;
      CHECK(isSame(machine.given(target.first, target.second)[i], expected));
    }
  }
  CHECK_EQ(machine.takeFireCounts()[0], fired);
}

}  // namespace

TEST("generated programs do in lanes what a scalar reading of the opcode table does") {
  for (const std::string& name : scenarioNames()) {
    const auto scenario = scenarioOf(name);
    Copies copies(*scenario);
    ProgramGenerator generator(*scenario, 42);
    std::array<int, 4> reasons{};
    for (int trial = 0; trial < 1000 && failures().empty(); ++trial)
      compare(generator.draw(), *scenario, copies, reasons);
    // The comparison means something only where all outcomes occur.
    for (const int count : reasons) CHECK(count > 300);
  }
}
