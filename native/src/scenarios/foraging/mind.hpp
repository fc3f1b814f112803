#pragma once

#include <cstdint>

#include "scenarios/foraging/layout.hpp"

namespace gymwright::foraging {

/// How agents decide in one state: whole policies, and the primitives that `npc` declarations name. All of them know
/// the whole field, whatever agents observe. Discrete actions come out.
class Mind {
 public:
  /// Requires: the arguments outlive the mind.
  Mind(const Layout& layout, const double* state, const double* attributes)
      : layout_(layout), state_(state), attributes_(attributes) {}

  /// Shape: actions [A].
  /// Seeds: Stream::kScripted, entity = agent; draw 0.
  void play(int policy, const EpisodeRng& rng, std::int32_t step, std::int32_t* actions) const;
  /// `target` is a world entity or -1.
  std::int32_t behave(int behaviour, int agent, int target, const EpisodeRng& rng, std::int32_t step) const;

 private:
  /// Cells that a walk avoids beside those with foods.
  struct Walls {
    bool isTaken[kMaxCells];
  };
  /// Steps to a goal from every cell; kFar where there is no way.
  struct Field {
    std::int16_t steps[kMaxCells];
    int at(const Layout& layout, Cell cell) const { return steps[layout.indexOf(cell)]; }
  };

  void playTeam(std::int32_t* actions) const;
  std::int32_t playAlone(int a) const;
  std::int32_t playRandom(int a, const EpisodeRng& rng, std::int32_t step) const;

  std::int32_t gather(int a, int f) const;
  std::int32_t flee(int a, int entity) const;
  /// One step towards a cell until beside it.
  std::int32_t walkTo(int a, Cell goal) const;
  std::int32_t downhill(int a, const Field& field) const;

  Field stepsTo(Cell goal, const Walls& walls) const;
  Walls foodWalls() const;
  bool isWorthIt(int f) const;
  bool isEnough(int f) const;  ///< the agents beside it can load it
  int teamTarget() const;
  int ownTarget(int a) const;
  int nearestMate(int a) const;
  int nearestFood(Cell cell) const;

  const Layout& layout_;
  const double* state_;
  const double* attributes_;
};

}  // namespace gymwright::foraging
