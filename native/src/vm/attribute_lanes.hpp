#pragma once

#include <deque>
#include <span>
#include <vector>

#include "gymwright/program.hpp"
#include "gymwright/scenario.hpp"
#include "vm/kernels.hpp"
#include "vm/lanes.hpp"

namespace gymwright {

/// The values an attribute has in the course of a step: what lasting effects left; the base that control set for this
/// step; what the rules made of that; what lasts from the next step on.
enum class Layer { kLasting, kBase, kEffective, kNext };

/// What the effects of one slot collect.
struct Fold {
  Lanes value;  ///< followed by isSet, as setWhere wants it
  Lanes isSet;
  Lanes product;
  Lanes sum;
  bool hasSet = false;
  bool hasProduct = false;
  bool hasSum = false;
};

/// The attributes that a program can change, in lanes, with a row per copy for those who want rows. What no slot
/// mentions keeps the scenario's base.
class AttributeLanes {
 public:
  AttributeLanes(const Program& program, const Scenario& scenario, const Kernels& kernels);

  /// Lanes of an attribute of an entity in a layer; null where the program never changes it.
  /// Requires: the attribute is not in the state.
  const double* lanes(Layer layer, int attribute, int entity) const;

  Fold& baseFold(int slot) { return baseFolds_[static_cast<std::size_t>(slot)]; }
  Fold& fold(int slot) { return folds_[static_cast<std::size_t>(slot)]; }
  Fold& lastingFold(int slot) { return lastingFolds_[static_cast<std::size_t>(slot)]; }

  /// What lasts of each lasting slot: in for the step that begins, out for the next.
  Lanes& lasting(int slot) { return *cells_[lastingCells_[static_cast<std::size_t>(slot)]].lasting; }
  const Lanes& next(int slot) { return *cells_[lastingCells_[static_cast<std::size_t>(slot)]].next; }

  void clearBaseFolds() { clear(baseFolds_); }
  void clearRuleFolds() {
    clear(folds_);
    clear(lastingFolds_);
  }
  /// Lasting -> base. Trapped lanes keep what lasts.
  void foldBases(const bool* isTrapped);
  /// Base -> effective and lasting -> next, likewise.
  void foldRules(const bool* isTrapped);
  /// Every layer as a step finds it before anything is folded.
  void settle();

  /// One row of attributeWords per lane, as a layer has them.
  const double* rows(Layer layer);
  /// What lasts has been written from outside.
  void forgetRows() { hasRows_ = false; }
  const double* row(Layer layer, int lane) { return rows(layer) + static_cast<std::size_t>(lane) * width_; }

 private:
  /// One attribute of one entity that some slot writes. Layers that nothing folds into share the lanes before them.
  struct Cell {
    std::size_t word;  ///< in the row
    double base;
    Lanes* lasting;
    Lanes* steady;  ///< base layer
    Lanes* effective;
    Lanes* next;
    double low;
    double high;
  };

  std::size_t cellOf(EffectSlot slot);
  Lanes& newLanes(double value);
  const Lanes* layerOf(const Cell& cell, Layer layer) const;
  void clear(std::vector<Fold>& folds);
  void foldInto(Lanes& out, const Lanes& base, const Fold& fold, const Cell& cell, const bool* isTrapped);

  const Scenario& scenario_;
  const Kernels& kernels_;
  std::size_t width_;
  std::deque<Lanes> lanes_;
  std::deque<Cell> cells_;
  std::vector<std::size_t> baseCells_;
  std::vector<std::size_t> cellsOfSlots_;
  std::vector<std::size_t> lastingCells_;
  std::vector<Fold> baseFolds_;
  std::vector<Fold> folds_;
  std::vector<Fold> lastingFolds_;
  std::vector<double> rows_;  ///< [kLanes, width]
  Layer rowsLayer_ = Layer::kLasting;
  bool hasRows_ = false;  ///< rows_ are those of rowsLayer_ as it is now
  Lanes zeros_;
  Lanes ones_;
};

}  // namespace gymwright
