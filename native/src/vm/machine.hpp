#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "gymwright/program.hpp"
#include "gymwright/scenario.hpp"
#include "gymwright/vec_env.hpp"
#include "vm/binder.hpp"
#include "vm/workspace.hpp"

namespace gymwright {

/// First trap of each lane in this step.
struct LaneTraps {
  std::array<TrapReason, kLanes> reason;
  std::array<std::int32_t, kLanes> declaration;
  bool isAny = false;

  void clear() {
    reason.fill(TrapReason::kNone);
    isAny = false;
  }
  bool has(int lane) const { return reason[static_cast<std::size_t>(lane)] != TrapReason::kNone; }
};

/// Executes a verified program over lanes of copies. One machine serves all blocks of a batch, one after the other:
/// memory, lasting and samples of the block are to be in its lanes beforehand.
/// Cost: allocates nothing after construction.
class Machine {
 public:
  /// Requires: program and scenario outlive the machine.
  Machine(const Program& program, const Scenario& scenario, const Kernels& kernels = *availableKernels().back());

  bool has(Section section) const { return program_.has(section); }
  /// Whether runDecisions, runOutcome have anything to do.
  bool decides() const { return has(Section::kNpc) || has(Section::kRules); }
  bool judges() const { return has(Section::kRewards) || has(Section::kPotentials) || has(Section::kMetrics); }
  const Kernels& kernels() const { return w_.kernels; }

  /// To be called before anything else of a block's step: what was known of another block is forgotten.
  void beginBlock();

  /// Control and what follows from it: memory and bases of the step; the events stand in pendingEvents.
  void runControl(const LaneView& view, LaneTraps& traps);
  const std::vector<PendingEvent>& pendingEvents() const { return w_.pending; }

  /// Npc and rules, on the state after the events: choices, effective attributes, what lasts from the next step on.
  /// Trapped lanes keep the attributes they came with.
  void runDecisions(const LaneView& view, LaneTraps& traps);
  const Choice& choice(int agent) const { return w_.choices[static_cast<std::size_t>(agent)]; }

  /// Rewards, potentials and metrics, on the state after physics. Afterwards a trapped lane has been given nothing.
  /// hasEnded, by lane: the episode is over, so that nothing in its potentials can trap, which are not looked at there.
  void runOutcome(const LaneView& view, LaneTraps& traps, const bool* hasEnded = nullptr);
  const Lanes& given(int component, int agent) { return w_.give(component, agent); }
  const Lanes& potential(int component, int agent) { return w_.potential(component, agent); }

  /// Potentials or metrics of a state that no step led to, with what lasts as attributes: nothing is counted as fired,
  /// and the samples are those of this state alone.
  void runAlone(Section section, const LaneView& view, LaneTraps& traps);

  /// Row of attributes of a lane. Between runDecisions and runOutcome: the effective ones.
  const double* effectiveRows() { return w_.attributes.rows(Layer::kEffective); }

  /// Lanes that the batch keeps per block.
  Lanes& memoryBefore(int word) { return w_.memory[static_cast<std::size_t>(word)].before; }
  const Lanes& memoryAfter(int word) const;
  Lanes& lasting(int slot) { return w_.attributes.lasting(slot); }
  const Lanes& next(int slot) { return w_.attributes.next(slot); }
  std::vector<SampleLanes>& samples() { return w_.samples; }
  /// Value of a metric from the samples in the lanes.
  double metric(int metric, int agent, int lane);

  std::vector<double> takeFireCounts();

  /// From now on the time that each declaration's instructions take is kept; a clock is read per declaration and block.
  void startProfile();
  /// Nanoseconds per declaration since the last call. Empty before startProfile.
  std::vector<double> takeProfile();

 private:
  void loadBefore(const LaneView& view);
  void loadAfter(const LaneView& view);
  void run(Section section, const LaneView& view, LaneTraps& traps);
  void runProfiled(const BoundSection& section, const LaneView& view, LaneTraps& traps);
  void runOne(const BoundInstruction& i, const LaneView& view, LaneTraps& traps) {
    if (i.kernel == nullptr) {
      execute(i, view, traps);
    } else if (i.kernel(i.dst, i.a, i.b, i.c)) {
      examine(i, view.count, traps);
    }
  }
  void execute(const BoundInstruction& i, const LaneView& view, LaneTraps& traps);
  void examine(const BoundInstruction& i, int count, LaneTraps& traps);
  void countFired(const BoundInstruction& i, int count, LaneTraps& traps);
  void loadIndexed(const BoundInstruction& i, int count);
  void distanceIndexed(const BoundInstruction& i, int count);
  void draw(const BoundInstruction& i, const LaneView& view);
  void relate(const BoundInstruction& i, const LaneView& view);
  void collectEvents(const BoundInstruction& i, int count, LaneTraps& traps);
  void chooseBehaviour(const BoundInstruction& i, int count, LaneTraps& traps);
  void clearChoices();
  void finishMemory(const LaneTraps& traps);
  void noteCause(int lane, TrapReason reason);
  void trapWhereUndefined(const double* condition, int declaration, int count, LaneTraps& traps) const;
  void trapWhereBeyond(const BoundInstruction& i, double bound, int count, LaneTraps& traps) const;
  void trap(int lane, int declaration, TrapReason fallback, LaneTraps& traps) const;
  const bool* trapped(const LaneTraps& traps);

  const Program& program_;
  const Scenario& scenario_;
  Workspace w_;
  std::array<BoundSection, kNumSections> sections_;
  std::array<TrapReason, kLanes> causes_{};  ///< what first made a value of this declaration undefined
  bool hasCause_ = false;
  bool isCounting_ = true;  ///< FIRED counts
  std::array<bool, kLanes> isTrapped_{};
  std::array<std::uint64_t, kLanes> keys_{};   ///< of the copies' random numbers
  std::array<std::uint32_t, kLanes> steps_{};  ///< of the copies
  bool hasKeys_ = false;                       ///< keys_ are those of the block
  std::vector<double> profile_;                ///< [declarations] ns, or empty
  const double* rows_ = nullptr;               ///< attribute rows as the section that runs sees them
};

}  // namespace gymwright
