#include "vm/attribute_lanes.hpp"

namespace gymwright {
AttributeLanes::AttributeLanes(const Program& program, const Scenario& scenario, const Kernels& kernels)
    : scenario_(scenario), kernels_(kernels), width_(static_cast<std::size_t>(scenario.attributeWords())) {
  zeros_.fill(0.0);
  ones_.fill(1.0);
  for (int l = 0; l < kLanes; ++l)
    rows_.insert(rows_.end(), scenario.baseAttributes().begin(), scenario.baseAttributes().end());
  for (const EffectSlot slot : program.lastingSlots) lastingCells_.push_back(cellOf(slot));
  for (const EffectSlot slot : program.baseSlots) baseCells_.push_back(cellOf(slot));
  for (const EffectSlot slot : program.slots) cellsOfSlots_.push_back(cellOf(slot));
  baseFolds_.resize(baseCells_.size());
  folds_.resize(cellsOfSlots_.size());
  lastingFolds_.resize(lastingCells_.size());
  for (Cell& cell : cells_) cell.lasting = cell.steady = cell.effective = cell.next = &newLanes(cell.base);
  // Own lanes where something is folded; whatever comes later in the step follows.
  for (const std::size_t c : lastingCells_) cells_[c].next = &newLanes(cells_[c].base);
  for (const std::size_t c : baseCells_) cells_[c].steady = cells_[c].effective = &newLanes(cells_[c].base);
  for (const std::size_t c : cellsOfSlots_) cells_[c].effective = &newLanes(cells_[c].base);
}

std::size_t AttributeLanes::cellOf(EffectSlot slot) {
  const std::size_t word = scenario_.attributeWord(slot.attribute, slot.entity);
  for (std::size_t c = 0; c < cells_.size(); ++c) {
    if (cells_[c].word == word) return c;
  }
  const Attribute& attribute = scenario_.manifest().attributes[static_cast<std::size_t>(slot.attribute)];
  cells_.push_back(
      {word, scenario_.baseAttributes()[word], nullptr, nullptr, nullptr, nullptr, attribute.min, attribute.max});
  return cells_.size() - 1;
}

Lanes& AttributeLanes::newLanes(double value) {
  lanes_.emplace_back().fill(value);
  return lanes_.back();
}

const Lanes* AttributeLanes::layerOf(const Cell& cell, Layer layer) const {
  switch (layer) {
    case Layer::kLasting: return cell.lasting;
    case Layer::kBase: return cell.steady;
    case Layer::kEffective: return cell.effective;
    default: return cell.next;
  }
}

const double* AttributeLanes::lanes(Layer layer, int attribute, int entity) const {
  const std::size_t word = scenario_.attributeWord(attribute, entity);
  for (const Cell& cell : cells_) {
    if (cell.word == word) return layerOf(cell, layer)->data();
  }
  return nullptr;
}

void AttributeLanes::clear(std::vector<Fold>& folds) {
  for (Fold& fold : folds) {
    if (fold.hasSet) fold.isSet.fill(0.0);
    if (fold.hasProduct) fold.product.fill(1.0);
    if (fold.hasSum) fold.sum.fill(0.0);
  }
}

void AttributeLanes::foldInto(Lanes& out, const Lanes& base, const Fold& fold, const Cell& cell,
                              const bool* isTrapped) {
  const FoldLanes lanes = {base.data(), fold.hasSet ? fold.isSet.data() : zeros_.data(), fold.value.data(),
                           fold.hasProduct ? fold.product.data() : ones_.data(),
                           fold.hasSum ? fold.sum.data() : zeros_.data()};
  kernels_.fold(out.data(), lanes, cell.low, cell.high);
  if (isTrapped == nullptr) return;
  for (int l = 0; l < kLanes; ++l) {
    if (isTrapped[l]) out.values[l] = base.values[l];
  }
}

void AttributeLanes::foldBases(const bool* isTrapped) {
  forgetRows();
  for (std::size_t s = 0; s < baseFolds_.size(); ++s) {
    const Cell& cell = cells_[baseCells_[s]];
    foldInto(*cell.steady, *cell.lasting, baseFolds_[s], cell, isTrapped);
  }
}

void AttributeLanes::foldRules(const bool* isTrapped) {
  forgetRows();
  for (std::size_t s = 0; s < folds_.size(); ++s) {
    const Cell& cell = cells_[cellsOfSlots_[s]];
    foldInto(*cell.effective, *cell.steady, folds_[s], cell, isTrapped);
  }
  for (std::size_t s = 0; s < lastingFolds_.size(); ++s) {
    const Cell& cell = cells_[lastingCells_[s]];
    foldInto(*cell.next, *cell.lasting, lastingFolds_[s], cell, isTrapped);
  }
}

void AttributeLanes::settle() {
  forgetRows();
  for (const Cell& cell : cells_) {
    for (Lanes* lanes : {cell.steady, cell.effective, cell.next}) {
      if (lanes != cell.lasting) *lanes = *cell.lasting;
    }
  }
}

const double* AttributeLanes::rows(Layer layer) {
  if (hasRows_ && rowsLayer_ == layer) return rows_.data();
  hasRows_ = true;
  rowsLayer_ = layer;
  for (const Cell& cell : cells_) {
    const Lanes* lanes = layerOf(cell, layer);
    double* target = rows_.data() + cell.word;
    for (int l = 0; l < kLanes; ++l, target += width_) *target = lanes->values[l];
  }
  return rows_.data();
}

}  // namespace gymwright
