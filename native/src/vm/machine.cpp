#include "vm/machine.hpp"

#include <algorithm>
#include <cassert>
#include <chrono>
#include <cmath>
#include <utility>

namespace gymwright {

Machine::Machine(const Program& program, const Scenario& scenario, const Kernels& kernels)
    : program_(program), scenario_(scenario), w_(program, scenario, kernels) {
  for (std::size_t s = 0; s < kNumSections; ++s) sections_[s] = bind(static_cast<Section>(s), w_);
}

std::vector<double> Machine::takeFireCounts() {
  std::vector<double> taken = w_.fireCounts;
  std::fill(w_.fireCounts.begin(), w_.fireCounts.end(), 0.0);
  return taken;
}

const Lanes& Machine::memoryAfter(int word) const {
  const MemoryLanes& lanes = w_.memory[static_cast<std::size_t>(word)];
  return lanes.isWritten ? lanes.after : lanes.before;
}

void Machine::loadBefore(const LaneView& view) {
  w_.before.load(view, w_.before.asksRelations() ? w_.attributes.rows(Layer::kLasting) : nullptr);
}

void Machine::loadAfter(const LaneView& view) {
  w_.after.load(view, w_.after.asksRelations() ? w_.attributes.rows(Layer::kEffective) : nullptr);
}

double Machine::metric(int metric, int agent, int lane) {
  const ProgramMetric& kind = program_.metrics[static_cast<std::size_t>(metric)];
  const SampleLanes& sample = w_.sample(metric, kind.isPerAgent ? agent : 0);
  return valueOf(kind.fold, sample.value.values[lane], sample.count.values[lane]);
}

void Machine::beginBlock() {
  hasKeys_ = false;
  w_.attributes.forgetRows();
}

void Machine::runControl(const LaneView& view, LaneTraps& traps) {
  loadBefore(view);
  w_.pending.clear();
  w_.attributes.clearBaseFolds();
  for (MemoryLanes& word : w_.memory) {
    if (word.isWritten) word.isStored.fill(0.0);
  }
  run(Section::kControl, view, traps);
  finishMemory(traps);
  w_.attributes.foldBases(trapped(traps));
}

void Machine::finishMemory(const LaneTraps& traps) {
  for (MemoryLanes& word : w_.memory) {
    if (!word.isWritten) continue;
    w_.kernels.select(word.after.data(), word.isStored.data(), word.stored.data(), word.before.data());
    for (int l = 0; traps.isAny && l < kLanes; ++l) {
      if (traps.has(l)) word.after.values[l] = word.before.values[l];
    }
  }
}

void Machine::runDecisions(const LaneView& view, LaneTraps& traps) {
  if (!has(Section::kControl) || !w_.pending.empty()) loadBefore(view);
  if (has(Section::kNpc)) {
    clearChoices();
    run(Section::kNpc, view, traps);
  }
  w_.attributes.clearRuleFolds();
  run(Section::kRules, view, traps);
  w_.attributes.foldRules(trapped(traps));
}

void Machine::clearChoices() {
  for (Choice& choice : w_.choices) {
    choice.behaviour.fill(-1);
    choice.target.fill(-1);
  }
}

void Machine::runOutcome(const LaneView& view, LaneTraps& traps, const bool* hasEnded) {
  loadAfter(view);
  for (std::vector<Lanes>* list : {&w_.gives, &w_.potentials}) {
    for (Lanes& lanes : *list) lanes.fill(0.0);
  }
  run(Section::kRewards, view, traps);
  const LaneTraps before = traps;
  run(Section::kPotentials, view, traps);
  if (traps.isAny && hasEnded != nullptr) {
    traps.isAny = before.isAny;
    for (int l = 0; l < view.count; ++l) {
      if (hasEnded[l] && !before.has(l)) traps.reason[static_cast<std::size_t>(l)] = TrapReason::kNone;
      traps.isAny |= traps.has(l);
    }
  }
  run(Section::kMetrics, view, traps);
  for (int l = 0; traps.isAny && l < view.count; ++l) {
    if (!traps.has(l)) continue;
    for (Lanes& lanes : w_.gives) lanes.values[l] = 0.0;
  }
}

void Machine::runAlone(Section section, const LaneView& view, LaneTraps& traps) {
  w_.attributes.settle();
  loadAfter(view);
  for (MemoryLanes& word : w_.memory) {
    if (word.isWritten) word.after = word.before;
  }
  for (Lanes& lanes : w_.potentials) lanes.fill(0.0);
  if (section == Section::kMetrics) {
    for (SampleLanes& sample : w_.samples) {
      sample.value.fill(0.0);
      sample.count.fill(0.0);
    }
  }
  isCounting_ = false;
  run(section, view, traps);
  isCounting_ = true;
}

void Machine::run(Section which, const LaneView& view, LaneTraps& traps) {
  const BoundSection& section = sections_[static_cast<std::size_t>(which)];
  if (section.code.empty()) return;
  if (section.readsRows) rows_ = w_.attributes.rows(section.layer);
  if (!profile_.empty()) return runProfiled(section, view, traps);
  for (const BoundInstruction& i : section.code) runOne(i, view, traps);
}

void Machine::runProfiled(const BoundSection& section, const LaneView& view, LaneTraps& traps) {
  using Clock = std::chrono::steady_clock;
  auto start = Clock::now();
  int current = -1;
  const auto charge = [&] {
    const auto now = Clock::now();
    if (current >= 0)
      profile_[static_cast<std::size_t>(current)] += std::chrono::duration<double, std::nano>(now - start).count();
    start = now;
  };
  for (const BoundInstruction& i : section.code) {
    if (i.op == Opcode::DECL) {
      charge();
      current = i.declaration;
    }
    runOne(i, view, traps);
  }
  charge();
}

void Machine::startProfile() { profile_.assign(program_.declarations.size(), 0.0); }

std::vector<double> Machine::takeProfile() {
  std::vector<double> taken = profile_;
  std::fill(profile_.begin(), profile_.end(), 0.0);
  return taken;
}

void Machine::execute(const BoundInstruction& i, const LaneView& view, LaneTraps& traps) {
  switch (i.op) {
    case Opcode::DECL:
      if (hasCause_) causes_.fill(TrapReason::kNone);
      hasCause_ = false;
      return;
    case Opcode::FIRED: return countFired(i, view.count, traps);
    case Opcode::LOADX: return loadIndexed(i, view.count);
    case Opcode::DISTX: return distanceIndexed(i, view.count);
    case Opcode::RANDOM: return draw(i, view);
    case Opcode::RELATE: return relate(i, view);
    case Opcode::EVENT: return collectEvents(i, view.count, traps);
    case Opcode::BEHAVE: return chooseBehaviour(i, view.count, traps);
    default: break;
  }
  assert(false && "every other opcode is bound to a kernel or to nothing");
}

void Machine::examine(const BoundInstruction& i, int count, LaneTraps& traps) {
  switch (i.op) {
    case Opcode::DIV:
    case Opcode::MOD:
      for (int l = 0; l < count; ++l) {
        if (i.b[l] == 0.0) noteCause(l, TrapReason::kDivision);
      }
      return;
    case Opcode::SQRT:
      for (int l = 0; l < count; ++l) {
        if (i.a[l] < 0.0) noteCause(l, TrapReason::kDomain);
      }
      return;
    case Opcode::MEASURE: return trapWhereUndefined(i.c, i.declaration, count, traps);
    case Opcode::GIVE:
    case Opcode::PHI: return trapWhereBeyond(i, kMaxGive, count, traps);
    default: return trapWhereBeyond(i, kMaxFinite, count, traps);
  }
}

void Machine::countFired(const BoundInstruction& i, int count, LaneTraps& traps) {
  double fired = 0.0;
  if (count == kLanes) {
    if (w_.kernels.countHolding(&fired, i.a, nullptr, nullptr)) trapWhereUndefined(i.a, i.declaration, count, traps);
  } else {
    trapWhereUndefined(i.a, i.declaration, count, traps);
    for (int l = 0; l < count; ++l) fired += lane::holds(i.a[l]) ? 1.0 : 0.0;
  }
  if (isCounting_) *i.dst += fired;
}

void Machine::draw(const BoundInstruction& i, const LaneView& view) {
  for (std::size_t l = 0; l < static_cast<std::size_t>(view.count); ++l) {
    if (!hasKeys_) keys_[l] = view.rng(static_cast<int>(l)).key();
    steps_[l] = static_cast<std::uint32_t>(view.steps[l]);
  }
  hasKeys_ = true;
  const std::uint32_t key = program_.declarations[static_cast<std::size_t>(i.index)].key;
  w_.kernels.uniform(i.dst, {keys_.data(), steps_.data(), static_cast<std::uint32_t>(Stream::kProgram), key, i.key});
}

void Machine::noteCause(int lane, TrapReason reason) {
  TrapReason& cause = causes_[static_cast<std::size_t>(lane)];
  if (cause == TrapReason::kNone) cause = reason;
  hasCause_ = true;
}

void Machine::trapWhereUndefined(const double* condition, int declaration, int count, LaneTraps& traps) const {
  for (int l = 0; l < count; ++l) {
    if (lane::isUndefined(condition[l])) trap(l, declaration, TrapReason::kNonfinite, traps);
  }
}

void Machine::trapWhereBeyond(const BoundInstruction& i, double bound, int count, LaneTraps& traps) const {
  for (int l = 0; l < count; ++l) {
    const bool isBeyond = lane::holds(i.c[l]) && !(std::fabs(i.b[l]) <= bound);
    if (isBeyond || lane::isUndefined(i.c[l])) trap(l, i.declaration, TrapReason::kNonfinite, traps);
  }
}

void Machine::trap(int lane, int declaration, TrapReason fallback, LaneTraps& traps) const {
  if (traps.has(lane)) return;
  const auto l = static_cast<std::size_t>(lane);
  traps.reason[l] = causes_[l] == TrapReason::kNone ? fallback : causes_[l];
  traps.declaration[l] = declaration;
  traps.isAny = true;
}

const bool* Machine::trapped(const LaneTraps& traps) {
  if (!traps.isAny) return nullptr;
  for (int l = 0; l < kLanes; ++l) isTrapped_[static_cast<std::size_t>(l)] = traps.has(l);
  return isTrapped_.data();
}

}  // namespace gymwright
