#pragma once

#include <cstdint>
#include <deque>
#include <utility>
#include <vector>

#include "gymwright/scenario.hpp"
#include "vm/kernels.hpp"
#include "vm/lanes.hpp"

namespace gymwright {

/// The copies a section runs over: consecutive ones, at most kLanes.
struct LaneView {
  const double* states;           ///< first copy's state
  std::size_t stateStride;        ///< words between copies
  const std::int32_t* steps;      ///< steps taken by each copy in its episode
  const std::uint64_t* seeds;     ///< stream of each copy
  const std::uint64_t* episodes;  ///< episode of each copy
  int count;

  const double* state(int lane) const { return states + static_cast<std::size_t>(lane) * stateStride; }
  EpisodeRng rng(int lane) const { return EpisodeRng(seeds[lane], episodes[lane]); }
};

/// What sections read of the state, brought into lanes once for all that look at the same state: words, distances,
/// signals, members of dynamic sets. Each distinct one is read or computed once; the lanes stay where they are.
class Inputs {
 public:
  Inputs(const Scenario& scenario, const Kernels& kernels);

  const double* word(int index);
  /// x lanes, then y lanes.
  const double* point(int entity);
  const double* distance(int from, int to);
  const double* signal(int id);
  const double* member(int set);
  /// Of two fixed entities.
  const double* relation(int id, int from, int to);

  bool asksRelations() const { return !relations_.empty(); }
  /// Brings everything that was asked for up to date. `rows`: attributes that relations are asked with, one row per
  /// lane, or null where there are none.
  void load(const LaneView& view, const double* rows);

 private:
  struct Point {
    Lanes x;
    Lanes y;
  };
  struct Distance {
    const double* from;
    const double* to;
    Lanes lanes;
  };
  struct Relation {
    int id;
    int from;
    int to;
    Lanes lanes;
  };
  template <typename T>
  struct Entry {
    int key;
    T lanes;
  };

  const Scenario& scenario_;
  const Kernels& kernels_;
  // Deques: what they hold stays in place as they grow.
  std::deque<Entry<Lanes>> words_;
  std::deque<Entry<Point>> points_;
  std::deque<Entry<Lanes>> signals_;
  std::deque<Entry<Lanes>> members_;
  std::deque<Distance> distances_;
  std::deque<Relation> relations_;
};

}  // namespace gymwright
