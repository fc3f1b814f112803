#pragma once

#include <cstdint>
#include <vector>

#include "gymwright/program.hpp"
#include "gymwright/scenario.hpp"
#include "gymwright/vec_env.hpp"
#include "vm/lanes.hpp"

namespace gymwright {

/// Largest |value| that one GIVE may add, so that sums of rewards stay far inside f32.
inline constexpr double kMaxGive = 1e9;

/// The copies a phase runs over: consecutive ones, at most kLanes.
struct LaneView {
  const double* states;      ///< first copy's state
  std::size_t stateStride;   ///< words between copies
  const double* attributes;  ///< first copy's attribute row
  std::size_t attributeStride;
  const std::int32_t* steps;  ///< steps taken by each copy in its episode
  int count;
};

/// First trap of each lane in this step.
struct LaneTraps {
  std::array<TrapReason, kLanes> reason;
  std::array<std::int32_t, kLanes> declaration;

  void clear() { reason.fill(TrapReason::kNone); }
};

/// Executes a verified program over lanes of copies. One machine serves all blocks of a batch, one after the other.
class Machine {
 public:
  Machine(const Program& program, const Scenario& scenario);

  bool hasRules() const { return program_.has(Section::kRules); }
  bool hasRewards() const { return program_.has(Section::kRewards); }

  /// Runs the rules and folds their effects: set, then products, then sums, then the bounds. Trapped lanes get the
  /// base attributes. Shape: attributes rows [count, attributeWords], holding base values on entry (view.attributes).
  void runRules(const LaneView& view, double* attributes, LaneTraps& traps);

  /// Runs the rewards; afterwards given(component, agent) holds what each lane was given. A trapped lane's are zero.
  void runRewards(const LaneView& view, LaneTraps& traps);

  const Lanes& given(int component, int agent) const {
    return gives_[static_cast<std::size_t>(component * numAgents_ + agent)];
  }

  std::vector<double> takeFireCounts();

 private:
  struct Fold {
    Lanes value;
    Lanes isSet;
    Lanes product;
    Lanes sum;
  };

  void run(Section section, const LaneView& view, LaneTraps& traps);
  void execute(const Instruction& instruction, int declaration, const LaneView& view, LaneTraps& traps);
  void collectEffect(const Instruction& instruction, int declaration, int count, LaneTraps& traps);
  void load(Lanes& dst, const LaneView& view, int attribute, int entity) const;
  void loadIndexed(Lanes& dst, const LaneView& view, int attribute, const Lanes& entities);
  void distance(Lanes& dst, const LaneView& view, int a, int b) const;
  void distanceIndexed(Lanes& dst, const LaneView& view, int a, const Lanes& entities);
  void divide(Lanes& dst, const Lanes& x, const Lanes& y);
  void squareRoot(Lanes& dst, const Lanes& x);
  void noteCause(int lane, TrapReason reason);
  void trapUndefined(const Lanes& condition, int declaration, int count, LaneTraps& traps) const;
  void trapBeyond(double bound, const Lanes& condition, const Lanes& value, int declaration, int count,
                  LaneTraps& traps) const;
  void trap(std::size_t lane, int declaration, LaneTraps& traps) const;
  void fold(const LaneView& view, double* attributes, const LaneTraps& traps);
  Lanes& reg(std::int32_t index) { return registers_[static_cast<std::size_t>(index)]; }

  const Program& program_;
  const Scenario& scenario_;
  int numAgents_;
  std::vector<int> positionWords_;
  std::vector<Lanes> registers_;
  std::vector<Fold> folds_;
  std::vector<Lanes> gives_;
  std::vector<double> fireCounts_;
  std::array<TrapReason, kLanes> causes_{};  ///< what first made a value of this declaration undefined
};

}  // namespace gymwright
